/* Directed graphs with labelled edges, and shortest paths in them. */
#ifndef TABIA_RULES_LABELLED_H
#define TABIA_RULES_LABELLED_H

#include "base/graph.h"

typedef struct labelled_edge {
  uint32_t from;
  uint32_t to;
  uint32_t label; /* the caller's */
} labelled_edge;

typedef struct labelled_graph {
  arena *keep;
  uint32_t node_count;
  VEC(labelled_edge) edges; /* sorted by `from` after labelled_finish */
  uint32_t *edges_of;       /* edges_of[n] .. edges_of[n+1]-1 leave node n */
} labelled_graph;

labelled_graph labelled_new(uint32_t node_count, arena *keep);
void labelled_add(labelled_graph *g, uint32_t from, uint32_t to, uint32_t label);
void labelled_finish(labelled_graph *g); /* after the last edge; edges of a node keep their order */

/* The strongly connected component of each node, numbered as by graph_components. */
uint32_t *labelled_components(const labelled_graph *g, arena *keep);

/* The edges of a shortest way from `from` to `to`, which are in the same part, in order; an
   empty way when they are the same. */
id_vec labelled_way(const labelled_graph *g, const uint32_t *component, uint32_t from, uint32_t to,
                    arena *keep);

#endif
