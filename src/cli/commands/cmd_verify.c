/* tabia verify: does a machine play as a trace says, or as the reference does? */
#include "base/json.h"
#include "cli/command.h"
#include "cli/session.h"
#include "ggp/referee/record_check.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia verify [OPTION] GAME TRACE...",
    .details =
        "Replays each TRACE (from `tabia trace`, or the record of a match) and prints the first\n"
        "difference: what was expected and what was found.  With --machines, plays random games\n"
        "instead, on the machine named (or `all`) and on `reference` in parallel, and compares\n"
        "every state.",
    .example = "tabia trace nim > nim.jsonl; tabia verify nim nim.jsonl",
};

typedef struct verify_command {
  const char *which; /* machines to compare; NULL: check traces */
  machine_choice machine;
  limit_choice limits;
  start_choice start;
  uint64_t seed, games, states, max_steps;
  bool as_json;
} verify_command;

static const char *verdict_of(tabia_status result, const tabia_comparison *c) {
  if (result == TABIA_OK) return "right";
  if (result == TABIA_UNREADABLE) return "unreadable";
  return tabia_comparison_difference(c) ? "wrong" : "undecided";
}

/* If there is a receiver of what was found, messages are only about trouble. */
static int end_of(session *s, tabia_status result, const tabia_comparison *c) {
  if (!tabia_comparison_difference(c)) return session_show(s, result);
  tabia_messages_clear(s->log);
  return (int)result;
}

/* ---- traces ---- */

/* One object a line. */
static void put_replay_as_json(const session *s, const char *path, const tabia_comparison *c,
                               tabia_status result) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(s->rules));
  json_put_string(&w, "trace", path);
  json_put_string(&w, "machine", tabia_machine_kind(s->machine));
  json_put_string(&w, "verdict", verdict_of(result, c));
  json_put_integer(&w, "states", (int64_t)tabia_comparison_states(c));
  json_put_string(&w, "difference", tabia_comparison_difference(c));
  json_close_object(&w);
  puts(text_string(&out));
}

static void put_replay(const char *path, const tabia_comparison *c, tabia_status result) {
  const unsigned long long states = tabia_comparison_states(c);
  const char *difference = tabia_comparison_difference(c);
  if (result == TABIA_OK)
    printf("%s: right, %llu state%s\n", path, states, plural(states));
  else if (result == TABIA_UNREADABLE)
    fprintf(stderr, "tabia: %s is not a trace: %s", path, difference);
  else if (difference)
    printf("%s: wrong, %s", path, difference);
  else
    printf("%s: undecided after %llu state%s\n", path, states, plural(states));
}

/* ---- records of matches ---- */

static void put_record_as_json(const session *s, const char *path, record_report *r,
                               tabia_status result) {
  static const char *const verdicts[] = {[TABIA_OK] = "right",
                                         [TABIA_FAULTY] = "wrong",
                                         [TABIA_UNREADABLE] = "unreadable",
                                         [TABIA_LIMIT] = "undecided"};
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(s->rules));
  json_put_string(&w, "trace", path);
  json_put_string(&w, "machine", tabia_machine_kind(s->machine));
  json_put_string(&w, "verdict", verdicts[result]);
  json_put_integer(&w, "states", (int64_t)r->states);
  json_put_string(&w, "difference", r->words.length ? text_string(&r->words) : NULL);
  json_close_object(&w);
  puts(text_string(&out));
}

static void put_record(const char *path, record_report *r, tabia_status result) {
  if (result == TABIA_OK)
    printf("%s: right, %llu state%s\n", path, (unsigned long long)r->states, plural(r->states));
  else if (result == TABIA_FAULTY)
    printf("%s: wrong, %s", path, text_string(&r->words));
  else if (result == TABIA_UNREADABLE)
    fprintf(stderr, "tabia: %s is not a record: %s", path, text_string(&r->words));
  else
    printf("%s: undecided after %llu state%s\n", path, (unsigned long long)r->states,
           plural(r->states));
}

