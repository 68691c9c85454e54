/* tabia bestmove: which move to make, and what it is worth. */
#include "base/json.h"
#include "cli/session.h"

#include <stdlib.h>
#include <string.h>

static const command_help help = {
    .usage = "tabia bestmove [OPTION] GAME",
    .details =
        "Searches for the best move of a role, by default of the first that has a choice and for\n"
        "one second.  Prints its thoughts while it searches, and then the move.  A result that is\n"
        "called proved is the outcome of best play.  With --iterations instead of a time, the\n"
        "answer depends on the seed alone.  Where `tabia solve --database` has kept the values of\n"
        "all states, --database looks them up.",
    .example = "tabia bestmove tic-tac-toe --after '(place 1 1)' --seconds 0.5",
};

typedef struct bestmove_command {
  machine_choice machine;
  limit_choice limits;
  start_choice start;
  const char *role, *database;
  double seconds, learn;
  uint64_t iterations, seed, threads;
  uint32_t kind;
  bool as_json;
} bestmove_command;

static const char *const kinds[] = {"tabia", "batched", "uct", NULL};

static bool is_random(const tabia_machine *m, uint32_t role) {
  return strcmp(tabia_machine_role(m, role), "random") == 0;
}

/* ---- whose move ---- */

static bool find_role(const session *s, const char *name, uint32_t *role) {
  const uint32_t count = tabia_machine_role_count(s->machine);
  for (*role = 0; *role < count; ++*role)
    if (strcmp(tabia_machine_role(s->machine, *role), name) == 0) return true;
  return false;
}

/* The first that can choose, besides chance. */
static uint32_t first_chooser(const session *s, tabia_workspace *w, const void *position) {
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++)
    if (!is_random(s->machine, r) && tabia_position_legal(w, position, r, NULL, 0) > 1) return r;
  return 0;
}

/* False: there is no such role, which was shown. */
static bool choose_role(const session *s, const bestmove_command *c, const void *position,
                        uint32_t *role, int *status) {
  if (c->role && !find_role(s, c->role, role)) {
    *status = usage_error(&help, "the game has no role `%s`", c->role);
    return false;
  }
  if (c->role) return true;
  tabia_workspace *w = tabia_workspace_new(s->machine, s->limits);
  *role = first_chooser(s, w, position);
  tabia_workspace_free(w);
  return true;
}

/* ---- text ---- */

static void put_values(const session *s, const tabia_search *x) {
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++)
    if (!is_random(s->machine, r))
      printf(", %s %.1f", tabia_machine_role(s->machine, r), tabia_search_value(x, r));
  if (tabia_search_is_proved(x)) printf(" (proved)");
}

static void put_line(const session *s, const tabia_search *x) {
  enum { SHOWN = 8 };
  const uint32_t length = tabia_search_line_length(x);
  for (uint32_t i = 0; i < length && i < SHOWN; i++)
    printf("%s%s", i ? "; " : ": ", joint_text(s->machine, tabia_search_line_joint(x, i), s->keep));
  if (length > SHOWN) printf("; ...");
}

/* A tabia_thought; the context is the session. */
static void put_thought(void *context, const tabia_search *x) {
  const session *s = context;
  printf("depth %llu, %llu iterations",
         (unsigned long long)tabia_search_effort(x, TABIA_EFFORT_DEPTH),
         (unsigned long long)tabia_search_effort(x, TABIA_EFFORT_ITERATIONS));
  put_values(s, x);
  put_line(s, x);
  putchar('\n');
  fflush(stdout);
}

static void put_as_text(session *s, const tabia_search *x, uint32_t role) {
  const tabia_move best = tabia_search_best(x, role);
  put_thought(s, x);
  if (tabia_machine_has_hidden_state(s->machine))
    puts("as if every role knew the state, which in this game it does not");
  if (best == TABIA_NO_MOVE)
    puts("there is no move: the game is over");
  else
    printf("bestmove %s\n", move_text(s->machine, role, best, s->keep));
}

/* ---- JSON ---- */

static void write_values(json_writer *w, const session *s, const tabia_search *x) {
  json_open_object(w, "values");
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++)
    if (!is_random(s->machine, r))
      json_put_number(w, tabia_machine_role(s->machine, r), tabia_search_value(x, r));
  json_close_object(w);
}

