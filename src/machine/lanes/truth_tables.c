/* Cuts as in 'Cong and Ding, FlowMap' and area recovery as in 'Mishchenko et al., Improvements to
   technology mapping for LUT-based FPGAs': each node keeps a few cuts of at most three leaves; the
   best by area flow is chosen, then cuts are chosen again by the area that they really add. */
#include "machine/lanes/truth_tables.h"

#include <string.h>

enum { CUTS_MAX = 6, ROUNDS = 2, ROUNDS_UP_TO = 1 << 19 /* nodes */ };

typedef struct cut {
  uint32_t leaves[TABLE_INPUTS]; /* ascending */
  uint8_t count;
  uint8_t table; /* leaf 0 is the highest bit of the index */
  float flow;
} cut;

typedef struct node_cuts {
  cut cuts[CUTS_MAX];
  uint8_t count;
  uint8_t best;
} node_cuts;

typedef struct coverer {
  const aig *g;
  arena *scratch;
  node_cuts *nodes;
  float *flow;      /* by node: area flow of its best cut */
  uint32_t *fanout; /* in the graph */
  uint32_t *uses;   /* in the cover */
} coverer;

/* The variables as tables. */
static const uint8_t column[TABLE_INPUTS] = {0xf0, 0xcc, 0xaa};

/* ---- cuts ---- */

/* The table over the leaves of `to` of what `from` has over its own. */
static uint8_t spread(const cut *from, const cut *to) {
  uint8_t place[TABLE_INPUTS] = {0};
  uint8_t table = 0;
  for (uint32_t i = 0, k = 0; i < from->count; i++) {
    while (to->leaves[k] != from->leaves[i]) k++;
    place[i] = (uint8_t)k;
  }
  for (uint32_t row = 0; row < 8; row++) {
    uint32_t index = 0;
    for (uint32_t i = 0; i < from->count; i++)
      if (column[place[i]] >> row & 1) index |= 4u >> i;
    table |= (uint8_t)((from->table >> index & 1) << row);
  }
  return table;
}

static bool join_leaves(const cut *a, const cut *b, cut *out) {
  uint32_t i = 0, k = 0;
  out->count = 0;
  while (i < a->count || k < b->count) {
    if (out->count == TABLE_INPUTS) return false;
    const bool from_a = i < a->count && (k == b->count || a->leaves[i] <= b->leaves[k]);
    const bool from_b = k < b->count && (i == a->count || b->leaves[k] <= a->leaves[i]);
    out->leaves[out->count++] = from_a ? a->leaves[i] : b->leaves[k];
    i += from_a;
    k += from_b;
  }
  return true;
}

/* Drops leaves on which the table does not depend. */
static void drop_idle_leaves(cut *c) {
  for (uint32_t i = 0; i < c->count;) {
    const uint32_t shift = 4u >> i;
    const uint8_t high = c->table & column[i], low = c->table & (uint8_t)~column[i];
    if (high >> shift != low) {
      i++;
      continue;
    }
    cut smaller = {.count = (uint8_t)(c->count - 1)};
    for (uint32_t k = 0, to = 0; k < c->count; k++)
      if (k != i) smaller.leaves[to++] = c->leaves[k];
    for (uint32_t row = 0; row < 8; row++) {
      uint32_t index = 0;
      for (uint32_t k = 0, from = 0; k < c->count; k++) {
        if (k == i) continue;
        if (column[from++] >> row & 1) index |= 4u >> k;
      }
      smaller.table |= (uint8_t)((c->table >> index & 1) << row);
    }
    *c = smaller;
  }
}

static float flow_of(const coverer *v, const cut *c) {
  float flow = 1;
  for (uint32_t i = 0; i < c->count; i++) flow += v->flow[c->leaves[i]];
  return flow;
}

static bool same_leaves(const cut *a, const cut *b) {
  return a->count == b->count && memcmp(a->leaves, b->leaves, a->count * sizeof *a->leaves) == 0;
}

/* Keeps the cuts sorted by flow, the smaller ones first among equals. */
static void add_cut(node_cuts *n, const cut *c) {
  for (uint32_t i = 0; i < n->count; i++)
    if (same_leaves(&n->cuts[i], c)) return;
  uint32_t at = n->count;
  while (at && (n->cuts[at - 1].flow > c->flow ||
                (n->cuts[at - 1].flow == c->flow && n->cuts[at - 1].count > c->count)))
    at--;
  if (at == CUTS_MAX) return;
  if (n->count < CUTS_MAX) n->count++;
  memmove(&n->cuts[at + 1], &n->cuts[at], (n->count - at - 1) * sizeof *n->cuts);
  n->cuts[at] = *c;
}

/* The node by itself, as its readers see it. */
static cut trivial_cut(uint32_t node) {
  return (cut){.leaves = {node}, .count = 1, .table = column[0]};
}

/* The cuts that a reader of the edge may use: those of the node, and the node itself. */
static uint32_t list_cuts(const coverer *v, edge e, cut *out) {
  const node_cuts *n = &v->nodes[edge_node(e)];
  uint32_t count = 0;
  for (; count < n->count; count++) out[count] = n->cuts[count];
  out[count++] = trivial_cut(edge_node(e));
  for (uint32_t i = 0; e & 1 && i < count; i++) out[i].table = (uint8_t)~out[i].table;
  return count;
}

static void find_cuts(coverer *v, uint32_t node) {
  const aig_node it = v->g->nodes.items[node];
  cut left[CUTS_MAX + 1], right[CUTS_MAX + 1];
  const uint32_t left_count = list_cuts(v, it.a, left), right_count = list_cuts(v, it.b, right);
  node_cuts *n = &v->nodes[node];
  for (uint32_t i = 0; i < left_count; i++)
    for (uint32_t k = 0; k < right_count; k++) {
      cut c;
      if (!join_leaves(&left[i], &right[k], &c)) continue;
      c.table = spread(&left[i], &c) & spread(&right[k], &c);
      drop_idle_leaves(&c);
      c.flow = flow_of(v, &c);
      add_cut(n, &c);
    }
  v->flow[node] = n->cuts[0].flow / (float)v->fanout[node];
}

