#include "base/rng.h"
#include "solve/matrix_game.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double value_of(uint32_t rows, uint32_t columns, const double *items, double *shares) {
  arena *scratch = arena_new();
  const matrix_game g = {rows, columns, items};
  const double value = matrix_game_solve(&g, shares, scratch, NULL);
  arena_free(scratch);
  return value;
}

static void rock_paper_scissors_is_played_alike(void **state) {
  (void)state;
  const double items[] = {50, 0, 100, 100, 50, 0, 0, 100, 50};
  double shares[3];
  assert_true(fabs(value_of(3, 3, items, shares) - 50) < 1e-9);
  for (uint32_t i = 0; i < 3; i++) assert_true(fabs(shares[i] - 1 / 3.0) < 1e-9);
}

/* (3 -1; -2 1): rows by 3 to 4, value 1/7. */
static void a_game_of_two_by_two_has_its_known_value(void **state) {
  (void)state;
  const double items[] = {3, -1, -2, 1};
  double shares[2];
  assert_true(fabs(value_of(2, 2, items, shares) - 1 / 7.0) < 1e-9);
  assert_true(fabs(shares[0] - 3 / 7.0) < 1e-9);
}

/* The two sides together have all there is, in large games too. */
static void both_sides_of_a_large_game_meet(void **state) {
  (void)state;
  enum { SIZE = 150 };
  static double items[SIZE * SIZE], turned[SIZE * SIZE], shares[SIZE];
  rng r = rng_new(5, 0);
  for (uint32_t i = 0; i < SIZE; i++)
    for (uint32_t k = 0; k < SIZE; k++) {
      items[i * SIZE + k] = rng_below(&r, 101);
      turned[k * SIZE + i] = 100 - items[i * SIZE + k];
    }
  const double one = value_of(SIZE, SIZE, items, shares);
  const double two = value_of(SIZE, SIZE, turned, shares);
  assert_true(fabs(one + two - 100) < 1e-9);
}

static void a_saddle_point_is_exact(void **state) {
  (void)state;
  const double items[] = {10, 20, 0.1, 90};
  double shares[2];
  assert_true(value_of(2, 2, items, shares) == 10);
  assert_true(shares[0] == 1 && shares[1] == 0);
}

/* What both sides can make sure of meets: neither could do better. */
static void both_sides_meet(void **state) {
  (void)state;
  rng r = rng_new(7, 0);
  for (uint32_t round = 0; round < 2000; round++) {
    double items[36], turned[36], shares[6];
    const uint32_t rows = 1 + rng_below(&r, 6), columns = 1 + rng_below(&r, 6);
    for (uint32_t i = 0; i < rows * columns; i++) {
      items[i] = rng_below(&r, 5) * 25;
      turned[i % columns * rows + i / columns] = -items[i];
    }
    const double low = value_of(rows, columns, items, shares);
    const double high = -value_of(columns, rows, turned, shares);
    assert_true(low <= high + 1e-9 && high - low < 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rock_paper_scissors_is_played_alike),
      cmocka_unit_test(a_game_of_two_by_two_has_its_known_value),
      cmocka_unit_test(both_sides_of_a_large_game_meet),
      cmocka_unit_test(a_saddle_point_is_exact),
      cmocka_unit_test(both_sides_meet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