static void write_moves(json_writer *w, const session *s, const tabia_search *x, uint32_t role) {
  json_open_array(w, "candidates");
  for (uint32_t i = 0; i < tabia_search_move_count(x, role); i++) {
    json_open_object(w, NULL);
    json_put_string(w, "move", move_text(s->machine, role, tabia_search_move(x, role, i), s->keep));
    json_put_integer(w, "visits", (int64_t)tabia_search_move_visits(x, role, i));
    json_put_number(w, "mean", tabia_search_move_value(x, role, i));
    json_put_number(w, "share", tabia_search_move_share(x, role, i));
    json_put_bool(w, "proved", tabia_search_move_is_proved(x, role, i));
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_effort(json_writer *w, const tabia_search *x) {
  json_put_integer(w, "iterations", (int64_t)tabia_search_effort(x, TABIA_EFFORT_ITERATIONS));
  json_put_integer(w, "playouts", (int64_t)tabia_search_effort(x, TABIA_EFFORT_PLAYOUTS));
  json_put_integer(w, "depth", (int64_t)tabia_search_effort(x, TABIA_EFFORT_DEPTH));
  json_put_integer(w, "tree_states", (int64_t)tabia_search_effort(x, TABIA_EFFORT_NODES));
  json_put_number(w, "seconds", tabia_search_time(x));
}

static void write_line(json_writer *w, const session *s, const tabia_search *x) {
  json_open_array(w, "witness");
  for (uint32_t i = 0; i < tabia_search_line_length(x); i++)
    session_write_joint(w, NULL, s, tabia_search_line_joint(x, i));
  json_close_array(w);
}

static void put_as_json(const session *s, const tabia_search *x, uint32_t role) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  const tabia_move best = tabia_search_best(x, role);
  json_open_object(&w, NULL);
  json_put_string(&w, "machine", tabia_machine_kind(s->machine));
  json_put_string(&w, "role", tabia_machine_role(s->machine, role));
  json_put_string(&w, "move",
                  best == TABIA_NO_MOVE ? NULL : move_text(s->machine, role, best, s->keep));
  write_values(&w, s, x);
  json_put_bool(&w, "proved", tabia_search_is_proved(x));
  write_moves(&w, s, x, role);
  write_line(&w, s, x);
  write_effort(&w, x);
  json_put_bool(&w, "imperfect_information", tabia_machine_has_hidden_state(s->machine));
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static void set_number(tabia_options *o, const char *name, uint64_t number) {
  char words[32];
  snprintf(words, sizeof words, "%llu", (unsigned long long)number);
  tabia_options_set(o, name, words);
}

static tabia_search *open_search(session *s, const bestmove_command *c, tabia_status *result) {
  tabia_search *x;
  tabia_options_set(s->options, "kind", kinds[c->kind]);
  tabia_options_set(s->options, "database", c->database);
  set_number(s->options, "seed", c->seed);
  set_number(s->options, "threads", c->threads);
  *result = tabia_search_open(&x, s->machine, s->options, s->limits, s->log);
  if (!x) return NULL;
  if (!c->as_json) tabia_search_set_listener(x, put_thought, s);
  tabia_search_set_iterations(x, c->iterations);
  tabia_search_set_seconds(x, c->seconds > 0 || c->iterations ? c->seconds : 1);
  if (c->learn > 0) *result = tabia_search_learn(x, c->learn, s->limits, s->log);
  return x;
}

/* A database is of the game from its own start: then the rules keep it. */
static bool read_game(session *s, const char *game, const bestmove_command *c, int *status) {
  return c->database ? session_read(s, game, status)
                     : session_read_from(s, game, &c->start, status);
}

static const start_choice *steps_to_take(const bestmove_command *c) {
  static const start_choice none = {0};
  return c->database ? &c->start : &none;
}

static int search_move(session *s, const bestmove_command *c) {
  uint32_t role;
  int status;
  tabia_status result;
  void *position = arena_alloc(s->keep, tabia_position_size(s->machine));
  if (!session_place(s, steps_to_take(c), position, &status)) return status;
  if (!choose_role(s, c, position, &role, &status)) return status;
  tabia_search *x = open_search(s, c, &result);
  if (x && result == TABIA_OK) result = tabia_search_think(x, position, role, s->limits, s->log);
  if (x && c->as_json)
    put_as_json(s, x, role);
  else if (x)
    put_as_text(s, x, role);
  tabia_search_close(x);
  return session_show(s, result);
}

int cmd_bestmove(int argc, char **argv) {
  bestmove_command c = {.seed = 1, .threads = 1, .machine = {.purpose = "playouts"}};
  const option options[] = {
      STRING_OPTION("role", &c.role, "ROLE", "role to move (the first that has a choice)"),
      REAL_OPTION("seconds", &c.seconds, "SECONDS", "search for this time (1)"),
      NUMBER_OPTION("iterations", &c.iterations, "N", "or for N iterations"),
      REAL_OPTION("learn", &c.learn, "SECONDS", "learn the game for this time first (0)"),
      CHOICE_OPTION("kind", &c.kind, kinds, "tabia: everything; the others are for comparison"),
      NUMBER_OPTION("seed", &c.seed, "N", "seed of the random games (1)"),
      NUMBER_OPTION("threads", &c.threads, "N", "number of threads, each with its own tree (1)",
                    .least = 1, .most = 1024),
      STRING_OPTION("database", &c.database, "FOLDER",
                    "look values up that `tabia solve` has kept"),
      FLAG_OPTION("json", &c.as_json, "print a JSON object at the end"),
      SESSION_START(&c.start),
      SESSION_MACHINE(&c.machine),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (session_begin(&s, &c.limits, &help, &status) && read_game(&s, given.items[0], &c, &status) &&
      session_open(&s, &c.machine, &status))
    status = search_move(&s, &c);
  return session_end(&s, status);
}
