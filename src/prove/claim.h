/* Formulas over ground fluents, in KIF: (and (cell 1 1 b) (not (control x))).  A fluent may stand
   in `true`.

   A formula is a list of steps in postfix order, so that evaluating needs no recursion. */
#ifndef TABIA_PROVE_CLAIM_H
#define TABIA_PROVE_CLAIM_H

#include "circuit/gate_maker.h"

typedef enum claim_op { CLAIM_FLUENT, CLAIM_AND, CLAIM_OR, CLAIM_NOT } claim_op;

typedef struct claim_step {
  claim_op op;
  uint32_t
      number; /* of a fluent: in circuit.fluents, ID_NONE: never true; else how many operands */
} claim_step;

typedef VEC(claim_step) claim;

/* False: `complaint` tells why. */
bool claim_read(claim *out, const char *words, const circuit *c, arena *keep,
                const char **complaint);

/* The formula as a wire; `fluents` are the wires of the fluents. */
wire claim_make(const claim *f, gate_maker *m, const wire *fluents, arena *scratch);

/* Its value, given which fluents hold. */
bool claim_holds(const claim *f, const bool *fluents, arena *scratch);

#endif
