#include "machine/transpose.h"

#include "base/cpu.h"

#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* Rows from `first` on that are in a block. */
static uint32_t rows_in_block(const row_list *list, uint32_t first) {
  return list->count - first < BLOCK_ROWS ? list->count - first : BLOCK_ROWS;
}

/* ---- numbers ---- */

/* Eight bits as the bytes of a word. */
static uint64_t spread(uint64_t byte) {
  const uint64_t each = (byte & 0xff) * UINT64_C(0x0101010101010101);
  const uint64_t apart = each & UINT64_C(0x8040201008040201);
  return (apart + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C(0x0101010101010101);
}

/* Eight bytes for each eight bits; the copy of a whole word is one without a loop. */
static void plain_bytes_of(uint64_t word, uint32_t bits, char *out) {
  uint64_t bytes[8];
  for (uint32_t k = 0; k < 8; k++) bytes[k] = spread(word >> 8 * k);
  if (bits >= 64)
    memcpy(out, bytes, sizeof bytes);
  else
    memcpy(out, bytes, bits);
}

static void plain_to_bytes(const uint64_t *words, size_t apart, uint32_t count, uint32_t bits,
                           void *out, size_t stride) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < bits; k += 64)
      plain_bytes_of(words[k / 64 * apart + i], bits - k, (char *)out + i * stride + k);
}

static void plain_to_floats(const uint64_t *words, size_t apart, uint32_t count, uint32_t bits,
                            void *out, size_t stride) {
  for (uint32_t i = 0; i < count; i++) {
    float *floats = (float *)(void *)((char *)out + i * stride);
    for (uint32_t k = 0; k < bits; k++)
      floats[k] = (float)(words[k / 64 * apart + i] >> k % 64 & 1);
  }
}

static void plain_to_lines(const uint64_t *words, uint32_t width, uint32_t count, void *out,
                           size_t stride) {
  for (uint32_t k = 0; k < width; k++) {
    char *to = (char *)out + k * sizeof *words;
    for (uint32_t i = 0; i < count; i++, to += stride)
      memcpy(to, &words[k * LANES + i], sizeof *words);
  }
}

/* ---- with the compiler's vectors ---- */

#define KERNEL(name) plain_##name
#define KERNEL_TARGET
#include "machine/transpose_kernel.h"

static bool always(void) { return true; }

static const transposer plain_transposer = {"plain",        always,         plain_to_lanes,
                                            plain_to_rows,  plain_to_lines, plain_to_bytes,
                                            plain_to_floats};

#ifdef __x86_64__

#define KERNEL(name) avx2_##name
#define KERNEL_TARGET __attribute__((target("avx2")))
#include "machine/transpose_kernel.h"

static bool has_avx2(void) { return cpu_has_avx2(); }

static const transposer avx2_transposer = {
    "avx2", has_avx2, avx2_to_lanes, avx2_to_rows, plain_to_lines, plain_to_bytes, plain_to_floats};

/* ---- with vectors of eight words, and bytes under masks ---- */

#define AVX512 __attribute__((target("avx512f,avx512bw")))
#define AVX512_INLINE AVX512 __attribute__((always_inline)) static inline

/* Loops over registers that are written out, or the compiler would keep them in memory. */
#define EACH_OF_EIGHT(f) \
  f(0); \
  f(1); \
  f(2); \
  f(3); \
  f(4); \
  f(5); \
  f(6); \
  f(7)

typedef struct eight {
  __m512i r[8];
} eight;

/* Four registers of four pieces of 16 bytes: rows and columns change places. */
AVX512_INLINE void transpose_pieces(__m512i *r) {
  const __m512i a = _mm512_shuffle_i64x2(r[0], r[1], 0x44);
  const __m512i b = _mm512_shuffle_i64x2(r[2], r[3], 0x44);
  const __m512i c = _mm512_shuffle_i64x2(r[0], r[1], 0xee);
  const __m512i d = _mm512_shuffle_i64x2(r[2], r[3], 0xee);
  r[0] = _mm512_shuffle_i64x2(a, b, 0x88);
  r[1] = _mm512_shuffle_i64x2(a, b, 0xdd);
  r[2] = _mm512_shuffle_i64x2(c, d, 0x88);
  r[3] = _mm512_shuffle_i64x2(c, d, 0xdd);
}

/* Eight words of eight lanes: even lanes come out in the first four registers. */
AVX512_INLINE void lines_of_eight(const uint64_t *words, uint32_t width, eight *x) {
  eight y;
#define TAKE(k) \
  y.r[k] = (k) < width ? _mm512_loadu_si512(words + (k)*LANES) : _mm512_setzero_si512()
  EACH_OF_EIGHT(TAKE);
#undef TAKE
#define PAIR(k) \
  x->r[k] = _mm512_unpacklo_epi64(y.r[2 * (k)], y.r[2 * (k) + 1]); \
  x->r[4 + (k)] = _mm512_unpackhi_epi64(y.r[2 * (k)], y.r[2 * (k) + 1])
  PAIR(0);
  PAIR(1);
  PAIR(2);
  PAIR(3);
#undef PAIR
  transpose_pieces(x->r);
  transpose_pieces(x->r + 4);
}

