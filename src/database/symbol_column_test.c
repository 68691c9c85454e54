/* Every symbol comes back, near the entropy, and any bytes can be asked. */
#include "database/symbol_column.h"

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

#include "base/base_fixture.h"

static void expect_all(const uint16_t *symbols, uint32_t count, const byte_vec *bytes) {
  for (uint32_t i = 0; i < count; i++) {
    uint16_t symbol;
    assert_true(symbol_column_read(bytes->items, bytes->count, count, i, &symbol));
    assert_int_equal(symbol, symbols[i]);
  }
}

static void every_symbol_comes_back(void **state) {
  arena *keep = *state;
  static const uint32_t counts[] = {1, 2, 511, 512, 513, 5000, 20000};
  static const uint32_t kinds[] = {1, 2, 3, 60, 1024, 1025, 65536};
  rng r = rng_new(7, 0);
  for (uint32_t c = 0; c < 7; c++)
    for (uint32_t k = 0; k < 7; k++) {
      byte_vec bytes = {0};
      uint16_t *symbols = arena_new_array(keep, uint16_t, counts[c]);
      for (uint32_t i = 0; i < counts[c]; i++)
        symbols[i] = (uint16_t)(65535 - rng_below(&r, 1 + rng_below(&r, kinds[k])));
      symbol_column_build(symbols, counts[c], &bytes, keep);
      expect_all(symbols, counts[c], &bytes);
      assert_false(symbol_column_read(bytes.items, bytes.count, counts[c], counts[c], symbols));
    }
}

/* Six, three and one of ten: 1.295 bits. */
static void three_values_take_little_more_than_their_entropy(void **state) {
  arena *keep = *state;
  enum { COUNT = 8192 };
  byte_vec bytes = {0};
  rng r = rng_new(1, 0);
  double counts[3] = {0}, entropy = 0;
  uint16_t *symbols = arena_new_array(keep, uint16_t, COUNT);
  for (uint32_t i = 0; i < COUNT; i++) {
    const uint32_t drawn = rng_below(&r, 10);
    symbols[i] = drawn < 6 ? 0 : drawn < 9 ? 1 : 2;
    counts[symbols[i]]++;
  }
  for (uint32_t i = 0; i < 3; i++) entropy -= counts[i] / COUNT * log2(counts[i] / COUNT);
  symbol_column_build(symbols, COUNT, &bytes, keep);
  expect_all(symbols, COUNT, &bytes);
  assert_true(bytes.count * 8.0 / COUNT < entropy + 0.12);
}

static void one_value_takes_no_bits(void **state) {
  arena *keep = *state;
  byte_vec bytes = {0};
  const uint16_t *symbols = arena_zero_array(keep, uint16_t, 8192);
  symbol_column_build(symbols, 8192, &bytes, keep);
  assert_int_equal(bytes.count, 6);
}

static void any_bytes_can_be_asked(void **state) {
  (void)state;
  rng r = rng_new(1, 0);
  for (uint32_t round = 0; round < 5000; round++) {
    const uint32_t size = rng_below(&r, 100);
    uint16_t symbol;
    uint8_t *bytes = malloc(size ? size : 1);
    assert_non_null(bytes);
    for (uint32_t i = 0; i < size; i++) bytes[i] = (uint8_t)rng_below(&r, i % 2 ? 70 : 256);
    if (size > 1) bytes[1] = (uint8_t)rng_below(&r, 3);
    symbol_column_read(bytes, size, 65535, rng_below(&r, 65535), &symbol);
    free(bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(every_symbol_comes_back),
      base_test(three_values_take_little_more_than_their_entropy),
      base_test(one_value_takes_no_bits),
      base_test(any_bytes_can_be_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
