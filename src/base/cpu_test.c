#include "base/base_fixture.h"
#include "base/cpu.h"

/* The compiler's own answers. */
static void answers_are_those_of_the_compiler(void **state) {
  (void)state;
#ifdef __x86_64__
  assert_int_equal(cpu_has_avx2(), __builtin_cpu_supports("avx2") != 0);
  assert_int_equal(cpu_has_avx512f(), __builtin_cpu_supports("avx512f") != 0);
  assert_int_equal(cpu_has_avx512_popcount(), __builtin_cpu_supports("avx512vpopcntdq") != 0);
#else
  assert_false(cpu_has_avx2() || cpu_has_avx512f() || cpu_has_avx512_popcount());
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_those_of_the_compiler)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
