/* Places of messages, limits on them, and their forms. */
#include "api/api_fixture.h"

#include <stdio.h>

/* The error is behind two characters, of which one takes three bytes and the other two units. */
#define WIDE_TEXT "(role robot)\n\xe2\x82\xac\xf0\x9d\x84\x9e(init (at 0)"

static void places_are_in_three_units(void **state) {
  api_fixture *f = *state;
  size_t start, end;
  uint32_t line, column;
  assert_int_equal(read_text(f, WIDE_TEXT), TABIA_FAULTY);
  uint32_t i = 0;
  while (strcmp(tabia_message_code(f->log, i), "E101") != 0) i++;
  assert_true(tabia_message_range(f->log, i, &start, &end));
  assert_int_equal(start, strlen("(role robot)\n") + 7);
  assert_true(tabia_message_place(f->log, i, TABIA_UNIT_CHARACTERS, false, &line, &column));
  assert_int_equal(line, 2);
  assert_int_equal(column, 3);
  assert_true(tabia_message_place(f->log, i, TABIA_UNIT_BYTES, false, &line, &column));
  assert_int_equal(column, 8);
  assert_true(tabia_message_place(f->log, i, TABIA_UNIT_UTF16, false, &line, &column));
  assert_int_equal(column, 4);
  assert_true(tabia_message_place(f->log, i, TABIA_UNIT_BYTES, true, &line, &column));
  assert_true(column > 8);
}

static void a_message_may_have_no_place(void **state) {
  api_fixture *f = *state;
  size_t start, end;
  uint32_t line, column;
  assert_int_equal(tabia_rules_read(&f->rules, "no/such", f->log), TABIA_UNREADABLE);
  assert_false(tabia_message_range(f->log, 0, &start, &end));
  assert_false(tabia_message_place(f->log, 0, TABIA_UNIT_UTF16, false, &line, &column));
  assert_int_equal(tabia_message_line(f->log, 0), 0);
  assert_int_equal(tabia_message_column(f->log, 0), 0);
}

static void a_message_has_words_and_a_hint(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read(&f->rules, "tic-tac-to", f->log), TABIA_UNREADABLE);
  assert_non_null(strstr(tabia_message_text(f->log, 0), "cannot read tic-tac-to"));
  assert_non_null(strstr(tabia_message_hint(f->log, 0), "`tic-tac-toe`"));
  assert_string_equal(tabia_status_text(TABIA_UNREADABLE), "it cannot be read");
}

static void the_library_is_of_the_version_of_its_header(void **state) {
  char words[32];
  (void)state;
  snprintf(words, sizeof words, "%d.%d.%d", TABIA_VERSION_MAJOR, TABIA_VERSION_MINOR,
           TABIA_VERSION_PATCH);
  assert_string_equal(tabia_version(), words);
}

static void further_ones_of_a_kind_are_counted(void **state) {
  api_fixture *f = *state;
  tabia_messages_set_limit(f->log, 2);
  assert_int_equal(read_text(f, "(role r)\n)\n)\n)\n)\n"), TABIA_FAULTY);
  assert_int_equal(tabia_messages_count(f->log), 4); /* each with a note */
  assert_int_equal(tabia_messages_dropped(f->log), 2);
  assert_int_equal(tabia_messages_count_of(f->log, TABIA_ERROR), 4);
  assert_int_equal(tabia_messages_count_of(f->log, TABIA_WARNING), 0);
  assert_says(f, "2 more of the same kinds are not shown");
}

static void messages_have_four_forms(void **state) {
  api_fixture *f = *state;
  read_text(f, "(role r)\n  )");
  assert_int_equal(tabia_messages_write(f->log, "text", TABIA_ERROR, collect, f), TABIA_OK);
  assert_non_null(strstr(f->words, "    2 |   )\n      |   ^\n"));
  f->length = 0;
  assert_int_equal(tabia_messages_write(f->log, "short", TABIA_ERROR, collect, f), TABIA_OK);
  assert_null(strchr(f->words, '|'));
  f->length = 0;
  assert_int_equal(tabia_messages_write(f->log, "colour", TABIA_ERROR, collect, f), TABIA_OK);
  assert_non_null(strstr(f->words, "\033[1;31m"));
  f->length = 0;
  assert_int_equal(tabia_messages_write(f->log, "json", TABIA_ERROR, collect, f), TABIA_OK);
  assert_memory_equal(f->words, "[{\"code\":\"E10", 12);
  assert_int_equal(tabia_messages_write(f->log, "xml", TABIA_ERROR, collect, f), TABIA_MISUSE);
}

