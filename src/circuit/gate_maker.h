/* Makes gates: equal gates once, constants folded. */
#ifndef TABIA_CIRCUIT_GATE_MAKER_H
#define TABIA_CIRCUIT_GATE_MAKER_H

#include "circuit/gate_index.h"

/* Some of the wires of a list. */
typedef struct wire_range {
  uint32_t first, count;
} wire_range;

typedef struct gate_maker {
  circuit *c;
  arena *scratch;   /* lives as long as this */
  gate_index index; /* of conjunctions; made when it is first needed */
  wire_vec inputs;  /* scratch of make_and and make_or */
} gate_maker;

/* Begins a circuit with the constant. */
void gate_maker_init(gate_maker *m, circuit *c, arena *keep, arena *scratch);

/* Makes room for about as many. */
void gate_maker_expect(gate_maker *m, uint32_t gates, uint32_t inputs);

/* A gate that is an input; each is to be made once. */
wire make_input(gate_maker *m, gate_kind kind, uint32_t number);

wire make_and(gate_maker *m, const wire *inputs, uint32_t count);
wire make_or(gate_maker *m, const wire *inputs, uint32_t count);
wire make_and_of_two(gate_maker *m, wire a, wire b);

/* The conjunction of inputs that are reduced. */
wire make_reduced(gate_maker *m, const wire *inputs, uint32_t count);

/* Likewise in two steps, so that memory can be asked for many before any is made: what the first
   gives back goes into the second. */
uint64_t expect_reduced(const gate_maker *m, const wire *inputs, uint32_t count);
wire make_expected(gate_maker *m, const wire *inputs, uint32_t count, uint64_t hash);

/* Many conjunctions of reduced inputs at once, which is faster: made[i] of those wires that
   ranges[i] gives. */
void make_ands(gate_maker *m, const wire_vec *wires, const wire_range *ranges, uint32_t count,
               wire *made);

/* A gate that there is none like yet, of at least two inputs that ascend.  It is not found by the
   others here before the index grows or gate_maker_find_all is called. */
wire make_unlike(gate_maker *m, const wire *inputs, uint32_t count);

/* Likewise, of inputs that have been written behind those of the circuit, where room was made. */
wire make_written(gate_maker *m, uint32_t count);
void gate_maker_find_all(gate_maker *m);

/* Ascending; made for lists that are short or sorted. */
void sort_wires(wire *wires, uint32_t count);

/* Sorts inputs in place, drops repeated ones and `true`.  False: two of them exclude each other. */
bool reduce_inputs(wire *inputs, uint32_t *count);

#endif
