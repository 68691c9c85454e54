/* tabia playout: random games, counted. */
#include "cli/playout_show.h"

#include "cli/command.h"

static const command_help help = {
    .usage = "tabia playout [OPTION] GAME",
    .details =
        "Plays random games and tells how long they are, who wins, and how fast it went.  A game\n"
        "in which a role cannot move, or ends with several goals or none, is not counted.",
    .example = "tabia playout -n 100 tic-tac-toe",
};

typedef struct playout_command {
  machine_options machine;
  playout_options play;
  uint64_t threads;
  bool as_json;
} playout_command;

/* ---- for people ---- */

static void put_role(const machine *m, const playout_summary *s, uint32_t role) {
  const role_score *r = &s->roles[role];
  printf("%s: mean goal %.3f;", m->roles[role], playouts_mean_goal(s, role));
  for (int value = 0; value < GOAL_VALUES; value++)
    if (r->histogram[value]) printf(" %d: %llu", value, (unsigned long long)r->histogram[value]);
  putchar('\n');
}

static void put_as_text(const machine *m, const playout_summary *s) {
  const double playouts_a_second = s->time > 0 ? (double)s->playouts / s->time : 0;
  printf("%llu playout%s, %llu state%s in %.3f s on %s: %.0f playouts, %.0f states a second\n",
         (unsigned long long)s->playouts, plural(s->playouts), (unsigned long long)s->states,
         plural(s->states), s->time, m->ops->name, playouts_a_second, playouts_states_a_second(s));
  printf("length: mean %.5f, deviation %.3f, shortest %llu, longest %llu\n",
         playouts_mean_length(s), playouts_length_deviation(s), (unsigned long long)s->shortest,
         (unsigned long long)s->longest);
  for (uint32_t i = 0; i < m->role_count; i++)
    if (playouts_has_goals(s, m, i)) put_role(m, s, i);
  playouts_put_uncounted(s, "");
}

/* ---- for programs ---- */

static void put_as_json(const machine *m, const playout_summary *s, arena *scratch) {
  text out = text_new(scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  playouts_write(&w, m, s);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static int play(running_game *g, playout_command *c) {
  progress p = progress_on_stderr(true);
  playout_summary s;
  c->play.threads = (uint32_t)c->threads;
  c->play.progress = &p;
  const bool done = playouts_run(&s, g->m, &c->play, &g->budget, g->game.scratch, &g->game.diags);
  progress_done(&p);
  if (c->as_json)
    put_as_json(g->m, &s, g->game.scratch);
  else
    put_as_text(g->m, &s);
  const int fault = playouts_show_fault(g, &s, c->play.seed);
  return done ? fault : game_show_late(g);
}

int cmd_playout(int argc, char **argv) {
  playout_command c = {.machine = {.bulk = BULK_PLAYOUTS},
                       .threads = 1,
                       .play = {.seed = 1, .max_steps = 100000, .seconds = -1}};
  const option options[] = {
      NUMBER_OPTION("count", &c.play.count, "N", "playouts (1000, unless --seconds is given)",
                    .letter = 'n', .least = 1),
      REAL_OPTION("seconds", &c.play.seconds, "S", "play for this time"),
      NUMBER_OPTION("seed", &c.play.seed, "N", "decides the moves (1)"),
      NUMBER_OPTION("max-steps", &c.play.max_steps, "N",
                    "give a playout up after this many steps (100000)", .least = 1),
      NUMBER_OPTION("threads", &c.threads, "N", "threads to play on (1)", .least = 1, .most = 1024),
      FLAG_OPTION("json", &c.as_json, "print a JSON object"),
      MACHINE_OPTIONS(&c.machine),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (c.play.seconds == 0) return usage_error(&help, "--seconds must be more than 0");
  if (!c.play.count && c.play.seconds < 0) c.play.count = 1000;
  running_game g;
  if (game_run(&g, given.items[0], &c.machine, &help, &status)) status = play(&g, &c);
  game_stop(&g);
  return status;
}
