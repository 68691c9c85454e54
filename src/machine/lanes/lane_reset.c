#include "machine/lanes/lane_reset.h"

#include "base/bitset.h"

/* Longer disjunctions, and conjunctions nested deeper, are not looked into. */
enum { TERMS_MAX = 8, DEPTH_MAX = 4, SHARED_LEAST = 4 };

typedef struct resetter {
  aig *g;
  edge gone;
  uint32_t *times; /* by edge: in how many conjunctions it is a factor */
} resetter;

static bool is_and(const aig *g, edge e) { return edge_node(e) && !aig_is_input(g, edge_node(e)); }

/* The terms of a disjunction; 0: there are too many. */
static uint32_t list_terms(const aig *g, edge e, edge *terms) {
  uint32_t count = 1;
  terms[0] = e;
  for (uint32_t i = 0; i < count;) {
    if (!(terms[i] & 1) || !is_and(g, terms[i])) {
      i++;
      continue;
    }
    if (count == TERMS_MAX) return 0;
    const aig_node n = g->nodes.items[edge_node(terms[i])];
    terms[i] = edge_not(n.a);
    terms[count++] = edge_not(n.b);
  }
  return count;
}

static bool is_open(const aig *g, edge e, uint32_t depth) {
  return depth && !(e & 1) && is_and(g, e);
}

static void count_factors(resetter *r, edge e, uint32_t depth) {
  r->times[e]++;
  if (!is_open(r->g, e, depth)) return;
  const aig_node n = r->g->nodes.items[edge_node(e)];
  count_factors(r, n.a, depth - 1);
  count_factors(r, n.b, depth - 1);
}

/* The factor that most have; of equals the outermost. */
static edge best_factor(const resetter *r, edge e, uint32_t depth) {
  edge best = e;
  if (!is_open(r->g, e, depth)) return best;
  const aig_node n = r->g->nodes.items[edge_node(e)];
  const edge a = best_factor(r, n.a, depth - 1), b = best_factor(r, n.b, depth - 1);
  if (r->times[a] > r->times[best]) best = a;
  if (r->times[b] > r->times[best]) best = b;
  return best;
}

/* The conjunction with one factor asked for `not gone`, too. */
static edge guard(resetter *r, edge e, edge factor, uint32_t depth) {
  if (e == factor) return aig_and(r->g, e, edge_not(r->gone));
  if (!is_open(r->g, e, depth)) return e;
  const aig_node n = r->g->nodes.items[edge_node(e)];
  const edge a = guard(r, n.a, factor, depth - 1);
  return aig_and(r->g, a, a == n.a ? guard(r, n.b, factor, depth - 1) : n.b);
}

static void count_latch(resetter *r, const lane_reset *l) {
  edge terms[TERMS_MAX];
  const uint32_t count = list_terms(r->g, l->next, terms);
  for (uint32_t i = 0; i < count; i++) count_factors(r, terms[i], DEPTH_MAX);
}

/* The latch, cleared by conditions of its terms; ID_NONE: some term has no factor that is shared by
   enough. */
static edge guard_terms(resetter *r, edge next) {
  edge terms[TERMS_MAX], factors[TERMS_MAX];
  const uint32_t count = list_terms(r->g, next, terms);
  for (uint32_t i = 0; i < count; i++) {
    factors[i] = best_factor(r, terms[i], DEPTH_MAX);
    if (r->times[factors[i]] < SHARED_LEAST) return ID_NONE;
  }
  if (count < 2) return ID_NONE; /* a condition more is one operation at most */
  edge none = EDGE_TRUE;
  for (uint32_t i = 0; i < count; i++)
    none = aig_and(r->g, none, edge_not(guard(r, terms[i], factors[i], DEPTH_MAX)));
  return edge_not(none);
}

/* How many conjunctions these are made of. */
static uint32_t count_nodes(const aig *g, const edge *edges, uint32_t count, arena *scratch) {
  const bitset needed = bitset_new(scratch, g->nodes.count);
  uint32_t nodes = 0;
  for (uint32_t i = 0; i < count; i++) bitset_add(needed, edge_node(edges[i]));
  for (uint32_t i = g->nodes.count; i-- > 1;) {
    if (!bitset_has(needed, i) || aig_is_input(g, i)) continue;
    bitset_add(needed, edge_node(g->nodes.items[i].a));
    bitset_add(needed, edge_node(g->nodes.items[i].b));
    nodes++;
  }
  return nodes;
}

void lane_reset_all(aig *g, lane_reset *latches, uint32_t count, edge gone, arena *scratch) {
  resetter r = {g, gone, arena_zero_array(scratch, uint32_t, g->nodes.count * (size_t)2)};
  edge *plain = arena_new_array(scratch, edge, count + (size_t)1);
  edge *guarded = arena_new_array(scratch, edge, count + (size_t)1);
  for (uint32_t i = 0; i < count; i++)
    if (!latches[i].initially) count_latch(&r, &latches[i]);
  for (uint32_t i = 0; i < count; i++) {
    const lane_reset *l = &latches[i];
    plain[i] = l->initially ? aig_or(g, l->next, gone) : aig_and(g, l->next, edge_not(gone));
    guarded[i] = l->initially ? ID_NONE : guard_terms(&r, l->next);
    if (guarded[i] == ID_NONE) guarded[i] = plain[i];
  }
  const bool is_worth_it =
      count_nodes(g, guarded, count, scratch) < count_nodes(g, plain, count, scratch);
  for (uint32_t i = 0; i < count; i++) latches[i].next = is_worth_it ? guarded[i] : plain[i];
}
