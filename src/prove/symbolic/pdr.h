/* Property-directed reachability: can a target be reached?  (Bradley, 'SAT-based model checking
   without unrolling'; Een, Mishchenko and Brayton, 'Efficient implementation of property directed
   reachability'.)

   Frame k is a set of clauses that hold in every state that k steps can lead to.  States from which
   the target can be reached are shown unreachable in k steps one after another, each time with a
   clause that excludes as many others as possible.  When two frames are equal, the clauses hold in
   all reachable states. */
#ifndef TABIA_PROVE_SYMBOLIC_PDR_H
#define TABIA_PROVE_SYMBOLIC_PDR_H

#include "induct/facts.h"

typedef enum pdr_answer { PDR_UNKNOWN, PDR_NEVER, PDR_REACHED } pdr_answer;

typedef struct pdr_result {
  pdr_answer answer;
  uint32_t frames;
  fact_set clauses;   /* of PDR_NEVER: with the facts given they prove it */
  id_vec line;        /* of PDR_REACHED: a joint move for each step */
  const char *reason; /* of PDR_UNKNOWN, or NULL: time is up */
} pdr_result;

/* The facts hold in every reachable state; NULL: none. */
void pdr_run(pdr_result *r, const circuit *c, wire target, const fact_set *facts, arena *keep,
             budget *b);

#endif
