/* Plays random games of a linked game for some processor time:

     compile_driver SECONDS

   prints the number of games, of states, and the seconds used. */
#include "tabia_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOVES_MAX = 100000, ROLES_MAX = 64 };

const tabia_game *the_game(void);

static uint32_t random_below(uint64_t *state, uint32_t bound) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (uint32_t)((*state >> 32) * bound >> 32);
}

int main(int argc, char **argv) {
  const double limit = argc > 1 ? atof(argv[1]) : 1;
  const tabia_game *g = the_game();
  void *workspace = g->workspace_new();
  void *position = malloc(g->position_size);
  static uint32_t moves[MOVES_MAX];
  uint64_t random = 88172645463325252u;
  unsigned long long games = 0;
  unsigned long long states = 0;
  if (!workspace || !position || g->role_count > ROLES_MAX) return EXIT_FAILURE;
  const clock_t begin = clock();
  while ((double)(clock() - begin) / CLOCKS_PER_SEC < limit) {
    g->start(position);
    for (; !g->terminal(workspace, position); states++) {
      uint32_t joint[ROLES_MAX];
      for (uint32_t role = 0; role < g->role_count; role++) {
        const uint32_t count = g->legal(workspace, position, role, moves, MOVES_MAX);
        if (count == 0) return EXIT_FAILURE;
        joint[role] = moves[random_below(&random, count)];
      }
      g->step(workspace, position, joint, position);
    }
    for (uint32_t role = 0; role < g->role_count; role++) {
      int32_t value = 0;
      g->goals(workspace, position, role, &value, 1);
    }
    games++;
  }
  printf("%llu %llu %f\n", games, states, (double)(clock() - begin) / CLOCKS_PER_SEC);
  g->workspace_free(workspace);
  free(position);
}
