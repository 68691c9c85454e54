#include "machine/lanes/lane_order.h"

#include "base/graph.h"

#include <stdlib.h>
#include <string.h>

enum {
  CHUNK = 256,  /* operations that may change places to make runs */
  RECENT = 256, /* a row made within so many operations may still be in a register */
};

typedef struct orderer {
  const lane_plan *plan;
  const table_cover *cover;
  lane_order *o;
  arena *keep, *scratch;
  budget *limits;
  uint32_t *first_place; /* by component, and one more: in plan->places, which are in that order */
  uint32_t *component;   /* by node: the last recursive component that it depends on, plus 1 */
  uint8_t *phase;        /* by node: in which its operation comes */
  uint8_t *component_phase; /* by component */
  uint8_t *need;            /* by node: how many registers its tree of operations takes, about */
  graph readers;            /* of each node: operations */
  uint32_t *waits_for;      /* by node: inputs whose operation is not placed */
  uint32_t *unread;         /* by node: readers whose operation is not placed */
  uint32_t *made_at;        /* by node: how many were placed before it */
  bitset is_placed;         /* nodes whose operation is */
  uint32_t placed_count;
  id_vec stack;
  id_vec ready; /* nodes that may be placed early */
} orderer;

static bool is_op(const orderer *x, uint32_t node) { return x->cover->is_chosen[node]; }

static const table_op *op_of(const orderer *x, uint32_t node) { return &x->cover->ops[node]; }

/* ---- components ---- */

static void list_components(orderer *x) {
  const lane_plan *plan = x->plan;
  for (uint32_t i = 0, component = 0; component <= plan->component_count; component++) {
    while (i < plan->places.count && plan->places.items[i].component < component) i++;
    x->first_place[component] = i;
  }
}

/* Parts are in order, so a node's number tells nothing: a place may be read before its definition
   is made, but never before the places of its component are. */
static void find_components(orderer *x) {
  for (uint32_t i = 0; i < x->plan->places.count; i++)
    x->component[x->plan->places.items[i].node] = x->plan->places.items[i].component + 1;
  for (uint32_t node = 1; node < x->plan->g->nodes.count; node++) {
    if (!is_op(x, node)) continue;
    for (uint32_t i = 0; i < op_of(x, node)->in_count; i++) {
      const uint32_t component = x->component[op_of(x, node)->in[i]];
      if (component > x->component[node]) x->component[node] = component;
    }
  }
}

/* ---- phases ---- */

/* What some roots need: nodes, and components with all that defines their places, since a component
   is one loop. */
typedef struct cone {
  bitset nodes, components;
} cone;

static void reach(orderer *x, const cone *c, uint32_t node) {
  if (bitset_insert(c->nodes, node)) vec_push(x->scratch, &x->stack, node);
}

static void reach_component(orderer *x, const cone *c, uint32_t component) {
  if (!bitset_insert(c->components, component)) return;
  for (uint32_t i = x->first_place[component]; i < x->first_place[component + 1]; i++)
    reach(x, c, edge_node(x->plan->places.items[i].definition));
}

static cone find_cone(orderer *x, lane_phase first, lane_phase last) {
  const lane_plan *plan = x->plan;
  const cone c = {bitset_new(x->scratch, plan->g->nodes.count),
                  bitset_new(x->scratch, plan->component_count + 1)};
  for (uint32_t i = 0; i < plan->roots.count; i++)
    if (plan->roots.items[i].phase >= first && plan->roots.items[i].phase <= last)
      reach(x, &c, edge_node(plan->roots.items[i].e));
  while (x->stack.count) {
    const uint32_t node = vec_pop(&x->stack);
    if (!is_op(x, node)) {
      if (x->component[node]) reach_component(x, &c, x->component[node] - 1);
      continue;
    }
    for (uint32_t i = 0; i < op_of(x, node)->in_count; i++) reach(x, &c, op_of(x, node)->in[i]);
  }
  return c;
}

