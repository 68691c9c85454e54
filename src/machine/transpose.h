/* Between rows, which have a bit for each lane, and lanes, which have a bit for each row.

   Programs work on rows; readers of states or masks want lanes. 64 rows are processed at a time: a
   word for each lane, in which bit i is the lane's bit of row i.  All transposers give the same
   results. */
#ifndef TABIA_MACHINE_TRANSPOSE_H
#define TABIA_MACHINE_TRANSPOSE_H

#include "machine/bundle_row.h"

enum { BLOCK_ROWS = 64, WORDS_AT_ONCE = 8 };

typedef struct transposer {
  const char *name;
  bool (*is_supported)(void);
  /* Rows first .. first+63 of the list; where it ends sooner, the bits are 0. */
  void (*to_lanes)(const row_list *list, uint32_t first, uint64_t *lanes);
  void (*to_rows)(const uint64_t *lanes, bundle_row *rows);
  /* Word k of a lane is words[k * LANES + lane], for `width` words, at most WORDS_AT_ONCE: they are
     put side by side, `stride` bytes from lane to lane. */
  void (*to_lines)(const uint64_t *words, uint32_t width, uint32_t count, void *out, size_t stride);
  /* The bits of `count` lanes as numbers 0 and 1, a lane's behind one another, `stride` bytes from
     lane to lane.  Bit i of a lane is bit i % 64 of words[i / 64 * apart + lane]. */
  void (*to_bytes)(const uint64_t *words, size_t apart, uint32_t count, uint32_t bits, void *out,
                   size_t stride);
  void (*to_floats)(const uint64_t *words, size_t apart, uint32_t count, uint32_t bits, void *out,
                    size_t stride);
} transposer;

/* From the fastest to the slowest; ended by NULL.  The last one always works. */
extern const transposer *const transposers[];

/* The fastest that works here. */
const transposer *transposer_best(void);

#endif
