/* Every transposer that works here, bit by bit. */
#include "base/base_fixture.h"
#include "base/rng.h"
#include "machine/transpose.h"

enum { ROWS = 200 };

typedef struct sample {
  bundle_row rows[ROWS];
  lane_row at[ROWS];
  row_list list;
} sample;

/* Rows in any order, some of them twice, some negated. */
static sample *sample_new(arena *keep, uint32_t count, rng *r) {
  sample *s = lane_alloc(keep, sizeof *s);
  for (uint32_t i = 0; i < ROWS; i++) {
    for (uint32_t word = 0; word < ROW_WORDS; word++) s->rows[i].words[word] = rng_next(r);
    s->at[i] = (lane_row){rng_below(r, ROWS), rng_below(r, 2)};
  }
  s->list = (row_list){s->rows, s->at, count};
  return s;
}

static bool bit_at(const sample *s, uint32_t row, uint32_t lane) {
  const lane_row at = s->at[row];
  return (s->rows[at.slot].words[lane / 64] >> lane % 64 & 1) != at.negated;
}

static void assert_lanes(const sample *s, uint32_t first, const uint64_t *lanes) {
  for (uint32_t lane = 0; lane < LANES; lane++)
    for (uint32_t i = 0; i < BLOCK_ROWS; i++)
      assert_int_equal(lanes[lane] >> i & 1,
                       first + i < s->list.count && bit_at(s, first + i, lane));
}

static void rows_become_lanes(void **state) {
  rng r = rng_new(71, 0);
  static const uint32_t counts[] = {1, 7, 8, 63, 64, 65, 130, ROWS};
  for (const transposer *const *t = transposers; *t; t++) {
    if (!(*t)->is_supported()) continue;
    print_message("transposer %s\n", (*t)->name);
    for (uint32_t k = 0; k < sizeof counts / sizeof *counts; k++) {
      const sample *s = sample_new(*state, counts[k], &r);
      uint64_t lanes[LANES];
      for (uint32_t first = 0; first < counts[k]; first += BLOCK_ROWS) {
        (*t)->to_lanes(&s->list, first, lanes);
        assert_lanes(s, first, lanes);
      }
    }
  }
}

static void lanes_become_rows(void **state) {
  rng r = rng_new(72, 0);
  bundle_row *rows = lane_alloc(*state, BLOCK_ROWS * sizeof *rows);
  uint64_t lanes[LANES];
  for (const transposer *const *t = transposers; *t; t++) {
    if (!(*t)->is_supported()) continue;
    for (uint32_t lane = 0; lane < LANES; lane++) lanes[lane] = rng_next(&r);
    (*t)->to_rows(lanes, rows);
    for (uint32_t lane = 0; lane < LANES; lane++)
      for (uint32_t i = 0; i < BLOCK_ROWS; i++)
        assert_int_equal(rows[i].words[lane / 64] >> lane % 64 & 1, lanes[lane] >> i & 1);
  }
}

/* What lies behind the last number stays as it is. */
static void bits_become_numbers(void **state) {
  (void)state;
  enum { COUNT = 3, APART = 5, WORDS = 3, WIDTH = 64 * WORDS + 6 };
  rng r = rng_new(73, 0);
  static const uint32_t widths[] = {1, 5, 8, 16, 17, 33, 63, 64, 65, 127, 128, 150, 192};
  uint64_t words[WORDS * APART];
  for (uint32_t i = 0; i < WORDS * APART; i++) words[i] = rng_next(&r);
  for (const transposer *const *t = transposers; *t; t++)
    for (uint32_t k = 0; (*t)->is_supported() && k < sizeof widths / sizeof *widths; k++) {
      uint8_t bytes[COUNT][WIDTH];
      float floats[COUNT][WIDTH];
      memset(bytes, 7, sizeof bytes);
      for (uint32_t i = 0; i < COUNT * WIDTH; i++) floats[i / WIDTH][i % WIDTH] = 7;
      (*t)->to_bytes(words, APART, COUNT, widths[k], bytes, sizeof bytes[0]);
      (*t)->to_floats(words, APART, COUNT, widths[k], floats, sizeof floats[0]);
      for (uint32_t i = 0; i < COUNT * WIDTH; i++) {
        const uint32_t lane = i / WIDTH, at = i % WIDTH;
        const uint64_t expected = at < widths[k] ? words[at / 64 * APART + lane] >> at % 64 & 1 : 7;
        assert_int_equal(bytes[lane][at], expected);
        assert_true(floats[lane][at] == (float)expected);
      }
    }
}

static void words_of_a_lane_come_side_by_side(void **state) {
  rng r = rng_new(74, 0);
  enum { STRIDE = 11 };
  static const uint32_t counts[] = {1, 7, 8, 100, LANES};
  uint64_t *words = arena_new_array(*state, uint64_t, WORDS_AT_ONCE * LANES);
  uint64_t *out = arena_new_array(*state, uint64_t, STRIDE * LANES);
  for (uint32_t i = 0; i < WORDS_AT_ONCE * LANES; i++) words[i] = rng_next(&r);
  for (const transposer *const *t = transposers; *t; t++)
    for (uint32_t width = 1; (*t)->is_supported() && width <= WORDS_AT_ONCE; width++)
      for (uint32_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        memset(out, 0x55, STRIDE * LANES * sizeof *out);
        (*t)->to_lines(words, width, counts[c], out, STRIDE * sizeof *out);
        for (uint32_t i = 0; i < STRIDE * LANES; i++) {
          const uint32_t lane = i / STRIDE, k = i % STRIDE;
          const bool is_written = lane < counts[c] && k < width;
          assert_true(out[i] ==
                      (is_written ? words[k * LANES + lane] : UINT64_C(0x5555555555555555)));
        }
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(rows_become_lanes),
      base_test(lanes_become_rows),
      base_test(bits_become_numbers),
      base_test(words_of_a_lane_come_side_by_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
