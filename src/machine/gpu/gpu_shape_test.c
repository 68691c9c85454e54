#include "machine/gpu/gpu_shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static gpu_shape shape_of(uint32_t words) {
  gpu_shape s = {.threads = 256, .shared_slots = 200};
  gpu_shape_for_words(&s, words, 132);
  return s;
}

static void few_words_get_small_blocks(void **state) {
  (void)state;
  assert_int_equal(shape_of(1 << 16).threads, 256);
  assert_int_equal(shape_of(1 << 15).threads, 256);
  assert_int_equal(shape_of(1 << 13).threads, 64);
  assert_int_equal(shape_of(1 << 12).threads, 32);
  assert_int_equal(shape_of(256).threads, 32);
}

static void a_smaller_block_has_as_much_shared_memory(void **state) {
  (void)state;
  assert_int_equal(shape_of(1 << 15).shared_slots, 200);
  assert_int_equal(shape_of(1 << 12).shared_slots, 1600);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_words_get_small_blocks),
      cmocka_unit_test(a_smaller_block_has_as_much_shared_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
