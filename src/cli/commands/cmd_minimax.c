/* tabia minimax: what the game is worth when everybody looks some moves ahead. */
#include "base/budget.h"
#include "base/json.h"
#include "cli/session.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia minimax [-d DEPTH] [OPTION] GAME",
    .details =
        "Searches the whole game tree to DEPTH and prints its value for each role: what the role\n"
        "can guarantee or, with more than two roles in turn, what it gets when each takes the\n"
        "best for itself.  Where roles choose simultaneously the values are bounds.  States at full\n"
        "depth that are not terminal count 50.  Games in which roles do not know the state are\n"
        "declined.  Without -d the game is solved, as by `tabia solve`: values to the end of all play.",
    .example = "tabia minimax -d 9 tic-tac-toe --alpha-beta",
};

typedef struct minimax_command {
  machine_choice machine;
  limit_choice limits;
  start_choice start;
  bool alpha_beta;
  bool as_if_seen;
  bool as_json;
} minimax_command;

/* From here on a walk is worth the time that finding the fastest machine takes. */
enum { LONG_DEPTH = 4 };

static bool is_random(const tabia_machine *m, uint32_t role) {
  return strcmp(tabia_machine_role(m, role), "random") == 0;
}

static uint32_t chooser_count(const tabia_machine *m) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < tabia_machine_role_count(m); i++) count += !is_random(m, i);
  return count;
}

/* ---- text ---- */

static void put_sense(const session *s, const minimax_command *c, const tabia_minimax *x) {
  static const char bound_words[] =
      "bounds of what each role can make sure of: roles choose at once, and mixed strategies are "
      "not computed";
  static const char *const words[] = {
      [TABIA_SENSE_BEST] = "the most that the role can get",
      [TABIA_SENSE_GUARANTEE] = "what each role can make sure of, whatever the others do",
      [TABIA_SENSE_BOUND] = bound_words,
      [TABIA_SENSE_MAX_N] = "what each role gets when each takes the best for itself"};
  puts(words[tabia_minimax_sense(x)]);
  if (tabia_minimax_has_chance(x))
    puts("these are expectations: `random` draws each of its moves alike");
  if (tabia_machine_has_hidden_state(s->machine))
    puts("as if every role knew the state, which in this game it does not");
  if (!tabia_minimax_reaches_end(x))
    printf("some games go on beyond depth %u; a state there counts 50\n",
           (unsigned)c->machine.depth);
}

static void put_values(const session *s, const tabia_minimax *x) {
  const bool is_bound = tabia_minimax_sense(x) == TABIA_SENSE_BOUND;
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++) {
    if (is_random(s->machine, i)) continue;
    printf("%s: %s%.9g", tabia_machine_role(s->machine, i),
           is_bound && !tabia_minimax_has_most(x) ? "at least " : "", tabia_minimax_value(x, i));
    if (tabia_minimax_most(x, i) > tabia_minimax_value(x, i))
      printf(" to %.9g", tabia_minimax_most(x, i));
    putchar('\n');
  }
}

/* A search that was stopped has counted, but has no values. */
static void put_as_text(const session *s, const minimax_command *c, const tabia_minimax *x) {
  puts("depth           nodes");
  for (uint32_t d = 0; d <= c->machine.depth; d++)
    printf("%5u %15llu\n", d, (unsigned long long)tabia_minimax_nodes(x, d));
  printf("total %15llu%s\n", (unsigned long long)tabia_minimax_total(x),
         c->alpha_beta && chooser_count(s->machine) > 1 ? ", in a search for each role" : "");
  if (tabia_minimax_has_values(x)) put_values(s, x);
  if (tabia_minimax_has_values(x)) put_sense(s, c, x);
  if (!c->machine.machine) printf("on the machine %s\n", tabia_machine_kind(s->machine));
}

/* ---- to the end ---- */

static uint64_t states_of(const tabia_solve *x) {
  return tabia_solve_states(x) + tabia_solve_nodes(x);
}

static void put_solved_values(const session *s, const tabia_solve *x) {
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++)
    if (!is_random(s->machine, i))
      printf("%s: %.9g\n", tabia_machine_role(s->machine, i), tabia_solve_value(x, i));
  printf("to the end of all play: solution %s, %llu states\n", tabia_solve_kind(x),
         (unsigned long long)states_of(x));
}

static void write_solved_values(json_writer *w, const session *s, const tabia_solve *x) {
  json_open_object(w, "values");
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++)
    if (!is_random(s->machine, i))
      json_put_value(w, tabia_machine_role(s->machine, i), tabia_solve_value(x, i));
  json_close_object(w);
}

static void put_solved_as_json(const session *s, const tabia_solve *x, double seconds) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  const bool done = tabia_solve_has_values(x);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(s->rules));
  json_put_null(&w, "depth");
  json_put_integer(&w, "total", (int64_t)states_of(x));
  if (done)
    write_solved_values(&w, s, x);
  else
    json_put_null(&w, "values");
  json_put_string(&w, "sense", done ? tabia_sense_name(tabia_solve_sense(x)) : NULL);
  json_put_string(&w, "solution", tabia_solve_kind(x));
  json_put_bool(&w, "expected", tabia_solve_has_chance(x));
  json_put_bool(&w, "exact", done && tabia_solve_gap(x) == 0);
  json_put_string(&w, "reason", tabia_solve_reason(x));
  json_put_number(&w, "seconds", seconds);
  json_close_object(&w);
  puts(text_string(&out));
}

