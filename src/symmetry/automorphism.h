/* Automorphisms of a graph with coloured vertices: permutations that keep colours and edges.

   They are found by bliss.  Without bliss in the build, none are found. */
#ifndef TABIA_SYMMETRY_AUTOMORPHISM_H
#define TABIA_SYMMETRY_AUTOMORPHISM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct colour_graph {
  uint32_t vertex_count;
  const uint32_t *colours; /* by vertex */
  uint32_t edge_count;
  const uint32_t *edges; /* two vertices for each */
} colour_graph;

/* Where generators go: of each, the images of the first `width` vertices. */
typedef struct automorphism_list {
  uint32_t width, capacity, count;
  uint32_t *images;
  bool is_whole; /* they generate all automorphisms */
} automorphism_list;

/* Is bliss built in? */
bool automorphisms_are_possible(void);

/* Fills the list, as far as it has room and `must_stop` allows. */
void automorphisms_find(const colour_graph *g, int (*must_stop)(void *context), void *context,
                        automorphism_list *list);

#ifdef __cplusplus
}
#endif

#endif
