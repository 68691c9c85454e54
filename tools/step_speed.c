/* step_speed SECONDS GAME...

   How fast the machine `datalog` makes steps, apart from finding moves, ends and goals: a line for
   each GAME, with tabs between: its path, and for each frame encoding the steps a second, or `-`
   where the game is not translated so.  The steps are those from the first states of the game,
   level by level, terminal ones played on; they are made again and again for some seconds of
   processor time. */
#include "frame/encoding.h"
#include "machine/datalog/datalog_machine.h"
#include "search/joint_moves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES_MAX = 400, STEPS_MAX = 20000 };

#define OPEN_SECONDS 60
#define OPEN_BYTES ((size_t)3 << 30)

typedef struct step {
  uint32_t from; /* its state */
  const move_id *joint;
} step;

typedef struct walk {
  const machine *m;
  machine_workspace *w;
  arena *keep;
  VEC(void *) states;
  VEC(step) steps;
  void *next; /* room for a position */
} walk;

static const move_id *copy_joint(const walk *k, const move_id *joint) {
  move_id *copy = arena_new_array(k->keep, move_id, k->m->role_count);
  memcpy(copy, joint, k->m->role_count * sizeof *copy);
  return copy;
}

static void take_steps_of(walk *k, uint32_t from, joint_moves *moves) {
  if (joint_moves_first(moves, k->m, k->w, k->states.items[from]) < k->m->role_count) return;
  do {
    const step it = {from, copy_joint(k, moves->joint)};
    vec_push(k->keep, &k->steps, it);
    if (k->states.count == STATES_MAX) continue;
    void *state = arena_alloc(k->keep, k->m->position_size);
    machine_step(k->m, k->w, k->states.items[from], it.joint, state);
    vec_push(k->keep, &k->states, state);
  } while (k->steps.count < STEPS_MAX && joint_moves_next(moves));
}

static void find_steps(walk *k) {
  joint_moves moves = joint_moves_new(k->m->role_count, k->keep);
  void *start = arena_alloc(k->keep, k->m->position_size);
  machine_start(k->m, start);
  vec_push(k->keep, &k->states, start);
  for (uint32_t i = 0; i < k->states.count && k->steps.count < STEPS_MAX; i++)
    take_steps_of(k, i, &moves);
}

static double steps_a_second(const machine *m, double seconds) {
  arena *keep = arena_new();
  walk k = {.m = m, .w = machine_workspace_new(m, NULL), .keep = keep};
  k.next = arena_alloc(keep, m->position_size);
  find_steps(&k);
  const double started = clock_process();
  uint64_t made = 0;
  while (k.steps.count && clock_process() - started < seconds && !k.w->trouble.is_there) {
    for (uint32_t i = 0; i < k.steps.count; i++) {
      const step *it = &k.steps.items[i];
      machine_step(m, k.w, k.states.items[it->from], it->joint, k.next);
    }
    made += k.steps.count;
  }
  const double passed = clock_process() - started;
  machine_workspace_free(m, k.w);
  arena_free(keep);
  return passed > 0 ? (double)made / passed : 0;
}

static void try_encoding(const program *p, frame_encoding e, double seconds) {
  arena *keep = arena_new();
  diag_sink d;
  encoded_program encoded;
  budget b = budget_new(OPEN_SECONDS, OPEN_BYTES);
  diag_sink_init(&d, keep);
  frame_encode(&encoded, p, e, SCOPE_PLAY_ON, keep, &b);
  const machine_source from = {.program = encoded.program,
                               .inertia_count =
                                   e == ENCODING_ORIGINAL ? 0 : encoded.frame.inertia_count};
  machine *m = encoded.used == e ? datalog_machine.open(&from, &b, &d) : NULL;
  if (m)
    printf("\t%.6g", steps_a_second(m, seconds));
  else
    printf("\t-");
  fflush(stdout);
  machine_close(m);
  arena_free(keep);
}

static void try_game(const char *path, double seconds) {
  arena *keep = arena_new();
  diag_sink d;
  source s;
  tree t;
  program p;
  diag_sink_init(&d, keep);
  printf("%s", path);
  if (source_load(&s, path, keep, &d) && tree_read(&t, &s, symbols_new(keep), keep, &d) &&
      rules_build(&p, &t, keep, &d))
    for (uint32_t e = 0; e < ENCODING_COUNT; e++) try_encoding(&p, (frame_encoding)e, seconds);
  putchar('\n');
  arena_free(keep);
}

int main(int argc, char **argv) {
  for (int i = 2; i < argc; i++) try_game(argv[i], atof(argv[1]));
}