/* Gives a phase to what is in both cones and has none. */
static void set_phase(orderer *x, lane_phase phase, const cone *a, const cone *b) {
  for (uint32_t node = 1; node < x->plan->g->nodes.count; node++)
    if (x->phase[node] == LANE_PHASES && bitset_has(a->nodes, node) && bitset_has(b->nodes, node))
      x->phase[node] = (uint8_t)phase;
  for (uint32_t component = 0; component < x->plan->component_count; component++)
    if (x->component_phase[component] == LANE_PHASES && bitset_has(a->components, component) &&
        bitset_has(b->components, component))
      x->component_phase[component] = (uint8_t)phase;
}

/* Goals may be left out: what they have in common with later phases is computed before them. */
static void find_phases(orderer *x) {
  memset(x->phase, LANE_PHASES, x->plan->g->nodes.count);
  memset(x->component_phase, LANE_PHASES, x->plan->component_count + (size_t)1);
  const cone terminal = find_cone(x, PHASE_TERMINAL, PHASE_TERMINAL);
  const cone goals = find_cone(x, PHASE_GOALS, PHASE_GOALS);
  const cone legal = find_cone(x, PHASE_LEGAL, PHASE_LEGAL);
  const cone next = find_cone(x, PHASE_NEXT, PHASE_NEXT);
  set_phase(x, PHASE_TERMINAL, &terminal, &terminal);
  set_phase(x, PHASE_TERMINAL, &goals, &legal);
  set_phase(x, PHASE_TERMINAL, &goals, &next);
  set_phase(x, PHASE_GOALS, &goals, &goals);
  set_phase(x, PHASE_LEGAL, &legal, &legal);
  set_phase(x, PHASE_NEXT, &next, &next);
}

/* ---- what is known of each node ---- */

/* As 'Sethi and Ullman, The generation of optimal code for arithmetic expressions' count, if no row
   were read twice. */
static uint8_t need_of(const orderer *x, const table_op *op) {
  uint8_t needs[TABLE_INPUTS] = {0}, most = 1;
  for (uint32_t i = 0; i < op->in_count; i++) {
    uint32_t at = i;
    const uint8_t need = x->need[op->in[i]];
    for (; at && needs[at - 1] < need; at--) needs[at] = needs[at - 1];
    needs[at] = need;
  }
  for (uint32_t i = 0; i < op->in_count; i++)
    if (needs[i] + i > most) most = (uint8_t)(needs[i] + i);
  return most;
}

static void list_readers(orderer *x) {
  id_vec tails = {0}, heads = {0};
  for (uint32_t node = 1; node < x->plan->g->nodes.count; node++) {
    if (!is_op(x, node)) continue;
    x->need[node] = need_of(x, op_of(x, node));
    for (uint32_t i = 0; i < op_of(x, node)->in_count; i++) {
      const uint32_t in = op_of(x, node)->in[i];
      vec_push(x->scratch, &tails, in);
      vec_push(x->scratch, &heads, node);
      x->waits_for[node] += is_op(x, in);
      x->unread[in]++;
    }
  }
  x->readers =
      graph_new(x->scratch, x->plan->g->nodes.count, tails.items, heads.items, tails.count);
}

/* ---- placing ---- */

/* Is it the last reader of a row that was made a moment ago? */
static bool ends_a_row(const orderer *x, uint32_t node) {
  for (uint32_t i = 0; i < op_of(x, node)->in_count; i++) {
    const uint32_t in = op_of(x, node)->in[i];
    if (is_op(x, in) && x->unread[in] == 1 && x->placed_count - x->made_at[in] <= RECENT)
      return true;
  }
  return false;
}

/* Loops and what depends on them keep the order of their components. */
static void offer(orderer *x, uint32_t node, lane_phase phase) {
  if (x->waits_for[node] || x->component[node] || x->phase[node] != phase) return;
  if (!bitset_has(x->is_placed, node) && ends_a_row(x, node)) vec_push(x->scratch, &x->ready, node);
}

/* The only reader of a node that is not placed. */
static uint32_t last_reader(const orderer *x, uint32_t node) {
  uint32_t i = x->readers.from[node];
  while (bitset_has(x->is_placed, x->readers.to[i])) i++;
  return x->readers.to[i];
}

