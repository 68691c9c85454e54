/* The successors of many states of the machine `lanes`, passed to a sink. */
#include "machine/lanes/lane_bundle.h"

#include "machine/lanes/lane_expander.h"
#include "machine/lanes/lanes_machine.h"

typedef struct bundle_expander {
  const machine *m;
  machine_workspace *w;
  lane_expander e;
  unsigned char *states; /* the bundle that is expanded */
  uint32_t first;        /* the number of its first state */
  move_id *joint;        /* scratch */
  const expand_sink *sink;
} bundle_expander;

bundle_expander *lane_bundle_expander_new(const machine *m, machine_workspace *w,
                                          bool ignore_terminal, arena *keep) {
  const lane_stepper *s = lanes_stepper(m, w->budget);
  if (!s) return NULL;
  bundle_expander *x = arena_alloc_zero(keep, sizeof *x);
  x->m = m;
  x->w = w;
  lane_expander_init(&x->e, s, keep);
  x->e.ignores_terminal = ignore_terminal;
  x->e.needs_no_goals = true;
  x->states = arena_alloc_zero(keep, m->position_size * LANES + 1);
  x->joint = arena_new_array(keep, move_id, m->role_count + 1);
  return x;
}

/* A bundle may take long: the clock is looked at each time. */
static bool is_over(machine_workspace *w) {
  if (w->budget) w->budget->countdown = 0;
  return workspace_is_over(w);
}

static bool tell_successors(void *context, const lane_successors *batch) {
  bundle_expander *x = context;
  const uint32_t roles = x->m->role_count;
  const circuit_role *all = x->e.s->c->roles.items;
  for (uint32_t i = 0; i < batch->count; i++) {
    for (uint32_t role = 0; role < roles; role++)
      x->joint[role] = batch->joints[(size_t)i * roles + role] - all[role].first_move;
    x->sink->successor(x->sink->context, x->first + batch->lanes[i], x->joint,
                       batch->states + i * x->m->position_size);
  }
  return !is_over(x->w);
}

static void tell_stuck(const bundle_expander *x, uint32_t count) {
  for (uint32_t lane = 0; lane < count; lane++) {
    if (lane_expander_is_open(&x->e, lane) || row_has(x->e.look.terminal, lane)) continue;
    x->sink->stuck(x->sink->context, x->first + lane, lane_expander_stuck(&x->e, lane));
  }
}

static void expand_bundle(bundle_expander *x, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    x->sink->state(x->sink->context, x->first + i, x->states + i * x->m->position_size);
  lane_expander_look(&x->e, x->states, count);
  tell_stuck(x, count);
  lane_expander_make_steps(&x->e, tell_successors, x);
}

bool lane_bundle_expand(bundle_expander *x, uint32_t first, uint32_t end, const expand_sink *sink) {
  x->sink = sink;
  for (x->first = first; x->first < end && !is_over(x->w); x->first += LANES)
    expand_bundle(x, end - x->first < LANES ? end - x->first : LANES);
  return !x->w->trouble.is_there;
}
