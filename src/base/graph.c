#include "base/graph.h"

graph graph_new(arena *keep, uint32_t node_count, const uint32_t *tails, const uint32_t *heads,
                uint32_t edge_count) {
  uint32_t *from = arena_zero_array(keep, uint32_t, node_count + 1);
  uint32_t *to = arena_new_array(keep, uint32_t, edge_count);
  for (uint32_t e = 0; e < edge_count; e++) from[tails[e]]++;
  for (uint32_t n = 0; n < node_count; n++) from[n + 1] += from[n];
  for (uint32_t e = edge_count; e-- > 0;) to[--from[tails[e]]] = heads[e];
  return (graph){node_count, from, to};
}

/* Tarjan's algorithm, with a stack of its own. */

typedef struct visit {
  uint32_t node;
  uint32_t next_edge;
} visit;

typedef struct tarjan {
  const graph *g;
  arena *scratch;
  uint32_t *component;
  uint32_t component_count;
  uint32_t *number; /* order of discovery; 0 before it */
  uint32_t *low;
  bool *on_stack;
  id_vec stack;
  VEC(visit) visits;
  uint32_t discovered;
} tarjan;

static void discover(tarjan *t, uint32_t n) {
  t->number[n] = t->low[n] = ++t->discovered;
  t->on_stack[n] = true;
  vec_push(t->scratch, &t->stack, n);
  const visit v = {n, t->g->from[n]};
  vec_push(t->scratch, &t->visits, v);
}

static void close_component(tarjan *t, uint32_t root) {
  uint32_t member;
  do {
    member = vec_pop(&t->stack);
    t->on_stack[member] = false;
    t->component[member] = t->component_count;
  } while (member != root);
  t->component_count++;
}

static void lower(tarjan *t, uint32_t n, uint32_t to) {
  if (to < t->low[n]) t->low[n] = to;
}

static void visit_from(tarjan *t, uint32_t root) {
  discover(t, root);
  while (t->visits.count) {
    visit *v = &vec_last(&t->visits);
    const uint32_t n = v->node;
    if (v->next_edge < t->g->from[n + 1]) {
      const uint32_t to = t->g->to[v->next_edge++];
      if (!t->number[to])
        discover(t, to);
      else if (t->on_stack[to])
        lower(t, n, t->number[to]);
      continue;
    }
    if (t->low[n] == t->number[n]) close_component(t, n);
    t->visits.count--;
    if (t->visits.count) lower(t, vec_last(&t->visits).node, t->low[n]);
  }
}

uint32_t graph_components(const graph *g, uint32_t *component, arena *scratch) {
  tarjan t = {.g = g,
              .scratch = scratch,
              .component = component,
              .number = arena_zero_array(scratch, uint32_t, g->node_count),
              .low = arena_zero_array(scratch, uint32_t, g->node_count),
              .on_stack = arena_zero_array(scratch, bool, g->node_count)};
  for (uint32_t n = 0; n < g->node_count; n++)
    if (!t.number[n]) visit_from(&t, n);
  return t.component_count;
}

uint32_t *graph_order(const graph *g, const uint32_t *component, uint32_t component_count,
                      arena *keep) {
  uint32_t *start = arena_zero_array(keep, uint32_t, component_count + 1);
  for (uint32_t n = 0; n < g->node_count; n++) start[component[n] + 1]++;
  for (uint32_t c = 0; c < component_count; c++) start[c + 1] += start[c];
  uint32_t *order = arena_new_array(keep, uint32_t, g->node_count);
  for (uint32_t n = 0; n < g->node_count; n++) order[start[component[n]]++] = n;
  return order;
}
