#include "machine/lanes/lane_engine.h"

#include "base/cpu.h"
#include "machine/bundle.h"
#include "machine/lanes/lane_play_state.h"
#include "machine/lanes/lane_rollouts.h"
#include "machine/transpose.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

void lane_random_init(lane_random *r, uint64_t seed, uint64_t stream) {
  for (uint32_t i = 0; i < ROW_WORDS; i++) {
    rng words = rng_new(seed, stream * ROW_WORDS + i);
    r->low.words[i] = rng_next(&words);
    r->high.words[i] = rng_next(&words) | 1; /* a generator may not be all zeros */
  }
}

#define ENGINE_STEPS(kind) \
  kind##_run, kind##_open_games, kind##_end_games, kind##_make_moves, kind##_latch_next, \
      kind##_pick, kind##_assign, kind##_rollout_end, kind##_rollout_step

/* The place of the bit that is set and before which `rank` bits are; anything if there is none. */
static uint32_t lane_select(uint64_t word, uint64_t rank) {
  for (; rank; rank--) word &= word - 1;
  return word ? (uint32_t)__builtin_ctzll(word) : 0;
}

#define KERNEL(name) plain_##name
#define KERNEL_TARGET
#include "machine/lanes/lane_kernel.h"

static bool always(void) { return true; }

static const lane_engine plain_engine = {"plain", always, ENGINE_STEPS(plain)};

#ifdef __x86_64__

#define KERNEL(name) avx2_##name
#define KERNEL_TARGET __attribute__((target("avx2,popcnt")))
#include "machine/lanes/lane_kernel.h"

static bool has_avx2(void) { return cpu_has_avx2(); }

static const lane_engine avx2_engine = {"avx2", has_avx2, ENGINE_STEPS(avx2)};

#define KERNEL(name) avx512_##name
#define KERNEL_TARGET __attribute__((target("avx512f,avx512dq,avx512vpopcntdq,popcnt,bmi,bmi2")))
#define KERNEL_SELECT(word, rank) (uint32_t) _tzcnt_u64(_pdep_u64(UINT64_C(1) << (rank), word))
#define KERNEL_TERNARY(table, a, b, c) \
  (avx512_vector) _mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), table)
#define KERNEL_IS_EMPTY(r) (_mm512_test_epi64_mask((__m512i)(r), (__m512i)(r)) == 0)
#define KERNEL_COUNTS(r) (avx512_vector) _mm512_popcnt_epi64((__m512i)(r))
#include "machine/lanes/lane_kernel.h"

static bool has_avx512(void) {
  return cpu_has_avx512_popcount() && cpu_has_avx512_words() && cpu_has_bmi2();
}

static const lane_engine avx512_engine = {"avx512", has_avx512, ENGINE_STEPS(avx512)};

const lane_engine *const lane_engines[] = {&avx512_engine, &avx2_engine, &plain_engine, NULL};

#else

/* On other processors the compiler's own choice of vectors (NEON among them) is the plain one. */
const lane_engine *const lane_engines[] = {&plain_engine, NULL};

#endif

const lane_engine *lane_engine_best(void) {
  const lane_engine *const *e = lane_engines;
  while (!(*e)->is_supported()) e++;
  return *e;
}
