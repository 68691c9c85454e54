#include "base/vec.h"

#include "base/base_fixture.h"

static void items_are_pushed_and_popped(void **state) {
  id_vec v = {0};
  for (uint32_t i = 0; i < 1000; i++) vec_push(*state, &v, i);
  assert_int_equal(v.count, 1000);
  assert_int_equal(vec_last(&v), 999);
  for (uint32_t i = 1000; i-- > 0;) assert_int_equal(vec_pop(&v), i);
  assert_int_equal(v.count, 0);
}

static void items_are_appended_in_order(void **state) {
  id_vec v = {0};
  const uint32_t some[] = {1, 2, 3};
  vec_append(*state, &v, some, 3);
  vec_append(*state, &v, some, 0);
  vec_append(*state, &v, some + 1, 2);
  const uint32_t all[] = {1, 2, 3, 2, 3};
  assert_int_equal(v.count, 5);
  assert_memory_equal(v.items, all, sizeof all);
}

static void appending_nothing_to_nothing_needs_no_memory(void **state) {
  id_vec v = {0};
  vec_append(*state, &v, NULL, 0);
  assert_int_equal(v.count, 0);
  assert_null(v.items);
}

static void reserved_room_is_not_moved_from(void **state) {
  id_vec v = {0};
  vec_reserve(*state, &v, 100);
  const uint32_t *items = v.items;
  for (uint32_t i = 0; i < 100; i++) vec_push(*state, &v, i);
  assert_ptr_equal(v.items, items);
}

static void two_that_grow_in_turn_do_not_mix(void **state) {
  id_vec a = {0};
  VEC(uint64_t) b = {0};
  for (uint32_t i = 0; i < 5000; i++) {
    vec_push(*state, &a, i);
    vec_push(*state, &b, (uint64_t)i << 32);
  }
  for (uint32_t i = 0; i < 5000; i++) {
    assert_int_equal(a.items[i], i);
    assert_int_equal(b.items[i], (uint64_t)i << 32);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(items_are_pushed_and_popped),
      base_test(items_are_appended_in_order),
      base_test(appending_nothing_to_nothing_needs_no_memory),
      base_test(reserved_room_is_not_moved_from),
      base_test(two_that_grow_in_turn_do_not_mix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