/* ---- the area that a choice really adds ---- */

static bool is_gate(const coverer *v, uint32_t node) { return v->nodes[node].count > 0; }

/* Takes the cut of a node into the cover; returns how many operations that adds.  Recursion is
   replaced by a stack: the graph may be deep. */
static uint32_t use_cut(coverer *v, const cut *c, id_vec *stack) {
  uint32_t area = 1;
  const uint32_t bottom = stack->count;
  for (uint32_t i = 0; i < c->count; i++) vec_push(v->scratch, stack, c->leaves[i]);
  while (stack->count > bottom) {
    const uint32_t node = vec_pop(stack);
    if (!is_gate(v, node) || v->uses[node]++) continue;
    const cut *best = &v->nodes[node].cuts[v->nodes[node].best];
    area++;
    for (uint32_t i = 0; i < best->count; i++) vec_push(v->scratch, stack, best->leaves[i]);
  }
  return area;
}

static uint32_t unuse_cut(coverer *v, const cut *c, id_vec *stack) {
  uint32_t area = 1;
  const uint32_t bottom = stack->count;
  for (uint32_t i = 0; i < c->count; i++) vec_push(v->scratch, stack, c->leaves[i]);
  while (stack->count > bottom) {
    const uint32_t node = vec_pop(stack);
    if (!is_gate(v, node) || --v->uses[node]) continue;
    const cut *best = &v->nodes[node].cuts[v->nodes[node].best];
    area++;
    for (uint32_t i = 0; i < best->count; i++) vec_push(v->scratch, stack, best->leaves[i]);
  }
  return area;
}

static void choose_again(coverer *v, uint32_t node, id_vec *stack) {
  node_cuts *n = &v->nodes[node];
  uint32_t least = UINT32_MAX, best = 0;
  unuse_cut(v, &n->cuts[n->best], stack);
  for (uint32_t i = 0; i < n->count; i++) {
    const uint32_t area = use_cut(v, &n->cuts[i], stack);
    unuse_cut(v, &n->cuts[i], stack);
    if (area >= least) continue;
    least = area;
    best = i;
  }
  n->best = (uint8_t)best;
  use_cut(v, &n->cuts[best], stack);
}

static void use_roots(coverer *v, const uint32_t *roots, uint32_t count, id_vec *stack) {
  for (uint32_t i = 0; i < count; i++) {
    if (!is_gate(v, roots[i]) || v->uses[roots[i]]++) continue;
    use_cut(v, &v->nodes[roots[i]].cuts[v->nodes[roots[i]].best], stack);
  }
}

/* ---- all of it ---- */

/* What no root needs has none. */
static void count_fanout(coverer *v, const uint32_t *roots, uint32_t root_count) {
  for (uint32_t i = 0; i < root_count; i++) v->fanout[roots[i]]++;
  for (uint32_t i = v->g->nodes.count; i-- > 1;) {
    if (aig_is_input(v->g, i) || !v->fanout[i]) continue;
    v->fanout[edge_node(v->g->nodes.items[i].a)]++;
    v->fanout[edge_node(v->g->nodes.items[i].b)]++;
  }
}

static table_cover read_cover(const coverer *v, arena *keep) {
  const uint32_t count = v->g->nodes.count;
  table_cover cover = {.ops = arena_zero_array(keep, table_op, count),
                       .is_chosen = arena_zero_array(keep, bool, count)};
  for (uint32_t i = 0; i < count; i++) {
    if (!is_gate(v, i) || !v->uses[i]) continue;
    const cut *best = &v->nodes[i].cuts[v->nodes[i].best];
    cover.is_chosen[i] = true;
    cover.ops[i] = (table_op){.in_count = best->count, .table = best->table};
    memcpy(cover.ops[i].in, best->leaves, best->count * sizeof *best->leaves);
  }
  return cover;
}

/* False: the budget is spent. */
static bool choose_cuts(coverer *v, const uint32_t *roots, uint32_t root_count, budget *limits) {
  const uint32_t count = v->g->nodes.count;
  id_vec stack = {0};
  count_fanout(v, roots, root_count);
  for (uint32_t i = 1; i < count && !budget_is_spent(limits); i++)
    if (v->fanout[i] && !aig_is_input(v->g, i)) find_cuts(v, i);
  use_roots(v, roots, root_count, &stack);
  for (uint32_t round = 0; round < ROUNDS && count < ROUNDS_UP_TO; round++)
    for (uint32_t i = 1; i < count && !budget_is_spent(limits); i++)
      if (is_gate(v, i) && v->uses[i]) choose_again(v, i, &stack);
  return !budget_is_spent(limits);
}

bool tables_cover(table_cover *out, const aig *g, const uint32_t *roots, uint32_t root_count,
                  arena *keep, budget *limits) {
  arena *scratch = arena_new();
  const uint32_t count = g->nodes.count;
  coverer v = {.g = g,
               .scratch = scratch,
               .nodes = arena_zero_array(scratch, node_cuts, count),
               .flow = arena_zero_array(scratch, float, count),
               .fanout = arena_zero_array(scratch, uint32_t, count),
               .uses = arena_zero_array(scratch, uint32_t, count)};
  budget_watch(limits, scratch);
  const bool ok = choose_cuts(&v, roots, root_count, limits);
  if (ok) *out = read_cover(&v, keep);
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return ok;
}
