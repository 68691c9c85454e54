#include "tree/tree_mix.h"

/* The part of moves that is drawn evenly. */
static const float TRYING = .1f;

static float sum_of_regrets(const tree_search *s, node_id id, uint32_t first, uint32_t end) {
  float sum = 0;
  for (uint32_t i = first; i < end; i++) sum += nodes_edge(s->store, id, i)->regret;
  return sum;
}

static float share_of(const tree_search *s, node_id id, uint32_t i, float sum, uint32_t count) {
  return sum > 0 ? nodes_edge(s->store, id, i)->regret / sum : 1.0f / (float)count;
}

static float draw_unit(tree_search *s) { return (float)(rng_next(&s->random) >> 40) * 0x1p-24f; }

uint32_t mix_choose(tree_search *s, node_id id, uint32_t first, uint32_t end) {
  if (draw_unit(s) < TRYING) return first + rng_below(&s->random, end - first);
  const float sum = sum_of_regrets(s, id, first, end);
  float left = draw_unit(s);
  for (uint32_t i = first; i + 1 < end; i++) {
    left -= share_of(s, id, i, sum, end - first);
    if (left < 0) return i;
  }
  return end - 1;
}

/* What the role would have got by another edge: what is known of that child, or of the edge. */
static float without(tree_search *s, node_id id, uint32_t role, const uint32_t *choices,
                     uint32_t other, uint32_t *scratch) {
  for (uint32_t r = 0; r < s->m->role_count; r++) scratch[r] = choices[r];
  scratch[role] = other;
  const node_id *child = nodes_find_joint_child(s->store, id, scratch);
  if (child && *child < NODE_COMING && node_of(s->store, *child)->visits)
    return nodes_values(s->store, *child)[role];
  const play_edge *e = nodes_edge(s->store, id, other);
  return e->visits ? e->value : nodes_values(s->store, id)[role];
}

static void learn_role(tree_search *s, node_id id, uint32_t role, const uint32_t *choices,
                       float outcome) {
  const uint32_t first = nodes_firsts(s->store, id)[role],
                 end = nodes_firsts(s->store, id)[role + 1];
  const float sum = sum_of_regrets(s, id, first, end);
  const float weight = (float)(node_of(s->store, id)->visits + 1);
  for (uint32_t i = first; i < end; i++)
    nodes_edge(s->store, id, i)->prior += weight * share_of(s, id, i, sum, end - first);
  for (uint32_t i = first; i < end; i++) {
    play_edge *e = nodes_edge(s->store, id, i);
    const float missed =
        i == choices[role] ? 0 : without(s, id, role, choices, i, s->mixed) - outcome;
    e->regret = e->regret + missed > 0 ? e->regret + missed : 0;
  }
}

void mix_learn(tree_search *s, node_id id, const uint32_t *choices, const float *outcome) {
  const uint32_t *firsts = nodes_firsts(s->store, id);
  for (uint32_t r = 0; r < s->m->role_count; r++)
    if (r != s->nature && firsts[r] != firsts[r + 1]) learn_role(s, id, r, choices, outcome[r]);
}
