#include "base/account.h"

#include "base/base_fixture.h"
#include "base/budget.h"
#include "base/recovery.h"

enum { LIMIT = 80 << 20 };

static int begin(void **state) {
  *state = account_new(LIMIT);
  return 0;
}

static int end(void **state) {
  account_let_go(*state);
  return 0;
}

static void what_is_taken_is_counted(void **state) {
  account *a = *state;
  assert_true(account_take(a, 500));
  assert_true(account_take(a, 300));
  account_give_back(a, 500);
  assert_int_equal(account_bytes(a), 300);
  account_give_back(a, 300);
}

static void beyond_the_limit_it_is_spent_and_an_eighth_more_is_refused(void **state) {
  account *a = *state;
  assert_true(account_take(a, LIMIT));
  assert_false(account_is_spent(a));
  assert_true(account_take(a, LIMIT / 8));
  assert_true(account_is_spent(a));
  assert_false(account_has_refused(a));
  assert_false(account_take(a, 1));
  assert_true(account_has_refused(a));
  assert_int_equal(account_bytes(a), LIMIT + LIMIT / 8);
  account_give_back(a, LIMIT + LIMIT / 8);
}

static void a_small_limit_has_some_slack(void **state) {
  account_set_limit(*state, 1);
  assert_true(account_take(*state, 1 << 20));
  assert_true(account_is_spent(*state));
  account_give_back(*state, 1 << 20);
  account_set_limit(*state, SIZE_MAX);
  assert_true(account_take(*state, SIZE_MAX));
  account_give_back(*state, SIZE_MAX);
}

static void without_a_limit_nothing_is_refused(void **state) {
  account_set_limit(*state, 0);
  assert_true(account_take(*state, SIZE_MAX / 2));
  assert_false(account_is_spent(*state));
  account_give_back(*state, SIZE_MAX / 2);
  assert_true(account_take(NULL, SIZE_MAX / 2));
}

/* ---- arenas ---- */

static void alloc_little(void *context) {
  *(arena **)context = arena_new();
  arena_alloc(*(arena **)context, 5000);
}

static void alloc_and_grow_without_end(void *context) {
  void *block = NULL;
  alloc_little(context);
  for (size_t size = 0;; size += 1 << 20)
    block = arena_grow(*(arena **)context, block, size, size + (1 << 20));
}

static void arenas_are_charged_as_long_as_they_hold_memory(void **state) {
  arena *made;
  assert_true(recovery_try_for(*state, NULL, alloc_little, &made));
  assert_true(account_bytes(*state) >= 5000);
  arena_alloc(made, 7000); /* also when the point is left */
  assert_true(account_bytes(*state) >= 12000);
  arena_free(made);
  assert_int_equal(account_bytes(*state), 0);
}

static void who_passes_the_limit_goes_back_to_the_point(void **state) {
  arena *made;
  assert_false(recovery_try_for(*state, NULL, alloc_and_grow_without_end, &made));
  assert_true(recovery_was_for_limit());
  assert_int_equal(account_bytes(*state), 0);
}

static void pass_the_limit_inside(void *context) {
  if (!recovery_try(NULL, alloc_and_grow_without_end, context)) recovery_fail();
}

static void a_failure_that_is_handed_on_is_still_for_the_limit(void **state) {
  arena *made;
  assert_false(recovery_try_for(*state, NULL, pass_the_limit_inside, &made));
  assert_true(recovery_was_for_limit());
}

static void an_older_arena_can_be_charged(void **state) {
  arena *a = arena_new();
  arena_alloc(a, 3000);
  arena_charge(a, *state);
  assert_int_equal(account_bytes(*state), arena_bytes(a));
  arena_charge(a, NULL);
  assert_int_equal(account_bytes(*state), 0);
  arena_free(a);
}

static void an_account_lives_as_long_as_its_arenas(void **state) {
  account *brief = account_new(0);
  arena *made;
  (void)state;
  assert_true(recovery_try_for(brief, NULL, alloc_little, &made));
  account_let_go(brief);
  arena_free(made);
}

/* ---- budgets ---- */

static void ask_budget(void *context) {
  arena *a = arena_new();
  arena_alloc(a, LIMIT + 1);
  budget_check_now(context);
  arena_free(a);
}

static void a_budget_with_a_limit_of_bytes_asks_the_account(void **state) {
  budget limited = budget_new(0, (size_t)1 << 40), unlimited = budget_new(0, 0);
  assert_true(recovery_try_for(*state, NULL, ask_budget, &limited));
  assert_int_equal(limited.end, BUDGET_MEMORY);
  assert_true(recovery_try_for(*state, NULL, ask_budget, &unlimited));
  assert_int_equal(unlimited.end, BUDGET_LEFT);
}

#define an_account_test(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      an_account_test(what_is_taken_is_counted),
      an_account_test(beyond_the_limit_it_is_spent_and_an_eighth_more_is_refused),
      an_account_test(a_small_limit_has_some_slack),
      an_account_test(without_a_limit_nothing_is_refused),
      an_account_test(arenas_are_charged_as_long_as_they_hold_memory),
      an_account_test(who_passes_the_limit_goes_back_to_the_point),
      an_account_test(a_failure_that_is_handed_on_is_still_for_the_limit),
      an_account_test(an_older_arena_can_be_charged),
      an_account_test(an_account_lives_as_long_as_its_arenas),
      an_account_test(a_budget_with_a_limit_of_bytes_asks_the_account),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