static void the_least_severity_is_chosen(void **state) {
  api_fixture *f = *state;
  read_text(f, "(role r) (<= (p ?x) (q ?x))");
  tabia_rules_check(f->rules, f->log);
  assert_true(tabia_messages_count_of(f->log, TABIA_WARNING) > 0);
  assert_int_equal(tabia_messages_write(f->log, "short", TABIA_ERROR, collect, f), TABIA_OK);
  assert_null(strstr(f->words, "warning:"));
  tabia_messages_write(f->log, "short", TABIA_WARNING, collect, f);
  assert_non_null(strstr(f->words, "warning:"));
}

static void every_code_has_a_name_and_a_summary(void **state) {
  (void)state;
  assert_true(tabia_code_count() > 50);
  for (uint32_t i = 0; i < tabia_code_count(); i++) {
    assert_true(strlen(tabia_code_name(i)) > 0 && strlen(tabia_code_summary(i)) > 0);
    const char first = tabia_code(i)[0];
    assert_int_equal(tabia_code_severity(i), first == 'E' ? TABIA_ERROR : TABIA_WARNING);
  }
  assert_null(tabia_code(tabia_code_count()));
}

/* A relation that nobody uses is told when it is chosen. */
#define UNUSED_RELATION COUNTING_GAME "(colour red)\n"

static void warnings_are_chosen_by_code_or_name(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, UNUSED_RELATION), TABIA_OK);
  assert_int_equal(tabia_rules_check(f->rules, f->log), TABIA_OK);
  assert_int_equal(tabia_messages_count(f->log), 0);
  assert_int_equal(tabia_messages_choose(f->log, "unused"), TABIA_OK);
  assert_int_equal(tabia_rules_check(f->rules, f->log), TABIA_OK);
  assert_int_equal(tabia_messages_count_of(f->log, TABIA_WARNING), 1);
  tabia_messages_clear(f->log);
  assert_int_equal(tabia_messages_choose(f->log, "no-W305"), TABIA_OK);
  assert_int_equal(tabia_rules_check(f->rules, f->log), TABIA_OK);
  assert_int_equal(tabia_messages_count(f->log), 0);
}

static void a_warning_can_count_as_an_error(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, UNUSED_RELATION "(colour2 red)"), TABIA_OK);
  tabia_messages_set_limit(f->log, 1);
  assert_int_equal(tabia_messages_choose(f->log, "error=W305"), TABIA_OK);
  assert_int_equal(tabia_rules_check(f->rules, f->log), TABIA_FAULTY);
  assert_int_equal(tabia_messages_count_of(f->log, TABIA_ERROR), 2);
  assert_int_equal(tabia_messages_count_of(f->log, TABIA_WARNING), 0);
  assert_int_equal(tabia_code_dropped(tabia_code_find("W305", NULL), f->log), 1);
}

static void a_choice_that_means_nothing_is_refused(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_messages_choose(f->log, "unusd"), TABIA_MISUSE);
  assert_says(f, "did you mean `unused`?");
  assert_int_equal(tabia_messages_choose(f->log, "no-E401"), TABIA_MISUSE);
  assert_says(f, "always reported");
}

static void codes_are_found_and_explained(void **state) {
  api_fixture *f = *state;
  const char *nearest;
  const uint32_t unused = tabia_code_find("w305", &nearest);
  assert_string_equal(tabia_code(unused), "W305");
  assert_null(nearest);
  assert_false(tabia_code_is_default(unused));
  assert_true(tabia_code_is_default(tabia_code_find("E101", NULL)));
  assert_int_equal(tabia_code_find("unusd", &nearest), tabia_code_count());
  assert_string_equal(nearest, "unused");
  assert_int_equal(tabia_code_explain(unused, collect, f), TABIA_OK);
  assert_non_null(strstr(f->words, "W305"));
  assert_int_equal(tabia_code_explain(tabia_code_count(), collect, f), TABIA_MISUSE);
  assert_false(tabia_code_is_default(tabia_code_count()));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(places_are_in_three_units),
      a_test(a_message_may_have_no_place),
      a_test(a_message_has_words_and_a_hint),
      a_test(the_library_is_of_the_version_of_its_header),
      a_test(further_ones_of_a_kind_are_counted),
      a_test(messages_have_four_forms),
      a_test(the_least_severity_is_chosen),
      a_test(every_code_has_a_name_and_a_summary),
      a_test(warnings_are_chosen_by_code_or_name),
      a_test(a_warning_can_count_as_an_error),
      a_test(a_choice_that_means_nothing_is_refused),
      a_test(codes_are_found_and_explained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
