#include "tree/tree_caller.h"

#include <math.h>

/* The moves of all roles, one behind another; 0: the machine does not know them. */
static uint32_t width_of(const machine *m) {
  uint32_t width = 0;
  for (uint32_t r = 0; m->numbers && r < m->role_count; r++) width += m->numbers->moves[r];
  return width;
}

void caller_set(tree_search *s, caller_judge *judge, bool with_priors, void *context) {
  const uint32_t width = with_priors ? width_of(s->m) : 0;
  s->caller = (tree_caller){.judge = judge, .context = context, .width = width};
  if (width) s->caller.priors = arena_new_array(s->keep, float, (size_t)LANES *width);
}

/* What is no number from 0 to 100 counts as if nothing were known. */
static float goal_share(float value) {
  return value >= 0 && value <= GOAL_MAX ? value / GOAL_MAX : .5f;
}

void caller_ask(tree_search *s, uint32_t count) {
  const tree_caller *c = &s->caller;
  c->judge(c->context, s->positions, count, s->outcomes, c->priors);
  for (uint32_t i = 0; i < count * s->m->role_count; i++)
    s->outcomes[i] = goal_share(s->outcomes[i]);
}

static void mark_role(tree_search *s, node_id id, uint32_t role, const float *priors) {
  const uint32_t end = nodes_firsts(s->store, id)[role + 1];
  float sum = 0;
  for (uint32_t i = nodes_firsts(s->store, id)[role]; i < end; i++)
    sum += fmaxf(priors[nodes_edge(s->store, id, i)->move], 0);
  for (uint32_t i = nodes_firsts(s->store, id)[role]; i < end && sum > 0; i++) {
    play_edge *e = nodes_edge(s->store, id, i);
    e->prior = fmaxf(priors[e->move], 0) / sum;
  }
}

void caller_mark(tree_search *s, node_id id, uint32_t lane) {
  const uint32_t chooser = nodes_edges(s->store, id)->chooser;
  if (chooser == CHOOSERS_MANY) return;
  for (uint32_t i = 0; i < nodes_edges(s->store, id)->count; i++)
    nodes_edge(s->store, id, i)->value = s->outcomes[(size_t)lane * s->m->role_count + chooser];
  if (!s->caller.width) return;
  const float *priors = s->caller.priors + (size_t)lane * s->caller.width;
  for (uint32_t r = 0; r < chooser; r++) priors += s->m->numbers->moves[r];
  mark_role(s, id, chooser, priors);
}
