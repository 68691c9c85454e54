/* Random graphs of conjunctions, and their plainest evaluation. */
#ifndef TABIA_MACHINE_LANES_RANDOM_AIG_FIXTURE_H
#define TABIA_MACHINE_LANES_RANDOM_AIG_FIXTURE_H

#include "base/rng.h"
#include "machine/lanes/aig.h"

typedef VEC(edge) edge_list;

/* Some inputs and what random operations make of them and of each other. */
static inline void random_edges(aig *g, uint32_t inputs, uint32_t ops, edge_list *edges, rng *r) {
  for (uint32_t i = 0; i < inputs; i++) {
    const edge input = aig_input(g);
    vec_push(g->keep, edges, input);
  }
  for (uint32_t i = 0; i < ops; i++) {
    edge in[5];
    for (uint32_t k = 0; k < 5; k++)
      in[k] = edges->items[rng_below(r, edges->count)] ^ rng_below(r, 2);
    edge made;
    switch (rng_below(r, 8)) {
      case 0: made = aig_xor(g, in[0], in[1]); break;
      case 1: made = aig_if(g, in[0], in[1], in[2]); break;
      case 2: made = aig_majority(g, in[0], in[1], in[2]); break;
      case 3: made = aig_all(g, in, 5); break;
      case 4: made = aig_or(g, in[0], in[1]); break;
      default: made = aig_and(g, in[0], in[1]); break;
    }
    vec_push(g->keep, edges, made);
  }
}

static inline uint64_t edge_value(const uint64_t *values, edge e) {
  return values[edge_node(e)] ^ (e & 1 ? UINT64_MAX : 0);
}

/* The values of inputs are given, by node; 64 cases at once. */
static inline void aig_evaluate(const aig *g, uint64_t *values) {
  values[0] = 0;
  for (uint32_t i = 1; i < g->nodes.count; i++)
    if (!aig_is_input(g, i))
      values[i] = edge_value(values, g->nodes.items[i].a) & edge_value(values, g->nodes.items[i].b);
}

#endif
