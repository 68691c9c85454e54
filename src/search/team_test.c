#include "search/team.h"

#include "base/base_fixture.h"
#include "base/recovery.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct worker {
  atomic_uint *next;
  uint32_t taken;
  pthread_t thread;
} worker;

enum { ITEMS = 10000 };

static void take_items(void *context) {
  worker *w = context;
  w->thread = pthread_self();
  while (atomic_fetch_add(w->next, 1) < ITEMS) w->taken++;
}

static void everything_is_taken_once(void **state) {
  (void)state;
  for (uint32_t count = 1; count <= 5; count++) {
    atomic_uint next = 0;
    worker workers[5] = {0};
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; i++) workers[i].next = &next;
    team_run(workers, sizeof *workers, count, take_items);
    for (uint32_t i = 0; i < 5; i++) taken += workers[i].taken;
    assert_int_equal(taken, ITEMS);
  }
}

static void the_first_works_in_the_callers_thread(void **state) {
  (void)state;
  atomic_uint next = 0;
  worker workers[3] = {{.next = &next}, {.next = &next}, {.next = &next}};
  team_run(workers, sizeof *workers, 3, take_items);
  assert_true(pthread_equal(workers[0].thread, pthread_self()));
}

/* ---- memory ---- */

static void take_much_unless_first(void *context) {
  const worker *w = context;
  if (w->taken) arena_alloc(arena_new(), 8 << 20);
}

static void run_greedy_team(void *context) {
  (void)context;
  worker workers[3] = {{.taken = 0}, {.taken = 1}, {.taken = 1}};
  team_run(workers, sizeof *workers, 3, take_much_unless_first);
}

static void a_thread_that_passes_the_memory_limit_ends_the_call(void **state) {
  (void)state;
  account *little = account_new(1 << 16), *enough = account_new(20 << 20);
  arena_group made = {0};
  assert_false(recovery_try_for(little, NULL, run_greedy_team, NULL));
  assert_true(recovery_was_for_limit());
  assert_int_equal(account_bytes(little), 0);
  assert_true(recovery_try_for(enough, &made, run_greedy_team, NULL));
  assert_true(account_bytes(enough) >= 16 << 20);
  arena_group_free(&made);
  account_let_go(little);
  account_let_go(enough);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(everything_is_taken_once),
      base_test(the_first_works_in_the_callers_thread),
      base_test(a_thread_that_passes_the_memory_limit_ends_the_call),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
