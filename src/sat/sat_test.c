#include "sat/sat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

enum { MANY = 1 << 18, FEW = 1 << 10 };

/* Each variable implies the next one. */
static void add_chain(sat_solver *s, uint32_t length) {
  sat_literal last = sat_variable(s);
  for (uint32_t i = 0; i < length; i++) {
    const sat_literal next = sat_variable(s);
    sat_add_2(s, -last, next);
    last = next;
  }
}

static void the_memory_of_the_solver_counts(void **state) {
  (void)state;
  arena *keep = arena_new();
  budget b = budget_new(0, (size_t)16 << 20);
  sat_solver *s = sat_new(&b, keep);
  add_chain(s, MANY);
  assert_int_equal(sat_solve(s, NULL, 0, 0), SAT_UNKNOWN);
  assert_int_equal(b.end, BUDGET_MEMORY);
  sat_free(s);
  arena_free(keep);
}

static void there_may_be_enough(void **state) {
  (void)state;
  arena *keep = arena_new();
  budget b = budget_new(0, (size_t)4 << 30);
  sat_solver *s = sat_new(&b, keep);
  add_chain(s, FEW);
  assert_int_equal(sat_solve(s, (const sat_literal[]){1}, 1, 0), SAT_YES);
  assert_int_equal(sat_solve(s, (const sat_literal[]){1, -FEW}, 2, 0), SAT_NO);
  assert_int_equal(b.end, BUDGET_LEFT);
  sat_free(s);
  arena_free(keep);
}

static bool can_hold(sat_solver *s, sat_literal a, sat_literal b, sat_literal c) {
  return sat_solve(s, (const sat_literal[]){a, b, c}, 3, 0) == SAT_YES;
}

static void a_conjunction_is_equivalent_to_its_variable(void **state) {
  (void)state;
  arena *keep = arena_new();
  budget b = budget_new(0, 0);
  sat_solver *s = sat_new(&b, keep);
  const sat_literal x = sat_variable(s), y = sat_variable(s);
  const sat_literal both = sat_conjunction(s, (const sat_literal[]){x, -y}, 2);
  const sat_literal none = sat_conjunction(s, NULL, 0);
  assert_true(can_hold(s, x, -y, both) && !can_hold(s, x, -y, -both));
  assert_true(can_hold(s, x, y, -both) && !can_hold(s, x, y, both));
  assert_true(can_hold(s, -x, -y, -both) && !can_hold(s, -x, -y, both));
  assert_int_equal(sat_solve(s, (const sat_literal[]){-none}, 1, 0), SAT_NO);
  sat_free(s);
  arena_free(keep);
}

static bool is_under_sanitizer(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true; /* these take address space without end */
#else
  return false;
#endif
}

static void a_system_without_memory_is_an_unknown_answer(void **state) {
  (void)state;
  if (is_under_sanitizer()) skip();
  struct rlimit before;
  arena *keep = arena_new();
  budget b = budget_new(0, 0);
  sat_solver *s = sat_new(&b, keep);
  getrlimit(RLIMIT_AS, &before);
  setrlimit(RLIMIT_AS, &(struct rlimit){memory_now(), before.rlim_max});
  add_chain(s, MANY);
  const sat_answer answer = sat_solve(s, NULL, 0, 0);
  setrlimit(RLIMIT_AS, &before);
  assert_int_equal(answer, SAT_UNKNOWN);
  assert_int_equal(b.end, BUDGET_MEMORY);
  assert_int_equal(sat_solve(s, NULL, 0, 0), SAT_UNKNOWN); /* also with memory again */
  sat_free(s);
  arena_free(keep);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_memory_of_the_solver_counts),
      cmocka_unit_test(there_may_be_enough),
      cmocka_unit_test(a_conjunction_is_equivalent_to_its_variable),
      cmocka_unit_test(a_system_without_memory_is_an_unknown_answer),
  };
  return cmocka_run_group_tests_name("sat/sat", tests, NULL, NULL);
}
