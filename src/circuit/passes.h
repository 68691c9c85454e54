/* The passes of circuit_build: each makes a new circuit from the one before. */
#ifndef TABIA_CIRCUIT_PASSES_H
#define TABIA_CIRCUIT_PASSES_H

#include "circuit/gate_maker.h"

/* From rules to gates.  The moves of a role that differ alone between two rules of an atom are
   joined to one set; conditions that rules have in common are asked once.  False: reported. */
bool circuit_from_rules(circuit *out, const ground_program *g, arena *keep, budget *limits,
                        diag_sink *d);

/* The passes that follow take as long as `limits` allow; when these are spent, what comes out is
   not whole. */

/* By latch: a wire of another latch or a constant that it equals in every state, or ID_NONE. */
const wire *circuit_find_equal_latches(const circuit *in, arena *keep, budget *limits);

/* Fluents that are constant, equal or complementary in every state get one latch. */
void circuit_merge_latches(circuit *out, const circuit *in, arena *keep, budget *limits);

/* Latches become the wires that were found for them (or NULL: none was), pairs of inputs that
   several gates have in common become gates, and gates that nothing needs are dropped.  False:
   there is too little to gain, and nothing was made. */
bool circuit_share_pairs(circuit *out, const circuit *in, const wire *latch_wires, arena *keep,
                         budget *limits);

#endif
