#include "base/hash.h"

#include "base/base_fixture.h"
#include "base/bitset.h"

/* Ids are their own keys. */
static uint64_t hash_of(const void *context, uint32_t id) {
  (void)context;
  return hash_mix(id);
}

static bool has(const id_table *t, uint32_t key) {
  if (t->count == 0) return false;
  for (uint32_t at = id_table_first(t, hash_mix(key));; at = id_table_next(t, at)) {
    if (t->slots[at] == ID_NONE) return false;
    if (t->slots[at] == key) return true;
  }
}

static void put(id_table *t, arena *keep, uint32_t key) {
  id_table_reserve(t, keep, hash_of, NULL);
  uint32_t at = id_table_first(t, hash_mix(key));
  while (t->slots[at] != ID_NONE) at = id_table_next(t, at);
  id_table_put(t, at, key);
}

static void what_was_put_is_found(void **state) {
  id_table t = {0};
  for (uint32_t i = 0; i < 10000; i += 2) put(&t, *state, i);
  for (uint32_t i = 0; i < 10000; i++) assert_int_equal(has(&t, i), i % 2 == 0);
  assert_int_equal(t.count, 5000);
}

static void there_is_always_an_empty_slot(void **state) {
  id_table t = {0};
  for (uint32_t i = 0; i < 3000; i++) {
    put(&t, *state, i);
    assert_true(t.count * 8 <= (t.mask + 1) * 5);
  }
}

/* 16, 64, 256, 1024, 2048 */
static void few_slots_become_four_times_as_many_and_many_twice(void **state) {
  id_table t = {0};
  uint32_t enlarged = 0;
  for (uint32_t i = 0; i < 1200; i++) {
    const uint32_t mask = t.mask;
    put(&t, *state, i);
    enlarged += t.mask != mask;
  }
  assert_int_equal(t.mask, 2047);
  assert_int_equal(enlarged, 5);
}

static void a_cleared_table_is_empty(void **state) {
  id_table t = {0};
  id_table_clear(&t);
  for (uint32_t i = 0; i < 100; i++) put(&t, *state, i);
  id_table_clear(&t);
  for (uint32_t i = 0; i < 100; i++) assert_false(has(&t, i));
  put(&t, *state, 7);
  assert_true(has(&t, 7));
}

static void hashes_depend_on_order_and_length(void **state) {
  (void)state;
  const uint32_t ids[] = {1, 2, 3, 0};
  const uint32_t other[] = {2, 1, 3};
  assert_int_not_equal(hash_ids(ids, 3), hash_ids(other, 3));
  assert_int_not_equal(hash_ids(ids, 3), hash_ids(ids, 4));
  assert_int_not_equal(hash_bytes("ab", 2), hash_bytes("ba", 2));
}

/* The low bits choose the slot: small numbers must not fall together. */
static void low_bits_are_spread(void **state) {
  const bitset seen = bitset_new(*state, 4096);
  for (uint32_t i = 0; i < 4096; i++) bitset_add(seen, (uint32_t)hash_ids(&i, 1) & 4095);
  assert_true(bitset_count(seen) > 2400); /* 4096 (1 - 1/e) = 2589 are expected */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(what_was_put_is_found),
      base_test(there_is_always_an_empty_slot),
      base_test(few_slots_become_four_times_as_many_and_many_twice),
      base_test(a_cleared_table_is_empty),
      base_test(hashes_depend_on_order_and_length),
      base_test(low_bits_are_spread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
