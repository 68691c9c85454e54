#include "rules/labelled.h"

#include "base/hash.h"

#include <string.h>

labelled_graph labelled_new(uint32_t node_count, arena *keep) {
  return (labelled_graph){.keep = keep, .node_count = node_count};
}

void labelled_add(labelled_graph *g, uint32_t from, uint32_t to, uint32_t label) {
  const labelled_edge e = {from, to, label};
  vec_push(g->keep, &g->edges, e);
}

/* A counting sort. */
void labelled_finish(labelled_graph *g) {
  g->edges_of = arena_zero_array(g->keep, uint32_t, g->node_count + 2);
  uint32_t *start = g->edges_of + 1; /* shifted while the edges are dealt out */
  for (uint32_t i = 0; i < g->edges.count; i++) start[g->edges.items[i].from + 1]++;
  for (uint32_t n = 0; n < g->node_count; n++) start[n + 1] += start[n];
  labelled_edge *sorted = arena_new_array(g->keep, labelled_edge, g->edges.count);
  for (uint32_t i = 0; i < g->edges.count; i++)
    sorted[start[g->edges.items[i].from]++] = g->edges.items[i];
  g->edges.items = sorted;
  g->edges.capacity = g->edges.count;
}

uint32_t *labelled_components(const labelled_graph *g, arena *keep) {
  arena *scratch = arena_new();
  uint32_t *component = arena_zero_array(keep, uint32_t, g->node_count + 1);
  uint32_t *to = arena_new_array(scratch, uint32_t, g->edges.count);
  for (uint32_t i = 0; i < g->edges.count; i++) to[i] = g->edges.items[i].to;
  const graph plain = {g->node_count, g->edges_of, to};
  graph_components(&plain, component, scratch);
  arena_free(scratch);
  return component;
}

/* ---- shortest ways ---- */

static id_vec way_back(const labelled_graph *g, const uint32_t *reached_by, uint32_t from,
                       uint32_t to, arena *keep) {
  id_vec way = {0};
  for (uint32_t n = to; n != from; n = g->edges.items[reached_by[n]].from)
    vec_push(keep, &way, reached_by[n]);
  for (uint32_t low = 0, high = way.count; low + 1 < high; low++) {
    const uint32_t swap = way.items[low];
    way.items[low] = way.items[--high];
    way.items[high] = swap;
  }
  return way;
}

id_vec labelled_way(const labelled_graph *g, const uint32_t *component, uint32_t from, uint32_t to,
                    arena *keep) {
  arena *scratch = arena_new();
  uint32_t *reached_by = arena_new_array(scratch, uint32_t, g->node_count + 1);
  memset(reached_by, 0xff, g->node_count * sizeof *reached_by);
  id_vec queue = {0};
  vec_push(scratch, &queue, from);
  for (uint32_t i = 0; i < queue.count && queue.items[i] != to; i++) {
    const uint32_t n = queue.items[i];
    for (uint32_t e = g->edges_of[n]; e < g->edges_of[n + 1]; e++) {
      const uint32_t next = g->edges.items[e].to;
      if (next == from || reached_by[next] != ID_NONE || component[next] != component[from])
        continue;
      reached_by[next] = e;
      vec_push(scratch, &queue, next);
    }
  }
  const id_vec way = way_back(g, reached_by, from, to, keep);
  arena_free(scratch);
  return way;
}
