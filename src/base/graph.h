/* Directed graphs as two arrays: the edges of node n are to[from[n]] .. to[from[n+1]-1]. */
#ifndef TABIA_BASE_GRAPH_H
#define TABIA_BASE_GRAPH_H

#include "base/vec.h"

typedef struct graph {
  uint32_t node_count;
  const uint32_t *from; /* node_count + 1 of them */
  const uint32_t *to;
} graph;

/* A graph from edges tail[i] -> head[i]; keeps their order within a node. */
graph graph_new(arena *keep, uint32_t node_count, const uint32_t *tails, const uint32_t *heads,
                uint32_t edge_count);

/* Numbers the strongly connected components so that every edge goes to the same or a smaller one.
   Returns how many there are; component[n] is the number of node n. */
uint32_t graph_components(const graph *g, uint32_t *component, arena *scratch);

/* All nodes, sorted by component (a stable counting sort). */
uint32_t *graph_order(const graph *g, const uint32_t *component, uint32_t component_count,
                      arena *keep);

#endif
