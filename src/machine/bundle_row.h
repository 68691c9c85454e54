/* Rows: sets of up to 512 lanes, one bit each.

   Lane i is bit i % 64 of word i / 64.  The answer to a query about many states is one row for each
   thing that can hold: a move is legal, a fluent is true, the state is terminal. */
#ifndef TABIA_MACHINE_BUNDLE_ROW_H
#define TABIA_MACHINE_BUNDLE_ROW_H

#include "base/arena.h"
#include "base/hash.h"

enum { LANES = 512, ROW_WORDS = LANES / 64 };

typedef struct bundle_row {
  _Alignas(64) uint64_t words[ROW_WORDS];
} bundle_row;

typedef uint32_t slot_id; /* the number of a row among others */

enum { SLOT_FALSE = 0 }; /* in programs: a row of zeros, never written */

/* A row that somebody reads: a slot, perhaps negated. */
typedef struct lane_row {
  slot_id slot;
  bool negated;
} lane_row;

/* Some rows among others. */
typedef struct row_list {
  const bundle_row *rows;
  const lane_row *at; /* `count` of them */
  uint32_t count;
} row_list;

/* A row that goes to a slot. */
typedef struct row_copy {
  lane_row from;
  slot_id to;
} row_copy;

/* Zeroed memory that is aligned to the size of a row. */
static inline void *lane_alloc(arena *keep, size_t size) {
  char *bytes = arena_alloc_zero(keep, size + sizeof(bundle_row));
  return bytes + (-(uintptr_t)bytes & (sizeof(bundle_row) - 1));
}

static inline uint64_t lane_word(const bundle_row *rows, lane_row r, uint32_t word) {
  return rows[r.slot].words[word] ^ -(uint64_t)r.negated;
}

static inline uint64_t row_list_word(const row_list *l, uint32_t i, uint32_t word) {
  return lane_word(l->rows, l->at[i], word);
}

static inline bool row_has(const bundle_row *row, uint32_t lane) {
  return row->words[lane / 64] >> lane % 64 & 1;
}

static inline void row_add(bundle_row *row, uint32_t lane) {
  row->words[lane / 64] |= UINT64_C(1) << lane % 64;
}

static inline bool row_is_empty(const bundle_row *row) {
  uint64_t any = 0;
  for (uint32_t word = 0; word < ROW_WORDS; word++) any |= row->words[word];
  return !any;
}

static inline uint32_t row_count(const bundle_row *row) {
  uint32_t count = 0;
  for (uint32_t word = 0; word < ROW_WORDS; word++)
    count += (uint32_t)__builtin_popcountll(row->words[word]);
  return count;
}

/* The first lane of a set; ID_NONE: there is none. */
static inline uint32_t row_first_lane(const bundle_row *row) {
  for (uint32_t word = 0; word < ROW_WORDS; word++)
    if (row->words[word]) return word * 64 + (uint32_t)__builtin_ctzll(row->words[word]);
  return ID_NONE;
}

/* Lanes 0 .. count-1. */
static inline bundle_row row_of_first(uint32_t count) {
  bundle_row row;
  for (uint32_t word = 0; word < ROW_WORDS; word++) {
    const uint32_t first = word * 64;
    row.words[word] = count >= first + 64 ? UINT64_MAX
                      : count > first     ? (UINT64_C(1) << (count - first)) - 1
                                          : 0;
  }
  return row;
}

/* Lanes in which exactly one of the rows holds. */
static inline bundle_row rows_with_one(const row_list *l) {
  bundle_row any = {{0}}, several = {{0}};
  for (uint32_t i = 0; i < l->count; i++)
    for (uint32_t word = 0; word < ROW_WORDS; word++) {
      const uint64_t holds = row_list_word(l, i, word);
      several.words[word] |= any.words[word] & holds;
      any.words[word] |= holds;
    }
  for (uint32_t word = 0; word < ROW_WORDS; word++) any.words[word] &= ~several.words[word];
  return any;
}

/* Takes the bits of another row in some lanes. */
static inline void row_blend(bundle_row *row, const bundle_row *from, const bundle_row *lanes) {
  for (uint32_t word = 0; word < ROW_WORDS; word++)
    row->words[word] ^= (row->words[word] ^ from->words[word]) & lanes->words[word];
}

#endif
