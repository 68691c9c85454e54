/* tabia solve: what a game is worth, and how to play it. */
#include "base/budget.h"
#include "base/json.h"
#include "cli/session.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia solve [OPTION] GAME",
    .details =
        "Visits all states of a game and prints its value for each role, the best moves, and a\n"
        "line of best play.  Solves games of one role; of two in turn, where a play that never\n"
        "ends counts 50; and, where every play ends, games with chance, with simultaneous moves\n"
        "of two roles, or with more than two roles in turn.  Declines all others, with the reason.\n"
        "If that exceeds the limits, searches for a weak solution of games of one role, or of two\n"
        "in turn: only the value, a best move and a line of play.\n"
        "A game of one role with independent parts (tabia info --factors) and more than 10,000\n"
        "states is solved part by part: its value, the best moves and a shortest line.\n"
        "Of symmetric states only one is kept, unless --database or --no-symmetry is given.\n"
        "--database keeps the values of all states; --check compares kept values with each other,\n"
        "by random plays on the machine `reference`.  --checkpoint keeps the states in files, from\n"
        "which a stopped run resumes: for games of one role, or of two in turn, with one thread.",
    .example = "tabia solve tic-tac-toe --after '(place 1 1) noop'",
};

typedef struct solve_command {
  machine_choice machine;
  limit_choice limits;
  start_choice start;
  uint64_t threads, max_states;
  uint32_t method;                             /* of method_words */
  const char *database, *checked, *checkpoint; /* folders */
  double save_every;                           /* seconds */
  uint64_t samples, seed;
  bool as_json, without_symmetry;
} solve_command;

/* In the order of tabia_solve_method. */
static const char *const method_words[] = {"auto", "strong", "weak", "by-parts", NULL};

static bool is_random(const session *s, uint32_t role) {
  return strcmp(tabia_machine_role(s->machine, role), "random") == 0;
}

/* ---- text ---- */

/* Besides chance. */
static uint32_t chooser_count(const session *s) {
  uint32_t count = 0;
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++) count += !is_random(s, r);
  return count;
}

static void put_sense(const session *s, const tabia_solve *x) {
  static const char *const words[] = {
      [TABIA_SENSE_BEST] = "the most that the role can get",
      [TABIA_SENSE_GUARANTEE] = "what each role can make sure of, whatever the other does",
      [TABIA_SENSE_BOUND] = "",
      [TABIA_SENSE_MAX_N] = "what each role gets when each takes the best for itself"};
  puts(words[tabia_solve_sense(x)]);
  if (tabia_solve_has_chance(x))
    puts("these are expectations: `random` draws each of its moves alike");
  if (tabia_solve_gap(x) > 0) printf("within %.2g of the truth\n", tabia_solve_gap(x));
  if (tabia_solve_has_endless(x))
    printf("play need not end, and then counts %d\n", chooser_count(s) == 1 ? 0 : 50);
}

static void put_moves(const session *s, const tabia_solve *x, uint32_t role) {
  const uint32_t count = tabia_solve_move_count(x, role);
  bool is_mixed = false;
  for (uint32_t i = 1; i < count; i++) is_mixed |= tabia_solve_move_share(x, role, i) > 0;
  for (uint32_t i = 0; i < count; i++) {
    printf("%s%s", i ? ", " : "; ",
           move_text(s->machine, role, tabia_solve_move(x, role, i), s->keep));
    if (is_mixed) printf(" %.4g", tabia_solve_move_share(x, role, i));
  }
}

static void put_line(const session *s, const tabia_solve *x) {
  const uint32_t length = tabia_solve_line_length(x);
  if (tabia_solve_has_remoteness(x)) printf("remoteness %u\n", (unsigned)tabia_solve_remoteness(x));
  for (uint32_t i = 0; i < length; i++)
    printf("%5u  %s\n", (unsigned)i + 1,
           joint_text(s->machine, tabia_solve_line_joint(x, i), s->keep));
}

/* Ends are states, too, though they take no room. */
static double bits_a_state(const tabia_database *b, const char *file) {
  return 8.0 * (double)tabia_database_bytes(b, file) /
         (double)(tabia_database_states(b) + tabia_database_ends(b));
}

static void put_database(const tabia_database *b) {
  printf("database: %llu states and %llu ends; %.2f bits each for values, %.2f for the index",
         (unsigned long long)tabia_database_states(b), (unsigned long long)tabia_database_ends(b),
         bits_a_state(b, "values"), bits_a_state(b, "index"));
  if (tabia_database_bytes(b, "steps")) printf(", %.2f for steps", bits_a_state(b, "steps"));
  putchar('\n');
}

