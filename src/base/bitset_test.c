#include "base/bitset.h"

#include "base/base_fixture.h"

static void a_new_set_is_empty(void **state) {
  for (uint32_t size = 0; size < 200; size++) {
    const bitset s = bitset_new(*state, size);
    assert_true(bitset_is_empty(s));
    assert_int_equal(bitset_count(s), 0);
  }
}

static void members_come_and_go(void **state) {
  const bitset s = bitset_new(*state, 130);
  const uint32_t members[] = {0, 63, 64, 127, 128, 129};
  for (size_t i = 0; i < 6; i++) bitset_add(s, members[i]);
  assert_int_equal(bitset_count(s), 6);
  for (size_t i = 0; i < 6; i++) {
    assert_true(bitset_has(s, members[i]));
    bitset_remove(s, members[i]);
    assert_false(bitset_has(s, members[i]));
    bitset_remove(s, members[i]);
  }
  assert_true(bitset_is_empty(s));
}

static void inserting_tells_what_is_new(void **state) {
  const bitset s = bitset_new(*state, 100);
  assert_true(bitset_insert(s, 70));
  assert_false(bitset_insert(s, 70));
  assert_true(bitset_insert(s, 6)); /* the same bit of another word */
}

static void a_cleared_set_is_empty(void **state) {
  const bitset s = bitset_new(*state, 100);
  for (uint32_t i = 0; i < 100; i++) bitset_add(s, i);
  assert_int_equal(bitset_count(s), 100);
  bitset_clear(s);
  assert_true(bitset_is_empty(s));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(a_new_set_is_empty),
      base_test(members_come_and_go),
      base_test(inserting_tells_what_is_new),
      base_test(a_cleared_set_is_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
