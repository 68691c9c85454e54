/* The body of a transposer, included once for each kind of vector with KERNEL(name) and
   KERNEL_TARGET defined.  There is no include guard for that reason.

   A row is one vector of eight words to the compiler, which splits it into the vectors of the
   target: so eight squares of 64 by 64 bits are transposed at once. */

typedef uint64_t KERNEL(vector) __attribute__((vector_size(64)));

/* Exchanges the bits of two rows that are `width` apart. */
#define KERNEL_SWAP(a, b, width, mask) \
  do { \
    const KERNEL(vector) swapped = ((a) >> (width) ^ (b)) & (mask); \
    (a) ^= swapped << (width); \
    (b) ^= swapped; \
  } while (0)

/* Three rounds on eight rows: `first`, `first` + `step`, ... */
#define KERNEL_ROUNDS(m, first, step, width, mask_0, mask_1, mask_2) \
  do { \
    KERNEL(vector) \
    r0 = (m)[(first)], r1 = (m)[(first) + (step)], r2 = (m)[(first) + 2 * (step)], \
    r3 = (m)[(first) + 3 * (step)], r4 = (m)[(first) + 4 * (step)], \
    r5 = (m)[(first) + 5 * (step)], r6 = (m)[(first) + 6 * (step)], \
    r7 = (m)[(first) + 7 * (step)]; \
    KERNEL_SWAP(r0, r4, width, mask_0); \
    KERNEL_SWAP(r1, r5, width, mask_0); \
    KERNEL_SWAP(r2, r6, width, mask_0); \
    KERNEL_SWAP(r3, r7, width, mask_0); \
    KERNEL_SWAP(r0, r2, (width) / 2, mask_1); \
    KERNEL_SWAP(r1, r3, (width) / 2, mask_1); \
    KERNEL_SWAP(r4, r6, (width) / 2, mask_1); \
    KERNEL_SWAP(r5, r7, (width) / 2, mask_1); \
    KERNEL_SWAP(r0, r1, (width) / 4, mask_2); \
    KERNEL_SWAP(r2, r3, (width) / 4, mask_2); \
    KERNEL_SWAP(r4, r5, (width) / 4, mask_2); \
    KERNEL_SWAP(r6, r7, (width) / 4, mask_2); \
    (m)[(first)] = r0, (m)[(first) + (step)] = r1, (m)[(first) + 2 * (step)] = r2; \
    (m)[(first) + 3 * (step)] = r3, (m)[(first) + 4 * (step)] = r4; \
    (m)[(first) + 5 * (step)] = r5, (m)[(first) + 6 * (step)] = r6, \
                      (m)[(first) + 7 * (step)] = r7; \
  } while (0)

/* Bit j of word w of m[i] becomes bit i of word w of m[j] (Warren, 'Hacker's Delight', 7-3). */
KERNEL_TARGET
static void KERNEL(transpose)(KERNEL(vector) * m) {
  for (uint32_t i = 0; i < 8; i++)
    KERNEL_ROUNDS(m, i, 8, 32, UINT64_C(0x00000000ffffffff), UINT64_C(0x0000ffff0000ffff),
                  UINT64_C(0x00ff00ff00ff00ff));
  for (uint32_t i = 0; i < 64; i += 8)
    KERNEL_ROUNDS(m, i, 1, 4, UINT64_C(0x0f0f0f0f0f0f0f0f), UINT64_C(0x3333333333333333),
                  UINT64_C(0x5555555555555555));
}

KERNEL_TARGET
static void KERNEL(to_lanes)(const row_list *list, uint32_t first, uint64_t *lanes) {
  KERNEL(vector) m[BLOCK_ROWS];
  const uint32_t count = rows_in_block(list, first);
  for (uint32_t i = 0; i < count; i++) {
    const lane_row at = list->at[first + i];
    m[i] = *(const KERNEL(vector) *)&list->rows[at.slot] ^ -(uint64_t)at.negated;
  }
  for (uint32_t i = count; i < BLOCK_ROWS; i++) m[i] = (KERNEL(vector)){0};
  KERNEL(transpose)(m);
  for (uint32_t word = 0; word < ROW_WORDS; word++)
    for (uint32_t i = 0; i < 64; i++) lanes[word * 64 + i] = m[i][word];
}

KERNEL_TARGET
static void KERNEL(to_rows)(const uint64_t *lanes, bundle_row *rows) {
  KERNEL(vector) *m = (KERNEL(vector) *)rows;
  for (uint32_t word = 0; word < ROW_WORDS; word++)
    for (uint32_t i = 0; i < 64; i++) rows[i].words[word] = lanes[word * 64 + i];
  KERNEL(transpose)(m);
}

#undef KERNEL_SWAP
#undef KERNEL_ROUNDS
#undef KERNEL
#undef KERNEL_TARGET