/* What was looked at. */
static void put_counts(const tabia_solve *x) {
  if (tabia_solve_parts(x)) {
    printf("%llu states of %u independent parts, %llu combinations\n",
           (unsigned long long)tabia_solve_states(x), (unsigned)tabia_solve_parts(x),
           (unsigned long long)tabia_solve_nodes(x));
    return;
  }
  if (tabia_solve_nodes(x))
    printf("%llu states looked at for a weak solution\n", (unsigned long long)tabia_solve_nodes(x));
  if (tabia_solve_states(x))
    printf("%llu states, %llu of them ends, to depth %u\n",
           (unsigned long long)tabia_solve_states(x), (unsigned long long)tabia_solve_ends(x),
           (unsigned)tabia_solve_depth(x));
  if (tabia_solve_kept_states(x) != tabia_solve_states(x))
    printf("%llu states up to symmetry, by %u symmetries\n",
           (unsigned long long)tabia_solve_kept_states(x), (unsigned)tabia_solve_symmetries(x));
}

static void put_as_text(const session *s, const tabia_solve *x, const tabia_database *b) {
  put_counts(x);
  if (!tabia_solve_has_values(x)) return;
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++) {
    if (is_random(s, r)) continue;
    printf("%s: %.9g", tabia_machine_role(s->machine, r), tabia_solve_value(x, r));
    put_moves(s, x, r);
    putchar('\n');
  }
  put_sense(s, x);
  put_line(s, x);
  if (b) put_database(b);
}

/* ---- JSON ---- */

static void write_values(json_writer *w, const session *s, const tabia_solve *x) {
  if (!tabia_solve_has_values(x)) {
    json_put_null(w, "values");
    return;
  }
  json_open_object(w, "values");
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++)
    if (!is_random(s, r))
      json_put_value(w, tabia_machine_role(s->machine, r), tabia_solve_value(x, r));
  json_close_object(w);
}

static void write_moves(json_writer *w, const session *s, const tabia_solve *x) {
  json_open_array(w, "moves");
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++)
    for (uint32_t i = 0; i < tabia_solve_move_count(x, r); i++) {
      json_open_object(w, NULL);
      json_put_string(w, "role", tabia_machine_role(s->machine, r));
      json_put_string(w, "move", move_text(s->machine, r, tabia_solve_move(x, r, i), s->keep));
      json_put_value(w, "share", tabia_solve_move_share(x, r, i));
      json_close_object(w);
    }
  json_close_array(w);
}

static void write_line(json_writer *w, const session *s, const tabia_solve *x) {
  json_open_array(w, "line");
  for (uint32_t i = 0; i < tabia_solve_line_length(x); i++)
    session_write_joint(w, NULL, s, tabia_solve_line_joint(x, i));
  json_close_array(w);
}

static void write_counts(json_writer *w, const tabia_solve *x) {
  json_put_integer(w, "states", (int64_t)tabia_solve_states(x));
  json_put_integer(w, "kept_states", (int64_t)tabia_solve_kept_states(x));
  json_put_integer(w, "symmetries", tabia_solve_symmetries(x));
  json_put_integer(w, "nodes", (int64_t)tabia_solve_nodes(x));
  json_put_integer(w, "parts", tabia_solve_parts(x));
  json_put_integer(w, "ends", (int64_t)tabia_solve_ends(x));
  json_put_integer(w, "depth", (int64_t)tabia_solve_depth(x));
  json_put_integer(w, "stored_bytes", (int64_t)tabia_solve_bytes(x));
  json_put_integer(w, "faults", (int64_t)tabia_solve_faults(x));
}

static void write_database(json_writer *w, const tabia_database *b) {
  json_open_object(w, "database");
  json_put_integer(w, "states", (int64_t)tabia_database_states(b));
  json_put_integer(w, "ends", (int64_t)tabia_database_ends(b));
  json_put_integer(w, "index_bytes", (int64_t)tabia_database_bytes(b, "index"));
  json_put_integer(w, "values_bytes", (int64_t)tabia_database_bytes(b, "values"));
  json_put_integer(w, "steps_bytes", (int64_t)tabia_database_bytes(b, "steps"));
  json_close_object(w);
}

