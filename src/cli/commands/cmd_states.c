/* tabia states: how many states a game has, by depth. */
#include "base/budget.h"
#include "base/json.h"
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

static void put_as_text(const tabia_levels *x) {
  printf("depth %26s\n", "states");
  for (uint32_t i = 0; i < tabia_levels_count(x); i++)
    printf("%5u %26s\n", (unsigned)i, tabia_levels_states(x, i));
  printf("total %26s%s\n", tabia_levels_total(x), tabia_levels_are_all(x) ? "" : ", and more");
}

/* Numbers may be larger than those that readers of JSON keep: they are texts. */
static void put_as_json(const session *s, const states_command *c, const tabia_levels *x,
                        double seconds) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(s->rules));
  json_put_string(&w, "method", methods[c->method]);
  json_open_array(&w, "levels");
  for (uint32_t i = 0; i < tabia_levels_count(x); i++)
    json_put_string(&w, NULL, tabia_levels_states(x, i));
  json_close_array(&w);
  json_put_string(&w, "total", tabia_levels_total(x));
  json_put_bool(&w, "complete", tabia_levels_are_all(x));
  json_put_number(&w, "seconds", seconds);
  json_close_object(&w);
  puts(text_string(&out));
}

static int count_states(session *s, const states_command *c) {
  const double begin = clock_now();
  tabia_levels *x = tabia_levels_new(s->machine);
  tabia_levels_set_threads(x, (uint32_t)c->threads);
  tabia_levels_set_diagrams(x, c->method == 1);
  const tabia_status result = tabia_levels_run(x, (uint32_t)c->depth, s->limits, s->log);
  const bool has_counts = result == TABIA_OK || result == TABIA_LIMIT;
  if (has_counts && c->as_json) put_as_json(s, c, x, clock_now() - begin);
  if (has_counts && !c->as_json) put_as_text(x);
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
