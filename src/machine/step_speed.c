#include "machine/step_speed.h"

#include "base/rng.h"

enum { STATES_BETWEEN_LOOKS = 16 }; /* at the clock */

typedef struct trial {
  const machine *m;
  machine_workspace *w;
  void *position, *next;
  id_vec *moves; /* by role */
  move_id *joint;
  uint32_t successors;
  uint64_t steps;
  rng r;
  arena *scratch;
} trial;

/* False: a role has no move. */
static bool list_moves(trial *t) {
  for (uint32_t role = 0; role < t->m->role_count; role++) {
    id_vec *list = &t->moves[role];
    list->count = 0;
    const uint32_t count = machine_legal(t->m, t->w, t->position, role, NULL, 0);
    if (count == 0) return false;
    vec_reserve(t->scratch, list, count);
    list->count = machine_legal(t->m, t->w, t->position, role, list->items, count);
  }
  return true;
}

static void step_at_random(trial *t) {
  for (uint32_t role = 0; role < t->m->role_count; role++)
    t->joint[role] = t->moves[role].items[rng_below(&t->r, t->moves[role].count)];
  machine_step(t->m, t->w, t->position, t->joint, t->next);
  t->steps++;
}

/* Looks at a state and goes on to one of its successors. */
static void visit_state(trial *t) {
  if (machine_terminal(t->m, t->w, t->position) || !list_moves(t)) {
    machine_start(t->m, t->position);
    return;
  }
  step_at_random(t);
  for (uint32_t i = 1; i < t->successors; i++) {
    machine_terminal(t->m, t->w, t->next);
    step_at_random(t);
  }
  void *left = t->position;
  t->position = t->next;
  t->next = left;
}

double machine_step_speed(const machine *m, uint32_t successors, double seconds, budget *limits) {
  arena *scratch = arena_new();
  trial t = {.m = m,
             .w = machine_workspace_new(m, limits),
             .successors = successors,
             .r = rng_new(1, 0),
             .scratch = scratch,
             .position = arena_alloc(scratch, m->position_size),
             .next = arena_alloc(scratch, m->position_size),
             .moves = arena_zero_array(scratch, id_vec, m->role_count),
             .joint = arena_new_array(scratch, move_id, m->role_count + 1)};
  const double started = clock_process();
  double passed = 0;
  machine_start(m, t.position);
  while (passed < seconds && !t.w->trouble.is_there && !budget_is_spent(limits)) {
    for (uint32_t i = 0; i < STATES_BETWEEN_LOOKS && !t.w->trouble.is_there; i++) visit_state(&t);
    passed = clock_process() - started;
  }
  const bool is_fine = !t.w->trouble.is_there && passed > 0;
  const double speed = is_fine ? (double)t.steps / passed : 0;
  machine_workspace_free(m, t.w);
  arena_free(scratch);
  return speed;
}
