#include "tree/tree_mix.h"

#include <math.h>
#include <string.h>

/* ---- bounds ---- */

static uint8_t low_of(const tree_search *s, const play_edge *e, uint32_t role) {
  return e->child < NODE_COMING ? nodes_lows(s->store, e->child)[role] : 0;
}

static uint8_t high_of(const tree_search *s, const play_edge *e, uint32_t role) {
  return e->child < NODE_COMING ? nodes_highs(s->store, e->child)[role] : GOAL_MAX;
}

typedef struct bounds {
  uint8_t low, high;
} bounds;

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

static bool set_bounds(tree_search *s, node_id id, uint32_t role, bounds b) {
  uint8_t *low = &nodes_lows(s->store, id)[role], *high = &nodes_highs(s->store, id)[role];
  const bounds old = {*low, *high};
  if (b.low > *low) *low = b.low;
  if (b.high < *high) *high = b.high > *low ? b.high : *low;
  return old.low != *low || old.high != *high;
}

/* Two roles share a constant sum: what one has for sure, the other cannot get. */
static bounds with_constant_sum(tree_search *s, bounds other, bounds chooser) {
  if (!s->o.assumes_sum || s->goal_sum < 0 || s->m->role_count != 2) return other;
  const int32_t low = s->goal_sum - chooser.high, high = s->goal_sum - chooser.low;
  s->sum_was_used |= low > other.low || high < other.high;
  if (low > other.low) other.low = (uint8_t)low;
  if (high < other.high) other.high = (uint8_t)(high > other.low ? high : other.low);
  return other;
}

static bool tighten_choice(tree_search *s, node_id id, uint32_t count, uint32_t chooser) {
  const bounds own = of_chooser(s, id, count);
  bool changed = set_bounds(s, id, chooser, own);
  for (uint32_t r = 0; r < s->m->role_count; r++)
    if (r != chooser)
      changed |= set_bounds(s, id, r, with_constant_sum(s, of_other(s, id, count, own, r), own));
  return changed;
}

bool tree_tighten(tree_search *s, node_id id) {
  const edge_list *l = nodes_edges(s->store, id);
  bool changed = false;
  if (l->chooser == CHOOSERS_MANY) return false;
  if (l->chooser != s->nature) return tighten_choice(s, id, l->count, l->chooser);
  for (uint32_t r = 0; r < s->m->role_count; r++)
    changed |= set_bounds(s, id, r, of_chance(s, id, l->count, r));
  return changed;
}

/* ---- values ---- */

static float within(const tree_search *s, node_id id, uint32_t role, float value) {
  const float low = (float)nodes_lows(s->store, id)[role] / GOAL_MAX;
  const float high = (float)nodes_highs(s->store, id)[role] / GOAL_MAX;
  return value < low ? low : value > high ? high : value;
}

static void add_outcome(tree_search *s, node_id id, const float *outcome) {
  play_node *n = node_of(s->store, id);
  float *values = nodes_values(s->store, id);
  n->visits++;
  for (uint32_t r = 0; r < s->m->role_count; r++)
    values[r] += (outcome[r] - values[r]) / (float)n->visits;
}

static void add_to_edge(play_edge *e, float outcome) {
  e->visits++;
  e->pending--;
  e->value += (outcome - e->value) / (float)e->visits;
}

/* An edge of a node at which one role chooses takes over what is known of its child.  Tells whether
   the bounds were news. */
static bool look_at_child(tree_search *s, play_edge *e, uint32_t chooser) {
  if (e->child >= NODE_COMING) return false;
  const uint8_t low = nodes_lows(s->store, e->child)[chooser];
  const uint8_t high = nodes_highs(s->store, e->child)[chooser];
  const bool is_news = e->low != low || e->high != high;
  e->value = within(s, e->child, chooser, nodes_values(s->store, e->child)[chooser]);
  e->low = low;
  e->high = high;
  return is_news;
}

/* `is_news`: the bounds of the child have changed.  Tells whether those of the node have. */
static bool back_up_step(tree_search *s, node_id id, const uint32_t *choices, const float *outcome,
                         bool is_news) {
  const uint32_t *firsts = nodes_firsts(s->store, id);
  const uint32_t chooser = nodes_edges(s->store, id)->chooser;
  node_of(s->store, id)->pending--;
  for (uint32_t r = 0; r < s->m->role_count; r++)
    if (firsts[r] != firsts[r + 1]) add_to_edge(nodes_edge(s->store, id, choices[r]), outcome[r]);
  if (chooser == CHOOSERS_MANY && s->o.regrets) mix_learn(s, id, choices, outcome);
  if (chooser != CHOOSERS_MANY)
    is_news |= look_at_child(s, nodes_edge(s->store, id, choices[chooser]), chooser);
  add_outcome(s, id, outcome);
  return is_news && s->o.solver && tree_tighten(s, id);
}

/* What is known for sure is worth more than what was seen below. */
static void correct(const tree_search *s, node_id id, float *outcome) {
  if (!s->o.solver) return;
  for (uint32_t r = 0; r < s->m->role_count; r++) outcome[r] = within(s, id, r, outcome[r]);
}

void tree_back_up(tree_search *s, const descent *d, const float *outcome) {
  float *now = s->now;
  memcpy(now, outcome, s->m->role_count * sizeof *now);
  bool is_news = s->o.solver && nodes_is_solved(s->store, d->end);
  add_outcome(s, d->end, now);
  for (uint32_t i = d->first + d->length; i-- > d->first;) {
    const node_id id = s->steps.items[i];
    is_news = back_up_step(s, id, s->choices.items + (size_t)i * s->m->role_count, now, is_news);
    correct(s, id, now);
  }
  s->figures.iterations++;
  if (d->length > s->figures.depth) s->figures.depth = d->length;
}
