/* The passes of circuit_build: each makes a new circuit from the one before. */
#ifndef TABIA_CIRCUIT_PASSES_H
#define TABIA_CIRCUIT_PASSES_H

#include "circuit/gate_maker.h"

/* From rules to gates.  The moves of a role that differ alone between two rules of an atom are
   joined to one set.  False: reported. */
bool circuit_from_rules(circuit *out, move_sets *sets, const ground_program *g, arena *keep,
                        budget *limits, diag_sink *d);

/* The passes that follow take as long as `limits` allow; when these are spent, what comes out is
   not whole. */

/* By latch: a wire of another latch or a constant that it equals in every state, or ID_NONE. */
const wire *circuit_find_equal_latches(const circuit *in, const move_sets *sets, arena *keep,
                                       budget *limits);

/* Fluents that are constant, equal or complementary in every state get one latch; sets of moves
   become gates. */
void circuit_merge_latches(circuit *out, const circuit *in, const move_sets *sets, arena *keep,
                           budget *limits);

/* Conditions that the terms of a disjunction have in common are asked once; conjunctions that
   only one gate reads become part of it.  Latches become the wires that were found for them, and
   sets of moves gates; both may be NULL. */
void circuit_factor(circuit *out, const circuit *in, const wire *latch_wires, const move_sets *sets,
                    arena *keep, budget *limits);

/* Pairs of inputs that several gates have in common become gates, and gates that nothing needs are
   dropped.  False: there is too little to gain, and nothing was made. */
bool circuit_share_pairs(circuit *out, const circuit *in, arena *keep, budget *limits);

#endif
