/* Every key gets a number of its own, in few bits, whatever the keys are. */
#include "database/minimal_hash.h"

#include "base/rng.h"

#include <stdlib.h>

#include "base/base_fixture.h"

static int compare_keys(const void *left, const void *right) {
  const hash_key *a = left, *b = right;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->low > b->low) - (a->low < b->low);
}

/* Sorted keys of a database of one group. */
static hash_key *random_keys(uint64_t seed, uint32_t count, arena *keep) {
  rng r = rng_new(seed, 0);
  hash_key *keys = arena_new_array(keep, hash_key, count + 1);
  for (uint32_t i = 0; i < count; i++) keys[i] = (hash_key){rng_next(&r), rng_next(&r)};
  if (count) qsort(keys, count, sizeof *keys, compare_keys);
  return keys;
}

static void expect_all_numbers(const hash_key *keys, uint32_t count, const byte_vec *bytes,
                               arena *keep) {
  uint8_t *seen = arena_zero_array(keep, uint8_t, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t all, number;
    assert_true(minimal_hash_find(bytes->items, bytes->count, keys[i], 1, &all, &number));
    assert_int_equal(all, count);
    assert_true(number < count && !seen[number]);
    seen[number] = 1;
  }
}

static void every_key_gets_its_own_number(void **state) {
  arena *keep = *state;
  static const uint32_t counts[] = {0, 1, 2, 7, 8, 63, 64, 500, 1000, 8192, 20000};
  for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    byte_vec bytes = {0};
    const hash_key *keys = random_keys(i, counts[i], keep);
    assert_true(minimal_hash_build(keys, counts[i], 1, &bytes, keep));
    expect_all_numbers(keys, counts[i], &bytes, keep);
  }
}

static void a_usual_group_takes_less_than_two_and_a_half_bits_a_key(void **state) {
  arena *keep = *state;
  const uint32_t count = HASH_BUCKETS * HASH_BUCKET_KEYS;
  byte_vec bytes = {0};
  assert_true(minimal_hash_build(random_keys(1, count, keep), count, 1, &bytes, keep));
  assert_true(bytes.count * 8.0 / count < 2.5);
}

static void keys_that_cannot_be_told_apart_are_refused(void **state) {
  arena *keep = *state;
  byte_vec bytes = {0};
  hash_key *keys = random_keys(1, 100, keep);
  keys[50] = keys[51];
  assert_false(minimal_hash_build(keys, 100, 1, &bytes, keep));
  assert_false(minimal_hash_build(keys, HASH_KEYS_MAX + 1, 1, &bytes, keep));
}

static void a_key_in_an_empty_bucket_is_not_there(void **state) {
  arena *keep = *state;
  byte_vec bytes = {0};
  uint32_t all, number;
  const hash_key key = {UINT64_MAX, 5}, other = {0, 5};
  assert_true(minimal_hash_build(&key, 1, 1, &bytes, keep));
  assert_true(minimal_hash_find(bytes.items, bytes.count, key, 1, &all, &number));
  assert_false(minimal_hash_find(bytes.items, bytes.count, other, 1, &all, &number));
}

/* Numbers stay below the count, and reading stays in the bytes. */
static void any_bytes_can_be_asked(void **state) {
  arena *keep = *state;
  rng r = rng_new(1, 0);
  for (uint32_t round = 0; round < 2000; round++) {
    const uint32_t size = rng_below(&r, 600);
    uint8_t *bytes = malloc(size + 1);
    assert_non_null(bytes);
    const hash_key key = {rng_next(&r), rng_next(&r)};
    uint32_t all, number;
    for (uint32_t i = 0; i < size; i++) bytes[i] = (uint8_t)(round % 2 ? rng_below(&r, 256) : 255);
    bytes = realloc(bytes, size ? size : 1);
    if (minimal_hash_find(bytes, size, key, 1, &all, &number)) assert_true(number < all);
    free(bytes);
  }
  (void)keep;
}

static void groups_follow_the_number_of_keys(void **state) {
  (void)state;
  assert_int_equal(hash_groups(0), 1);
  assert_int_equal(hash_groups(8192), 1);
  assert_int_equal(hash_groups(8193), 2);
  assert_int_equal(group_of_key((hash_key){UINT64_MAX, 0}, 3), 2);
  assert_int_equal(group_of_key((hash_key){0, 0}, 3), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(every_key_gets_its_own_number),
      base_test(a_usual_group_takes_less_than_two_and_a_half_bits_a_key),
      base_test(keys_that_cannot_be_told_apart_are_refused),
      base_test(a_key_in_an_empty_bucket_is_not_there),
      base_test(any_bytes_can_be_asked),
      base_test(groups_follow_the_number_of_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
