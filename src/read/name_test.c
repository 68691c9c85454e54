#include "read/read_fixture.h"

static const char *printed(read_fixture *f, const char *name, notation n) {
  symbol_table *t = symbols_new(f->keep);
  text out = text_new(f->keep);
  name_print(t, symbol_intern(t, slice_of(name)), n, &out);
  return text_string(&out);
}

static void kif_prints_names_as_they_are(void **state) {
  read_fixture *f = *state;
  static const char *const names[] = {"a", "Cell", "?x", "?n++", "goal1-0", "+", "a.b", "'q'"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_string_equal(printed(f, names[i], NOTATION_KIF), names[i]);
}

static void kif_escapes_what_would_end_a_name(void **state) {
  read_fixture *f = *state;
  assert_string_equal(printed(f, "a b", NOTATION_KIF), "a\\ b");
  assert_string_equal(printed(f, "f(x);", NOTATION_KIF), "f\\(x\\)\\;");
  assert_string_equal(printed(f, "..", NOTATION_KIF), "\\.\\.");
}

static void infix_quotes_where_it_must(void **state) {
  read_fixture *f = *state;
  static const char *const cases[][2] = {
      {"a", "a"},          {"cellHolds", "cellHolds"},
      {"Cell", "cell"},    {"RED", "red"},
      {"10", "10"},        {"-1", "-1"},
      {"+2", "+2"},        {"++", "'++'"},
      {"-x", "'-x'"},      {"goal1-0", "goal1-0"},
      {"n++", "'n++'"},    {"_a", "'_a'"},
      {"not", "'not'"},    {"or", "'or'"},
      {"it's", "'it''s'"}, {"a b", "'a b'"},
      {"\\", "'\\\\'"},    {"<=", "'<='"},
      {"1.5", "'1.5'"},    {"a->b", "'a->b'"},
      {"?x", "X"},         {"?cell", "Cell"},
      {"?X1", "X1"},       {"?_", "?_"},
      {"?_x", "_x"},       {"?1", "?1"},
      {"?n++", "?'n++'"},  {"?a-b", "?'a-b'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(printed(f, cases[i][0], NOTATION_PROLOG), cases[i][1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(kif_prints_names_as_they_are),
      a_test(kif_escapes_what_would_end_a_name),
      a_test(infix_quotes_where_it_must),
  };
  return cmocka_run_group_tests_name("name", tests, NULL, NULL);
}
