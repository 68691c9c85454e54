/* tabia playout: random games, counted. */
#include "cli/playout_show.h"

static const command_help help = {
    .usage = "tabia playout [OPTION] GAME",
    .details =
        "Plays random games and prints their lengths, the goals, and the speed.  A game in which a\n"
        "role cannot move, or which ends with several goals or none, is not counted.",
    .example = "tabia playout -n 100 tic-tac-toe",
};

typedef struct playout_command {
  machine_choice machine;
  limit_choice limits;
  start_choice start;
  playout_choice play;
  bool as_json;
} playout_command;

/* ---- for people ---- */

static void put_role(const session *s, const tabia_playouts *p, uint32_t role) {
  printf("%s: mean goal %.3f;", tabia_machine_role(s->machine, role),
         tabia_playouts_mean_goal(p, role));
  for (int32_t value = 0; value <= 100; value++)
    if (tabia_playouts_goal_count(p, role, value))
      printf(" %d: %llu", value, (unsigned long long)tabia_playouts_goal_count(p, role, value));
  putchar('\n');
}

static void put_as_text(const session *s, const tabia_playouts *p) {
  const uint64_t played = tabia_playouts_played(p), states = tabia_playouts_states(p);
  printf("%llu playout%s, %llu state%s in %.3f s on %s: %.0f playouts, %.0f states a second\n",
         (unsigned long long)played, plural(played), (unsigned long long)states, plural(states),
         tabia_playouts_time(p), tabia_machine_kind(s->machine), a_second(p, played),
         a_second(p, states));
  if (played)
    printf("length: mean %.5f, deviation %.3f, shortest %llu, longest %llu\n",
           tabia_playouts_mean_length(p), tabia_playouts_length_deviation(p),
           (unsigned long long)tabia_playouts_shortest(p),
           (unsigned long long)tabia_playouts_longest(p));
  for (uint32_t i = 0; played && i < tabia_machine_role_count(s->machine); i++)
    if (tabia_playouts_has_goals(p, i)) put_role(s, p, i);
  playouts_put_uncounted(p, "");
}

/* ---- for programs ---- */

static void put_as_json(const session *s, const tabia_playouts *p) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(s->rules));
  playouts_write(&w, s->machine, p);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static int play(session *s, const playout_command *c) {
  tabia_playouts *p = playouts_new(s->machine, &c->play);
  const tabia_status result = tabia_playouts_run(p, s->limits, s->log);
  terminal_line_wipe(s->line);
  if (c->as_json)
    put_as_json(s, p);
  else
    put_as_text(s, p);
  tabia_playouts_free(p);
  return session_show(s, result);
}

int cmd_playout(int argc, char **argv) {
  playout_command c = {.machine = {.purpose = "playouts"},
                       .play = {.seed = 1, .max_steps = 100000, .seconds = -1, .threads = 1}};
  const option options[] = {
      NUMBER_OPTION("count", &c.play.count, "N", "playouts (1000, unless --seconds is given)",
                    .letter = 'n', .least = 1),
      REAL_OPTION("seconds", &c.play.seconds, "S", "play for this time"),
      NUMBER_OPTION("seed", &c.play.seed, "N", "seed of the random moves (1)"),
      CHOICE_OPTION("random", &c.play.random, playout_randoms,
                    "how moves are drawn; counter: on lanes and gpu"),
      NUMBER_OPTION("max-steps", &c.play.max_steps, "N",
                    "abandon a playout after this many steps (100000)", .least = 1),
      NUMBER_OPTION("threads", &c.play.threads, "N", "threads to play on (1)", .least = 1,
                    .most = 1024),
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
  if (c.play.seconds == 0) return usage_error(&help, "--seconds must be more than 0");
  if (!c.play.count && c.play.seconds < 0) c.play.count = 1000;
  if (session_begin(&s, &c.limits, &help, &status) &&
      session_read_from(&s, given.items[0], &c.start, &status) &&
      session_open(&s, &c.machine, &status))
    status = play(&s, &c);
  return session_end(&s, status);
}