static void place(orderer *x, uint32_t node, lane_phase phase, id_vec *list) {
  const table_op *op = op_of(x, node);
  bitset_add(x->is_placed, node);
  vec_push(x->keep, list, node);
  x->made_at[node] = x->placed_count++;
  for (uint32_t i = 0; i < op->in_count; i++) x->unread[op->in[i]]--;
  for (uint32_t i = x->readers.from[node]; i < x->readers.from[node + 1]; i++)
    if (--x->waits_for[x->readers.to[i]] == 0) offer(x, x->readers.to[i], phase);
  for (uint32_t i = 0; i < op->in_count; i++)
    if (x->unread[op->in[i]] == 1) offer(x, last_reader(x, op->in[i]), phase);
}

static void place_ready(orderer *x, lane_phase phase) {
  while (x->ready.count) {
    const uint32_t node = vec_pop(&x->ready);
    if (!bitset_has(x->is_placed, node)) place(x, node, phase, &x->o->nodes);
  }
}

/* The inputs of an operation go on the stack, those of larger trees on top. */
static void push_inputs(orderer *x, const table_op *op) {
  const uint32_t first = x->stack.count;
  for (uint32_t i = op->in_count; i-- > 0;) {
    uint32_t at = x->stack.count;
    vec_push(x->scratch, &x->stack, 0);
    for (; at > first && x->need[x->stack.items[at - 1] >> 1] > x->need[op->in[i]]; at--)
      x->stack.items[at] = x->stack.items[at - 1];
    x->stack.items[at] = op->in[i] << 1;
  }
}

/* Places what a node needs, and then its own operation.  Operations that depend on the component
   `own` (plus 1) go to `body`. */
static void place_node(orderer *x, uint32_t root, lane_phase phase, uint32_t own, id_vec *body) {
  x->stack.count = 0;
  vec_push(x->scratch, &x->stack, root << 1);
  while (x->stack.count) {
    const uint32_t top = vec_pop(&x->stack), node = top >> 1;
    if (!is_op(x, node) || bitset_has(x->is_placed, node)) continue;
    if (top & 1) {
      place(x, node, phase, x->component[node] == own && body ? body : &x->o->nodes);
      place_ready(x, phase);
      continue;
    }
    vec_push(x->scratch, &x->stack, top | 1);
    push_inputs(x, op_of(x, node));
  }
}

/* The loop of a component; what it needs from outside comes before it. */
static void place_component(orderer *x, lane_phase phase, uint32_t component) {
  id_vec body = {0};
  lane_order *o = x->o;
  lane_loop loop = {.phase = phase, .first_place = o->places.count};
  for (uint32_t i = x->first_place[component]; i < x->first_place[component + 1]; i++) {
    const lane_plan_place *p = &x->plan->places.items[i];
    place_node(x, edge_node(p->definition), phase, component + 1, &body);
    const lane_place place = {p->node, edge_node(p->definition), p->definition & 1};
    vec_push(x->keep, &o->places, place);
  }
  loop.place_count = o->places.count - loop.first_place;
  loop.first = o->nodes.count;
  vec_append(x->keep, &o->nodes, body.items, body.count);
  loop.end = o->nodes.count;
  vec_push(x->keep, &o->loops, loop);
}

static bool place_phase(orderer *x, lane_phase phase) {
  const lane_plan *plan = x->plan;
  for (uint32_t component = 0; component < plan->component_count; component++) {
    if (budget_is_spent(x->limits)) return false;
    if (x->component_phase[component] == phase) place_component(x, phase, component);
  }
  for (uint32_t i = 0; i < plan->roots.count; i++) {
    if (budget_is_spent(x->limits)) return false;
    if (plan->roots.items[i].phase == phase)
      place_node(x, edge_node(plan->roots.items[i].e), phase, 0, NULL);
  }
  for (uint32_t node = 1; node < plan->g->nodes.count; node++)
    if (x->phase[node] == phase && phase == PHASE_TERMINAL) place_node(x, node, phase, 0, NULL);
  x->o->phase_end[phase] = x->o->nodes.count;
  return true;
}

