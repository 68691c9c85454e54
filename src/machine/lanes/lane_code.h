/* A lane program prepared to run on this processor. */
#ifndef TABIA_MACHINE_LANES_LANE_CODE_H
#define TABIA_MACHINE_LANES_LANE_CODE_H

#include "machine/lanes/lane_engine.h"
#include "machine/lanes/lane_jit.h"
#include "machine/lanes/lane_net.h"

/* Operations without a loop boundary, or a loop. */
typedef struct lane_stretch {
  uint32_t first, end;
  uint32_t loop; /* ID_NONE: it is run once */
} lane_stretch;

typedef struct lane_code {
  const lane_program *program;
  const lane_engine *engine;
  VEC(lane_stretch) stretches;
  uint32_t phase_end[LANE_PHASES]; /* in `stretches` */
  lane_jit *jit;                   /* or NULL: the engine runs the operations */
} lane_code;

/* From so many inputs of gates on, machine code usually takes longer to make than it saves. */
enum { LANE_NATIVE_MAX = 400 * 1000 };

/* `native`: as instructions of this processor, if that can be.  False: the budget is spent. */
bool lane_code_make(lane_code *c, const lane_program *p, const lane_engine *engine, bool native,
                    arena *keep, budget *limits);
void lane_code_free(lane_code *c);
void lane_code_run(const lane_code *c, lane_phase phase, bundle_row *rows);

/* Rows for a program and some more; all are zero. */
bundle_row *lane_rows_new(const lane_program *p, uint32_t extra, arena *keep);

#endif
