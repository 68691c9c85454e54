/* Makes gates: equal gates once, constants folded, moves of one role joined to sets.

   While `sets` is given, moves are sets of moves, and a conjunction has at most one of each role.
   Without, they are GATE_MOVE gates. */
#ifndef TABIA_CIRCUIT_GATE_MAKER_H
#define TABIA_CIRCUIT_GATE_MAKER_H

#include "circuit/gate_index.h"
#include "circuit/move_sets.h"

typedef VEC(wire) wire_vec;

/* Some of the wires of a list. */
typedef struct wire_range {
  uint32_t first, count;
} wire_range;

typedef struct gate_maker {
  circuit *c;
  arena *scratch;           /* lives as long as this */
  move_sets *sets;          /* or NULL */
  gate_index index;         /* of conjunctions; made when it is first needed */
  id_vec set_gates;         /* by set; ID_NONE: not made yet */
  wire_vec inputs;          /* scratch of make_and */
  wire_vec negated;         /* scratch of make_or */
  VEC(move_choice) choices; /* scratch of make_and */
} gate_maker;

/* Begins a circuit with the constant. */
void gate_maker_init(gate_maker *m, circuit *c, move_sets *sets, arena *keep, arena *scratch);

/* Makes room for about as many. */
void gate_maker_expect(gate_maker *m, uint32_t gates, uint32_t inputs);

/* A gate that is an input; each is to be made once. */
wire make_input(gate_maker *m, gate_kind kind, uint32_t number);

wire make_and(gate_maker *m, const wire *inputs, uint32_t count);
wire make_or(gate_maker *m, const wire *inputs, uint32_t count);
wire make_and_of_two(gate_maker *m, wire a, wire b);

/* Many conjunctions at once, which is faster: made[i] of those wires that ranges[i] tells, which
   are sorted in place.  At most one move set of each role is among them. */
void make_ands(gate_maker *m, const wire_vec *wires, wire_range *ranges, uint32_t count,
               wire *made);

/* A gate that there is none like yet, of at least two inputs that ascend.  It is not found by the
   others here before the index grows or gate_maker_find_all is called. */
wire make_unlike(gate_maker *m, const wire *inputs, uint32_t count);
void gate_maker_find_all(gate_maker *m);

/* Ascending; made for lists that are short or sorted. */
void sort_wires(wire *wires, uint32_t count);

/* Sorts inputs in place, drops repeated ones and `true`.  False: two of them exclude each other. */
bool reduce_inputs(wire *inputs, uint32_t *count);

/* Sets of moves as wires and back. */
wire make_move_choice(gate_maker *m, move_choice choice);
bool wire_is_move_set(const circuit *c, wire w);
move_choice move_choice_of(const circuit *c, wire w);

#endif