/* ---- stretches and runs ---- */

static void find_boundaries(orderer *x) {
  lane_order *o = x->o;
  o->boundaries = bitset_new(x->keep, o->nodes.count + 1);
  for (lane_phase phase = PHASE_TERMINAL; phase < LANE_PHASES; phase++)
    bitset_add(o->boundaries, o->phase_end[phase]);
  for (uint32_t i = 0; i < o->loops.count; i++) {
    bitset_add(o->boundaries, o->loops.items[i].first);
    bitset_add(o->boundaries, o->loops.items[i].end);
  }
}

uint32_t lane_order_stretch_end(const lane_order *o, uint32_t at) {
  do at++;
  while (!bitset_has(o->boundaries, at));
  return at;
}

/* An operation of a chunk: how many others of the chunk it waits for, one after another. */
typedef struct chunk_op {
  uint32_t node;
  uint32_t level;
  uint8_t table;
} chunk_op;

static int compare_chunk_ops(const void *left, const void *right) {
  const chunk_op *a = left, *b = right;
  if (a->level != b->level) return a->level < b->level ? -1 : 1;
  if (a->table != b->table) return a->table < b->table ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static void sort_chunk(orderer *x, uint32_t first, uint32_t end, uint32_t *level) {
  chunk_op ops[CHUNK];
  uint32_t *nodes = x->o->nodes.items;
  for (uint32_t i = first; i < end; i++) {
    const table_op *op = op_of(x, nodes[i]);
    uint32_t deepest = 0;
    for (uint32_t k = 0; k < op->in_count; k++)
      if (level[op->in[k]] > deepest) deepest = level[op->in[k]];
    level[nodes[i]] = deepest + 1;
    ops[i - first] = (chunk_op){nodes[i], deepest + 1, op->table};
  }
  qsort(ops, end - first, sizeof *ops, compare_chunk_ops);
  for (uint32_t i = first; i < end; i++) {
    nodes[i] = ops[i - first].node;
    level[nodes[i]] = 0;
  }
}

static void sort_into_runs(orderer *x) {
  uint32_t *level = arena_zero_array(x->scratch, uint32_t, x->plan->g->nodes.count);
  for (uint32_t i = 0, end; i < x->o->nodes.count; i = end) {
    end = lane_order_stretch_end(x->o, i);
    if (end - i > CHUNK) end = i + CHUNK;
    sort_chunk(x, i, end, level);
  }
}

/* ---- all of it ---- */

static bool find_order(orderer *x) {
  list_components(x);
  find_components(x);
  list_readers(x);
  find_phases(x);
  for (lane_phase phase = PHASE_TERMINAL; phase < LANE_PHASES; phase++)
    if (!place_phase(x, phase)) return false;
  return true;
}

bool lane_order_find(lane_order *o, const lane_plan *plan, const table_cover *cover, bool in_runs,
                     arena *keep, budget *limits) {
  arena *scratch = arena_new();
  const uint32_t nodes = plan->g->nodes.count;
  *o = (lane_order){0};
  orderer x = {.plan = plan,
               .cover = cover,
               .o = o,
               .keep = keep,
               .scratch = scratch,
               .limits = limits,
               .first_place = arena_zero_array(scratch, uint32_t, plan->component_count + 1),
               .component = arena_zero_array(scratch, uint32_t, nodes),
               .phase = arena_alloc(scratch, nodes),
               .component_phase = arena_alloc(scratch, plan->component_count + (size_t)1),
               .need = arena_zero_array(scratch, uint8_t, nodes),
               .waits_for = arena_zero_array(scratch, uint32_t, nodes),
               .unread = arena_zero_array(scratch, uint32_t, nodes),
               .made_at = arena_zero_array(scratch, uint32_t, nodes),
               .is_placed = bitset_new(scratch, nodes)};
  budget_watch(limits, scratch);
  const bool ok = find_order(&x);
  if (ok) {
    find_boundaries(&x);
    if (in_runs) sort_into_runs(&x);
  }
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return ok;
}