AVX512 static void avx512_to_lines(const uint64_t *words, uint32_t width, uint32_t count, void *out,
                                   size_t stride) {
  const __mmask8 used = (__mmask8)((1u << width) - 1);
  const uint32_t whole = width == 1 ? 0 : count / 8 * 8;
  for (uint32_t i = 0; i < whole; i += 8) {
    eight x;
    char *to = (char *)out + i * stride;
    lines_of_eight(words + i, width, &x);
#define GIVE(k) _mm512_mask_storeu_epi64(to + (k)*stride, used, x.r[(k) / 2 + ((k)&1) * 4])
    EACH_OF_EIGHT(GIVE);
#undef GIVE
  }
  plain_to_lines(words + whole, width, count - whole, (char *)out + whole * stride, stride);
}

#define KERNEL(name) avx512_##name
#define KERNEL_TARGET __attribute__((target("avx512f,avx512bw")))
#include "machine/transpose_kernel.h"

/* The first `bits` of 64. */
static uint64_t first_bits(uint32_t bits) {
  return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

AVX512 static void avx512_to_bytes(const uint64_t *words, size_t apart, uint32_t count,
                                   uint32_t bits, void *out, size_t stride) {
  const __m512i one = _mm512_set1_epi8(1);
  const uint64_t used = first_bits(bits % 64);
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t *from = words + i;
    char *to = (char *)out + i * stride;
    for (uint32_t k = 0; k < bits / 64; k++, from += apart, to += 64)
      _mm512_storeu_si512(to, _mm512_maskz_mov_epi8(*from, one));
    if (used) _mm512_mask_storeu_epi8(to, used, _mm512_maskz_mov_epi8(*from, one));
  }
}

AVX512 static void avx512_to_floats(const uint64_t *words, size_t apart, uint32_t count,
                                    uint32_t bits, void *out, size_t stride) {
  const __m512 one = _mm512_set1_ps(1);
  for (uint32_t i = 0; i < count; i++) {
    float *to = (float *)(void *)((char *)out + i * stride);
    uint32_t k = 0;
    for (; k + 16 <= bits; k += 16)
      _mm512_storeu_ps(to + k,
                       _mm512_maskz_mov_ps((__mmask16)(words[k / 64 * apart + i] >> k % 64), one));
    if (k < bits)
      _mm512_mask_storeu_ps(
          to + k, (__mmask16)first_bits(bits - k),
          _mm512_maskz_mov_ps((__mmask16)(words[k / 64 * apart + i] >> k % 64), one));
  }
}

static bool has_avx512(void) { return cpu_has_avx512_bytes(); }

static const transposer avx512_transposer = {"avx512",        has_avx512,      avx512_to_lanes,
                                             avx512_to_rows,  avx512_to_lines, avx512_to_bytes,
                                             avx512_to_floats};

/* ---- with affine maps of bytes ---- */

/* The place of a byte is written as the number of its register and its place in 16 bytes of it,
   each in binary.  To interleave pairs of registers that differ in one bit of their number is to
   put that bit behind the place in the 16 bytes, whose highest bit takes its place in the number:

     register abc, place wxyz   by a:   register wbc, place xyza

   Three or four such rounds bring the bits where they are wanted. */

#define GFNI __attribute__((target("avx512f,avx512bw,gfni")))
#define GFNI_INLINE GFNI __attribute__((always_inline)) static inline

GFNI_INLINE void interleave(eight *x, int a, int b) {
  const __m512i low = _mm512_unpacklo_epi8(x->r[a], x->r[b]);
  x->r[b] = _mm512_unpackhi_epi8(x->r[a], x->r[b]);
  x->r[a] = low;
}

GFNI_INLINE void interleave_by_4(eight *x) {
  interleave(x, 0, 4), interleave(x, 1, 5), interleave(x, 2, 6), interleave(x, 3, 7);
}

GFNI_INLINE void interleave_by_2(eight *x) {
  interleave(x, 0, 2), interleave(x, 1, 3), interleave(x, 4, 6), interleave(x, 5, 7);
}

GFNI_INLINE void interleave_by_1(eight *x) {
  interleave(x, 0, 1), interleave(x, 2, 3), interleave(x, 4, 5), interleave(x, 6, 7);
}

/* Register abc, place wxyz: to register wxy, place zabc. */
GFNI_INLINE void registers_to_bytes(eight *x) {
  interleave_by_4(x), interleave_by_2(x), interleave_by_1(x);
}

