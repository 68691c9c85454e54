#include "serve/request_line.h"

#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static tabia_limits *limits;
static request_line *line;
static FILE *to;

static int set_up(void **state) {
  int ends[2];
  (void)state;
  if (pipe(ends) != 0) return -1;
  to = fdopen(ends[1], "w");
  limits = tabia_limits_new();
  line = request_line_new(fdopen(ends[0], "r"), limits);
  return line ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  if (to) fclose(to);
  to = NULL;
  request_line_free(line);
  tabia_limits_free(limits);
  return 0;
}

static void say(const char *words) {
  fputs(words, to);
  fflush(to);
}

static char *method_of_next(void) {
  static char words[100];
  json_t *request = request_line_next(line);
  const char *method = json_string_value(json_object_get(request, "method"));
  snprintf(words, sizeof words, "%s", method ? method : json_is_null(request) ? "null" : "none");
  json_decref(request);
  return words;
}

static void requests_come_in_their_order(void **state) {
  (void)state;
  say("{\"method\":\"a\"}\n{\"method\":\"b\"}\n");
  assert_string_equal(method_of_next(), "a");
  assert_string_equal(method_of_next(), "b");
}

static void what_is_no_json_is_null(void **state) {
  (void)state;
  say("nonsense\n[[[\n\xff\xfe\n{\"method\":\"a\"}\n");
  for (int i = 0; i < 3; i++) assert_string_equal(method_of_next(), "null");
  assert_string_equal(method_of_next(), "a");
}

static void a_stop_is_known_while_another_is_worked_on(void **state) {
  (void)state;
  say("{\"method\":\"think\"}\n");
  assert_string_equal(method_of_next(), "think");
  assert_false(request_line_is_stopped(line));
  say("{\"method\":\"stop\"}\n");
  while (!request_line_is_stopped(line)) usleep(1000);
  assert_string_equal(method_of_next(), "stop");
  assert_false(request_line_is_stopped(line));
}

static void more_than_can_wait_are_all_answered(void **state) {
  (void)state;
  enum { MANY = 3000 };
  for (int i = 0; i < 500; i++) fputs("{\"method\":\"a\"}\n", to);
  fflush(to);
  for (int i = 500; i < MANY; i++) {
    say("{\"method\":\"a\"}\n");
    assert_string_equal(method_of_next(), "a");
  }
  for (int i = 0; i < 500; i++) assert_string_equal(method_of_next(), "a");
}

static void the_end_comes_behind_the_last_request(void **state) {
  (void)state;
  say("{\"method\":\"a\"}");
  fclose(to);
  to = NULL;
  assert_string_equal(method_of_next(), "a");
  assert_null(request_line_next(line));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(requests_come_in_their_order, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_no_json_is_null, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_stop_is_known_while_another_is_worked_on, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(more_than_can_wait_are_all_answered, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_end_comes_behind_the_last_request, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
