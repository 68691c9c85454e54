#include "base/rng.h"

#include "base/base_fixture.h"

static void seed_and_stream_decide_everything(void **state) {
  (void)state;
  rng a = rng_new(7, 3);
  rng b = rng_new(7, 3);
  for (int i = 0; i < 100; i++) assert_int_equal(rng_next(&a), rng_next(&b));
}

static void streams_and_seeds_differ(void **state) {
  (void)state;
  rng a = rng_new(7, 3);
  rng b = rng_new(7, 4);
  rng c = rng_new(8, 3);
  const uint64_t first = rng_next(&a);
  assert_int_not_equal(first, rng_next(&b));
  assert_int_not_equal(first, rng_next(&c));
}

/* Numbers written down are the same on every machine and in every release. */
static void the_numbers_never_change(void **state) {
  (void)state;
  rng r = rng_new(1, 0);
  const uint64_t first = rng_next(&r);
  const uint64_t second = rng_next(&r);
  assert_int_equal(first, UINT64_C(17154914556750032435));
  assert_int_equal(second, UINT64_C(15481925071032317162));
}

static void numbers_stay_below_their_bound(void **state) {
  (void)state;
  rng r = rng_new(1, 1);
  const uint32_t bounds[] = {1, 2, 3, 10, 1000, UINT32_MAX};
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
    for (int k = 0; k < 1000; k++) assert_true(rng_below(&r, bounds[i]) < bounds[i]);
}

/* A chi-square test with 6 degrees of freedom: over 30 has a chance of 4 in 100,000. */
static void all_numbers_are_equally_likely(void **state) {
  (void)state;
  enum { FACES = 7, THROWS = 70000 };
  rng r = rng_new(1, 2);
  double seen[FACES] = {0};
  for (int i = 0; i < THROWS; i++) seen[rng_below(&r, FACES)]++;
  double chi_square = 0;
  for (int i = 0; i < FACES; i++) {
    const double off = seen[i] - THROWS / FACES;
    chi_square += off * off / (THROWS / FACES);
  }
  assert_true(chi_square < 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(seed_and_stream_decide_everything), base_test(streams_and_seeds_differ),
      base_test(the_numbers_never_change),          base_test(numbers_stay_below_their_bound),
      base_test(all_numbers_are_equally_likely),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
