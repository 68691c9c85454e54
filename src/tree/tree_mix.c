#include "tree/tree_mix.h"

#include "tree/tree_joint.h"

#include <string.h>

/* The part of moves that is drawn evenly. */
static const float TRYING = .1f;

/* Moves of one role at a node, and by how much they are regretted. */
typedef struct mixture {
  uint32_t first, end;
  uint32_t in; /* that are not dominated */
  float sum;   /* of regrets */
} mixture;

static mixture mixture_of(const tree_search *s, node_id id, uint32_t first, uint32_t end) {
  mixture m = {.first = first, .end = end};
  for (uint32_t i = first; i < end; i++) {
    const play_edge *e = nodes_edge(s->store, id, i);
    if (joint_is_out(e)) continue;
    m.in++;
    m.sum += e->regret;
  }
  return m;
}

static float share_of(const tree_search *s, node_id id, const mixture *m, uint32_t i) {
  const play_edge *e = nodes_edge(s->store, id, i);
  if (joint_is_out(e)) return 0;
  return m->sum > 0 ? e->regret / m->sum : 1.0f / (float)m->in;
}

static float draw_unit(tree_search *s) { return (float)(rng_next(&s->random) >> 40) * 0x1p-24f; }

uint32_t mix_choose(tree_search *s, node_id id, uint32_t first, uint32_t end) {
  const mixture m = mixture_of(s, id, first, end);
  const bool tries = draw_unit(s) < TRYING;
  float left = draw_unit(s);
  uint32_t last = first;
  for (uint32_t i = first; i < end; i++) {
    if (joint_is_out(nodes_edge(s->store, id, i))) continue;
    last = i;
    left -= tries ? 1.0f / (float)m.in : share_of(s, id, &m, i);
    if (left < 0) return i;
  }
  return last;
}

/* What is known of a state counts within its bounds. */
static float value_of(const tree_search *s, node_id id, uint32_t role) {
  const float low = (float)nodes_lows(s->store, id)[role] / GOAL_MAX;
  const float high = (float)nodes_highs(s->store, id)[role] / GOAL_MAX;
  const float value = nodes_values(s->store, id)[role];
  return value < low ? low : value > high ? high : value;
}

/* What the role gets by an edge while the others keep to theirs: what is known of that child, or of
   the edge. */
static float value_with(tree_search *s, node_id id, uint32_t role, const uint32_t *choices,
                        uint32_t edge) {
  memcpy(s->mixed, choices, s->m->role_count * sizeof *choices);
  s->mixed[role] = edge;
  const node_id *child = nodes_find_joint_child(s->store, id, s->mixed);
  if (child && *child < NODE_COMING &&
      (node_of(s->store, *child)->visits || nodes_is_solved(s->store, *child)))
    return value_of(s, *child, role);
  const play_edge *e = nodes_edge(s->store, id, edge);
  return e->visits ? e->value : nodes_values(s->store, id)[role];
}

/* Regrets are differences of means, not of outcomes: what is drawn by chance below does not count
   as missed. */
static void learn_role(tree_search *s, node_id id, uint32_t role, const uint32_t *choices) {
  const uint32_t *firsts = nodes_firsts(s->store, id);
  const mixture m = mixture_of(s, id, firsts[role], firsts[role + 1]);
  const float weight = (float)(node_of(s->store, id)->visits + 1);
  const arena_mark mark = arena_save(s->scratch);
  float *values = arena_new_array(s->scratch, float, m.end - m.first), had = 0;
  for (uint32_t i = m.first; i < m.end; i++) {
    const float share = share_of(s, id, &m, i);
    values[i - m.first] = value_with(s, id, role, choices, i);
    nodes_edge(s->store, id, i)->prior += weight * share;
    had += share * values[i - m.first];
  }
  for (uint32_t i = m.first; i < m.end; i++) {
    play_edge *e = nodes_edge(s->store, id, i);
    const float regret = e->regret + values[i - m.first] - had;
    if (!joint_is_out(e)) e->regret = regret > 0 ? regret : 0;
  }
  arena_restore(s->scratch, mark);
}

void mix_learn(tree_search *s, node_id id, const uint32_t *choices) {
  const uint32_t *firsts = nodes_firsts(s->store, id);
  for (uint32_t r = 0; r < s->m->role_count; r++)
    if (r != s->nature && firsts[r] != firsts[r + 1]) learn_role(s, id, r, choices);
}
