/* The body of an engine, included once for each kind of vector with KERNEL(name) and KERNEL_TARGET
   defined.  There is no include guard for that reason.

   A row is one vector of 512 bits to the compiler, which splits it into the vectors of the
   target. */

typedef uint64_t KERNEL(vector) __attribute__((vector_size(64)));

/* A truth table as an expression.  `table` is a constant: what is left of it after folding is a few
   instructions, or one where there is ternary logic. */
#define KERNEL_PAIR(bits, b, c) \
  ((bits) == 0x0   ? (b) ^ (b) \
   : (bits) == 0x1 ? ~((b) | (c)) \
   : (bits) == 0x2 ? ~(b) & (c) \
   : (bits) == 0x3 ? ~(b) \
   : (bits) == 0x4 ? (b) & ~(c) \
   : (bits) == 0x5 ? ~(c) \
   : (bits) == 0x6 ? (b) ^ (c) \
   : (bits) == 0x7 ? ~((b) & (c)) \
   : (bits) == 0x8 ? (b) & (c) \
   : (bits) == 0x9 ? ~((b) ^ (c)) \
   : (bits) == 0xa ? (c) \
   : (bits) == 0xb ? ~(b) | (c) \
   : (bits) == 0xc ? (b) \
   : (bits) == 0xd ? (b) | ~(c) \
   : (bits) == 0xe ? (b) | (c) \
                   : ~((b) ^ (b)))

#ifndef KERNEL_TERNARY
#define KERNEL_TERNARY(table, a, b, c) \
  (((a)&KERNEL_PAIR((table) >> 4, b, c)) | (~(a)&KERNEL_PAIR((table)&15, b, c)))
#endif

/* All operations of a run. */
#define KERNEL_RUN(table_) \
  case table_: \
    do { \
      const KERNEL(vector) a = v[op->in[0]], b = v[op->in[1]], c = v[op->in[2]]; \
      v[op->out] = KERNEL_TERNARY(table_, a, b, c); \
    } while (++op < end && op->table == table_); \
    break;
#define KERNEL_RUNS_4(t) KERNEL_RUN(t) KERNEL_RUN((t) + 1) KERNEL_RUN((t) + 2) KERNEL_RUN((t) + 3)
#define KERNEL_RUNS_16(t) \
  KERNEL_RUNS_4(t) KERNEL_RUNS_4((t) + 4) KERNEL_RUNS_4((t) + 8) KERNEL_RUNS_4((t) + 12)
#define KERNEL_RUNS_64(t) \
  KERNEL_RUNS_16(t) KERNEL_RUNS_16((t) + 16) KERNEL_RUNS_16((t) + 32) KERNEL_RUNS_16((t) + 48)

KERNEL_TARGET
static void KERNEL(run)(const lane_op *op, const lane_op *end, bundle_row *rows) {
  KERNEL(vector) *v = (KERNEL(vector) *)rows;
  while (op < end) switch (op->table) {
      KERNEL_RUNS_64(0)
      KERNEL_RUNS_64(64)
      KERNEL_RUNS_64(128)
      KERNEL_RUNS_64(192)
    }
}

#define KERNEL_ROTATED(x, by) ((x) << (by) | (x) >> (64 - (by)))

KERNEL_TARGET
static void KERNEL(fill_random)(lane_random *r, bundle_row *rows, uint32_t count) {
  KERNEL(vector) *out = (KERNEL(vector) *)rows;
  KERNEL(vector) low = *(KERNEL(vector) *)&r->low, high = *(KERNEL(vector) *)&r->high;
  for (uint32_t i = 0; i < count; i++) {
    const KERNEL(vector) sum = low + high;
    out[i] = KERNEL_ROTATED(sum, 17) + low;
    high ^= low;
    low = KERNEL_ROTATED(low, 49) ^ high ^ high << 21;
    high = KERNEL_ROTATED(high, 28);
  }
  *(KERNEL(vector) *)&r->low = low;
  *(KERNEL(vector) *)&r->high = high;
}

#ifndef KERNEL_IS_EMPTY
#define KERNEL_IS_EMPTY(r) \
  (((r)[0] | (r)[1] | (r)[2] | (r)[3] | (r)[4] | (r)[5] | (r)[6] | (r)[7]) == 0)
#endif

/* How many lanes of each word are in a set. */
#ifndef KERNEL_COUNTS
#define KERNEL_COUNTS(r) \
  (KERNEL(vector)) { \
    (uint64_t) __builtin_popcountll((r)[0]), (uint64_t)__builtin_popcountll((r)[1]), \
        (uint64_t)__builtin_popcountll((r)[2]), (uint64_t)__builtin_popcountll((r)[3]), \
        (uint64_t)__builtin_popcountll((r)[4]), (uint64_t)__builtin_popcountll((r)[5]), \
        (uint64_t)__builtin_popcountll((r)[6]), (uint64_t)__builtin_popcountll((r)[7]) \
  }
#endif

typedef KERNEL(vector) KERNEL(row);

#define KERNEL_ROW(at) (*(KERNEL(row) *)(uintptr_t)(at))
#define KERNEL_ROOT(p, root) \
  (KERNEL_ROW(&(p)->rows[(p)->net->rows[root].slot]) ^ -(uint64_t)(p)->net->rows[root].negated)
#define KERNEL_SUM(r) ((r)[0] + (r)[1] + (r)[2] + (r)[3] + (r)[4] + (r)[5] + (r)[6] + (r)[7])

#include "machine/lanes/lane_kernel_pick.h"
#include "machine/lanes/lane_kernel_play.h"
#include "machine/lanes/lane_kernel_rollout.h"

#undef KERNEL_ROW
#undef KERNEL_ROOT
#undef KERNEL_SUM
#undef KERNEL_IS_EMPTY
#undef KERNEL_COUNTS
#undef KERNEL_PAIR
#undef KERNEL_TERNARY
#undef KERNEL_RUN
#undef KERNEL_RUNS_4
#undef KERNEL_RUNS_16
#undef KERNEL_RUNS_64
#undef KERNEL_ROTATED
#undef KERNEL
#undef KERNEL_TARGET