static void put_as_json(const session *s, const tabia_solve *x, const tabia_database *b,
                        double seconds) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  const bool done = tabia_solve_has_values(x);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(s->rules));
  write_values(&w, s, x);
  if (tabia_solve_has_remoteness(x))
    json_put_integer(&w, "remoteness", (int64_t)tabia_solve_remoteness(x));
  else
    json_put_null(&w, "remoteness");
  write_moves(&w, s, x);
  write_line(&w, s, x);
  json_put_string(&w, "sense", done ? tabia_sense_name(tabia_solve_sense(x)) : NULL);
  json_put_string(&w, "solution", tabia_solve_kind(x));
  json_put_bool(&w, "exact", done && tabia_solve_gap(x) == 0);
  json_put_number(&w, "gap", tabia_solve_gap(x));
  json_put_bool(&w, "expected", tabia_solve_has_chance(x));
  json_put_bool(&w, "endless", tabia_solve_has_endless(x));
  json_put_string(&w, "reason", tabia_solve_reason(x));
  write_counts(&w, x);
  if (b)
    write_database(&w, b);
  else
    json_put_null(&w, "database");
  json_put_number(&w, "seconds", seconds);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static int solve_game(session *s, const solve_command *c) {
  const double begin = clock_now();
  tabia_solve *x = tabia_solve_new(s->machine);
  tabia_solve_set_method(x, (tabia_solve_method)c->method);
  tabia_solve_set_threads(x, (uint32_t)c->threads);
  tabia_solve_set_most_states(x, c->max_states);
  tabia_solve_set_database(x, c->database);
  tabia_solve_set_symmetry(x, !c->without_symmetry);
  tabia_solve_set_checkpoint(x, c->checkpoint, c->save_every);
  const tabia_status result = tabia_solve_run(x, s->limits, s->log);
  const double seconds = clock_now() - begin;
  tabia_database *b = NULL;
  if (tabia_solve_has_database(x)) tabia_database_open(&b, s->machine, c->database, s->log);
  if (c->as_json)
    put_as_json(s, x, b, seconds);
  else
    put_as_text(s, x, b);
  tabia_database_close(b);
  tabia_solve_free(x);
  return session_show(s, result);
}

/* ---- checking ---- */

static void put_check(const session *s, const solve_command *c, const tabia_database *b,
                      uint64_t checked, bool agrees) {
  if (!c->as_json) {
    put_database(b);
    printf("%llu positions checked\n", (unsigned long long)checked);
    return;
  }
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(s->rules));
  write_database(&w, b);
  json_put_integer(&w, "checked", (int64_t)checked);
  json_put_bool(&w, "ok", agrees);
  json_close_object(&w);
  puts(text_string(&out));
}

static int check_database(session *s, const solve_command *c) {
  const machine_choice choice = {.machine = "reference"};
  tabia_machine *judge = NULL;
  tabia_database *b = NULL;
  uint64_t checked = 0;
  tabia_status result = tabia_database_open(&b, s->machine, c->checked, s->log);
  if (result == TABIA_OK) result = session_open_other(s, &choice, &judge);
  if (result == TABIA_OK) {
    result = tabia_database_check(b, judge, c->samples, c->seed, s->limits, s->log, &checked);
    put_check(s, c, b, checked, result == TABIA_OK);
  }
  tabia_machine_close(judge);
  tabia_database_close(b);
  return session_show(s, result);
}

int cmd_solve(int argc, char **argv) {
  solve_command c = {.threads = 1, .samples = 1000, .seed = 1, .machine = {.machine = "lanes"}};
  const option options[] = {
      CHOICE_OPTION("method", &c.method, method_words,
                    "all states; the start alone; independent parts"),
      NUMBER_OPTION("threads", &c.threads, "N", "number of threads (1)", .least = 1, .most = 1024),
      STRING_OPTION("database", &c.database, "DIR", "keep the values of all states in this folder"),
      STRING_OPTION("checkpoint", &c.checkpoint, "DIR",
                    "keep states in this folder; resume a stopped run"),
      REAL_OPTION("save-every", &c.save_every, "SECONDS", "interval between checkpoints (60)"),
      STRING_OPTION("check", &c.checked, "DIR", "check the values kept in this folder"),
      NUMBER_OPTION("samples", &c.samples, "N", "--check: number of positions (1000)"),
      NUMBER_OPTION("seed", &c.seed, "N", "--check: seed of the random plays (1)"),
      NUMBER_OPTION("max-states", &c.max_states, "N", "give up when there are more states"),
      FLAG_OPTION("no-symmetry", &c.without_symmetry, "keep symmetric states too"),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      SESSION_START(&c.start),
      SESSION_LIMITS(&c.limits),
      {0}};
  static const char *const no_check[] = {"method",     "threads",    "database",    "checkpoint",
                                         "save-every", "max-states", "no-symmetry", NULL};
  static const char *const no_solve[] = {"samples", "seed", NULL};
  static const char *const no_threads[] = {"threads", NULL}, *const no_files[] = {"save-every",
                                                                                  NULL};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (!options_have_effect(&help, options, &given, c.checked ? no_check : no_solve,
                           c.checked ? "with --check" : "without --check", &status) ||
      !options_have_effect(&help, options, &given, c.checkpoint ? no_threads : no_files,
                           c.checkpoint ? "with --checkpoint" : "without --checkpoint", &status))
    return status;
  if (session_begin(&s, &c.limits, &help, &status) &&
      session_read_from(&s, given.items[0], &c.start, &status) &&
      session_open(&s, &c.machine, &status))
    status = c.checked ? check_database(&s, &c) : solve_game(&s, &c);
  return session_end(&s, status);
}
