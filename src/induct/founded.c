#include "induct/founded.h"

#include "circuit/simulate.h"

enum { FORMULAS_MAX = 200 };

typedef struct loop_search {
  unrolling *u;
  const circuit *c;
  uint64_t *values; /* by gate: what the circuit makes of the latches and moves of the model */
  arena *scratch;
} loop_search;

/* ---- what the model says, and what the least fixpoint does ---- */

static bool model_value(const loop_search *x, gate_id g, uint32_t time) {
  const wire w = wire_of(g, false);
  return unroll_has(x->u, w, time) && sat_value(unroll_solver(x->u), unroll_wire(x->u, w, time));
}

static void evaluate(loop_search *x, uint32_t time) {
  for (gate_id g = 0; g < x->c->gates.count; g++) {
    const gate_kind kind = x->c->gates.items[g].kind;
    if (kind == GATE_LATCH || kind == GATE_MOVE) x->values[g] = model_value(x, g, time);
  }
  circuit_simulate(x->c, x->values);
}

/* Does a place hold in the model alone? */
static bool is_unfounded(const loop_search *x, const circuit_component *k, uint32_t time) {
  for (uint32_t i = 0; i < k->place_count; i++) {
    const gate_id g = x->c->places.items[k->first_place + i].gate;
    if (!(x->values[g] & 1) && model_value(x, g, time)) return true;
  }
  return false;
}

/* The first component of which this is so: those before it are as in the model.  NULL: none is. */
static const circuit_component *unfounded_component(const loop_search *x, uint32_t time) {
  for (uint32_t i = 0; i < x->c->components.count; i++)
    if (is_unfounded(x, &x->c->components.items[i], time)) return &x->c->components.items[i];
  return NULL;
}

/* ---- loop formulas ---- */

/* By gate of a component, from its first one: what it is when the unfounded places are false.  0:
   the gate has not been made. */
typedef struct substitution {
  loop_search *x;
  const circuit_component *k;
  uint32_t time;
  sat_literal never;
  sat_literal *literals;
} substitution;

static sat_literal substituted(const substitution *s, wire w) {
  const gate_id g = wire_gate(w);
  const bool is_inside = g >= s->k->first && g < s->k->end;
  const sat_literal l =
      is_inside ? s->literals[g - s->k->first] : unroll_wire(s->x->u, wire_of(g, false), s->time);
  return wire_is_negated(w) ? -l : l;
}

/* A conjunction that does not depend on an unfounded place stays what it is. */
static sat_literal substituted_gate(const substitution *s, gate_id g) {
  const wire *inputs = gate_inputs(s->x->c, g);
  const uint32_t count = s->x->c->gates.items[g].input_count;
  sat_literal *falses = arena_new_array(s->x->scratch, sat_literal, count);
  bool changes = false;
  for (uint32_t i = 0; i < count; i++) {
    const sat_literal l = substituted(s, inputs[i]);
    if (l == s->never) return s->never;
    changes |= l != unroll_wire(s->x->u, inputs[i], s->time);
    falses[i] = -l;
  }
  return changes ? -unroll_any(s->x->u, falses, count)
                 : unroll_wire(s->x->u, wire_of(g, false), s->time);
}

static sat_literal substitute(const substitution *s, gate_id g) {
  const gate it = s->x->c->gates.items[g];
  if (!unroll_has(s->x->u, wire_of(g, false), s->time)) return 0;
  if (it.kind == GATE_AND) return substituted_gate(s, g);
  if (it.kind == GATE_LOOP && !(s->x->values[g] & 1)) return s->never;
  return unroll_wire(s->x->u, wire_of(g, false), s->time);
}

static bool is_unfounded_place(const substitution *s, const circuit_place *p) {
  return !(s->x->values[p->gate] & 1) && unroll_has(s->x->u, wire_of(p->gate, false), s->time);
}

/* Of the places that the fixpoint does not have each implies that one of them has support. */
static void add_loop_formula(loop_search *x, const circuit_component *k, uint32_t time) {
  sat_solver *solver = unroll_solver(x->u);
  substitution s = {.x = x, .k = k, .time = time, .never = sat_variable(solver)};
  VEC(sat_literal) supports = {0};
  sat_add_1(solver, -s.never);
  s.literals = arena_zero_array(x->scratch, sat_literal, k->end - k->first + 1);
  for (gate_id g = k->first; g < k->end; g++) s.literals[g - k->first] = substitute(&s, g);
  const circuit_place *places = vec_from(&x->c->places, k->first_place);
  for (uint32_t i = 0; i < k->place_count; i++)
    if (is_unfounded_place(&s, &places[i]))
      vec_push(x->scratch, &supports, substituted(&s, places[i].definition));
  const sat_literal any = unroll_any(x->u, supports.items, supports.count);
  for (uint32_t i = 0; i < k->place_count; i++)
    if (is_unfounded_place(&s, &places[i]))
      sat_add_2(solver, -unroll_wire(x->u, wire_of(places[i].gate, false), time), any);
}

/* ---- asking ---- */

/* After a model: false when it is founded. */
static bool refute_model(unrolling *u) {
  const circuit *c = unroll_circuit(u);
  arena *scratch = arena_new();
  loop_search x = {.u = u, .c = c, .scratch = scratch};
  const circuit_component *found = NULL;
  x.values = arena_zero_array(scratch, uint64_t, c->gates.count + 1);
  for (uint32_t time = 0; time < unroll_times(u) && !found; time++) {
    evaluate(&x, time);
    found = unfounded_component(&x, time);
    if (found) add_loop_formula(&x, found, time);
  }
  arena_free(scratch);
  return found;
}

sat_answer founded_solve(unrolling *u, const sat_literal *assumptions, uint32_t count,
                         uint32_t conflicts) {
  sat_answer answer = SAT_UNKNOWN;
  for (uint32_t i = 0; i < FORMULAS_MAX; i++) {
    answer = sat_solve(unroll_solver(u), assumptions, count, conflicts);
    if (answer != SAT_YES || !refute_model(u)) break;
  }
  return answer;
}
