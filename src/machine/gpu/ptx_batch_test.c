#include "machine/gpu/ptx_batch.h"

#include "machine/gpu/ptx_emulator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 256, GAMES = 32 * WORDS, TILES = WORDS / BATCH_TILE_WORDS };

/* Rows of some tiles, filled with noise; row 0 is empty. */
typedef struct planes {
  arena *keep;
  uint32_t rows, *words;
  ptx_traffic traffic;
} planes;

static uint32_t noise(uint32_t i) {
  uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  return (uint32_t)(x >> 27);
}

static uint32_t *word_at(const planes *p, uint32_t word, uint32_t row) {
  return &p->words[(word / 32 * p->rows + row) * 32 + word % 32];
}

static planes noisy(uint32_t rows) {
  planes p = {.keep = arena_new(), .rows = rows};
  p.words = arena_new_array(p.keep, uint32_t, rows * WORDS);
  for (uint32_t i = 0; i < rows * WORDS; i++) p.words[i] = i % (rows * 32) < 32 ? 0 : noise(i);
  return p;
}

static bool bit_at(const planes *p, uint32_t game, uint32_t row) {
  return *word_at(p, game / 32, row) >> game % 32 & 1;
}

static void *aligned(const planes *p, size_t size) {
  const uintptr_t at = (uintptr_t)arena_alloc_zero(p->keep, size + 256);
  return (void *)((at + 255) / 256 * 256);
}

typedef struct launch {
  const char *ptx;
  uint32_t blocks, threads, shared_bytes;
  ptx_range memory[3];
} launch;

static void play(planes *p, const launch *how, const void *arguments) {
  const char *error;
  const ptx_code *c = ptx_read(how->ptx, &error, p->keep);
  if (!c) fail_msg("%s", error);
  const ptx_launch l = {.blocks = how->blocks,
                        .threads = how->threads,
                        .shared_bytes = how->shared_bytes,
                        .arguments = arguments,
                        .memory = how->memory,
                        .memory_count = 3,
                        .traffic = &p->traffic};
  error = ptx_run(c, &l, p->keep);
  if (error) fail_msg("%s", error);
}

static ptx_range range_of(const void *at, size_t size) {
  return (ptx_range){(uint64_t)(uintptr_t)at, size};
}

static ptx_range planes_range(const planes *p) {
  return range_of(p->words, (size_t)p->rows * WORDS * 4);
}

/* ---- spread ---- */

/* Every third number is negated; rows are in no order. */
static uint32_t *make_list(const planes *p, uint32_t count) {
  uint32_t *list = aligned(p, (count + 32) * sizeof *list);
  for (uint32_t i = 0; i < count; i++)
    list[i] = (1 + i * 7 % (p->rows - 1)) | (i % 3 == 2 ? UINT32_C(1) << 31 : 0);
  return list;
}

static bool number_holds(const planes *p, uint32_t game, uint32_t number) {
  return bit_at(p, game, number & INT32_MAX) != number >> 31;
}

static uint8_t *spread(planes *p, uint32_t count, const uint32_t *list, uint32_t stride,
                       ptx_layout layout) {
  uint8_t *to = aligned(p, (size_t)stride * GAMES);
  text ptx = text_new(p->keep);
  ptx_write_spread(&ptx, layout);
  ptx_spread_arguments a = {.planes = (uint64_t)(uintptr_t)p->words,
                            .tile_bytes = p->rows * 128,
                            .rows = (uint64_t)(uintptr_t)list,
                            .count = count,
                            .to = (uint64_t)(uintptr_t)to,
                            .stride = stride};
  const uint32_t blocks = ptx_spread_shape(&a, layout, TILES);
  const launch l = {text_string(&ptx),
                    blocks,
                    SPREAD_THREADS,
                    SPREAD_BYTES,
                    {planes_range(p), range_of(list, (count + 31) / 32 * 128),
                     range_of(to, (size_t)stride * GAMES)}};
  memset(to, 0xee, (size_t)stride * GAMES);
  p->traffic = (ptx_traffic){0};
  play(p, &l, &a);
  return to;
}

