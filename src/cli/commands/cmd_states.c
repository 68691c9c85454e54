/* tabia states: how many states a game has, by depth. */
#include "base/budget.h"
#include "cli/levels_show.h"
#include "cli/session.h"

static const command_help help = {
    .usage = "tabia states [OPTION] GAME",
    .details =
        "Counts states by depth, the least number of steps in which they are reached.\n"
        "Methods:\n"
        "  walk  visits every state\n"
        "  bdd   represents levels as decision diagrams, which may be small even if there are very\n"
        "        many states; needs the program tabia-bdd",
    .example = "tabia states connect-four --method bdd --depth 12",
};

typedef struct states_command {
  machine_choice machine;
  limit_choice limits;
  start_choice start;
  uint32_t method; /* of `methods` */
  uint64_t threads, depth;
  bool as_json;
} states_command;

static const char *const methods[] = {"walk", "bdd", NULL};

static int count_states(session *s, const states_command *c) {
  const double begin = clock_now();
  tabia_levels *x = tabia_levels_new(s->machine);
  tabia_levels_set_threads(x, (uint32_t)c->threads);
  tabia_levels_set_diagrams(x, c->method == 1);
  const tabia_status result = tabia_levels_run(x, (uint32_t)c->depth, s->limits, s->log);
  const bool has_counts = result == TABIA_OK || result == TABIA_LIMIT;
  if (has_counts && c->as_json)
    levels_put_json(x, tabia_rules_name(s->rules), methods[c->method], clock_now() - begin);
  if (has_counts && !c->as_json) levels_put_text(x);
  tabia_levels_free(x);
  return session_show(s, result);
}

int cmd_states(int argc, char **argv) {
  states_command c = {.machine = {.machine = "lanes"}, .threads = 1, .depth = UINT32_MAX};
  const option options[] = {
      CHOICE_OPTION("method", &c.method, methods, "how states are found (walk)", .letter = 'm'),
      NUMBER_OPTION("depth", &c.depth, "DEPTH", "count to this depth", .letter = 'd',
                    .most = UINT32_MAX - 1),
      NUMBER_OPTION("threads", &c.threads, "N", "number of threads for a walk (1)", .least = 1,
                    .most = 1024),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      SESSION_START(&c.start),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (session_begin(&s, &c.limits, &help, &status) &&
      session_read_from(&s, given.items[0], &c.start, &status) &&
      session_open(&s, &c.machine, &status))
    status = count_states(&s, &c);
  return session_end(&s, status);
}
