/* The PTX that a game is played by, as text. */
#ifndef TABIA_MACHINE_GPU_GPU_TEXT_H
#define TABIA_MACHINE_GPU_GPU_TEXT_H

#include "base/text.h"
#include "machine/machine.h"

/* For a card with as much shared memory as an H100 has.  False: `d` says why, or the budget is
   spent. */
bool gpu_text_write(const machine_source *source, text *out, budget *b, diag_sink *d);

#endif
