/* The steps of a circuit, prepared to run: threads share it, and each has its own states
   (lane_steps.h).

   A state is a bit for each latch, from the lowest bit of the first byte on.  The maker of the
   stepper says how many bytes a state has: the bits after the last latch are 0. */
#ifndef TABIA_MACHINE_LANES_LANE_STEPPER_H
#define TABIA_MACHINE_LANES_LANE_STEPPER_H

#include "machine/lanes/lane_code.h"
#include "machine/transpose.h"
#include "symmetry/state_group.h"

typedef struct lane_stepper {
  const circuit *c;
  lane_net net;
  lane_code code;
  const transposer *transposer;
  uint32_t state_bytes;
  const state_group *symmetries; /* steps lead to the smallest images of states; NULL: to them */
  const lane_row *latches;       /* where the state is: by latch */
  /* How the next state becomes the state.  Rows that are read from the slot of another latch are
     put aside first, in slots behind those of the program. */
  VEC(row_copy) aside, copies;
} lane_stepper;

/* The least that holds a bit for each latch. */
uint32_t lane_state_bytes(const circuit *c);

/* With `native_max` inputs of gates and more the operations are interpreted.  The circuit must
   outlive the stepper, which is made in `keep`; lane_stepper_free is due besides.  False: the
   budget is spent. */
bool lane_stepper_init(lane_stepper *s, const circuit *c, uint32_t state_bytes, uint32_t native_max,
                       arena *keep, budget *limits);
void lane_stepper_free(lane_stepper *s);

void lane_stepper_start(const lane_stepper *s, void *state);

#endif
