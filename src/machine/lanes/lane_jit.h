/* Operations as instructions of an x86 processor with AVX-512.

   Rows stay in registers while they are needed soon; a row is written to its slot if it is read
   outside of the stretch, or if its register is needed for another.  On other processors, or where
   memory cannot be made executable, there is no such code: lane_jit_make returns NULL and the
   engine runs the operations. */
#ifndef TABIA_MACHINE_LANES_LANE_JIT_H
#define TABIA_MACHINE_LANES_LANE_JIT_H

#include "machine/lanes/lane_engine.h"

typedef struct lane_jit lane_jit;

bool lane_jit_is_possible(void); /* on this processor */

typedef void lane_jit_fn(bundle_row *rows);

/* One function for each stretch; `firsts[i]` .. `ends[i]-1` are its operations.  NULL: not here, or
   the budget is spent. */
lane_jit *lane_jit_make(const lane_program *p, const uint32_t *firsts, const uint32_t *ends,
                        uint32_t count, arena *keep, budget *limits);
lane_jit_fn *lane_jit_function(const lane_jit *j, uint32_t stretch);
void lane_jit_free(lane_jit *j); /* NULL is allowed */

#endif
