#include "base/diag_choice.h"

#include "base/base_fixture.h"

static void assert_taken(diag_choice *c, const char *word, arena *keep) {
  const char *why = NULL;
  if (!diag_choice_take(c, word, &why, keep)) fail_msg("%s: %s", word, why);
}

static void assert_refused(const char *word, const char *expected, arena *keep) {
  diag_choice c;
  const char *why = NULL;
  diag_choice_default(&c);
  assert_false(diag_choice_take(&c, word, &why, keep));
  assert_string_equal(why, expected);
}

static void what_is_style_is_off_by_default(void **state) {
  (void)state;
  diag_choice c;
  diag_choice_default(&c);
  assert_true(c.is_off[DIAG_W406]);
  assert_false(c.is_off[DIAG_W608]);
  for (int i = 0; i < DIAG_KIND_COUNT; i++)
    if (diag_infos[i].severity == SEVERITY_ERROR) assert_false(c.is_off[i]);
}

static void a_code_is_named_in_two_ways_and_in_either_case(void **state) {
  (void)state;
  assert_int_equal(diag_kind_named("W406"), DIAG_W406);
  assert_int_equal(diag_kind_named("w406"), DIAG_W406);
  assert_int_equal(diag_kind_named("single-variable"), DIAG_W406);
  assert_int_equal(diag_kind_named("W999"), DIAG_KIND_COUNT);
}

static void codes_are_switched_one_by_one_and_all_together(void **state) {
  diag_choice c;
  diag_choice_default(&c);
  assert_taken(&c, "W406", *state);
  assert_false(c.is_off[DIAG_W406]);
  assert_taken(&c, "no-rule-never-fires", *state);
  assert_true(c.is_off[DIAG_W608]);
  assert_taken(&c, "all", *state);
  assert_false(c.is_off[DIAG_W608]);
  assert_taken(&c, "no-W406", *state);
  assert_true(c.is_off[DIAG_W406]);
}

static void a_name_that_begins_with_no_is_a_name(void **state) {
  diag_choice c;
  diag_choice_default(&c);
  assert_taken(&c, "no-init", *state);
  assert_false(c.is_off[DIAG_W602]);
  assert_taken(&c, "no-no-init", *state);
  assert_true(c.is_off[DIAG_W602]);
}

static void words_that_mean_nothing_are_refused(void **state) {
  assert_refused("W999", "there is no diagnostic `W999`", *state);
  assert_refused("singel-variable",
                 "there is no diagnostic `singel-variable`; did you mean `single-variable`?",
                 *state);
  assert_refused("no-E401", "E401 is an error, which is always reported", *state);
}

static void what_is_off_is_neither_kept_nor_counted(void **state) {
  diag_choice c;
  diag_sink d;
  diag_choice_default(&c);
  diag_sink_init(&d, *state);
  d.choice = &c;
  diag *g = diag_add(&d, DIAG_W406, SPAN_NONE, "off");
  diag_hint(&d, g, "nobody reads this");
  diag_relate(&d, g, SPAN_NONE, "nor this");
  diag_add(&d, DIAG_W608, SPAN_NONE, "on");
  assert_int_equal(d.all.count, 1);
  assert_int_equal(d.warnings, 1);
  assert_int_equal(diag_count(&d, DIAG_W406), 0);
}

static void a_warning_may_reject(void **state) {
  diag_choice c;
  diag_sink d;
  diag_choice_default(&c);
  assert_taken(&c, "error=W406", *state);
  diag_sink_init(&d, *state);
  d.choice = &c;
  d.limit = 1;
  diag_add(&d, DIAG_W406, SPAN_NONE, "first");
  diag_add(&d, DIAG_W406, SPAN_NONE, "dropped");
  diag_add(&d, DIAG_W608, SPAN_NONE, "warning");
  assert_int_equal(d.errors, 0);
  diag_choice_promote(&c, &d);
  assert_int_equal(d.errors, 2);
  assert_int_equal(d.warnings, 1);
  assert_int_equal(diag_severity(&d.all.items[0]), SEVERITY_ERROR);
  assert_int_equal(diag_severity(&d.all.items[1]), SEVERITY_WARNING);
}

static void every_warning_may_reject_at_once(void **state) {
  diag_choice c;
  diag_choice_default(&c);
  assert_taken(&c, "error", *state);
  assert_true(c.is_error[DIAG_W608]);
  assert_true(c.is_off[DIAG_W406]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(what_is_style_is_off_by_default),
      base_test(a_code_is_named_in_two_ways_and_in_either_case),
      base_test(codes_are_switched_one_by_one_and_all_together),
      base_test(a_name_that_begins_with_no_is_a_name),
      base_test(words_that_mean_nothing_are_refused),
      base_test(what_is_off_is_neither_kept_nor_counted),
      base_test(a_warning_may_reject),
      base_test(every_warning_may_reject_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
