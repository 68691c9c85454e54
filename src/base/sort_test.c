#include "base/base_fixture.h"
#include "base/rng.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 3000 };

static int compare_ids(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static void assert_sorts(uint32_t *ids, uint32_t count) {
  uint32_t expected[LONGEST];
  uint64_t keys[LONGEST];
  memcpy(expected, ids, count * sizeof *ids);
  for (uint32_t i = 0; i < count; i++) keys[i] = (uint64_t)ids[i] << 31;
  qsort(expected, count, sizeof *expected, compare_ids);
  sort_ids(ids, count);
  sort_keys(keys, count);
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(ids[i], expected[i]);
    assert_true(keys[i] == (uint64_t)expected[i] << 31);
  }
}

static void lists_of_every_length(void **state) {
  rng r = rng_new(3, 0);
  uint32_t ids[LONGEST] = {0};
  (void)state;
  for (uint32_t count = 0; count < LONGEST; count += 1 + count / 16) {
    for (uint32_t i = 0; i < count; i++) ids[i] = rng_below(&r, count % 2 ? 10 : UINT32_MAX);
    assert_sorts(ids, count);
  }
}

static void lists_in_order_and_in_reverse(void **state) {
  uint32_t ids[LONGEST];
  (void)state;
  for (uint32_t i = 0; i < LONGEST; i++) ids[i] = i;
  assert_sorts(ids, LONGEST);
  for (uint32_t i = 0; i < LONGEST; i++) ids[i] = UINT32_MAX - i;
  assert_sorts(ids, LONGEST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(lists_of_every_length),
      base_test(lists_in_order_and_in_reverse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
