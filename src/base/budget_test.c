#include "base/budget.h"

#include "base/base_fixture.h"

#include <string.h>
#include <unistd.h>

static void without_limits_it_is_never_spent(void **state) {
  budget b = budget_new(0, 0);
  budget_watch(&b, *state);
  arena_alloc(*state, 1 << 20);
  for (int i = 0; i < 1000; i++) assert_false(budget_is_spent(&b));
  assert_false(budget_check_now(&b));
  assert_false(budget_is_spent(NULL));
}

static void time_runs_out(void **state) {
  (void)state;
  budget b = budget_new(1000, 0);
  assert_false(budget_check_now(&b));
  b.deadline = clock_now();
  assert_true(budget_check_now(&b));
  assert_int_equal(b.end, BUDGET_TIME);
}

static void a_loop_that_asks_often_learns_of_it(void **state) {
  (void)state;
  budget b = budget_new(0.001, 0);
  while (!budget_is_spent(&b)) continue;
}

static void a_loop_with_slow_steps_learns_of_it_soon(void **state) {
  (void)state;
  enum { FAST = 100000 };
  budget b = budget_new(1000, 0);
  for (int i = 0; i < FAST; i++) assert_false(budget_is_spent(&b));
  uint32_t steps = 0;
  b.deadline = clock_now();
  for (; !budget_is_spent(&b); steps++) assert_true(steps < 100);
  b = budget_new(1000, 0);
  for (int i = 0; i < 10; i++) {
    usleep(2000);
    assert_false(budget_is_spent(&b));
  }
  b.deadline = clock_now();
  assert_true(budget_is_spent(&b)); /* it is asked each time by now */
}

static void memory_elsewhere_counts_if_it_is_told(void **state) {
  budget b = budget_new(0, 100000);
  arena_alloc(*state, 60000);
  budget_watch(&b, *state);
  assert_false(budget_check_bytes(&b, 10000));
  assert_true(budget_check_bytes(&b, 60000));
  assert_int_equal(b.end, BUDGET_MEMORY);
  assert_false(budget_check_bytes(NULL, 60000));
}

static void memory_of_the_process_is_told(void **state) {
  const size_t before = memory_now(), more = (size_t)32 << 20;
  memset(arena_alloc(*state, more), 1, more);
  assert_true(memory_now() >= before + more / 2);
  assert_true(memory_peak() >= before + more / 2);
}

static void memory_of_watched_arenas_runs_out(void **state) {
  budget b = budget_new(0, 100000);
  arena *other = arena_new();
  budget_watch(&b, *state);
  arena_alloc(other, 200000);
  assert_false(budget_check_now(&b));
  budget_watch(&b, other);
  assert_true(budget_check_now(&b));
  assert_int_equal(b.end, BUDGET_MEMORY);
  arena_free(other);
}

static void an_arena_that_is_no_longer_watched_does_not_count(void **state) {
  budget b = budget_new(0, 100000);
  arena *other = arena_new();
  budget_watch(&b, *state);
  budget_watch(&b, other);
  arena_alloc(other, 200000);
  budget_unwatch(&b, other);
  arena_free(other);
  assert_int_equal(b.watched_count, 1);
  assert_false(budget_check_now(&b));
  budget_watch(NULL, *state);
  budget_unwatch(NULL, *state);
}

static void the_user_can_stop_it(void **state) {
  (void)state;
  volatile sig_atomic_t interrupted = 0;
  budget b = budget_new(0, 0);
  b.interrupted = &interrupted;
  assert_false(budget_check_now(&b));
  interrupted = 1;
  assert_true(budget_check_now(&b));
  assert_int_equal(b.end, BUDGET_INTERRUPT);
}

static void once_spent_it_stays_spent(void **state) {
  budget b = budget_new(0, 1000);
  budget_watch(&b, *state);
  arena_alloc(*state, 100000);
  assert_true(budget_check_now(&b));
  arena_clear(*state);
  for (int i = 0; i < 1000; i++) assert_true(budget_is_spent(&b));
}

static void assert_reported(arena *keep, budget_end end, const char *code, const char *words) {
  diag_sink d;
  diag_sink_init(&d, keep);
  const budget b = {.end = end};
  budget_report(&b, &d, "3 facts");
  assert_int_equal(d.errors, 1);
  assert_string_equal(diag_infos[d.all.items[0].kind].code, code);
  assert_non_null(strstr(d.all.items[0].message, words));
  assert_non_null(strstr(d.all.items[0].message, "3 facts"));
}

