#include "machine/lanes/lane_counter.h"

#include "machine/lanes/lane_play_state.h"

#include <string.h>

/* ---- random rows ---- */

/* Four rows of random bits, word by word. */
typedef struct counter_rows {
  uint32_t words[4][COUNTER_WORDS];
} counter_rows;

static void next_round(counter_rows *r, uint32_t k0, uint32_t k1) {
  for (uint32_t i = 0; i < COUNTER_WORDS; i++) {
    const uint64_t p0 = (uint64_t)PHILOX_M0 * r->words[0][i];
    const uint64_t p1 = (uint64_t)PHILOX_M1 * r->words[2][i];
    r->words[0][i] = (uint32_t)(p1 >> 32) ^ r->words[1][i] ^ k0;
    r->words[1][i] = (uint32_t)p1;
    r->words[2][i] = (uint32_t)(p0 >> 32) ^ r->words[3][i] ^ k1;
    r->words[3][i] = (uint32_t)p0;
  }
}

static void make_rows(counter_rows *r, const bulk_part *part, uint64_t step, uint32_t block) {
  for (uint32_t i = 0; i < COUNTER_WORDS; i++) {
    r->words[0][i] = (uint32_t)step;
    r->words[1][i] = block * COUNTER_WORDS + i;
    r->words[2][i] = (uint32_t)part->number;
    r->words[3][i] = (uint32_t)(part->number >> 32);
  }
  uint32_t k0 = (uint32_t)part->seed, k1 = (uint32_t)(part->seed >> 32);
  for (int round = 0; round < PHILOX_ROUNDS; round++) {
    next_round(r, k0, k1);
    k0 += PHILOX_W0;
    k1 += PHILOX_W1;
  }
}

/* Word w of 32 lanes is a half of word w / 2 of a row. */
static void store_row(const uint32_t *words, bundle_row *row) {
  for (uint32_t i = 0; i < ROW_WORDS; i++)
    row->words[i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
}

void lane_counter_fill(lane_player *p) {
  counter_rows made;
  uint32_t row = 0;
  for (uint32_t i = 0; i < p->net->draws.count; i++) {
    const lane_draw *d = &p->net->draws.items[i];
    for (uint32_t k = 0; k < d->random_bits; k++, row++) {
      if (row % 4 == 0) make_rows(&made, p->part, p->step, row / 4);
      store_row(made.words[row % 4], &p->rows[d->first_random + k]);
    }
  }
}

uint32_t lane_counter_below(const lane_player *p, uint32_t draw, uint32_t lane, uint32_t count) {
  const uint64_t part = p->part->number;
  for (uint32_t attempt = 0;; attempt++) {
    const uint32_t which =
        COUNTER_REDRAWS | attempt << COUNTER_ATTEMPT_SHIFT | draw << COUNTER_DRAW_SHIFT | lane;
    const philox_block counter = {
        {(uint32_t)p->step, which, (uint32_t)part, (uint32_t)(part >> 32)}};
    const uint64_t product = (uint64_t)philox(counter, p->part->seed).words[0] * count;
    if ((uint32_t)product >= -count % count) return (uint32_t)(product >> 32);
  }
}

/* ---- games ---- */

static uint32_t first_bits(uint32_t bits, uint64_t count) {
  uint32_t kept = 0;
  for (; bits && count; bits &= bits - 1, count--) kept |= bits & -bits;
  return kept;
}

void lane_counter_open(lane_player *p, bundle_row *vacant) {
  for (uint32_t word = 0; word < COUNTER_WORDS; word++) {
    const uint32_t shift = word % 2 * COUNTER_LANES;
    const uint32_t lanes = (uint32_t)(vacant->words[word / 2] >> shift);
    const uint32_t fresh = first_bits(lanes, p->left[word]);
    p->left[word] -= (uint32_t)__builtin_popcount(fresh);
    vacant->words[word / 2] &= ~((uint64_t)(lanes & ~fresh) << shift);
  }
}
