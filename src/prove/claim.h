/* Formulas over fluents, in KIF: (and (cell 1 1 b) (not (control x))).  A fluent may stand in
   `true`.  Other atoms of a state may stand there, too: terminal, (legal x noop), (goal x 100) and
   relations of the rules (state_atoms.h); where a fluent has the same name, it is meant.  With
   variables: (forall ?x (exists (?y ?z) (cell ?x ?y ?z))), (distinct ?x ?y).

   A formula is a list of steps in postfix order, so that evaluating needs no recursion; variables
   are gone: each instance is there. */
#ifndef TABIA_PROVE_CLAIM_H
#define TABIA_PROVE_CLAIM_H

#include "circuit/gate_maker.h"
#include "prove/state_atoms.h"

typedef enum claim_op { CLAIM_ATOM, CLAIM_AND, CLAIM_OR, CLAIM_NOT } claim_op;

typedef struct claim_step {
  claim_op op;
  uint32_t number; /* of an atom (state_atoms.h); else how many operands */
} claim_step;

typedef struct claim {
  VEC(claim_step) steps;
  const char *words;  /* the formula as it was read, as canonical KIF; NULL: it was made */
  bool has_variables; /* in these words */
  const char *absent; /* an atom in it that the rules name, but that never holds; or NULL */
  bool has_derived;   /* not all atoms in it are fluents */
} claim;

/* What variables that no quantifier binds mean: all instances hold, or one does. */
typedef enum claim_free { FREE_ARE_ALL, FREE_ARE_SOME } claim_free;

/* False: `complaint` says why.  Only the names of the circuit and of the rules are read; without a
   circuit the formula is only checked. */
bool claim_read(claim *out, const char *words, claim_free free_ones, const state_atoms *atoms,
                arena *keep, const char **complaint);

/* Of the members (facts.h) at most one holds, or exactly one. */
void claim_of_group(claim *out, const uint32_t *members, uint32_t count, bool exactly, arena *keep);

/* The formula as a wire; `atoms` are the wires of the atoms in it. */
wire claim_make(const claim *f, gate_maker *m, const wire *atoms, arena *scratch);

/* Its value, given which atoms hold. */
bool claim_holds(const claim *f, const bool *atoms, arena *scratch);

/* The instances as one formula without variables, of fluents alone. */
void claim_print(const claim *f, const circuit *c, text *out, arena *scratch);

#endif
