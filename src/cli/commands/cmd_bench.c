/* tabia bench: how fast things go on this machine. */
#include "base/vec.h"
#include "cli/bench.h"
#include "cli/command.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia bench [OPTION] read\n       tabia bench [OPTION] play GAME...",
    .details =
        "  read  makes a rulesheet, reads it, and counts its words with `wc -w`: megabytes a second\n"
        "        of both, and the memory that the reader takes for each byte.\n"
        "  play  random games on every machine, one after another; a machine must be ready within\n"
        "        --time-limit (60) and --memory-limit (4G).",
    .example = "tabia bench play --seconds 0.5 tic-tac-toe",
};

static bool is_machine(const char *name) {
  for (uint32_t i = 0; i < tabia_kind_count(); i++)
    if (strcmp(tabia_kind_name(i), name) == 0) return true;
  return false;
}

static const char *const of_read[] = {"megabytes", NULL};
static const char *const of_play[] = {"machine", "seconds", "time-limit", "memory-limit", NULL};

int cmd_bench(int argc, char **argv) {
  bench_options o = {.megabytes = 100,
                     .seconds = 2,
                     .seed = 1,
                     .limits = {.time_limit = 60, .memory_limit = "4G"}};
  const option options[] = {
      NUMBER_OPTION("megabytes", &o.megabytes, "N", "read: size of the rulesheet (100)", .least = 1,
                    .most = 4000),
      STRING_OPTION("machine", &o.machine, "NAME", "play: this machine alone (all)"),
      REAL_OPTION("seconds", &o.seconds, "S", "play: on each machine (2)"),
      NUMBER_OPTION("seed", &o.seed, "N", "another rulesheet, or other games, for each number (1)"),
      FLAG_OPTION("json", &o.as_json, "print JSON"),
      SESSION_LIMITS(&o.limits),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, -1, &status)) return status;
  if (o.machine && !is_machine(o.machine))
    return usage_error(&help, "there is no machine `%s`", o.machine);
  if (o.seconds == 0) return usage_error(&help, "--seconds must be more than 0");
  const bool is_read = strcmp(given.items[0], "read") == 0;
  if (!options_have_effect(&help, options, &given, is_read ? of_play : of_read,
                           is_read ? "on `bench read`" : "on `bench play`", &status))
    return status;
  if (is_read && given.count == 1) return bench_read(&o, &help);
  if (strcmp(given.items[0], "play") == 0 && given.count > 1)
    return bench_play(&o, &help, vec_from(&given, 1), given.count - 1);
  return usage_error(&help, "`bench %s` needs %s", given.items[0],
                     strcmp(given.items[0], "play") == 0 ? "a game"
                                                         : "to be `read` or `play GAME...`");
}