static void each_end_is_reported_in_its_own_words(void **state) {
  assert_reported(*state, BUDGET_TIME, "E801", "time limit");
  assert_reported(*state, BUDGET_MEMORY, "E802", "memory limit");
  assert_reported(*state, BUDGET_INTERRUPT, "E803", "stopped");
}

static void nothing_is_reported_while_some_is_left(void **state) {
  diag_sink d;
  diag_sink_init(&d, *state);
  const budget b = budget_new(1, 1);
  budget_report(&b, &d, "nothing");
  assert_int_equal(d.all.count, 0);
}

static void clocks_go_forward(void **state) {
  (void)state;
  const double wall = clock_now();
  const double process = clock_process();
  assert_true(clock_now() >= wall);
  assert_true(clock_process() >= process);
  assert_true(memory_peak() > 100000);
}

static void threads_share_the_memory_and_the_deadline(void **state) {
  budget all = budget_new(1000, 100000);
  progress p = progress_to(NULL, NULL);
  all.progress = &p;
  budget_watch(&all, *state);
  budget share = budget_share(&all, 4);
  arena *own = arena_new();
  assert_true(share.deadline == all.deadline);
  assert_null(share.progress); /* one thread alone may write */
  arena_alloc(*state, 200000); /* counts for the others alone */
  budget_watch(&share, own);
  assert_false(budget_check_now(&share));
  arena_alloc(own, 30000);
  assert_true(budget_check_now(&share));
  arena_free(own);
  budget unlimited = budget_share(NULL, 2);
  assert_false(budget_check_now(&unlimited));
}

static void a_part_never_lasts_longer_than_the_whole(void **state) {
  (void)state;
  const budget unlimited = budget_new(0, 0), all = budget_new(1000, 77);
  assert_true(budget_seconds_left(&unlimited) > 1e9);
  assert_true(budget_part(&unlimited, 5).deadline > 0);
  assert_true(budget_part(&all, 5).deadline < all.deadline);
  assert_true(budget_part(&all, 5000).deadline == all.deadline);
  assert_int_equal(budget_part(&all, 5).max_bytes, 77);
}

static void what_was_found_may_be_shown_a_little_later(void **state) {
  (void)state;
  budget b = budget_new(10, 0);
  b.started -= 10;
  b.deadline -= 10; /* it was made ten seconds ago */
  assert_true(budget_check_now(&b));
  budget later = budget_to_show(&b);
  assert_false(budget_check_now(&later));
  later.deadline -= 2;
  assert_true(budget_check_now(&later));
  budget unlimited = budget_to_show(NULL);
  assert_false(budget_check_now(&unlimited));
}

static void a_part_with_limits_of_its_own_keeps_to_both(void **state) {
  budget outer = budget_new(100, 1000);
  budget_watch(&outer, *state);
  budget inner = budget_within(&outer, 10, 500);
  assert_true(inner.deadline < outer.deadline);
  assert_int_equal(inner.max_bytes, 500);
  inner = budget_within(&outer, 1000, 5000);
  assert_true(inner.deadline == outer.deadline);
  assert_true(inner.max_bytes <= 1000 && inner.max_bytes > 0);
  inner = budget_within(NULL, 0, 7);
  assert_true(inner.deadline == 0 && inner.max_bytes == 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(without_limits_it_is_never_spent),
      base_test(time_runs_out),
      base_test(a_loop_that_asks_often_learns_of_it),
      base_test(a_loop_with_slow_steps_learns_of_it_soon),
      base_test(memory_elsewhere_counts_if_it_is_told),
      base_test(memory_of_the_process_is_told),
      base_test(memory_of_watched_arenas_runs_out),
      base_test(an_arena_that_is_no_longer_watched_does_not_count),
      base_test(the_user_can_stop_it),
      base_test(once_spent_it_stays_spent),
      base_test(each_end_is_reported_in_its_own_words),
      base_test(nothing_is_reported_while_some_is_left),
      base_test(clocks_go_forward),
      base_test(a_part_never_lasts_longer_than_the_whole),
      base_test(a_part_with_limits_of_its_own_keeps_to_both),
      base_test(what_was_found_may_be_shown_a_little_later),
      base_test(threads_share_the_memory_and_the_deadline),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
