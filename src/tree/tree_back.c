#include "tree/tree_mix.h"

#include <string.h>

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

/* An edge of a node at which one role chooses takes over what is known of its child.  Returns
   true if the bounds were news. */
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

/* `is_news`: the bounds of the child have changed.  Returns true if those of the node have. */
static bool back_up_step(tree_search *s, node_id id, const uint32_t *choices, const float *outcome,
                         bool is_news) {
  const uint32_t *firsts = nodes_firsts(s->store, id);
  const uint32_t chooser = nodes_edges(s->store, id)->chooser;
  node_of(s->store, id)->pending--;
  for (uint32_t r = 0; r < s->m->role_count; r++)
    if (firsts[r] != firsts[r + 1]) add_to_edge(nodes_edge(s->store, id, choices[r]), outcome[r]);
  if (chooser == CHOOSERS_MANY && s->o.regrets) mix_learn(s, id, choices);
  if (chooser != CHOOSERS_MANY)
    is_news |= look_at_child(s, nodes_edge(s->store, id, choices[chooser]), chooser);
  add_outcome(s, id, outcome);
  return is_news && s->o.solver && tree_tighten(s, id);
}

/* ---- what is refuted ---- */

/* Has the edge turned out to be no choice, while others are left?  Then looks at successors have
   often told so, of many edges at once.  Only a role that chooses alone leaves them out. */
static bool is_refuted(const tree_search *s, node_id id, const uint32_t *choices) {
  const uint32_t chooser = nodes_edges(s->store, id)->chooser;
  if (!s->o.looks || !s->o.solver || chooser == CHOOSERS_MANY || chooser == s->nature) return false;
  const play_edge *e = nodes_edge(s->store, id, choices[chooser]);
  return e->low == e->high && !nodes_is_solved(s->store, id);
}

static void add_child(const tree_search *s, const play_edge *e, float *sums) {
  const float *values = nodes_values(s->store, e->child);
  for (uint32_t r = 0; r < s->m->role_count; r++) sums[r] += (float)e->visits * values[r];
}

/* Of the node, over the edges that are left; false: none was tried. */
static bool mean_of_open(const tree_search *s, node_id id, float *mean) {
  const uint8_t sure = nodes_lows(s->store, id)[nodes_edges(s->store, id)->chooser];
  float tries = 0;
  memset(mean, 0, s->m->role_count * sizeof *mean);
  for (uint32_t i = 0; i < nodes_edges(s->store, id)->count; i++) {
    const play_edge *e = nodes_edge(s->store, id, i);
    if (!e->visits || e->child >= NODE_COMING || e->low == e->high || e->high <= sure) continue;
    add_child(s, e, mean);
    tries += (float)e->visits;
  }
  for (uint32_t r = 0; r < s->m->role_count && tries > 0; r++) mean[r] /= tries;
  return tries > 0;
}

/* What nobody will choose says nothing of the node, and nothing of those above. */
static void leave_out(tree_search *s, node_id id, float *outcome) {
  if (!mean_of_open(s, id, s->mean)) return;
  memcpy(nodes_values(s->store, id), s->mean, s->m->role_count * sizeof *outcome);
  memcpy(outcome, s->mean, s->m->role_count * sizeof *outcome);
}

/* ---- all steps ---- */

/* What is known for sure is worth more than what was seen below.  A mixture makes sure of a mean:
   single outcomes may lie outside. */
static void correct(const tree_search *s, node_id id, float *outcome) {
  if (!s->o.solver || (s->has_mixed_bounds && !nodes_is_solved(s->store, id))) return;
  for (uint32_t r = 0; r < s->m->role_count; r++) outcome[r] = within(s, id, r, outcome[r]);
}

void tree_back_up(tree_search *s, const descent *d, const float *outcome) {
  float *now = s->now;
  memcpy(now, outcome, s->m->role_count * sizeof *now);
  bool is_news = s->o.solver && nodes_is_solved(s->store, d->end);
  add_outcome(s, d->end, now);
  for (uint32_t i = d->first + d->length; i-- > d->first;) {
    const node_id id = s->steps.items[i];
    const uint32_t *choices = s->choices.items + (size_t)i * s->m->role_count;
    is_news = back_up_step(s, id, choices, now, is_news);
    if (is_refuted(s, id, choices)) leave_out(s, id, now);
    correct(s, id, now);
  }
  s->figures.iterations++;
  if (d->length > s->figures.depth) s->figures.depth = d->length;
}