static int solve_to_the_end(session *s, const minimax_command *c) {
  const double begin = clock_now();
  tabia_solve *x = tabia_solve_new(s->machine);
  const tabia_status result = tabia_solve_run(x, s->limits, s->log);
  if (c->as_json)
    put_solved_as_json(s, x, clock_now() - begin);
  else if (tabia_solve_has_values(x))
    put_solved_values(s, x);
  tabia_solve_free(x);
  return session_show(s, result);
}

/* ---- JSON ---- */

static void write_values(json_writer *w, const char *name, const session *s, const tabia_minimax *x,
                         bool is_known, double (*value)(const tabia_minimax *x, uint32_t role)) {
  if (!is_known) {
    json_put_null(w, name);
    return;
  }
  json_open_object(w, name);
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++)
    if (!is_random(s->machine, i))
      json_put_value(w, tabia_machine_role(s->machine, i), value(x, i));
  json_close_object(w);
}

static void write_nodes(json_writer *w, const minimax_command *c, const tabia_minimax *x) {
  json_open_array(w, "nodes");
  for (uint32_t d = 0; d <= c->machine.depth; d++)
    json_put_integer(w, NULL, (int64_t)tabia_minimax_nodes(x, d));
  json_close_array(w);
}

static void put_as_json(const session *s, const minimax_command *c, const tabia_minimax *x,
                        double seconds, double cpu_seconds) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  const bool done = tabia_minimax_has_values(x);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(s->rules));
  json_put_string(&w, "machine", tabia_machine_kind(s->machine));
  json_put_string(&w, "encoding", tabia_machine_encoding(s->machine));
  json_put_integer(&w, "depth", (int64_t)c->machine.depth);
  write_nodes(&w, c, x);
  json_put_integer(&w, "total", (int64_t)tabia_minimax_total(x));
  write_values(&w, "values", s, x, done, tabia_minimax_value);
  write_values(&w, "most_values", s, x, tabia_minimax_has_most(x), tabia_minimax_most);
  json_put_string(&w, "sense", done ? tabia_sense_name(tabia_minimax_sense(x)) : NULL);
  json_put_bool(&w, "expected", done && tabia_minimax_has_chance(x));
  json_put_bool(&w, "imperfect_information", tabia_machine_has_hidden_state(s->machine));
  json_put_bool(&w, "exact", tabia_minimax_is_exact(x));
  json_put_integer(&w, "faults", (int64_t)tabia_minimax_faults(x));
  json_put_number(&w, "seconds", seconds);
  json_put_number(&w, "cpu_seconds", cpu_seconds);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static const char imperfect_words[] =
    "the game has `sees` rules (GDL-II): roles know only what they see, and values of a search "
    "that knows the state mean nothing; --perfect-information computes them all the same";

static int decline(const session *s, const minimax_command *c) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  if (!c->as_json) {
    fprintf(stderr, "tabia: %s\n", imperfect_words);
    return EXIT_NO;
  }
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(s->rules));
  json_put_null(&w, "values");
  json_put_null(&w, "sense");
  json_put_bool(&w, "imperfect_information", true);
  json_put_bool(&w, "exact", false);
  json_put_string(&w, "reason", imperfect_words);
  json_close_object(&w);
  puts(text_string(&out));
  return EXIT_NO;
}

static int search_game(session *s, const minimax_command *c) {
  if (tabia_machine_has_hidden_state(s->machine) && !c->as_if_seen) return decline(s, c);
  if (c->alpha_beta && chooser_count(s->machine) > 2)
    return usage_error(&help, "--alpha-beta is for one or two roles");
  const double begin = clock_now(), cpu_begin = clock_process();
  tabia_minimax *x = tabia_minimax_new(s->machine);
  tabia_minimax_set_alpha_beta(x, c->alpha_beta);
  tabia_minimax_set_ignore_terminal(x, c->machine.ignore_terminal);
  tabia_minimax_set_perfect_information(x, c->as_if_seen);
  const tabia_status result = tabia_minimax_run(x, (uint32_t)c->machine.depth, s->limits, s->log);
  if (c->as_json)
    put_as_json(s, c, x, clock_now() - begin, clock_process() - cpu_begin);
  else
    put_as_text(s, c, x);
  tabia_minimax_free(x);
  return session_show(s, result);
}

int cmd_minimax(int argc, char **argv) {
  minimax_command c = {.machine = {.depth = UINT64_MAX}};
  const option options[] = {
      NUMBER_OPTION("depth", &c.machine.depth, "DEPTH", "number of joint moves", .letter = 'd',
                    .most = 1000),
      FLAG_OPTION("alpha-beta", &c.alpha_beta,
                  "prune what cannot change a value; for one or two roles"),
      FLAG_OPTION("perfect-information", &c.as_if_seen,
                  "GDL-II: search as if every role knew the state"),
      FLAG_OPTION("ignore-terminal", &c.machine.ignore_terminal, "play on in terminal states"),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      SESSION_START(&c.start),
      SESSION_MACHINE(&c.machine),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  static const char *const with_depth[] = {"alpha-beta", "perfect-information", "ignore-terminal",
                                           "machine", NULL};
  const bool to_the_end = c.machine.depth == UINT64_MAX;
  if (to_the_end && !options_have_effect(&help, options, &given, with_depth, "without -d", &status))
    return status;
  if (to_the_end) c.machine.machine = "lanes";
  c.machine.purpose = c.machine.depth >= LONG_DEPTH ? "long" : "single";
  if (session_begin(&s, &c.limits, &help, &status) &&
      session_read_from(&s, given.items[0], &c.start, &status) &&
      session_open(&s, &c.machine, &status))
    status = to_the_end ? solve_to_the_end(&s, &c) : search_game(&s, &c);
  return session_end(&s, status);
}
