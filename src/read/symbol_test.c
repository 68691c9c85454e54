#include "read/read_fixture.h"

static symbol_id intern(symbol_table *t, const char *name) {
  return symbol_intern(t, slice_of(name));
}

static void names_compare_without_regard_to_case(void **state) {
  read_fixture *f = *state;
  symbol_table *t = symbols_new(f->keep);
  const symbol_id cell = intern(t, "cellHolds");
  assert_int_equal(cell, intern(t, "CELLHOLDS"));
  assert_int_equal(cell, intern(t, "cellholds"));
  assert_int_not_equal(cell, intern(t, "cellhold"));
  assert_int_not_equal(intern(t, "01"), intern(t, "1"));
}

static void prints_a_name_as_first_written(void **state) {
  read_fixture *f = *state;
  symbol_table *t = symbols_new(f->keep);
  const symbol_id cell = intern(t, "cellHolds");
  intern(t, "CELLHOLDS");
  assert_true(slice_equals(symbol_name(t, cell), "cellHolds"));
  assert_true(slice_equals(symbol_folded(t, cell), "cellholds"));
}

static void keywords_have_fixed_numbers_and_keep_their_case(void **state) {
  read_fixture *f = *state;
  symbol_table *t = symbols_new(f->keep);
  assert_int_equal(symbol_count(t), SYM_FIXED_COUNT);
  assert_int_equal(intern(t, "Terminal"), SYM_TERMINAL);
  assert_int_equal(intern(t, "<="), SYM_RULE);
  assert_true(slice_equals(symbol_name(t, SYM_TERMINAL), "Terminal"));
  assert_true(slice_equals(symbol_name(t, SYM_GOAL), "goal"));
  assert_int_equal(symbol_count(t), SYM_FIXED_COUNT);
  assert_int_equal(keyword_arity(SYM_DOES), 2);
  assert_int_equal(keyword_arity(SYM_TERMINAL), 0);
}

static void folds_only_ascii(void **state) {
  read_fixture *f = *state;
  symbol_table *t = symbols_new(f->keep);
  assert_int_not_equal(intern(t, "\xc3\x89"), intern(t, "\xc3\xa9"));
  assert_int_not_equal(intern(t, "@"), intern(t, "`"));
  assert_int_not_equal(intern(t, "["), intern(t, "{"));
}

static void finds_many_names_again(void **state) {
  read_fixture *f = *state;
  symbol_table *t = symbols_new(f->keep);
  char name[32];
  for (int i = 0; i < 50000; i++) {
    snprintf(name, sizeof name, "Name%d", i);
    assert_int_equal(intern(t, name), SYM_FIXED_COUNT + i);
  }
  for (int i = 0; i < 50000; i++) {
    snprintf(name, sizeof name, "nAME%d", i);
    assert_int_equal(symbol_find(t, slice_of(name)), SYM_FIXED_COUNT + i);
  }
  assert_int_equal(symbol_find(t, slice_of("name50000")), SYM_NONE);
}

static void a_variable_begins_with_a_question_mark(void **state) {
  read_fixture *f = *state;
  symbol_table *t = symbols_new(f->keep);
  assert_true(symbol_is_variable(t, intern(t, "?x")));
  assert_false(symbol_is_variable(t, intern(t, "x?")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(names_compare_without_regard_to_case),
      a_test(prints_a_name_as_first_written),
      a_test(keywords_have_fixed_numbers_and_keep_their_case),
      a_test(folds_only_ascii),
      a_test(finds_many_names_again),
      a_test(a_variable_begins_with_a_question_mark),
  };
  return cmocka_run_group_tests_name("symbol", tests, NULL, NULL);
}
