/* Random plans of lane programs, with recursive components, and their plainest evaluation. */
#ifndef TABIA_MACHINE_LANES_LANE_PLAN_FIXTURE_H
#define TABIA_MACHINE_LANES_LANE_PLAN_FIXTURE_H

#include "machine/lanes/lane_code.h"
#include "machine/lanes/random_aig_fixture.h"

typedef struct random_plan {
  aig g;
  lane_plan plan;
  edge_list edges;             /* of which roots are chosen */
  uint32_t given;              /* inputs that are no places: the first ones */
  uint32_t homes;              /* of those, the first so many are the home of a root */
  uint64_t *values[ROW_WORDS]; /* by word and node */
} random_plan;

/* Definitions grow with the places of their component: only conjunctions and disjunctions read
   them. */
static inline void add_random_component(random_plan *x, uint32_t component, rng *r) {
  aig *g = &x->g;
  edge_list growing = {0};
  const uint32_t places = 1 + rng_below(r, 5), first = x->plan.places.count;
  for (uint32_t i = 0; i < places; i++) {
    const edge e = aig_input(g);
    const lane_plan_place place = {.node = edge_node(e), .component = component};
    vec_push(g->keep, &x->plan.inputs, edge_node(e));
    vec_push(g->keep, &x->plan.places, place);
    vec_push(g->keep, &growing, e);
  }
  for (uint32_t i = 0, count = 3 + rng_below(r, 30); i < count; i++) {
    const edge a = growing.items[rng_below(r, growing.count)];
    const edge b = rng_below(r, 2) ? growing.items[rng_below(r, growing.count)]
                                   : x->edges.items[rng_below(r, x->edges.count)] ^ rng_below(r, 2);
    const edge made = rng_below(r, 2) ? aig_and(g, a, b) : aig_or(g, a, b);
    vec_push(g->keep, &growing, made);
  }
  for (uint32_t i = 0; i < places; i++)
    x->plan.places.items[first + i].definition = growing.items[rng_below(r, growing.count)];
  vec_append(g->keep, &x->edges, growing.items, growing.count);
}

static inline void add_random_ops(random_plan *x, uint32_t count, rng *r) {
  random_edges(&x->g, 0, count, &x->edges, r);
}

static inline void add_random_roots(random_plan *x, uint32_t count, rng *r) {
  for (uint32_t i = 0; i < count; i++) {
    lane_root root = {.e = x->edges.items[rng_below(r, x->edges.count)] ^ rng_below(r, 2),
                      .phase = rng_below(r, LANE_PHASES)};
    /* goals may be left out: nobody reads them later */
    root.until = root.phase == PHASE_GOALS ? PHASE_GOALS
                                           : root.phase + rng_below(r, LANE_PHASES - root.phase);
    /* each input is the home of one root at most */
    if (root.phase == PHASE_NEXT && x->homes < x->given && rng_below(r, 2)) root.home = ++x->homes;
    vec_push(x->g.keep, &x->plan.roots, root);
  }
}

static inline random_plan *random_plan_new(uint32_t ops, uint32_t components, rng *r, arena *keep) {
  random_plan *x = arena_alloc_zero(keep, sizeof *x);
  aig_init(&x->g, keep);
  x->plan.g = &x->g;
  x->plan.component_count = components;
  random_edges(&x->g, 1 + rng_below(r, 12), 0, &x->edges, r);
  x->given = x->edges.count;
  for (uint32_t i = 0; i < x->given; i++)
    vec_push(keep, &x->plan.inputs, edge_node(x->edges.items[i]));
  add_random_ops(x, ops / (components + 1), r);
  for (uint32_t component = 0; component < components; component++) {
    add_random_component(x, component, r);
    add_random_ops(x, ops / (components + 1), r);
  }
  add_random_roots(x, 1 + rng_below(r, 20), r);
  for (uint32_t i = 0; i < ROW_WORDS; i++)
    x->values[i] = arena_zero_array(keep, uint64_t, x->g.nodes.count);
  return x;
}

/* Repeats the evaluation until the places of a component stay as they are. */
static inline void settle_component(random_plan *x, uint32_t component, uint64_t *values) {
  for (bool changed = true; changed;) {
    changed = false;
    aig_evaluate(&x->g, values);
    for (uint32_t i = 0; i < x->plan.places.count; i++) {
      const lane_plan_place *p = &x->plan.places.items[i];
      if (p->component != component) continue;
      const uint64_t value = edge_value(values, p->definition);
      changed |= value != values[p->node];
      values[p->node] = value;
    }
  }
}

/* Draws the inputs, puts them into the rows and evaluates the graph. */
static inline void draw_inputs(random_plan *x, bundle_row *rows, rng *r) {
  for (uint32_t word = 0; word < ROW_WORDS; word++) {
    uint64_t *values = x->values[word];
    for (uint32_t i = 0; i < x->plan.inputs.count; i++)
      rows[i + 1].words[word] = values[x->plan.inputs.items[i]] = i < x->given ? rng_next(r) : 0;
    for (uint32_t component = 0; component < x->plan.component_count; component++)
      settle_component(x, component, values);
    aig_evaluate(&x->g, values);
  }
}

/* Runs a phase; true: all rows that may be read after it are right. */
static inline bool phase_is_right(const random_plan *x, const lane_code *c, lane_phase phase,
                                  const lane_row *where, bundle_row *rows) {
  lane_code_run(c, phase, rows);
  for (uint32_t i = 0; i < x->plan.roots.count; i++) {
    const lane_root *root = &x->plan.roots.items[i];
    if (root->phase > phase || root->until < phase) continue;
    for (uint32_t word = 0; word < ROW_WORDS; word++)
      if (lane_word(rows, where[i], word) != edge_value(x->values[word], root->e)) return false;
  }
  return true;
}

/* Runs the program three times, goals now and then left out. */
static inline bool plan_runs_right(random_plan *x, const lane_engine *engine, bool in_runs,
                                   bool native, rng *r, arena *keep) {
  lane_program p;
  lane_code c;
  lane_row *where = arena_new_array(keep, lane_row, x->plan.roots.count);
  bool ok = lane_program_build(&p, &x->plan, in_runs, where, keep, NULL) &&
            lane_code_make(&c, &p, engine, native, keep, NULL);
  bundle_row *rows = lane_rows_new(&p, 0, keep);
  for (uint32_t round = 0; round < 3; round++) {
    draw_inputs(x, rows, r);
    for (lane_phase phase = PHASE_TERMINAL; phase < LANE_PHASES; phase++)
      if (phase != PHASE_GOALS || rng_below(r, 2))
        ok = ok && phase_is_right(x, &c, phase, where, rows);
  }
  lane_code_free(&c);
  return ok;
}

#endif
