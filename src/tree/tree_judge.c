#include "tree/tree_judge.h"

#include <math.h>
#include <string.h>

/* An edge that is looked at. */
typedef struct glance {
  node_id node;
  uint32_t edge;
} glance;

typedef struct glances {
  glance items[LANES];
  uint32_t count;
} glances;

/* ---- successors ---- */

static void step_all(tree_search *s, const glances *g) {
  const size_t size = s->m->position_size;
  const uint32_t roles = s->m->role_count;
  for (uint32_t i = 0; i < g->count; i++) {
    const node_id id = g->items[i].node;
    const uint32_t chooser = nodes_edges(s->store, id)->chooser;
    memcpy(s->positions + i * size, nodes_position(s->store, id), size);
    memcpy(s->joints + (size_t)i * roles, nodes_forced(s->store, id), roles * sizeof(move_id));
    s->joints[(size_t)i * roles + chooser] = nodes_edge(s->store, id, g->items[i].edge)->move;
  }
  bundle_load(s->bundle, s->positions, g->count);
  bundle_step(s->bundle, s->joints, NULL);
  bundle_store(s->bundle, s->positions);
}

/* The values of a successor, float[roles]. */
static void take_end(tree_search *s, const glance *g, uint32_t lane, float *values) {
  const node_id child = tree_make_end(s, s->positions + lane * s->m->position_size, lane);
  for (uint32_t r = 0; r < s->m->role_count; r++)
    values[r] = child == NODE_NONE ? .5f : nodes_values(s->store, child)[r];
  if (child == NODE_NONE) return;
  play_edge *e = nodes_edge(s->store, g->node, g->edge);
  const uint32_t chooser = nodes_edges(s->store, g->node)->chooser;
  e->child = child;
  e->low = nodes_lows(s->store, child)[chooser];
  e->high = nodes_highs(s->store, child)[chooser];
  e->value = values[chooser];
}

static bool is_better_for(const tree_search *s, uint32_t chooser, const float *values, node_id id) {
  return chooser != s->nature && values[chooser] > nodes_values(s->store, id)[chooser];
}

/* A node is worth what its best successor is; by chance, the mean. */
static void take_values(tree_search *s, const glance *g, const float *values) {
  const uint32_t chooser = nodes_edges(s->store, g->node)->chooser;
  const uint32_t count = nodes_edges(s->store, g->node)->count;
  float *own = nodes_values(s->store, g->node);
  nodes_edge(s->store, g->node, g->edge)->value = values[chooser];
  if (node_of(s->store, g->node)->visits) return;
  for (uint32_t r = 0; r < s->m->role_count && chooser == s->nature; r++)
    own[r] += values[r] / (float)count;
  if (g->edge == 0 ? chooser != s->nature : is_better_for(s, chooser, values, g->node))
    memcpy(own, values, s->m->role_count * sizeof *own);
}

/* Steps to the successors; the goals of those that are ends, the lanes of which are given back. */
static bundle_row step_to_ends(tree_search *s, const glances *g) {
  step_all(s, g);
  const bundle_row terminal = bundle_terminal(s->bundle);
  for (uint32_t r = 0; r < s->m->role_count && !row_is_empty(&terminal); r++)
    bundle_goals(s->bundle, r, s->ends + (size_t)r * LANES);
  return terminal;
}

/* What the network has summed up of a node, whose successors differ little from it. */
typedef struct node_sums {
  node_id of; /* NODE_NONE: of none yet */
  float sums[NET_WIDTH];
} node_sums;

static void judge_successor(tree_search *s, node_sums *n, node_id id, uint32_t lane) {
  const void *known = nodes_position(s->store, id);
  if (n->of != id) net_sum(s->net, known, n->sums);
  n->of = id;
  net_judge_near(s->net, known, n->sums, s->positions + lane * s->m->position_size, s->now);
}

static void glance_at(tree_search *s, glances *g) {
  node_sums sums = {.of = NODE_NONE};
  const bundle_row terminal = step_to_ends(s, g);
  for (uint32_t i = 0; i < g->count && !tree_is_over(s); i++) {
    if (row_has(&terminal, i))
      take_end(s, &g->items[i], i, s->now);
    else
      judge_successor(s, &sums, g->items[i].node, i);
    take_values(s, &g->items[i], s->now);
  }
  g->count = 0;
}

