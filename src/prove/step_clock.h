/* Step counters, read off the circuit: a latch that holds in the first state alone, one that holds
   in the next alone, and so on, whatever is done.  So what is asked can be evaluated for each step
   with these latches known and all else unknown: a target may be excluded from some step on, and as
   long as nothing but the counter reads the counter, states that differ in it are alike. */
#ifndef TABIA_PROVE_STEP_CLOCK_H
#define TABIA_PROVE_STEP_CLOCK_H

#include "circuit/circuit.h"

typedef struct step_clock {
  id_vec latches;  /* by step: the one that holds then; behind the last, none does */
  uint32_t silent; /* so many steps of the game, the first state among them, nothing reads it */
} step_clock;

/* The longest counter.  False: there is none. */
bool step_clock_find(step_clock *k, const circuit *c, arena *keep);

/* By target of the circuit: the last step at which it may hold, as far as the counter and ends that
   are sure at a step say; ID_NONE: they do not say. */
uint32_t *step_clock_last(const step_clock *k, const circuit *c, arena *keep);

#endif
