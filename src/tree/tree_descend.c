#include "tree/tree_joint.h"
#include "tree/tree_mix.h"

#include <math.h>
#include <string.h>

enum { DESCENT_MAX = 4000 };

/* ---- choosing ---- */

/* What a choice at a node goes by. */
typedef struct choosing {
  uint32_t role;
  uint32_t first, end; /* edges of the role */
  bool alone;          /* no other role chooses */
  uint8_t sure;        /* what the role has already */
  double log_visits;
  double root_visits; /* square root */
} choosing;

static bool is_decided(const tree_search *s, const choosing *c, const play_edge *e) {
  if (!c->alone) return joint_is_out(e);
  return s->o.solver && (e->low == e->high || e->high <= c->sure);
}

static double score_of(const tree_search *s, const choosing *c, const play_edge *e) {
  const uint32_t tries = e->visits + e->pending;
  if (s->net || s->caller.judge)
    return (double)e->value + s->o.exploration * (double)e->prior * c->root_visits / (1.0 + tries);
  if (!tries) return HUGE_VAL;
  return (double)e->value + s->o.exploration * sqrt(c->log_visits / tries);
}

/* The best of the edges that are not decided; UINT32_MAX: all are.  Of equals, any. */
static uint32_t best_open_edge(tree_search *s, node_id id, const choosing *c) {
  const uint32_t count = c->end - c->first;
  const uint32_t turn = rng_below(&s->random, count);
  uint32_t best = UINT32_MAX;
  double most = -HUGE_VAL;
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t i = c->first + (k + turn < count ? k + turn : k + turn - count);
    const play_edge *e = nodes_edge(s->store, id, i);
    if (is_decided(s, c, e)) continue;
    const double score = score_of(s, c, e);
    if (score > most || best == UINT32_MAX) best = i, most = score;
  }
  return best;
}

static uint32_t surest_edge(const tree_search *s, node_id id, const choosing *c) {
  uint32_t best = c->first;
  for (uint32_t i = c->first; i < c->end; i++)
    if (nodes_edge(s->store, id, i)->low > nodes_edge(s->store, id, best)->low) best = i;
  return best;
}

/* `random` draws evenly: the least tried, and of equals any. */
static uint32_t draw_edge(tree_search *s, node_id id, const choosing *c) {
  const uint32_t count = c->end - c->first;
  const uint32_t turn = rng_below(&s->random, count);
  uint32_t best = c->first + turn;
  for (uint32_t k = 1; k < count; k++) {
    const uint32_t i = c->first + (k + turn) % count;
    const play_edge *e = nodes_edge(s->store, id, i), *b = nodes_edge(s->store, id, best);
    if (e->visits + e->pending < b->visits + b->pending) best = i;
  }
  return best;
}

/* Several roles choose at once: what chance does must not depend on what the others do. */
static uint32_t draw_any_edge(tree_search *s, const choosing *c) {
  return c->first + rng_below(&s->random, c->end - c->first);
}

static uint32_t choose_for(tree_search *s, node_id id, uint32_t role, bool alone) {
  const play_node *n = node_of(s->store, id);
  const uint32_t *firsts = nodes_firsts(s->store, id);
  const choosing c = {.role = role,
                      .first = firsts[role],
                      .end = firsts[role + 1],
                      .alone = alone,
                      .sure = alone ? nodes_lows(s->store, id)[role] : 0,
                      .log_visits = log(1.0 + n->visits + n->pending),
                      .root_visits = sqrt(1.0 + n->visits + n->pending)};
  if (role == s->nature) return alone ? draw_edge(s, id, &c) : draw_any_edge(s, &c);
  if (c.end - c.first == 1) return c.first;
  if (!alone && s->o.regrets) return mix_choose(s, id, c.first, c.end);
  const uint32_t best = best_open_edge(s, id, &c);
  return best == UINT32_MAX ? surest_edge(s, id, &c) : best;
}

/* An edge for each role; for roles without a choice, 0. */
static void choose(tree_search *s, node_id id, uint32_t *choices) {
  const edge_list *l = nodes_edges(s->store, id);
  const uint32_t *firsts = nodes_firsts(s->store, id);
  for (uint32_t r = 0; r < s->m->role_count; r++)
    choices[r] = firsts[r] == firsts[r + 1] ? 0 : choose_for(s, id, r, l->chooser != CHOOSERS_MANY);
}

/* ---- children ---- */

node_id tree_child(const tree_search *s, node_id id, const uint32_t *choices) {
  const uint32_t chooser = nodes_edges(s->store, id)->chooser;
  if (chooser != CHOOSERS_MANY) return nodes_edge(s->store, id, choices[chooser])->child;
  const node_id *child = nodes_find_joint_child(s->store, id, choices);
  return child ? *child : NODE_NONE;
}

void tree_set_child(tree_search *s, node_id id, const uint32_t *choices, node_id child) {
  const uint32_t chooser = nodes_edges(s->store, id)->chooser;
  if (chooser != CHOOSERS_MANY)
    nodes_edge(s->store, id, choices[chooser])->child = child;
  else
    *nodes_joint_child(s->store, id, choices) = child;
}

