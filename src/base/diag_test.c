#include "base/diag.h"

#include "base/base_fixture.h"

static diag_sink sink(arena *keep) {
  diag_sink d;
  diag_sink_init(&d, keep);
  return d;
}

static void messages_are_kept_with_their_place(void **state) {
  diag_sink d = sink(*state);
  char word[] = "cell";
  diag_add(&d, DIAG_E401, (span){3, 8}, "%s is unbound", word);
  word[0] = 'x';
  assert_int_equal(d.all.count, 1);
  assert_string_equal(d.all.items[0].message, "cell is unbound");
  assert_int_equal(d.all.items[0].where.start, 3);
  assert_int_equal(d.all.items[0].where.end, 8);
  assert_null(d.all.items[0].hint);
}

static void errors_and_warnings_are_counted_apart(void **state) {
  diag_sink d = sink(*state);
  diag_add(&d, DIAG_E401, SPAN_NONE, "a");
  diag_add(&d, DIAG_E402, SPAN_NONE, "b");
  diag_add(&d, DIAG_W502, SPAN_NONE, "c");
  assert_int_equal(d.errors, 2);
  assert_int_equal(d.warnings, 1);
  assert_int_equal(diag_severity(&d.all.items[2]), SEVERITY_WARNING);
}

static void hints_and_second_places_are_kept_in_order(void **state) {
  diag_sink d = sink(*state);
  diag *g = diag_add(&d, DIAG_E401, SPAN_NONE, "a");
  diag_hint(&d, g, "try %d", 7);
  diag_relate(&d, g, (span){1, 2}, "first");
  diag_relate(&d, g, (span){3, 4}, "second");
  assert_string_equal(g->hint, "try 7");
  assert_string_equal(g->related->message, "first");
  assert_string_equal(g->related->next->message, "second");
  assert_null(g->related->next->next);
}

static void what_was_added_since_can_be_taken_back(void **state) {
  diag_sink d = sink(*state);
  d.limit = 2;
  diag_add(&d, DIAG_E401, SPAN_NONE, "stays");
  const diag_sink before = d;
  for (int i = 0; i < 40; i++) diag_add(&d, DIAG_E401, SPAN_NONE, "goes");
  diag_take_back(&d, &before);
  assert_int_equal(d.errors, 1);
  assert_int_equal(d.unkept_of_kind[DIAG_E401], 0);
  assert_int_equal(d.all.count, 1);
  diag_add(&d, DIAG_E401, SPAN_NONE, "comes");
  assert_string_equal(d.all.items[1].message, "comes");
}

static void they_are_sorted_by_place_then_kind_then_time(void **state) {
  diag_sink d = sink(*state);
  diag_add(&d, DIAG_E402, (span){5, 6}, "third");
  diag_add(&d, DIAG_E401, (span){9, 10}, "fourth");
  diag_add(&d, DIAG_E401, (span){5, 9}, "first");
  diag_add(&d, DIAG_E401, (span){5, 6}, "second");
  diag_add(&d, DIAG_E401, SPAN_NONE, "last");
  diag_sort(&d);
  const char *const expected[] = {"first", "second", "third", "fourth", "last"};
  for (size_t i = 0; i < 5; i++) assert_string_equal(d.all.items[i].message, expected[i]);
}

static void causes_come_before_what_follows_from_them(void **state) {
  diag_sink d = sink(*state);
  diag_add(&d, DIAG_W608, (span){1, 2}, "never fires");
  diag_add(&d, DIAG_W304, (span){5, 6}, "not defined");
  diag_add(&d, DIAG_E101, (span){9, 9}, "not read");
  diag_add(&d, DIAG_W305, (span){0, 1}, "never used");
  diag_sort(&d);
  const char *const expected[] = {"not read", "not defined", "never used", "never fires"};
  for (size_t i = 0; i < 4; i++) assert_string_equal(d.all.items[i].message, expected[i]);
}

static void more_of_a_kind_than_the_limit_are_only_counted(void **state) {
  diag_sink d = sink(*state);
  d.limit = 2;
  for (int i = 0; i < 5; i++) {
    diag *g = diag_add(&d, DIAG_E401, SPAN_NONE, "%d", i);
    diag_hint(&d, g, "hint");
    diag_relate(&d, g, SPAN_NONE, "related");
  }
  diag_add(&d, DIAG_E402, SPAN_NONE, "another kind");
  assert_int_equal(d.all.count, 3);
  assert_int_equal(d.errors, 6);
  assert_int_equal(d.unkept_of_kind[DIAG_E401], 3);
  assert_null(d.unkept.hint);
}

static void an_empty_sink_can_be_sorted(void **state) {
  diag_sink d = sink(*state);
  diag_sort(&d);
  assert_int_equal(d.all.count, 0);
}

/* Codes are how manuals and scripts name a fault: a letter for its severity, three digits. */
static void codes_are_unique_and_tell_their_severity(void **state) {
  (void)state;
  for (int i = 0; i < DIAG_KIND_COUNT; i++) {
    const char *code = diag_infos[i].code;
    const char letters[] = {'N', 'W', 'E'};
    assert_int_equal(strlen(code), 4);
    assert_int_equal(code[0], letters[diag_infos[i].severity]);
    for (int k = 0; k < i; k++) {
      assert_string_not_equal(code, diag_infos[k].code);
      assert_string_not_equal(diag_infos[i].name, diag_infos[k].name);
    }
  }
}

static void severities_have_names(void **state) {
  (void)state;
  assert_string_equal(severity_name(SEVERITY_ERROR), "error");
  assert_string_equal(severity_name(SEVERITY_WARNING), "warning");
  assert_string_equal(severity_name(SEVERITY_NOTE), "note");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(messages_are_kept_with_their_place),
      base_test(errors_and_warnings_are_counted_apart),
      base_test(hints_and_second_places_are_kept_in_order),
      base_test(what_was_added_since_can_be_taken_back),
      base_test(they_are_sorted_by_place_then_kind_then_time),
      base_test(causes_come_before_what_follows_from_them),
      base_test(more_of_a_kind_than_the_limit_are_only_counted),
      base_test(an_empty_sink_can_be_sorted),
      base_test(codes_are_unique_and_tell_their_severity),
      base_test(severities_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
