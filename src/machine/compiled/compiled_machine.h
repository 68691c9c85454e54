/* The machine `compiled`: the game as C, built by the C compiler of the machine and loaded.

   It is first built at a low level of optimisation, which takes a moment, and is then ready to
   play; meanwhile a thread makes an optimised build, and each workspace switches to that as soon as
   it is ready.  Both are kept for later runs (compiled_cache.h). */
#ifndef TABIA_MACHINE_COMPILED_COMPILED_MACHINE_H
#define TABIA_MACHINE_COMPILED_COMPILED_MACHINE_H

#include "compile/plan/storage.h"
#include "machine/machine.h"

extern const machine_ops compiled_machine;

typedef struct compiled_options {
  knowledge_base kb;
  bool is_built_once; /* at `level`, and never better: for comparisons */
  uint32_t level;     /* of optimisation: 0 .. 3 */
} compiled_options;

/* Otherwise than `compiled` does it by itself. */
machine *compiled_machine_open(const machine_source *source, const compiled_options *o, budget *b,
                               diag_sink *d);

#endif