/* Register abc, place wxyz: to register zxy, place abcw. */
GFNI_INLINE void bytes_to_registers(eight *x) {
  interleave_by_4(x), interleave_by_2(x), interleave_by_1(x), interleave_by_4(x);
}

/* In the order of xyz, after bytes_to_registers. */
static const uint8_t by_byte[8] = {0, 4, 1, 5, 2, 6, 3, 7};

/* Bit j of byte i becomes bit i of byte j, in every eight bytes: the product with the eight unit
   vectors has the bits of each byte the wrong way round. */
GFNI_INLINE __m512i transpose_bits(__m512i x) {
  const __m512i units = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));
  const __m512i reversal = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));
  const __m512i product = _mm512_gf2p8affine_epi64_epi8(units, x, 0);
  return _mm512_gf2p8affine_epi64_epi8(product, reversal, 0);
}

/* Row i of a list, or zeros behind its end. */
GFNI_INLINE __m512i row_of(const row_list *list, uint32_t i) {
  if (i >= list->count) return _mm512_setzero_si512();
  const lane_row at = list->at[i];
  const __m512i negation = _mm512_set1_epi64(-(long long)at.negated);
  return _mm512_xor_si512(_mm512_load_si512(&list->rows[at.slot]), negation);
}

/* Eight rows to bytes of lanes: byte i of register q has eight bits of lane 16q + i, of each 128.
 */
GFNI static void rows_to_bytes(const row_list *list, uint32_t first, __m512i *out) {
  eight x;
#define TAKE(i) x.r[i] = row_of(list, first + (i))
#define GIVE(i) out[i] = transpose_bits(x.r[i])
  EACH_OF_EIGHT(TAKE);
  registers_to_bytes(&x);
  EACH_OF_EIGHT(GIVE);
#undef TAKE
#undef GIVE
}

/* Which words of lanes a register holds when its pieces are transposed. */
#define WORDS_OF(q, i) (128 * ((i)&3) + 16 * (q) + 8 * ((i) / 4))

GFNI static void gfni_to_lanes(const row_list *list, uint32_t first, uint64_t *lanes) {
  __m512i bytes[8][8];
  for (uint32_t group = 0; group < 8; group++) rows_to_bytes(list, first + group * 8, bytes[group]);
  for (uint32_t q = 0; q < 8; q++) {
    eight x;
#define TAKE(i) x.r[i] = bytes[i][q]
#define GIVE(i) _mm512_storeu_si512(lanes + WORDS_OF(q, i), x.r[i])
    EACH_OF_EIGHT(TAKE);
    registers_to_bytes(&x);
    transpose_pieces(x.r);
    transpose_pieces(x.r + 4);
    EACH_OF_EIGHT(GIVE);
#undef TAKE
#undef GIVE
  }
}

/* The way back: words of lanes to bytes of lanes ... */
GFNI static void lanes_to_bytes(const uint64_t *lanes, uint32_t q, __m512i (*bytes)[8]) {
  eight x;
#define TAKE(i) x.r[i] = _mm512_loadu_si512(lanes + WORDS_OF(q, i))
#define GIVE(i) bytes[i][q] = transpose_bits(x.r[by_byte[i]])
  EACH_OF_EIGHT(TAKE);
  transpose_pieces(x.r);
  transpose_pieces(x.r + 4);
  bytes_to_registers(&x);
  EACH_OF_EIGHT(GIVE);
#undef TAKE
#undef GIVE
}

/* ... and these to rows. */
GFNI static void gfni_to_rows(const uint64_t *lanes, bundle_row *rows) {
  __m512i bytes[8][8];
  for (uint32_t q = 0; q < 8; q++) lanes_to_bytes(lanes, q, bytes);
  for (uint32_t group = 0; group < 8; group++) {
    eight x;
#define TAKE(i) x.r[i] = bytes[group][i]
#define GIVE(i) _mm512_store_si512(&rows[group * 8 + (i)], x.r[by_byte[i]])
    EACH_OF_EIGHT(TAKE);
    bytes_to_registers(&x);
    EACH_OF_EIGHT(GIVE);
#undef TAKE
#undef GIVE
  }
}

static bool has_gfni(void) { return cpu_has_avx512_gfni(); }

static const transposer gfni_transposer = {"gfni",          has_gfni,        gfni_to_lanes,
                                           gfni_to_rows,    avx512_to_lines, avx512_to_bytes,
                                           avx512_to_floats};

const transposer *const transposers[] = {&gfni_transposer, &avx512_transposer, &avx2_transposer,
                                         &plain_transposer, NULL};

#else

const transposer *const transposers[] = {&plain_transposer, NULL};

#endif

const transposer *transposer_best(void) {
  const transposer *const *t = transposers;
  while (!(*t)->is_supported()) t++;
  return *t;
}