/* ---- priors ---- */

/* Moves are as likely as their values say, or equally likely. */
static void find_priors(tree_search *s, node_id id) {
  static const float SHARPNESS = 12;
  const float sharpness = s->o.priors ? SHARPNESS : 0;
  const uint32_t count = nodes_edges(s->store, id)->count;
  float most = 0, sum = 0;
  for (uint32_t i = 0; i < count; i++) most = fmaxf(most, nodes_edge(s->store, id, i)->value);
  for (uint32_t i = 0; i < count; i++) {
    play_edge *e = nodes_edge(s->store, id, i);
    e->prior = expf(sharpness * (e->value - most));
    sum += e->prior;
  }
  for (uint32_t i = 0; i < count; i++) nodes_edge(s->store, id, i)->prior /= sum;
}

/* ---- nodes ---- */

static bool has_glances(const tree_search *s, node_id id) {
  return node_of(s->store, id)->kind == NODE_OPEN &&
         nodes_edges(s->store, id)->chooser != CHOOSERS_MANY;
}

static void judge_plainly(tree_search *s, node_id id) {
  if (!node_of(s->store, id)->visits)
    net_judge(s->net, nodes_position(s->store, id), nodes_values(s->store, id));
}

void judge_nodes(tree_search *s, const node_id *ids, uint32_t count) {
  glances g = {.count = 0};
  for (uint32_t k = 0; k < count; k++) {
    if (!has_glances(s, ids[k])) judge_plainly(s, ids[k]);
    for (uint32_t i = 0; has_glances(s, ids[k]) && i < nodes_edges(s->store, ids[k])->count; i++) {
      g.items[g.count++] = (glance){ids[k], i};
      if (g.count == LANES) glance_at(s, &g);
    }
  }
  if (g.count) glance_at(s, &g);
  for (uint32_t k = 0; k < count && !tree_is_over(s); k++) {
    if (!has_glances(s, ids[k])) continue;
    find_priors(s, ids[k]);
    if (s->o.solver) tree_tighten(s, ids[k]);
  }
}

/* ---- ends alone ---- */

static void find_ends(tree_search *s, glances *g) {
  const bundle_row terminal = step_to_ends(s, g);
  for (uint32_t i = 0; i < g->count && !row_is_empty(&terminal) && !tree_is_over(s); i++)
    if (row_has(&terminal, i)) take_end(s, &g->items[i], i, s->now);
  g->count = 0;
}

static bool has_end(const tree_search *s, node_id id) {
  for (uint32_t i = 0; i < nodes_edges(s->store, id)->count; i++)
    if (nodes_edge(s->store, id, i)->child < NODE_COMING) return true;
  return false;
}

static void learn_ends(tree_search *s, node_id id) {
  const bool is_near = has_end(s, id);
  end_watch_learn(&s->ends_near, nodes_edges(s->store, id)->count, is_near);
  if (is_near) tree_tighten(s, id);
}

void judge_ends(tree_search *s, const node_id *ids, uint32_t count) {
  node_id looked[LANES];
  uint32_t looked_count = 0;
  glances g = {.count = 0};
  for (uint32_t k = 0; k < count && !tree_is_over(s); k++) {
    if (!has_glances(s, ids[k]) || !end_watch_wants(&s->ends_near)) continue;
    looked[looked_count++] = ids[k];
    for (uint32_t i = 0; i < nodes_edges(s->store, ids[k])->count; i++) {
      g.items[g.count++] = (glance){ids[k], i};
      if (g.count == LANES) find_ends(s, &g);
    }
  }
  if (g.count) find_ends(s, &g);
  for (uint32_t k = 0; k < looked_count && !tree_is_over(s); k++) learn_ends(s, looked[k]);
}

/* ---- outcomes ---- */

void judge_outcome(const tree_search *s, node_id id, float *outcome) {
  for (uint32_t r = 0; r < s->m->role_count; r++) {
    const float low = (float)nodes_lows(s->store, id)[r] / GOAL_MAX;
    const float high = (float)nodes_highs(s->store, id)[r] / GOAL_MAX;
    const float value = nodes_values(s->store, id)[r];
    outcome[r] = value < low ? low : value > high ? high : value;
  }
}
