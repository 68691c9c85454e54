#include "tree/tree_bounds.h"

#include "tree/tree_joint.h"

#include <math.h>

static uint8_t low_of(const tree_search *s, const play_edge *e, uint32_t role) {
  return e->child < NODE_COMING ? nodes_lows(s->store, e->child)[role] : 0;
}

static uint8_t high_of(const tree_search *s, const play_edge *e, uint32_t role) {
  return e->child < NODE_COMING ? nodes_highs(s->store, e->child)[role] : GOAL_MAX;
}

/* The edge with the highest lower bound for the role. */
static uint32_t surest(const tree_search *s, node_id id, uint32_t count) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < count; i++)
    if (nodes_edge(s->store, id, i)->low > nodes_edge(s->store, id, best)->low) best = i;
  return best;
}

static bounds of_chooser(const tree_search *s, node_id id, uint32_t count) {
  bounds b = {0, 0};
  for (uint32_t i = 0; i < count; i++) {
    const play_edge *e = nodes_edge(s->store, id, i);
    if (e->low > b.low) b.low = e->low;
    if (e->high > b.high) b.high = e->high;
  }
  return b;
}

/* What another role gets: over all that the chooser might take. */
static bounds of_other(const tree_search *s, node_id id, uint32_t count, bounds chooser,
                       uint32_t role) {
  const uint32_t best = surest(s, id, count);
  bounds b = {GOAL_MAX, 0};
  for (uint32_t i = 0; i < count; i++) {
    const play_edge *e = nodes_edge(s->store, id, i);
    const bool may_be_taken = i == best || (chooser.low < chooser.high && e->high > chooser.low);
    if (!may_be_taken) continue;
    if (low_of(s, e, role) < b.low) b.low = low_of(s, e, role);
    if (high_of(s, e, role) > b.high) b.high = high_of(s, e, role);
  }
  return b;
}

static bounds of_chance(const tree_search *s, node_id id, uint32_t count, uint32_t role) {
  double low = 0, high = 0;
  for (uint32_t i = 0; i < count; i++) {
    const play_edge *e = nodes_edge(s->store, id, i);
    low += low_of(s, e, role);
    high += high_of(s, e, role);
  }
  return (bounds){(uint8_t)floor(low / count), (uint8_t)ceil(high / count)};
}

bool bounds_set(tree_search *s, node_id id, uint32_t role, bounds b) {
  uint8_t *low = &nodes_lows(s->store, id)[role], *high = &nodes_highs(s->store, id)[role];
  const bounds old = {*low, *high};
  if (b.low > *low) *low = b.low;
  if (b.high < *high) *high = b.high > *low ? b.high : *low;
  return old.low != *low || old.high != *high;
}

bounds bounds_with_sum(tree_search *s, bounds b, bounds other) {
  if (!s->o.assumes_sum || s->goal_sum < 0 || s->m->role_count != 2) return b;
  const int32_t low = s->goal_sum - other.high, high = s->goal_sum - other.low;
  s->sum_was_used |= low > b.low || high < b.high;
  if (low > b.low) b.low = (uint8_t)low;
  if (high < b.high) b.high = (uint8_t)(high > b.low ? high : b.low);
  return b;
}

static bool tighten_choice(tree_search *s, node_id id, uint32_t count, uint32_t chooser) {
  const bounds own = of_chooser(s, id, count);
  bool changed = bounds_set(s, id, chooser, own);
  for (uint32_t r = 0; r < s->m->role_count; r++)
    if (r != chooser)
      changed |= bounds_set(s, id, r, bounds_with_sum(s, of_other(s, id, count, own, r), own));
  return changed;
}

bool tree_tighten(tree_search *s, node_id id) {
  const edge_list *l = nodes_edges(s->store, id);
  bool changed = false;
  if (l->chooser == CHOOSERS_MANY) return joint_tighten(s, id);
  if (l->chooser != s->nature) return tighten_choice(s, id, l->count, l->chooser);
  for (uint32_t r = 0; r < s->m->role_count; r++)
    changed |= bounds_set(s, id, r, of_chance(s, id, l->count, r));
  return changed;
}
