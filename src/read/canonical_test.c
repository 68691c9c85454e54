#include "read/canonical.h"

#include "read/read_fixture.h"

static const char *canonical(read_fixture *f, const char *words) {
  canonical_terms terms;
  const char *why = NULL;
  if (!canonical_read(&terms, slice_of(words), f->keep, &why)) return why;
  text out = text_new(f->keep);
  text_add(&out, "");
  for (uint32_t i = 0; i < terms.items.count; i++)
    text_add_format(&out, "%s%s", i ? " | " : "", terms.items.items[i]);
  return text_string(&out);
}

static void one_text_for_each_term(void **state) {
  read_fixture *f = *state;
  static const char *const cases[][2] = {
      {"a", "a"},
      {"( A )", "a"},
      {"((a))", "a"},
      {"(MARK  1 (2)x)", "(mark 1 2 x)"},
      {"(f(g a b)c)", "(f (g a b) c)"},
      {"(f () (g ((a b))))", "(f () (g ((a b))))"},
      {"(or) (f (not))", "(or) | (f (not))"},
      {"a\\ b ?X \\?X", "a\\ b | ?x | \\?x"},
      {"(f \\a) ; words", "(f a)"},
      {"#| none |#", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(canonical(f, cases[i][0]), cases[i][1]);
}

static void says_what_is_wrong(void **state) {
  read_fixture *f = *state;
  assert_string_equal(canonical(f, "(f a"), "this parenthesis is never closed");
  assert_string_equal(canonical(f, "f a)"), "this parenthesis closes nothing");
}

static void knows_where_names_and_terms_end(void **state) {
  (void)state;
  assert_int_equal(canonical_name_length("a\\ b c)"), 4);
  assert_int_equal(canonical_name_length("\\x20\\) b"), 5);
  assert_int_equal(canonical_name_length("\\\\ b"), 2);
  assert_int_equal(canonical_name_length("(a b)"), 0);
  assert_int_equal(canonical_term_length("(f a\\) (g b)) c"), 13);
  assert_int_equal(canonical_term_length("() c"), 2);
}

/* None of a million lists is looked into twice. */
static void takes_any_depth(void **state) {
  read_fixture *f = *state;
  enum { DEPTH = 200 * 1000 };
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < DEPTH; i++) text_add_char(&words, '(');
  text_add(&words, "a b");
  for (uint32_t i = 0; i < DEPTH; i++) text_add_char(&words, ')');
  assert_string_equal(canonical(f, text_string(&words)), text_string(&words));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(one_text_for_each_term),
      a_test(says_what_is_wrong),
      a_test(knows_where_names_and_terms_end),
      a_test(takes_any_depth),
  };
  return cmocka_run_group_tests_name("canonical", tests, NULL, NULL);
}