void tree_joint(const tree_search *s, node_id id, const uint32_t *choices, move_id *joint) {
  const uint32_t *firsts = nodes_firsts(s->store, id);
  const move_id *forced = nodes_forced(s->store, id);
  for (uint32_t r = 0; r < s->m->role_count; r++)
    joint[r] = firsts[r] == firsts[r + 1] ? forced[r] : nodes_edge(s->store, id, choices[r])->move;
}

/* ---- descending ---- */

/* Visits that are on their way are counted. */
static void mark_step(tree_search *s, node_id id, const uint32_t *choices, int change) {
  const uint32_t *firsts = nodes_firsts(s->store, id);
  node_of(s->store, id)->pending += (uint32_t)change;
  for (uint32_t r = 0; r < s->m->role_count; r++)
    if (firsts[r] != firsts[r + 1])
      nodes_edge(s->store, id, choices[r])->pending =
          (uint16_t)(nodes_edge(s->store, id, choices[r])->pending + change);
}

void tree_abandon(tree_search *s, const descent *d) {
  for (uint32_t i = d->first; i < d->first + d->length; i++)
    mark_step(s, s->steps.items[i], s->choices.items + (size_t)i * s->m->role_count, -1);
}

static node_id add_step(tree_search *s, descent *d, node_id id) {
  const uint32_t roles = s->m->role_count;
  vec_push(s->keep, &s->steps, id);
  vec_reserve(s->keep, &s->choices, roles);
  uint32_t *choices = s->choices.items + s->choices.count;
  s->choices.count += roles;
  d->length++;
  choose(s, id, choices);
  mark_step(s, id, choices, 1);
  return tree_child(s, id, choices);
}

/* Is there nothing to be learned below? */
static bool is_known(tree_search *s, const descent *d, node_id id) {
  play_node *n = node_of(s->store, id);
  if (n->kind == NODE_TERMINAL || n->kind == NODE_STUCK) return true;
  if (s->o.solver && id != s->root && nodes_is_solved(s->store, id)) return true;
  if (n->stamp == s->stamp || d->length >= DESCENT_MAX) return true; /* a way round */
  n->stamp = s->stamp;
  return false;
}

typedef enum arrival { ARRIVED_KNOWN, ARRIVED_CLOSED, ARRIVED_NEW, ARRIVED_TWICE } arrival;

/* Goes down to what is known, what is closed, or what is to be made. */
static arrival go_down(tree_search *s, descent *d, node_id id) {
  s->stamp++;
  while (true) {
    if (id == NODE_COMING) return ARRIVED_TWICE;
    d->end = id;
    if (id == NODE_NONE) return ARRIVED_NEW;
    if (is_known(s, d, id)) return ARRIVED_KNOWN;
    if (node_of(s->store, id)->kind == NODE_CLOSED) return ARRIVED_CLOSED;
    id = add_step(s, d, id);
  }
}

static void announce_child(tree_search *s, const descent *d) {
  const uint32_t last = d->first + d->length - 1;
  tree_set_child(s, s->steps.items[last], s->choices.items + (size_t)last * s->m->role_count,
                 NODE_COMING);
}

static void drop_last(tree_search *s, const descent *d) {
  s->steps.count = d->first;
  s->choices.count = d->first * s->m->role_count;
}

bool tree_choose_on(tree_search *s, descent *d) {
  /* The steps of other descents lie behind: copy this one to the end. */
  const uint32_t roles = s->m->role_count, first = s->steps.count;
  vec_reserve(s->keep, &s->steps, d->length);
  vec_reserve(s->keep, &s->choices, d->length * roles);
  memcpy(vec_from(&s->steps, first), vec_from(&s->steps, d->first), d->length * sizeof(node_id));
  memcpy(vec_from(&s->choices, (size_t)first * roles),
         vec_from(&s->choices, (size_t)d->first * roles),
         (size_t)d->length * roles * sizeof(uint32_t));
  s->steps.count += d->length;
  s->choices.count += d->length * roles;
  d->first = first;
  const node_id child = add_step(s, d, d->end);
  if (child == NODE_COMING) {
    tree_abandon(s, d);
    return false;
  }
  d->end = child;
  if (child == NODE_NONE) announce_child(s, d);
  return true;
}

void tree_descend(tree_search *s, uint32_t most) {
  uint32_t twice = 0, made = 0;
  s->descents.count = s->steps.count = s->choices.count = 0;
  while (made < most && twice <= most / 4) {
    descent d = {.first = s->steps.count};
    const arrival a = go_down(s, &d, s->root);
    if (a == ARRIVED_TWICE) {
      tree_abandon(s, &d);
      drop_last(s, &d);
      twice++;
      continue;
    }
    if (a == ARRIVED_NEW) announce_child(s, &d);
    d.is_closed = a == ARRIVED_CLOSED;
    vec_push(s->keep, &s->descents, d);
    made++;
  }
}
