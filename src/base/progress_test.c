#include "base/progress.h"

#include "base/base_fixture.h"

#include <string.h>

typedef struct heard {
  uint32_t calls;
  char what[64];
  double done, whole;
} heard;

static void hear(void *context, const char *what, double done, double whole) {
  heard *h = context;
  h->calls++;
  strncpy(h->what, what, sizeof h->what - 1);
  h->done = done;
  h->whole = whole;
}

static void the_listener_hears_what_and_how_far(void **state) {
  heard h = {0};
  progress p = {.tell = hear, .context = &h};
  (void)state;
  progress_tell(&p, 3, 7, "states of depth %d", 2);
  assert_int_equal(h.calls, 1);
  assert_string_equal(h.what, "states of depth 2");
  assert_true(h.done == 3 && h.whole == 7);
}

static void it_is_told_a_few_times_a_second(void **state) {
  heard h = {0};
  progress p = {.tell = hear, .context = &h};
  (void)state;
  for (int i = 0; i < 100000; i++) progress_tell(&p, i, 0, "x");
  assert_in_range(h.calls, 1, 50);
}

static void who_calls_seldom_is_heard_when_a_call_is_due(void **state) {
  heard h = {0};
  progress p = {.tell = hear, .context = &h, .next_time = 10};
  (void)state;
  progress_tell_at(&p, 9, "early");
  assert_int_equal(h.calls, 0);
  progress_tell_at(&p, 11, "first");
  progress_tell_at(&p, 11.01, "soon after");
  progress_tell_at(&p, 12, "second");
  assert_int_equal(h.calls, 2);
  assert_string_equal(h.what, "second");
}

static void what_takes_no_time_is_not_told(void **state) {
  heard h = {0};
  progress p = progress_to(hear, &h);
  (void)state;
  progress_tell(&p, 1, 1, "x");
  assert_int_equal(h.calls, 0);
}

static void nobody_need_listen(void **state) {
  progress p = progress_to(NULL, NULL);
  (void)state;
  p.next_time = 0;
  for (int i = 0; i < 1000; i++) progress_tell(&p, i, 0, "x");
  progress_tell(NULL, 0, 0, "x");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(the_listener_hears_what_and_how_far),
      base_test(it_is_told_a_few_times_a_second),
      base_test(who_calls_seldom_is_heard_when_a_call_is_due),
      base_test(what_takes_no_time_is_not_told),
      base_test(nobody_need_listen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
