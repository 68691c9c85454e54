/* Plays random games of a compiled game that is linked into this program:

     tabia compile tic-tac-toe -o tic_tac_toe.c
     cc -O2 -DTABIA_GAME=the_game tic_tac_toe.c linked_game.c -o play && ./play */
#include "tabia_game.h"

#include <stdio.h>
#include <stdlib.h>

enum { GAMES = 1000, MOVES_MAX = 10000, ROLES_MAX = 32 };

const tabia_game *the_game(void);

int main(void) {
  const tabia_game *g = the_game();
  void *workspace = g->workspace_new();
  void *position = malloc(g->position_size);
  static uint32_t moves[MOVES_MAX];
  long sums[ROLES_MAX] = {0};
  if (!workspace || !position || g->role_count > ROLES_MAX) return EXIT_FAILURE;
  for (int i = 0; i < GAMES; i++) {
    g->start(position);
    while (!g->terminal(workspace, position)) {
      uint32_t joint[ROLES_MAX];
      for (uint32_t role = 0; role < g->role_count; role++) {
        const uint32_t count = g->legal(workspace, position, role, moves, MOVES_MAX);
        if (count == 0) return EXIT_FAILURE;
        joint[role] = moves[(uint32_t)rand() % count];
      }
      g->step(workspace, position, joint, position);
    }
    for (uint32_t role = 0; role < g->role_count; role++) {
      int32_t value = 0;
      g->goals(workspace, position, role, &value, 1);
      sums[role] += value;
    }
  }
  for (uint32_t role = 0; role < g->role_count; role++)
    printf("%s: %.1f on average\n", g->roles[role], (double)sums[role] / GAMES);
  g->workspace_free(workspace);
  free(position);
}
