/* tree GAME [ITERATIONS]: searches the start of a game.  The tree is the library's; its new states
   come up to 512 at a time and are judged here: by random games from all of them at once. */
#include <stdio.h>
#include <stdlib.h>
#include <tabia.h>

enum { GAMES_EACH = 4, ROLES_MAX = 16 };

typedef struct judge {
  tabia_batch *batch;
  uint32_t roles;
  uint64_t stream; /* of random numbers, one for each game */
  int32_t goals[TABIA_JUDGE_MAX * GAMES_EACH * ROLES_MAX];
} judge;

static void play(void *context, const void *positions, uint32_t count, float *values,
                 float *priors) {
  judge *j = (judge *)context;
  (void)priors;
  tabia_batch_load(j->batch, positions, count);
  tabia_batch_play(j->batch, 1, j->stream, GAMES_EACH, 0, j->goals, NULL);
  j->stream += (uint64_t)count * GAMES_EACH;
  for (uint32_t i = 0; i < count * j->roles; i++) values[i] = 0;
  for (uint32_t i = 0; i < count * GAMES_EACH * j->roles; i++)
    if (j->goals[i] != TABIA_NO_GOAL)
      values[i / j->roles / GAMES_EACH * j->roles + i % j->roles] +=
          (float)j->goals[i] / GAMES_EACH;
}

static void print_moves(const tabia_machine *m, const tabia_search *s, uint32_t role) {
  char words[100];
  for (uint32_t i = 0; i < tabia_search_move_count(s, role); i++) {
    tabia_move_text(m, role, tabia_search_move(s, role, i), words, sizeof words);
    printf("%9llu %6.2f  %s\n", (unsigned long long)tabia_search_move_visits(s, role, i),
           tabia_search_move_value(s, role, i), words);
  }
}

int main(int argc, char **argv) {
  static judge j;
  tabia_messages *log = tabia_messages_new();
  tabia_machine *m = NULL;
  tabia_search *search = NULL;
  const int ready = argc > 1 && !tabia_machine_open_game(&m, argv[1], "lanes", NULL, log) &&
                    (j.roles = tabia_machine_role_count(m)) <= ROLES_MAX &&
                    !tabia_batch_new(&j.batch, m, TABIA_JUDGE_MAX, 1, NULL, log) &&
                    !tabia_search_open(&search, m, NULL, NULL, log);
  if (ready) {
    tabia_search_set_judge(search, play, false, &j);
    tabia_search_set_iterations(search, argc > 2 ? strtoull(argv[2], NULL, 10) : 10000);
    tabia_search_think(search, NULL, 0, NULL, log);
    print_moves(m, search, 0);
  }
  fputs(tabia_messages_text(log), stderr);
  tabia_search_close(search);
  tabia_batch_free(j.batch);
  tabia_machine_close(m);
  tabia_messages_free(log);
  return ready ? 0 : 1;
}