static int verify_record(session *s, const char *path, slice words, bool as_json) {
  record_report r;
  const tabia_status result = record_check(&r, s->machine, words, s->limits, s->keep, s->log);
  if (as_json)
    put_record_as_json(s, path, &r, result);
  else
    put_record(path, &r, result);
  return session_show(s, result);
}

/* ---- any of them ---- */

static int verify_trace(session *s, const char *path, tabia_comparison *c, bool as_json) {
  text trace = text_new(s->keep);
  const char *why;
  if (!session_read_file(path, &trace, &why)) {
    fprintf(stderr, "tabia: cannot read %s: %s\n", path, why);
    return EXIT_CANNOT_READ;
  }
  const slice words = {text_string(&trace), trace.length};
  if (record_is_one(words)) return verify_record(s, path, words, as_json);
  const tabia_status result =
      tabia_comparison_replay(c, s->machine, trace.bytes, trace.length, s->limits, s->log);
  if (as_json)
    put_replay_as_json(s, path, c, result);
  else
    put_replay(path, c, result);
  return end_of(s, result, c);
}

/* A limit ends it all. */
static int verify_traces(session *s, char **paths, int count, bool as_json) {
  tabia_comparison *c = tabia_comparison_new();
  int worst = EXIT_YES;
  for (int i = 0; i < count && worst != EXIT_LIMIT; i++) {
    const int status = verify_trace(s, paths[i], c, as_json);
    if (status > worst) worst = status;
  }
  tabia_comparison_free(c);
  return worst;
}

/* ---- machines ---- */

/* `c` is NULL when the machine cannot run the game. */
static void put_comparison_as_json(const session *s, const char *name, const tabia_comparison *c,
                                   tabia_status result) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(s->rules));
  json_put_string(&w, "machine", name);
  json_put_string(&w, "verdict", c ? verdict_of(result, c) : "not opened");
  if (c) {
    json_put_integer(&w, "playouts", (int64_t)tabia_comparison_games(c));
    json_put_integer(&w, "states", (int64_t)tabia_comparison_states(c));
    json_put_string(&w, "difference", tabia_comparison_difference(c));
  }
  json_close_object(&w);
  puts(text_string(&out));
}

static void put_comparison(const char *name, const tabia_comparison *c, tabia_status result) {
  const unsigned long long games = tabia_comparison_games(c), states = tabia_comparison_states(c);
  if (tabia_comparison_difference(c))
    printf("%s: wrong, %s", name, tabia_comparison_difference(c));
  else
    printf("%s: %s %llu game%s, %llu state%s\n", name,
           result == TABIA_OK ? "agrees with reference in" : "undecided after", games,
           plural(games), states, plural(states));
}

static int compare_opened(session *s, const tabia_machine *m, tabia_comparison *c, bool as_json) {
  const tabia_status result = tabia_comparison_run(c, s->machine, m, s->limits, s->log);
  if (as_json)
    put_comparison_as_json(s, tabia_machine_kind(m), c, result);
  else
    put_comparison(tabia_machine_kind(m), c, result);
  return end_of(s, result, c);
}

/* Says why a machine cannot run the game, unless the last that cannot gave the same reason, which
   is in `said`. */
static int show_reason(session *s, tabia_status result, text *said) {
  const char *now = tabia_messages_text(s->log);
  const bool is_said = said->length && strcmp(text_string(said), now) == 0;
  if (is_said && result != TABIA_LIMIT) {
    tabia_messages_clear(s->log);
    return (int)result;
  }
  text_clear(said);
  text_add(said, now);
  return session_show(s, result);
}

