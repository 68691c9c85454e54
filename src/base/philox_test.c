#include "base/philox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_block(philox_block counter, uint64_t key, philox_block expected) {
  const philox_block got = philox(counter, key);
  assert_memory_equal(got.words, expected.words, sizeof got.words);
}

/* The known answers that the authors' library is tested with. */
static void gives_the_known_answers(void **state) {
  (void)state;
  assert_block((philox_block){{0, 0, 0, 0}}, 0,
               (philox_block){{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  assert_block((philox_block){{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}}, UINT64_MAX,
               (philox_block){{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
  assert_block((philox_block){{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
               UINT64_C(0x299f31d0a4093822),
               (philox_block){{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

static void keys_of_rounds_go_up_in_steps(void **state) {
  uint32_t keys[2 * PHILOX_ROUNDS];
  (void)state;
  philox_keys(UINT64_C(0x0000000100000002), keys);
  assert_int_equal(keys[0], 2);
  assert_int_equal(keys[1], 1);
  assert_int_equal(keys[18], 2 + (9 * UINT64_C(0x9e3779b9) & UINT32_MAX));
  assert_int_equal(keys[19], 1 + (9 * UINT64_C(0xbb67ae85) & UINT32_MAX));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(gives_the_known_answers),
                                     cmocka_unit_test(keys_of_rounds_go_up_in_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
