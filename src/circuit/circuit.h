/* Circuits: the ground rules of a game as gates.

   A wire is a gate or its negation.  There is one kind of working gate, the conjunction of any
   number of wires: a disjunction is the negation of a conjunction of negations.  Gates are
   numbered so that the inputs of a gate have smaller numbers than the gate itself; equal gates are
   one gate.  Gate 0 is the constant.

   The inputs are a state (one GATE_LATCH for each latch) and a joint move (one GATE_MOVE for each
   move that can be legal: exactly one move of each role is made).  `legal`, `goal`, `terminal` and
   targets are read while no move is made, and do not depend on moves.

   A latch is a fluent as the circuit stores it.  A fluent that is constant, or always equal to
   another one or to its negation, has no latch of its own: `now` says how to read it.

   Recursion.  The atoms of a strongly connected component of the rules that are needed before they
   are defined are GATE_LOOP gates.  Their values are the least fixpoint, in which each equals its
   definition: begin with all of a component false, evaluate the gates first .. end-1 in order, copy
   the definitions to the places, and repeat until nothing changes.  Components are in the order of
   their gates and do not overlap. */
#ifndef TABIA_CIRCUIT_CIRCUIT_H
#define TABIA_CIRCUIT_CIRCUIT_H

#include "base/json.h"
#include "ground/ground.h"

#include <assert.h>

typedef uint32_t gate_id;
typedef uint32_t wire; /* a gate, times two, plus one when negated */

typedef VEC(wire) wire_vec;

enum { WIRE_FALSE = 0, WIRE_TRUE = 1 };

static inline wire wire_of(gate_id g, bool negated) { return g << 1 | negated; }
static inline gate_id wire_gate(wire s) { return s >> 1; }
static inline bool wire_is_negated(wire s) { return s & 1; }
static inline wire wire_not(wire s) { return s ^ 1; }
static inline bool wire_is_constant(wire s) { return s <= WIRE_TRUE; }

typedef enum gate_kind {
  GATE_CONSTANT, /* false; gate 0 alone */
  GATE_LATCH,    /* number: the latch */
  GATE_MOVE,     /* number: the move, in circuit.moves */
  GATE_LOOP,     /* number: the place, in circuit.places */
  GATE_AND       /* number: its first input, in circuit.inputs */
} gate_kind;

typedef struct gate {
  gate_kind kind;
  uint32_t number;
  uint32_t input_count; /* of a GATE_AND: at least two */
} gate;

typedef struct circuit_latch {
  uint32_t fluent; /* the first fluent that it stands for */
  gate_id gate;
  bool initially;
  wire next;
} circuit_latch;

typedef struct circuit_fluent {
  term_id term;
  wire now; /* a latch, its negation, or a constant */
} circuit_fluent;

typedef struct circuit_move {
  term_id term;
  wire legal;
  wire does; /* a GATE_MOVE; of a role's two moves one is the negation of the other; of one, true */
} circuit_move;

typedef struct circuit_role {
  term_id term;
  uint32_t first_move; /* in circuit.moves */
  uint32_t move_count;
} circuit_role;

/* A goal value or a percept of a role. */
typedef struct circuit_outcome {
  uint32_t role;
  term_id term;
  wire holds;
} circuit_outcome;

/* A mark of the ground program; it may depend on moves. */
typedef struct circuit_mark {
  term_id term;
  wire holds;
} circuit_mark;

typedef struct circuit_place {
  gate_id gate;
  wire definition;
} circuit_place;

/* A strongly connected component of the rules. */
typedef struct circuit_component {
  uint32_t first_place, place_count;
  gate_id first, end; /* its gates, the places among them */
} circuit_component;

/* What a pass left. */
typedef struct circuit_count {
  const char *pass;
  uint32_t gates;  /* conjunctions */
  uint64_t inputs; /* of them */
  uint32_t sets;   /* gates among them that say 'none of these moves' */
  uint32_t latches;
  double seconds;
} circuit_count;

enum { CIRCUIT_PASSES_MAX = 8 };

typedef struct circuit {
  arena *keep;
  const term_table *terms; /* of the ground program, which must outlive this */
  VEC(gate) gates;
  VEC(wire) inputs;
  VEC(circuit_latch) latches;
  VEC(circuit_fluent) fluents; /* sorted by text */
  VEC(circuit_role) roles;
  VEC(circuit_move) moves; /* by role, then by text */
  VEC(circuit_outcome) goals;
  VEC(circuit_outcome) percepts;
  VEC(circuit_mark) marks;
  wire_vec targets; /* what a prover asks of states; they do not depend on moves */
  VEC(circuit_place) places;
  VEC(circuit_component) components;
  wire terminal;
  circuit_count counts[CIRCUIT_PASSES_MAX];
  uint32_t pass_count;
} circuit;

static inline const wire *gate_inputs(const circuit *c, gate_id g) {
  assert(g < c->gates.count);
  return vec_from(&c->inputs, c->gates.items[g].number);
}

/* Does a latch, its negation or a constant hold in the initial state? */
static inline bool wire_starts_true(const circuit *c, wire w) {
  if (wire_is_constant(w)) return w == WIRE_TRUE;
  assert(c->gates.items[wire_gate(w)].kind == GATE_LATCH);
  const circuit_latch *latch = &c->latches.items[c->gates.items[wire_gate(w)].number];
  return latch->initially != wire_is_negated(w);
}

/* All passes.  False: a limit was reached, or the rules are not stratified even when ground
   (reported).  The ground program must outlive the circuit. */
bool circuit_build(circuit *c, const ground_program *g, arena *keep, budget *limits, diag_sink *d);

/* ---- text ---- */

typedef enum circuit_format { CIRCUIT_TEXT, CIRCUIT_DOT } circuit_format;

void circuit_print(const circuit *c, circuit_format format, text *out);
void circuit_write_json(const circuit *c, const char *game, text *out);

/* The sizes after each pass, as a member `passes` of an object. */
void circuit_put_passes(const circuit *c, json_writer *w);

#endif
