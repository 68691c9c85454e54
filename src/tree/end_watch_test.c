#include "tree/end_watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* So many of a thousand nodes with 40 successors are looked at, of which each `every`th has an end.
 */
static uint32_t looks(end_watch *w, uint32_t every) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < 1000; i++) {
    if (!end_watch_wants(w)) continue;
    end_watch_learn(w, 40, every && count % every == 0);
    count++;
  }
  return count;
}

static void ends_that_are_near_are_looked_for(void **state) {
  end_watch w = {0};
  (void)state;
  assert_int_equal(looks(&w, 10), 1000);
}

static void where_there_are_none_few_nodes_are_looked_at(void **state) {
  end_watch w = {0};
  (void)state;
  looks(&w, 0);
  const uint32_t few = looks(&w, 0);
  assert_in_range(few, 50, 80);
}

static void ends_that_come_near_are_found(void **state) {
  end_watch w = {0};
  (void)state;
  for (uint32_t i = 0; i < 10; i++) looks(&w, 0);
  for (uint32_t i = 0; i < 20; i++) looks(&w, 1);
  assert_int_equal(looks(&w, 1), 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_that_are_near_are_looked_for),
      cmocka_unit_test(where_there_are_none_few_nodes_are_looked_at),
      cmocka_unit_test(ends_that_come_near_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
