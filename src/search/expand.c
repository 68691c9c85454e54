#include "search/expand.h"

#include "machine/bundle.h"

static struct bundle_expander *expander_of_bundles(const machine *m, machine_workspace *w,
                                                   bool ignore_terminal, arena *keep) {
  const bundle_ops *ops = m->ops->bundle;
  return ops && ops->expander_new ? ops->expander_new(m, w, ignore_terminal, keep) : NULL;
}

expander expander_new(const machine *m, machine_workspace *w, bool ignore_terminal, arena *keep) {
  return (expander){.m = m,
                    .w = w,
                    .ignore_terminal = ignore_terminal,
                    .moves = joint_moves_new(m->role_count, keep),
                    .position = arena_alloc(keep, m->position_size),
                    .next = arena_alloc(keep, m->position_size),
                    .bundles = expander_of_bundles(m, w, ignore_terminal, keep)};
}

static void expand_state(expander *x, uint32_t i, const expand_sink *sink) {
  sink->state(sink->context, i, x->position);
  const bool terminal = machine_terminal(x->m, x->w, x->position);
  if (terminal && !x->ignore_terminal) return;
  const uint32_t stuck = joint_moves_first(&x->moves, x->m, x->w, x->position);
  if (stuck < x->m->role_count) {
    if (!terminal && !x->w->trouble.is_there) sink->stuck(sink->context, i, stuck);
    return;
  }
  do {
    machine_step(x->m, x->w, x->position, x->moves.joint, x->next);
    if (workspace_is_over(x->w)) return;
    sink->successor(sink->context, i, x->moves.joint, x->next);
  } while (joint_moves_next(&x->moves));
}

bool expand_states(expander *x, uint32_t first, uint32_t end, const expand_sink *sink) {
  if (x->bundles) return x->m->ops->bundle->expand(x->bundles, first, end, sink);
  for (uint32_t i = first; i < end && !workspace_is_over(x->w); i++) expand_state(x, i, sink);
  return !x->w->trouble.is_there;
}