static int compare_kind(session *s, const char *kind, const verify_command *v, tabia_comparison *c,
                        text *said) {
  machine_choice choice = v->machine;
  tabia_machine *m;
  choice.machine = kind;
  const tabia_status result = session_open_other(s, &choice, &m);
  if (result != TABIA_OK) {
    if (v->as_json)
      put_comparison_as_json(s, kind, NULL, result);
    else
      printf("%s: %s\n", kind,
             result == TABIA_LIMIT ? "not opened within the limits" : "cannot run this game");
    return show_reason(s, result, said);
  }
  const int status = compare_opened(s, m, c, v->as_json);
  tabia_machine_close(m);
  return status;
}

/* Reference needs no comparison with itself unless it is named. */
static bool is_wanted(uint32_t i, const char *which) {
  const char *kind = tabia_kind_name(i);
  if (strcmp(which, "all") != 0) return strcmp(kind, which) == 0;
  return strcmp(kind, "reference") != 0 && !tabia_kind_needs_device(i);
}

static int compare_kinds(session *s, const verify_command *v, tabia_comparison *c) {
  int worst = EXIT_YES;
  text said = text_new(s->keep);
  for (uint32_t i = 0; i < tabia_kind_count(); i++) {
    if (!is_wanted(i, v->which)) continue;
    const int status = compare_kind(s, tabia_kind_name(i), v, c, &said);
    if (status > worst) worst = status;
  }
  return worst;
}

static int compare_machines(session *s, const verify_command *v) {
  tabia_comparison *c = tabia_comparison_new();
  tabia_comparison_set_seed(c, v->seed);
  tabia_comparison_set_games(c, v->games);
  tabia_comparison_set_states(c, v->states);
  tabia_comparison_set_max_steps(c, v->max_steps);
  tabia_comparison_set_ignore_terminal(c, v->machine.ignore_terminal);
  const int status = compare_kinds(s, v, c);
  tabia_comparison_free(c);
  return status;
}

static bool machines_are_known(const char *which, int *status) {
  bool is_known = strcmp(which, "all") == 0;
  for (uint32_t i = 0; i < tabia_kind_count(); i++)
    is_known |= strcmp(which, tabia_kind_name(i)) == 0;
  if (!is_known) *status = usage_error(&help, "there is no machine `%s`", which);
  return is_known;
}

/* ---- the command ---- */

static int run(verify_command *v, const arguments *given) {
  const machine_choice reference = {.machine = "reference"}; /* it plays the rules as they are */
  session s;
  int status;
  if (session_begin(&s, &v->limits, &help, &status) &&
      session_read_from(&s, given->items[0], &v->start, &status) &&
      session_open(&s, v->which ? &reference : &v->machine, &status))
    status = v->which ? compare_machines(&s, v)
                      : verify_traces(&s, given->items + 1, given->count - 1, v->as_json);
  return session_end(&s, status);
}

int cmd_verify(int argc, char **argv) {
  verify_command v = {.seed = 1, .games = 10, .max_steps = 1000};
  const option options[] = {
      STRING_OPTION("machines", &v.which, "NAME", "compare this machine, or `all`, with reference"),
      NUMBER_OPTION("games", &v.games, "N", "random games to compare (10)"),
      NUMBER_OPTION("states", &v.states, "N",
                    "compare this many states, in as many games as it takes"),
      NUMBER_OPTION("max-steps", &v.max_steps, "N", "limit of steps for a random game (1000)"),
      FLAG_OPTION("ignore-terminal", &v.machine.ignore_terminal, "play on in terminal states"),
      NUMBER_OPTION("seed", &v.seed, "N", "seed of the random games (1)"),
      FLAG_OPTION("json", &v.as_json, "print a JSON object for each trace or machine"),
      SESSION_START(&v.start),
      SESSION_MACHINE(&v.machine),
      SESSION_LIMITS(&v.limits),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (v.which && !machines_are_known(v.which, &status)) return status;
  if (!arguments_expect(&help, &given, v.which ? 1 : 2, v.which ? 1 : -1, &status)) return status;
  return run(&v, &given);
}
