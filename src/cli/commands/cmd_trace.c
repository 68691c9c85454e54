/* tabia trace: one game, written down so that any program can check it. */
#include "cli/command.h"
#include "cli/output.h"
#include "cli/session.h"

static const command_help help = {
    .usage = "tabia trace [OPTION] GAME",
    .details =
        "Plays one game and writes it as JSON lines: for each state the number of fluents and of\n"
        "the legal moves of each role with their SHA-1, the goals, and the moves made.  The seed\n"
        "determines the moves; with --lane, it is the first game that `tabia playout --machine\n"
        "lanes` plays in that lane with that seed.  `tabia verify` checks such a trace.",
    .example = "tabia trace tic-tac-toe --seed 2",
};

enum { LANES = 512 };

typedef struct trace_command {
  machine_choice machine;
  limit_choice limits;
  start_choice start;
  uint64_t seed, max_steps, lane;
} trace_command;

static int write_trace(session *s, const trace_command *c) {
  const char *game = game_title(tabia_rules_name(s->rules), s->keep);
  tabia_status result;
  if (c->lane < LANES)
    result = tabia_trace_write_lane(s->machine, game, c->seed, (uint32_t)c->lane, c->max_steps,
                                    s->limits, put_to_stdout, NULL, s->log);
  else
    result = tabia_trace_write(s->machine, game, c->seed, c->max_steps, s->limits, put_to_stdout,
                               NULL, s->log);
  return session_show_from(s, result, TABIA_WARNING);
}

int cmd_trace(int argc, char **argv) {
  trace_command c = {.seed = 1, .max_steps = 1000, .lane = UINT64_MAX};
  const option options[] = {
      NUMBER_OPTION("seed", &c.seed, "N", "seed of the random moves (1)", .most = INT64_MAX),
      NUMBER_OPTION("max-steps", &c.max_steps, "N", "stop after this many joint moves (1000)"),
      NUMBER_OPTION("lane", &c.lane, "N",
                    "the first game of this lane, 0 to 511, on the machine lanes",
                    .most = LANES - 1),
      SESSION_START(&c.start),
      SESSION_MACHINE(&c.machine),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (c.lane < LANES) c.machine.machine = "lanes";
  if (session_begin(&s, &c.limits, &help, &status) &&
      session_read_from(&s, given.items[0], &c.start, &status) &&
      session_open(&s, &c.machine, &status))
    status = write_trace(&s, &c);
  return session_end(&s, status);
}