static void assert_spread(uint32_t count, ptx_layout layout) {
  planes p = noisy(count + 2);
  const bool is_bits = layout == LAYOUT_BITS;
  const uint32_t stride = is_bits ? (count + 63) / 64 * 8 : (count + 7) / 8 * 8;
  const uint32_t *list = make_list(&p, count);
  const uint8_t *to = spread(&p, count, list, stride, layout);
  uint32_t different = 0;
  for (uint32_t game = 0; game < GAMES; game++)
    for (uint32_t i = 0; i < (is_bits ? stride * 8 : stride); i++) {
      const uint8_t *at = to + (size_t)game * stride;
      const uint32_t told = is_bits ? at[i / 8] >> i % 8 & 1 : at[i];
      different += told != (i < count && number_holds(&p, game, list[i]));
    }
  if (different) fail_msg("%u numbers: %u are wrong", count, different);
  arena_free(p.keep);
}

static void numbers_are_spread_game_by_game(void **state) {
  static const uint32_t counts[] = {1, 8, 33, 64, 65, 100, 129, 200, 257, 300};
  (void)state;
  for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    assert_spread(counts[i], LAYOUT_BITS);
    assert_spread(counts[i], LAYOUT_BYTES);
  }
}

/* By one warp, in one go. */
static void a_spread_writes_each_sector_once(void **state) {
  static const struct {
    uint32_t count;
    ptx_layout layout;
    uint32_t stride;
  } cases[] = {{7, LAYOUT_BITS, 8},      {130, LAYOUT_BITS, 24}, {7, LAYOUT_BYTES, 8},
               {130, LAYOUT_BYTES, 136}, {512, LAYOUT_BITS, 64}, {512, LAYOUT_BYTES, 512}};
  (void)state;
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    planes p = noisy(cases[i].count + 2);
    const uint32_t *list = make_list(&p, cases[i].count);
    spread(&p, cases[i].count, list, cases[i].stride, cases[i].layout);
    assert_int_equal(p.traffic.stores, (uint64_t)cases[i].stride * GAMES / 32);
    arena_free(p.keep);
  }
}

/* ---- gather ---- */

static void assert_gathered(uint32_t size, uint64_t sectors) {
  enum { PLAYERS = 2, BITS = 5, LIMIT = 29, GIVEN = GAMES - 100 };
  planes p = noisy(1 + PLAYERS * BITS);
  uint8_t *from = aligned(&p, (size_t)GIVEN * PLAYERS * size);
  for (uint32_t i = 0; i < GIVEN * PLAYERS; i++) from[(size_t)i * size] = noise(i) % 32;
  text ptx = text_new(p.keep);
  ptx_write_gather(&ptx);
  const ptx_gather_arguments a = {.planes = (uint64_t)(uintptr_t)p.words,
                                  .tile_bytes = p.rows * 128,
                                  .from = (uint64_t)(uintptr_t)from,
                                  .stride = PLAYERS * size,
                                  .size = size,
                                  .games = GIVEN,
                                  .row = 1,
                                  .count = BITS,
                                  .limit = LIMIT,
                                  .player_stride = size,
                                  .row_step = BITS,
                                  .blocks = WORDS / BATCH_THREADS};
  const launch l = {text_string(&ptx),
                    WORDS / BATCH_THREADS * PLAYERS,
                    BATCH_THREADS,
                    GATHER_BYTES,
                    {planes_range(&p), range_of(from, (size_t)GIVEN * PLAYERS * size), {0}}};
  play(&p, &l, &a);
  for (uint32_t game = 0; game < GIVEN; game++)
    for (uint32_t player = 0; player < PLAYERS; player++) {
      const uint32_t number = from[((size_t)game * PLAYERS + player) * size];
      for (uint32_t k = 0; k < BITS; k++)
        assert_int_equal(bit_at(&p, game, 1 + player * BITS + k),
                         number >= LIMIT || number >> k & 1);
    }
  assert_in_range(p.traffic.loads, 1, sectors);
  arena_free(p.keep);
}

/* Each player's launch reads all sectors; of 8 bytes both halves are asked for. */
static void numbers_are_gathered_from_neighbours(void **state) {
  (void)state;
  assert_gathered(1, 2 * GAMES * 2 / 32);
  assert_gathered(2, 2 * GAMES * 4 / 32);
  assert_gathered(4, 2 * GAMES * 8 / 32);
  assert_gathered(8, 4 * GAMES * 16 / 32);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_spread_game_by_game),
      cmocka_unit_test(a_spread_writes_each_sector_once),
      cmocka_unit_test(numbers_are_gathered_from_neighbours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
