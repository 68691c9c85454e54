/* Plays random games of a rulesheet, many side by side, and prints what came of them:

     ./playout RULESHEET [GAMES] */
#include <stdio.h>
#include <stdlib.h>
#include <tabia.h>

/* Every goal that was reached, with the share of games in which it was. */
static void print_goals(const tabia_playouts *games, uint32_t role) {
  const double played = (double)tabia_playouts_played(games);
  for (int32_t goal = 0; goal <= 100; goal++) {
    const uint64_t count = tabia_playouts_goal_count(games, role, goal);
    if (count) printf("  %d: %.2f %%", (int)goal, 100 * (double)count / played);
  }
  putchar('\n');
}

static void print_figures(const tabia_machine *machine, const tabia_playouts *games) {
  const double played = (double)tabia_playouts_played(games), time = tabia_playouts_time(games);
  printf("%.0f games in %.2f s on %s: %.0f games, %.0f states a second\n", played, time,
         tabia_machine_kind(machine), played / time, (double)tabia_playouts_states(games) / time);
  printf("length %.2f (deviation %.2f), from %llu to %llu\n", tabia_playouts_mean_length(games),
         tabia_playouts_length_deviation(games), (unsigned long long)tabia_playouts_shortest(games),
         (unsigned long long)tabia_playouts_longest(games));
  for (uint32_t role = 0; role < tabia_machine_role_count(machine); role++) {
    printf("%s: mean %.2f ", tabia_machine_role(machine, role),
           tabia_playouts_mean_goal(games, role));
    print_goals(games, role);
  }
}

static tabia_status play(const tabia_machine *machine, uint64_t count, tabia_messages *log) {
  tabia_playouts *games = tabia_playouts_new(machine);
  tabia_playouts_set_count(games, count);
  const tabia_status status = tabia_playouts_run(games, NULL, log);
  if (tabia_playouts_played(games)) print_figures(machine, games);
  tabia_playouts_free(games);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s RULESHEET [GAMES]\n", argv[0]);
    return TABIA_MISUSE;
  }
  tabia_messages *log = tabia_messages_new();
  tabia_rules *rules;
  tabia_machine *machine = NULL;
  tabia_status status = tabia_rules_read_file(&rules, argv[1], log);
  if (status == TABIA_OK) status = tabia_machine_open(&machine, rules, "auto-many", NULL, log);
  if (status == TABIA_OK)
    status = play(machine, argc > 2 ? strtoull(argv[2], NULL, 10) : 1000000, log);
  fputs(tabia_messages_text(log), stderr);
  tabia_machine_close(machine);
  tabia_rules_free(rules);
  tabia_messages_free(log);
  return (int)status;
}
