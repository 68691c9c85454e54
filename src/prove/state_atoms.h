/* The atoms that formulas are made of: whatever holds in a state or does not.

   They are numbered: fluents first, as circuit.fluents has them, then `terminal`, then
   (legal ROLE MOVE) by circuit.moves, (goal ROLE VALUE) by circuit.goals, and atoms of other
   relations by circuit.marks (relation_marks.h). */
#ifndef TABIA_PROVE_STATE_ATOMS_H
#define TABIA_PROVE_STATE_ATOMS_H

#include "circuit/circuit.h"
#include "rules/program.h"

/* The roles of a game, in their order. */
typedef struct role_terms {
  const term_table *terms;
  id_vec all;
} role_terms;

role_terms roles_of_circuit(const circuit *c, arena *keep);

/* What can be named where something is asked. */
typedef struct state_atoms {
  role_terms roles;
  const circuit *c;     /* NULL: nothing was grounded, and there are no atoms */
  const program *rules; /* whose relations may be named; NULL: none but the keywords */
} state_atoms;

uint32_t atoms_count(const circuit *c);
wire atom_wire(const circuit *c, uint32_t atom);
static inline bool atom_is_fluent(const circuit *c, uint32_t atom) {
  return atom < c->fluents.count;
}

/* An atom as the rules write it: the relation and its arguments, which are terms of the circuit. */
typedef struct atom_parts {
  symbol_id relation;
  const term_id *args;
  uint32_t count;
  term_id own_args[2]; /* where `args` may point to */
} atom_parts;

void atom_take_apart(const circuit *c, uint32_t atom, atom_parts *parts);

/* A fluent without `true`, any other atom as it is; as canonical KIF. */
void atom_print(const circuit *c, uint32_t atom, text *out);

#endif
