/* Formulas over fluents, in KIF: (and (cell 1 1 b) (not (control x))).  A fluent may stand in
   `true`.  With variables: (forall ?x (exists (?y ?z) (cell ?x ?y ?z))), (distinct ?x ?y).

   A formula is a list of steps in postfix order, so that evaluating needs no recursion; variables
   are gone: each instance is there. */
#ifndef TABIA_PROVE_CLAIM_H
#define TABIA_PROVE_CLAIM_H

#include "circuit/gate_maker.h"

typedef enum claim_op { CLAIM_FLUENT, CLAIM_AND, CLAIM_OR, CLAIM_NOT } claim_op;

typedef struct claim_step {
  claim_op op;
  uint32_t number; /* of a fluent: in circuit.fluents; else how many operands */
} claim_step;

typedef struct claim {
  VEC(claim_step) steps;
  const char *words;  /* the formula as it was read, as canonical KIF; NULL: it was made */
  bool has_variables; /* in these words */
  const char *absent; /* a fluent in it that the rules name, but that never holds; or NULL */
} claim;

/* What variables that no quantifier binds mean: all instances hold, or one does. */
typedef enum claim_free { FREE_ARE_ALL, FREE_ARE_SOME } claim_free;

/* False: `complaint` tells why.  Only the names of the circuit and of the rules are read. */
bool claim_read(claim *out, const char *words, claim_free free_ones, const circuit *c, arena *keep,
                const char **complaint);

/* Of the members (facts.h) at most one holds, or exactly one. */
void claim_of_group(claim *out, const uint32_t *members, uint32_t count, bool exactly, arena *keep);

/* The formula as a wire; `fluents` are the wires of the fluents. */
wire claim_make(const claim *f, gate_maker *m, const wire *fluents, arena *scratch);

/* Its value, given which fluents hold. */
bool claim_holds(const claim *f, const bool *fluents, arena *scratch);

/* The instances as one formula without variables. */
void claim_print(const claim *f, const circuit *c, text *out, arena *scratch);

#endif
