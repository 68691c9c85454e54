/* ./exact_puzzle GAME SECONDS  gives the search of a game of one role a clock of so many seconds, follows its moves to
   the end, and prints a row of a table: whether the role got 100, in how many moves. */
#include <stdio.h>
#include <stdlib.h>
#include <tabia.h>
#include <time.h>

enum { MOVES_MAX = 2000 };

static void row(const char *game, tabia_machine *m, tabia_search *s, tabia_messages *log) {
  tabia_workspace *w = tabia_workspace_new(m, NULL);
  void *position = aligned_alloc(64, (tabia_position_size(m) + 64) / 64 * 64);
  uint32_t moves = 0;
  tabia_position_start(m, position);
  while (moves < MOVES_MAX && !tabia_position_terminal(w, position)) {
    tabia_search_think(s, position, 0, NULL, log);
    const tabia_move best = tabia_search_best(s, 0);
    if (best == TABIA_NO_MOVE) break;
    tabia_position_step(w, position, &best, position);
    moves++;
  }
  const bool solved =
      tabia_position_terminal(w, position) && tabia_position_goal(w, position, 0) == 100;
  printf("| %s | %s | %u | %.2f |\n", game, solved ? "yes" : "no", moves,
         (double)clock() / CLOCKS_PER_SEC);
}

int main(int argc, char **argv) {
  tabia_rules *rules;
  tabia_machine *m;
  tabia_search *s;
  tabia_messages *log = tabia_messages_new();
  if (argc < 3) return TABIA_MISUSE;
  if (tabia_rules_read(&rules, argv[1], log) != TABIA_OK ||
      tabia_machine_open(&m, rules, "lanes", NULL, log) != TABIA_OK ||
      tabia_search_open(&s, m, NULL, NULL, log) != TABIA_OK)
    return TABIA_FAULTY;
  tabia_search_set_seconds(s, 1);
  tabia_search_learn(s, atof(argv[2]), NULL, log);
  row(argv[1], m, s, log);
  return TABIA_OK;
}
