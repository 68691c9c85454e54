#include "prove/symbolic/weighted_sums.h"

#include "prove/measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { LITERALS = 5 };

static uint32_t sum_of_held(const uint32_t *weights, uint32_t held, uint32_t first) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < LITERALS; i++)
    if (held >> (first + i) & 1) sum += weights[first + i];
  return sum;
}

/* Every way in which ten literals can hold. */
static void compares_sums_of_weights(void **state) {
  (void)state;
  static const uint32_t weights[2 * LITERALS] = {1, 2, 3, 8, 13, 5, 5, 1, 7, 9};
  arena *keep = arena_new();
  sat_solver *s = sat_new(NULL, keep);
  sat_literal literals[2 * LITERALS + 1];
  weighted_vec left = {0}, right = {0};
  for (uint32_t i = 0; i < 2 * LITERALS; i++) {
    const weighted_literal w = {literals[i] = sat_variable(s), weights[i]};
    vec_push(keep, i < LITERALS ? &left : &right, w);
  }
  const sat_literal is_at_least = sum_is_at_least(s, &left, &right, keep);
  for (uint32_t held = 0; held < 1u << 2 * LITERALS; held++) {
    sat_literal assumed[2 * LITERALS];
    for (uint32_t i = 0; i < 2 * LITERALS; i++)
      assumed[i] = held >> i & 1 ? literals[i] : -literals[i];
    assert_int_equal(sat_solve(s, assumed, 2 * LITERALS, 0), SAT_YES);
    assert_int_equal(sat_value(s, is_at_least),
                     sum_of_held(weights, held, 0) >= sum_of_held(weights, held, LITERALS));
  }
  sat_free(s);
  arena_free(keep);
}

static void tells_odd_from_even(void **state) {
  (void)state;
  arena *keep = arena_new();
  sat_solver *s = sat_new(NULL, keep);
  sat_literal literals[LITERALS];
  for (uint32_t i = 0; i < LITERALS; i++) literals[i] = sat_variable(s);
  for (uint32_t count = 0; count <= LITERALS; count++) {
    const sat_literal is_odd = sum_is_odd(s, literals, count);
    for (uint32_t held = 0; held < 1u << LITERALS; held++) {
      sat_literal assumed[LITERALS];
      bool odd = false;
      for (uint32_t i = 0; i < LITERALS; i++) {
        assumed[i] = held >> i & 1 ? literals[i] : -literals[i];
        odd ^= i < count && held >> i & 1;
      }
      assert_int_equal(sat_solve(s, assumed, LITERALS, 0), SAT_YES);
      assert_int_equal(sat_value(s, is_odd), odd);
    }
  }
  sat_free(s);
  arena_free(keep);
}

static void nothing_is_as_much_as_nothing(void **state) {
  (void)state;
  arena *keep = arena_new();
  sat_solver *s = sat_new(NULL, keep);
  const weighted_vec none = {0};
  const sat_literal is_less = -sum_is_at_least(s, &none, &none, keep);
  assert_int_equal(sat_solve(s, &is_less, 1, 0), SAT_NO);
  sat_free(s);
  arena_free(keep);
}

/* Two measures of one level can fall 3 + 2 times; for each value of theirs the next one anew. */
static void levels_multiply(void **state) {
  (void)state;
  arena *keep = arena_new();
  measure_list l = {.keep = keep};
  assert_int_equal(measures_bound(&l), 0);
  measure_begin(&l, 0, 3);
  measure_begin(&l, 0, 2);
  assert_int_equal(measures_bound(&l), 5);
  measure_begin(&l, 1, 9);
  assert_int_equal(measures_bound(&l), 59);
  measure_begin(&l, 2, UINT64_MAX / 2);
  assert_true(measures_bound(&l) == UINT64_MAX);
  arena_free(keep);
}

static void a_negative_weight_is_that_of_the_negation(void **state) {
  (void)state;
  arena *keep = arena_new();
  measure_list l = {.keep = keep};
  measure_begin(&l, 0, 9);
  measure_add(&l, 4 << 1, 3);
  measure_add(&l, 5 << 1, 0);
  measure_add(&l, 6 << 1, -2);
  assert_int_equal(l.all.items[0].count, 2);
  assert_int_equal(l.terms.items[0].member, 4 << 1);
  assert_int_equal(l.terms.items[1].member, 6 << 1 | 1);
  assert_int_equal(l.terms.items[1].weight, 2);
  arena_free(keep);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compares_sums_of_weights),
      cmocka_unit_test(tells_odd_from_even),
      cmocka_unit_test(nothing_is_as_much_as_nothing),
      cmocka_unit_test(levels_multiply),
      cmocka_unit_test(a_negative_weight_is_that_of_the_negation),
  };
  return cmocka_run_group_tests_name("prove/sums", tests, NULL, NULL);
}
