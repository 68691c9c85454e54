/* batch_speed RULESHEET MACHINE LANES THREADS SECONDS LAYOUT  plays uniformly random games in a
   batch; at every step the masks of all roles and the fluents of all lanes are read in that layout
   (bits, bytes, floats, planes; none: nothing is read).  With a number N in place of a layout, N
   random games are played from each lane again and again: lanes are in different states, 0 to 7
   steps from the start.  Prints one line of JSON.

   Rates are by processor time of all threads. */
#include "tabia.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct buffers {
  uint32_t roles;
  void **masks; /* by role */
  void *fluents;
  tabia_move *joints;
  bool *done;
  int32_t *goals;
} buffers;

static void *room_for(size_t size) {
  void *memory = aligned_alloc(64, (size + 64) / 64 * 64);
  if (!memory) exit(TABIA_LIMIT);
  return memset(memory, 0, (size + 64) / 64 * 64);
}

static buffers make_buffers(const tabia_machine *m, uint32_t lanes, tabia_layout layout) {
  buffers b = {.roles = tabia_machine_role_count(m)};
  b.masks = room_for(b.roles * sizeof *b.masks);
  for (uint32_t role = 0; role < b.roles; role++)
    b.masks[role] = room_for(tabia_answer_size(m, TABIA_LEGAL, role, layout, lanes));
  b.fluents = room_for(tabia_answer_size(m, TABIA_FLUENTS, 0, layout, lanes));
  b.joints = room_for((size_t)lanes * b.roles * sizeof *b.joints);
  b.done = room_for(lanes * sizeof *b.done);
  b.goals = room_for(lanes * sizeof *b.goals);
  return b;
}

/* Plays for some seconds of processor time; gives back how many steps were made in all lanes. */
static double play(tabia_batch *batch, buffers *b, double seconds, tabia_layout layout, bool reads,
                   double *games) {
  const clock_t start = clock();
  double steps = 0;
  for (uint64_t step = 0; (double)(clock() - start) < seconds * CLOCKS_PER_SEC; step++) {
    for (uint32_t role = 0; reads && role < b->roles; role++)
      tabia_batch_read(batch, TABIA_LEGAL, role, layout, b->masks[role]);
    if (reads) tabia_batch_read(batch, TABIA_FLUENTS, 0, layout, b->fluents);
    tabia_batch_draw(batch, 1, step, b->joints);
    if (tabia_batch_step(batch, b->joints, NULL)) exit(TABIA_FAULTY);
    steps += tabia_batch_lanes(batch);
    const uint32_t ended = tabia_batch_terminal(batch, b->done);
    if (!ended) continue;
    for (uint32_t role = 0; role < b->roles; role++) tabia_batch_goals(batch, role, b->goals);
    tabia_batch_reset(batch, b->done);
    *games += ended;
  }
  return steps;
}

/* Lane i makes i % DEPTHS steps; a game that ends begins again. */
static void spread_lanes(tabia_batch *batch, buffers *b) {
  enum { DEPTHS = 8 };
  for (uint32_t step = 1; step < DEPTHS; step++) {
    tabia_batch_draw(batch, 2, step, b->joints);
    for (uint32_t i = 0; i < tabia_batch_lanes(batch); i++)
      if (i % DEPTHS < step) b->joints[i * b->roles] = TABIA_NO_MOVE;
    tabia_batch_step(batch, b->joints, NULL);
    if (tabia_batch_terminal(batch, b->done)) tabia_batch_reset(batch, b->done);
  }
}

/* Gives back how many games were played. */
static double play_from_lanes(tabia_batch *batch, buffers *b, double seconds, uint32_t each) {
  const uint64_t lanes = tabia_batch_lanes(batch);
  int32_t *goals = room_for(lanes * each * b->roles * sizeof *goals);
  const clock_t start = clock();
  uint64_t games = 0;
  for (; (double)(clock() - start) < seconds * CLOCKS_PER_SEC; games += lanes * each)
    if (tabia_batch_play(batch, 1, games, each, 0, goals, NULL) != TABIA_OK) exit(TABIA_FAULTY);
  free(goals);
  return (double)games;
}

static tabia_layout layout_called(const char *name) {
  return strcmp(name, "bytes") == 0    ? TABIA_BYTES
         : strcmp(name, "floats") == 0 ? TABIA_FLOATS
         : strcmp(name, "planes") == 0 ? TABIA_PLANES
                                       : TABIA_BITS;
}

int main(int argc, char **argv) {
  tabia_messages *log = tabia_messages_new();
  tabia_rules *rules = NULL;
  tabia_machine *machine = NULL;
  tabia_batch *batch = NULL;
  if (argc < 7) return TABIA_MISUSE;
  const uint32_t lanes = (uint32_t)atoi(argv[3]), threads = (uint32_t)atoi(argv[4]);
  const tabia_layout layout = layout_called(argv[6]);
  const bool reads = strcmp(argv[6], "none") != 0;
  if (tabia_rules_read_file(&rules, argv[1], log) == TABIA_OK &&
      tabia_machine_open(&machine, rules, argv[2], NULL, log) == TABIA_OK &&
      tabia_batch_new(&batch, machine, lanes, threads, NULL, log) == TABIA_OK) {
    buffers b = make_buffers(machine, lanes, layout);
    const uint32_t each = (uint32_t)atoi(argv[6]);
    double games = 0, steps = 0;
    if (each) {
      spread_lanes(batch, &b);
      play_from_lanes(batch, &b, 0, each); /* the net is made */
    }
    const clock_t start = clock();
    if (each)
      games = play_from_lanes(batch, &b, atof(argv[5]), each);
    else
      steps = play(batch, &b, atof(argv[5]), layout, reads, &games);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("{\"layout\": \"%s\", \"lanes\": %u, \"steps_per_second\": %.0f, "
           "\"games_per_second\": %.0f}\n",
           argv[6], lanes, steps / seconds, games / seconds);
  }
  fputs(tabia_messages_text(log), stderr);
  return batch ? TABIA_OK : TABIA_FAULTY;
}
