#include "machine/step_speed.h"

#include "base/rng.h"

typedef struct trial {
  const machine *m;
  machine_workspace *w;
  void *position;
  move_id *joint;
  rng r;
  arena *scratch;
} trial;

/* A random legal move; false: the role has none. */
static bool choose_move(trial *t, uint32_t role) {
  const arena_mark mark = arena_save(t->scratch);
  const uint32_t count = machine_legal(t->m, t->w, t->position, role, NULL, 0);
  if (count == 0) return false;
  move_id *moves = arena_new_array(t->scratch, move_id, count);
  machine_legal(t->m, t->w, t->position, role, moves, count);
  t->joint[role] = moves[rng_below(&t->r, count)];
  arena_restore(t->scratch, mark);
  return true;
}

static void make_step(trial *t) {
  bool goes_on = !machine_terminal(t->m, t->w, t->position);
  for (uint32_t r = 0; r < t->m->role_count && goes_on; r++) goes_on = choose_move(t, r);
  if (goes_on)
    machine_step(t->m, t->w, t->position, t->joint, t->position);
  else
    machine_start(t->m, t->position);
}

double machine_step_speed(const machine *m, double seconds, budget *limits) {
  arena *scratch = arena_new();
  trial t = {.m = m,
             .w = machine_workspace_new(m, limits),
             .r = rng_new(1, 0),
             .scratch = scratch,
             .position = arena_alloc(scratch, m->position_size),
             .joint = arena_new_array(scratch, move_id, m->role_count + 1)};
  const double started = clock_process();
  double passed = 0;
  uint64_t steps = 0;
  machine_start(m, t.position);
  for (; passed < seconds && !t.w->trouble.is_there && !budget_is_spent(limits);
       passed = clock_process() - started, steps++)
    make_step(&t);
  const bool is_fine = !t.w->trouble.is_there && passed > 0;
  machine_workspace_free(m, t.w);
  arena_free(scratch);
  return is_fine ? (double)steps / passed : 0;
}
