/* Wires that depend on few gates: queries about them are cheap, however large the circuit is. */
#ifndef TABIA_INDUCT_LOCAL_WIRES_H
#define TABIA_INDUCT_LOCAL_WIRES_H

#include "induct/facts.h"

/* Do the wires depend, within a step, on few gates only?  Moves count with what makes them legal.
 */
bool wires_are_near(const circuit *c, const wire *wires, uint32_t count);

/* The same of the members of facts after a step. */
bool facts_are_near(const fact_set *s, const circuit *c);

/* The local part of 'the state is not terminal at this time': weaker than unroll_require_open. */
void require_open_if_near(unrolling *u, const circuit *c, uint32_t time);

#endif
