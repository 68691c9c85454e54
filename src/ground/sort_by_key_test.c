#include "ground/sort_by_key.h"

#include "base/base_fixture.h"
#include "base/rng.h"

static void check_sorted(uint32_t count, uint32_t keys) {
  rng random = rng_new(count, keys);
  key_and_id items[300];
  key_and_id room[300];
  for (uint32_t i = 0; i < count; i++)
    items[i] = (key_and_id){(uint64_t)rng_below(&random, keys) << 40, i};
  sort_by_key(items, count, room);
  bool seen[300] = {false};
  for (uint32_t i = 0; i < count; i++) {
    assert_false(seen[items[i].id]);
    seen[items[i].id] = true;
    if (i == 0) continue;
    assert_true(items[i - 1].key <= items[i].key);
    if (items[i - 1].key == items[i].key) assert_true(items[i - 1].id < items[i].id);
  }
}

static void sorts_any_number_and_keeps_the_order_of_equals(void **state) {
  (void)state;
  for (uint32_t count = 0; count <= 300; count++) {
    check_sorted(count, 1);
    check_sorted(count, 7);
    check_sorted(count, 100000);
  }
}

/* Falling keys are turned round at once, unless two of them are equal. */
static void sorts_what_comes_backwards(void **state) {
  (void)state;
  key_and_id items[100];
  key_and_id room[100];
  for (uint32_t same = 0; same < 100; same++) {
    for (uint32_t i = 0; i < 100; i++) items[i] = (key_and_id){1000 - i + (i == same && i > 0), i};
    sort_by_key(items, 100, room);
    for (uint32_t i = 1; i < 100; i++) {
      assert_true(items[i - 1].key <= items[i].key);
      if (items[i - 1].key == items[i].key) assert_true(items[i - 1].id < items[i].id);
    }
  }
}

/* Parts of all lengths, each of which rises or falls. */
static void sorts_what_comes_in_parts(void **state) {
  (void)state;
  key_and_id items[300];
  key_and_id room[300];
  for (uint32_t part = 1; part <= 300; part++) {
    for (uint32_t i = 0; i < 300; i++) {
      const bool falls = i / part % 2;
      items[i] = (key_and_id){falls ? part - i % part : i % part, i};
    }
    sort_by_key(items, 300, room);
    for (uint32_t i = 1; i < 300; i++) {
      assert_true(items[i - 1].key <= items[i].key);
      if (items[i - 1].key == items[i].key) assert_true(items[i - 1].id < items[i].id);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sorts_any_number_and_keeps_the_order_of_equals),
      cmocka_unit_test(sorts_what_comes_backwards),
      cmocka_unit_test(sorts_what_comes_in_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
