/* tabia trace: one game, written down so that any program can check it. */
#include "cli/command.h"
#include "cli/machine_load.h"
#include "machine/lanes/lanes_machine.h"
#include "machine/trace.h"

static const command_help help = {
    .usage = "tabia trace [OPTION] GAME",
    .details =
        "Plays one game and writes it as JSON lines: for each state the number of fluents and of\n"
        "the legal moves of each role with their SHA-1, the goals, and the moves made.  The seed\n"
        "decides the moves; with --lane, it is the first game that `tabia playout --machine lanes`\n"
        "plays there with that seed.  `tabia verify` checks such a trace.",
    .example = "tabia trace tic-tac-toe --seed 2",
};

static void put_line(void *context, const char *line) {
  (void)context;
  puts(line);
}

static int write_trace(running_game *g, const trace_options *o) {
  game_fault fault;
  const trace_end end = trace_write(g->m, g->w, o, put_line, NULL, g->game.scratch, &fault);
  if (end == TRACE_TROUBLE) return game_trouble(g, g->w);
  if (end == TRACE_STEP_LIMIT)
    fprintf(stderr, "tabia: stopped after %llu step%s; --max-steps allows more\n",
            (unsigned long long)o->max_steps, plural(o->max_steps));
  return game_show_fault(g, &fault, NULL);
}

/* The moves of the first game of a lane, in words.  False: the budget is spent. */
static bool record_lane(running_game *g, uint32_t lane, trace_options *o) {
  arena *keep = g->game.keep;
  const lane_part part = {.seed = o->seed, .starts = lanes_part_size(g->m, &g->budget)};
  id_vec line = {0};
  lane_player *p = lanes_player_new(g->m, NET_RECORDS, keep, &g->budget);
  if (!p) {
    budget_report(&g->budget, &g->game.diags, "the circuit was not made ready to run");
    return false;
  }
  if (!lane_player_record_first(p, &part, lane, o->max_steps, &line, keep, &g->budget)) {
    budget_report(&g->budget, &g->game.diags, "the game was not played to its end");
    return false;
  }
  const char **moves = arena_new_array(keep, const char *, line.count + 1);
  for (uint32_t i = 0; i < line.count; i++) {
    text words = text_new(keep);
    g->m->ops->move_text(g->m, i % g->m->role_count, line.items[i], &words);
    moves[i] = text_string(&words);
  }
  o->moves = moves;
  o->max_steps = line.count / g->m->role_count;
  return true;
}

int cmd_trace(int argc, char **argv) {
  machine_options m = {0};
  uint64_t lane = UINT64_MAX;
  trace_options o = {.seed = 1, .max_steps = 1000};
  const option options[] = {
      NUMBER_OPTION("seed", &o.seed, "N", "decides the moves (1)", .most = INT64_MAX),
      NUMBER_OPTION("max-steps", &o.max_steps, "N", "stop after this many joint moves (1000)"),
      NUMBER_OPTION("lane", &lane, "N",
                    "the first game of this lane, 0 to 511, on the machine lanes",
                    .most = LANES - 1),
      MACHINE_OPTIONS(&m),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (lane < LANES) m.machine = "lanes";
  running_game g;
  if (game_run(&g, given.items[0], &m, &help, &status)) {
    o.game = game_title(given.items[0], g.game.keep);
    const bool is_recorded = lane >= LANES || record_lane(&g, (uint32_t)lane, &o);
    status = is_recorded ? write_trace(&g, &o) : game_show_late(&g);
  }
  game_stop(&g);
  return status;
}
