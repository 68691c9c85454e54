/* batch GAME [LANES] [STEPS]: many games at once, as a program that trains an agent steps them:
   masks of legal moves and observations are read at every step, and games that end begin anew. */
#include <tabia.h>

#include <stdio.h>
#include <stdlib.h>

/* An agent would look at masks and observations; this one draws its moves. */
static uint64_t play(tabia_batch *batch, const tabia_machine *m, uint32_t lanes, uint64_t steps) {
  const uint32_t roles = tabia_machine_role_count(m);
  void *mask = malloc(tabia_answer_size(m, TABIA_LEGAL, 0, TABIA_BITS, lanes) + 1);
  void *seen = malloc(tabia_answer_size(m, TABIA_FLUENTS, 0, TABIA_BITS, lanes) + 1);
  tabia_move *joints = (tabia_move *)malloc(sizeof(tabia_move) * lanes * roles);
  int32_t *goals = (int32_t *)malloc(sizeof(int32_t) * lanes);
  bool *done = (bool *)malloc(lanes);
  uint64_t games = 0, sum = 0;
  for (uint64_t step = 0; step < steps; step++) {
    tabia_batch_read(batch, TABIA_LEGAL, 0, TABIA_BITS, mask);
    tabia_batch_read(batch, TABIA_FLUENTS, 0, TABIA_BITS, seen);
    tabia_batch_draw(batch, 1, step, joints);
    tabia_batch_step(batch, joints, NULL);
    if (!tabia_batch_terminal(batch, done)) continue;
    tabia_batch_goals(batch, 0, goals);
    for (uint32_t i = 0; i < lanes; i++) games += done[i];
    for (uint32_t i = 0; i < lanes; i++) sum += done[i] ? (uint64_t)goals[i] : 0;
    tabia_batch_reset(batch, done);
  }
  printf("%llu games, mean goal of %s %.2f\n", (unsigned long long)games, tabia_machine_role(m, 0),
         games ? (double)sum / (double)games : 0);
  free(mask), free(seen), free(joints), free(goals), free(done);
  return games;
}

int main(int argc, char **argv) {
  const uint32_t lanes = argc > 2 ? (uint32_t)atoi(argv[2]) : 4096;
  const uint64_t steps = argc > 3 ? (uint64_t)atoi(argv[3]) : 1000;
  tabia_messages *log = tabia_messages_new();
  tabia_rules *rules = NULL;
  tabia_machine *machine = NULL;
  tabia_batch *batch = NULL;
  int status = 1;
  if (argc > 1 && tabia_rules_read(&rules, argv[1], log) == TABIA_OK &&
      tabia_machine_open(&machine, rules, "auto-many", NULL, log) == TABIA_OK &&
      tabia_batch_new(&batch, machine, lanes, 1, NULL, log) == TABIA_OK)
    status = play(batch, machine, lanes, steps) ? 0 : 1;
  fputs(tabia_messages_text(log), stderr);
  tabia_batch_free(batch);
  tabia_machine_close(machine);
  tabia_rules_free(rules);
  tabia_messages_free(log);
  return status;
}
