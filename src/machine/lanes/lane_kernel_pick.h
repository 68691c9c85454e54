/* Numbers for lanes: drawing one of the moves that are legal in each, from masks, eight lanes at a
   time; and telling a value to some.  A part of lane_kernel.h, and included as that is. */

/* The place of the bit that is set and before which `rank` bits are. */
#ifndef KERNEL_SELECT
#define KERNEL_SELECT(word, rank) lane_select(word, rank)
#endif

/* How many bits are set in each of the words of eight lanes. */
KERNEL_TARGET
static void KERNEL(count_moves)(const lane_pick *p, uint32_t lane, KERNEL(vector) * counts) {
  KERNEL(vector) count = {0};
  for (uint32_t i = 0; i < p->blocks; i++) {
    const KERNEL(vector) word = *(const KERNEL(vector) *)&p->words[(size_t)i * LANES + lane];
    count += KERNEL_COUNTS(word);
  }
  *counts = count;
}

/* Numbers below the counts: bundle.h says how. */
KERNEL_TARGET
static void KERNEL(draw_ranks)(const lane_pick *p, uint32_t lane, const KERNEL(vector) * counts,
                               KERNEL(vector) * ranks) {
  const KERNEL(vector) places = {0, 1, 2, 3, 4, 5, 6, 7};
  KERNEL(vector) word = (places + lane) * p->random_step + p->random;
  word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
  word ^= word >> 31;
  KERNEL(vector) product = (word >> 32) * *counts;
  const KERNEL(vector) doubtful = ((product & UINT32_MAX) - *counts) >> 63; /* below the count */
  if (!KERNEL_IS_EMPTY(doubtful))
    for (uint32_t i = 0; i < 8; i++)
      if (doubtful[i]) product[i] = (uint64_t)draw_below(word[i], (uint32_t)(*counts)[i]) << 32;
  *ranks = product >> 32;
}

/* The moves of eight lanes: `first` and the place of a bit. */
KERNEL_TARGET
static void KERNEL(give_moves)(const lane_pick *p, uint32_t lane, const KERNEL(vector) * found,
                               const KERNEL(vector) * rank, const KERNEL(vector) * first) {
  const uint64_t *words = (const uint64_t *)found, *ranks = (const uint64_t *)rank;
  const uint64_t *firsts = (const uint64_t *)first;
  const uint32_t end = p->lanes - lane < 8 ? p->lanes - lane : 8;
  uint32_t *out = p->picked + (size_t)lane * p->stride;
  for (uint32_t i = 0; i < end; i++, out += p->stride)
    *out = (uint32_t)firsts[i] | KERNEL_SELECT(words[i], ranks[i]);
}

KERNEL_TARGET
static void KERNEL(pick)(const lane_pick *p) {
  for (uint32_t lane = 0; lane < p->lanes; lane += 8) {
    KERNEL(vector) counts, rank, found = {0}, first = {0}, left = ~found;
    KERNEL(count_moves)(p, lane, &counts);
    KERNEL(draw_ranks)(p, lane, &counts, &rank);
    for (uint32_t i = 0; i < p->blocks; i++) {
      const KERNEL(vector) word = *(const KERNEL(vector) *)&p->words[(size_t)i * LANES + lane];
      const KERNEL(vector) count = KERNEL_COUNTS(word);
      const KERNEL(vector) is_here = (KERNEL(vector))(rank < count) & left;
      found |= word & is_here;
      first |= is_here & (uint64_t)i * BLOCK_ROWS;
      left &= ~is_here;
      rank -= count & left;
    }
    first |= (KERNEL(vector))(counts == 0); /* MOVE_NONE */
    KERNEL(give_moves)(p, lane, &found, &rank, &first);
  }
}

typedef int32_t KERNEL(numbers) __attribute__((vector_size(64), aligned(4)));

KERNEL_TARGET
static void KERNEL(assign)(const bundle_row *lanes, int32_t value, int32_t *values) {
  const KERNEL(numbers) places = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  for (uint32_t lane = 0; lane < LANES; lane += 16) {
    const uint32_t set = (uint16_t)(lanes->words[lane / 64] >> lane % 64);
    if (!set) continue;
    KERNEL(numbers) *to = (KERNEL(numbers) *)&values[lane];
    const KERNEL(numbers) is_set = -((int32_t)set >> places & 1);
    *to = (*to & ~is_set) | (is_set & value);
  }
}

#undef KERNEL_SELECT
