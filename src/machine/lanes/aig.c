#include "machine/lanes/aig.h"

void aig_init(aig *g, arena *keep) {
  *g = (aig){.keep = keep};
  const aig_node constant = {EDGE_FALSE, EDGE_FALSE};
  vec_push(keep, &g->nodes, constant);
}

edge aig_input(aig *g) {
  const aig_node fresh = {ID_NONE, ID_NONE};
  vec_push(g->keep, &g->nodes, fresh);
  return (g->nodes.count - 1) << 1;
}

static uint64_t hash_edges(edge a, edge b) { return hash_mix((uint64_t)a << 32 | b); }

static uint64_t hash_of_node(const void *context, uint32_t node) {
  const aig *g = context;
  return hash_edges(g->nodes.items[node].a, g->nodes.items[node].b);
}

static edge intern(aig *g, edge a, edge b) {
  id_table_reserve(&g->index, g->keep, hash_of_node, g);
  uint32_t at = id_table_first(&g->index, hash_edges(a, b));
  for (; g->index.slots[at] != ID_NONE; at = id_table_next(&g->index, at)) {
    const aig_node *n = &g->nodes.items[g->index.slots[at]];
    if (n->a == a && n->b == b) return g->index.slots[at] << 1;
  }
  const aig_node fresh = {a, b};
  id_table_put(&g->index, at, g->nodes.count);
  vec_push(g->keep, &g->nodes, fresh);
  return (g->nodes.count - 1) << 1;
}

static bool is_and(const aig *g, edge e) { return edge_node(e) && !aig_is_input(g, edge_node(e)); }

/* What `a & b` is when b is a conjunction that has a or its negation as an input; ID_NONE: nothing
   special. */
static edge absorb(aig *g, edge a, edge b) {
  if (!is_and(g, b)) return ID_NONE;
  const aig_node n = g->nodes.items[edge_node(b)];
  const bool has = n.a == a || n.b == a;
  const bool has_not = n.a == edge_not(a) || n.b == edge_not(a);
  if (has_not) return b & 1 ? a : EDGE_FALSE;
  if (!has) return ID_NONE;
  return b & 1 ? aig_and(g, a, edge_not(n.a == a ? n.b : n.a)) : b;
}

/* ~(x & y) & ~(x & ~y) is ~x; ID_NONE: it is not of that kind. */
static edge resolve(const aig *g, edge a, edge b) {
  if (!(a & 1) || !(b & 1) || !is_and(g, a) || !is_and(g, b)) return ID_NONE;
  const aig_node x = g->nodes.items[edge_node(a)], y = g->nodes.items[edge_node(b)];
  if (x.a == y.a && x.b == edge_not(y.b)) return edge_not(x.a);
  if (x.b == y.b && x.a == edge_not(y.a)) return edge_not(x.b);
  return ID_NONE;
}

edge aig_and(aig *g, edge a, edge b) {
  if (a > b) {
    const edge larger = a;
    a = b;
    b = larger;
  }
  if (a == EDGE_FALSE || a == edge_not(b)) return EDGE_FALSE;
  if (a == EDGE_TRUE || a == b) return b;
  edge special = absorb(g, a, b);
  if (special == ID_NONE) special = absorb(g, b, a);
  if (special == ID_NONE) special = resolve(g, a, b);
  return special != ID_NONE ? special : intern(g, a, b);
}

edge aig_or(aig *g, edge a, edge b) { return edge_not(aig_and(g, edge_not(a), edge_not(b))); }

edge aig_xor(aig *g, edge a, edge b) {
  return aig_and(g, edge_not(aig_and(g, a, b)), aig_or(g, a, b));
}

edge aig_if(aig *g, edge condition, edge yes, edge no) {
  if (yes == no) return yes;
  return aig_or(g, aig_and(g, condition, yes), aig_and(g, edge_not(condition), no));
}

edge aig_majority(aig *g, edge a, edge b, edge c) {
  return aig_or(g, aig_and(g, a, b), aig_and(g, c, aig_or(g, a, b)));
}

/* In three parts, of odd sizes where that is possible: a conjunction of three is one operation, and
   the tree is flat. */
edge aig_all(aig *g, const edge *edges, uint32_t count) {
  if (count == 0) return EDGE_TRUE;
  if (count == 1) return edges[0];
  if (count == 2) return aig_and(g, edges[0], edges[1]);
  const uint32_t part = (count / 3) | 1;
  const edge first = aig_all(g, edges, part), second = aig_all(g, edges + part, part);
  return aig_and(g, aig_and(g, first, second), aig_all(g, edges + 2 * part, count - 2 * part));
}
