#include "machine/gpu/gpu_shape.h"

/* Live values up to which the assembler is left to itself; and up to which all that is put away has
   room in shared memory, and nearly all. */
enum { LIVE_SMALL = 150, LIVE_MEDIUM = 450, LIVE_LARGE = 1100 };

static uint32_t slots_in(uint32_t bytes, uint32_t threads, uint32_t taken) {
  const uint32_t words = bytes / 4;
  return words > taken ? (words - taken) / threads : 0;
}

gpu_shape gpu_shape_for(uint32_t live, uint32_t shared_bytes, uint32_t counter_words) {
  enum { SMALL_THREADS = 128, REGISTERS = 190, BARRIER = 256 };
  if (live <= LIVE_SMALL) return (gpu_shape){.threads = SMALL_THREADS, .registers = UINT32_MAX};
  const uint32_t threads = live > LIVE_MEDIUM && live <= LIVE_LARGE ? 128 : 256;
  return (gpu_shape){.threads = threads,
                     .registers = REGISTERS,
                     .shared_slots = slots_in(shared_bytes, threads, counter_words),
                     .barrier = BARRIER};
}

void gpu_shape_for_words(gpu_shape *s, uint32_t words, uint32_t multiprocessors) {
  while (s->threads > 32 && words / (s->threads / 2) <= multiprocessors) {
    s->threads /= 2;
    s->shared_slots *= 2;
  }
}
