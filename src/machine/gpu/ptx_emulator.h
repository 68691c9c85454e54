/* Runs PTX (ptx_code.h) on the processor, one thread after another, so that kernels can be tested
   without a device.  Every access to memory is checked against what was allocated.  Threads of a
   block wait for each other at barriers. */
#ifndef TABIA_MACHINE_GPU_PTX_EMULATOR_H
#define TABIA_MACHINE_GPU_PTX_EMULATOR_H

#include "machine/gpu/ptx_code.h"

typedef struct ptx_range {
  uint64_t first, size; /* addresses, of this process */
} ptx_range;

/* Sectors of 32 bytes in global memory that the threads of a warp access by one instruction, each
   once: what a card transfers, except for its caches. */
typedef struct ptx_traffic {
  uint64_t loads, stores;
} ptx_traffic;

/* Instructions that warps issue, by what they are for, as a comment before them says.  In a round,
   from one time at the label `step` to the next, a warp issues each as often as that of its threads
   that runs it most: branches and loops that only some of them take are waited for by the
   others. */
typedef struct ptx_issues {
  struct {
    ptx_purpose_name what;
    uint64_t count;
  } all[PTX_PURPOSES_MAX];
  uint32_t purposes;
  uint64_t rounds; /* of all warps */
} ptx_issues;

typedef struct ptx_launch {
  uint32_t blocks, threads, shared_bytes;
  const void *arguments; /* as the kernel has its parameters, each aligned to its size */
  const ptx_range *memory;
  uint32_t memory_count;
  ptx_traffic *traffic; /* to which that of the launch is added; NULL: it is not counted */
  ptx_issues *issues;   /* the same */
} ptx_launch;

/* NULL, or what went wrong. */
const char *ptx_run(const ptx_code *c, const ptx_launch *l, arena *scratch);

#endif
