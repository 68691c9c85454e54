/* What the tests of this folder share: a game as a circuit, after each pass. */
#ifndef TABIA_CIRCUIT_CIRCUIT_FIXTURE_H
#define TABIA_CIRCUIT_CIRCUIT_FIXTURE_H

#include "circuit/circuit_model_fixture.h"
#include "circuit/passes.h"
#include "circuit/rebuild.h"
#include "ground/ground_fixture.h"
#include "ground/random_game_fixture.h"

/* The ground rules and what the passes make of them. */
typedef struct circuit_stages {
  ground_program g;
  circuit rules, merged, shared;
} circuit_stages;

static inline circuit_stages *staged(rules_fixture *f, const char *words, ground_options how) {
  circuit_stages *s = arena_alloc_zero(f->keep, sizeof *s);
  s->g = grounded(f, words, how);
  assert_true(circuit_from_rules(&s->rules, &s->g, f->keep, NULL, &f->d));
  circuit_merge_latches(&s->merged, &s->rules, f->keep, NULL);
  const wire *equal = circuit_find_equal_latches(&s->rules, f->keep, NULL);
  if (!circuit_share_pairs(&s->shared, &s->rules, equal, f->keep, NULL)) s->shared = s->rules;
  return s;
}

static inline void assert_plays(rules_fixture *f, const circuit_stages *s, const circuit *c,
                                const char *pass) {
  const char *what = circuit_differs(&s->g, c, 8, rng_new(5, 0), f->keep);
  if (what) fail_msg("%s: other %s", pass, what);
}

/* Equal gates are one gate. */
static inline void assert_gates_differ(const circuit *c, arena *keep) {
  gate_index x = {0};
  uint32_t conjunctions = 0, at;
  gate_index_grow(&x, c, keep);
  for (gate_id g = 0; g < c->gates.count; g++) {
    const gate it = c->gates.items[g];
    if (it.kind != GATE_AND) continue;
    const uint64_t hash = hash_ids(gate_inputs(c, g), it.input_count);
    assert_int_equal(gate_index_find(&x, c, gate_inputs(c, g), it.input_count, hash, &at), g);
    conjunctions++;
  }
  assert_int_equal(x.count, conjunctions);
}

static inline void assert_all_play(rules_fixture *f, const circuit_stages *s) {
  assert_gates_differ(&s->rules, f->keep);
  assert_gates_differ(&s->merged, f->keep);
  assert_gates_differ(&s->shared, f->keep);
  assert_plays(f, s, &s->rules, "rules");
  assert_plays(f, s, &s->merged, "latches merged");
  assert_plays(f, s, &s->shared, "pairs shared");
}

static inline uint32_t count_gates(const circuit *c, gate_kind kind) {
  uint32_t count = 0;
  for (gate_id g = 0; g < c->gates.count; g++) count += c->gates.items[g].kind == kind;
  return count;
}

/* Inputs of the gates that something needs. */
static inline uint32_t count_inputs(const circuit *c, arena *keep) {
  const uint32_t *fanout = circuit_fanout(c, keep);
  uint32_t count = 0;
  for (gate_id g = 0; g < c->gates.count; g++)
    if (c->gates.items[g].kind == GATE_AND && fanout[g]) count += c->gates.items[g].input_count;
  return count;
}

/* How a fluent is read. */
static inline wire fluent_wire(const circuit *c, const char *words, arena *keep) {
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    text one = text_new(keep);
    term_print(c->terms, c->fluents.items[i].term, NOTATION_KIF, NULL, &one);
    if (strcmp(text_string(&one), words) == 0) return c->fluents.items[i].now;
  }
  fail_msg("no fluent %s", words);
  return WIRE_FALSE;
}

/* ---- circuits that are no game ---- */

/* Latches and random conjunctions of them; the last ones are the next values. */
static inline void random_circuit(circuit *c, uint32_t latches, uint32_t gates, rng *r,
                                  arena *keep) {
  gate_maker m;
  wire_vec wires = {0};
  gate_maker_init(&m, c, keep, keep);
  for (uint32_t i = 0; i < latches; i++) {
    const wire w = make_input(&m, GATE_LATCH, i);
    const circuit_latch latch = {.fluent = i, .gate = wire_gate(w)};
    vec_push(keep, &c->latches, latch);
    vec_push(keep, &wires, w);
  }
  for (uint32_t i = 0; i < gates; i++) {
    wire inputs[6];
    const uint32_t count = 2 + rng_below(r, 5);
    for (uint32_t k = 0; k < count; k++)
      inputs[k] = wires.items[rng_below(r, wires.count)] ^ rng_below(r, 2);
    const wire made = make_and(&m, inputs, count);
    vec_push(keep, &wires, made);
  }
  for (uint32_t i = 0; i < latches; i++)
    c->latches.items[i].next = wires.items[wires.count - 1 - i] ^ rng_below(r, 2);
}

/* The next values of both are the same functions of the latches. */
static inline void assert_same_functions(const circuit *a, const circuit *b, rng *r, arena *keep) {
  uint64_t *x = arena_zero_array(keep, uint64_t, a->gates.count);
  uint64_t *y = arena_zero_array(keep, uint64_t, b->gates.count);
  assert_int_equal(a->latches.count, b->latches.count);
  for (uint32_t round = 0; round < 8; round++) {
    for (uint32_t i = 0; i < a->latches.count; i++)
      x[a->latches.items[i].gate] = y[b->latches.items[i].gate] = rng_next(r);
    circuit_simulate(a, x);
    circuit_simulate(b, y);
    for (uint32_t i = 0; i < a->latches.count; i++)
      assert_true(wire_value(x, a->latches.items[i].next) ==
                  wire_value(y, b->latches.items[i].next));
  }
}

#endif
