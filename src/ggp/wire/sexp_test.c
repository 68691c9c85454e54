#include "ggp/ggp_fixture.h"
#include "ggp/wire/sexp.h"

static const char *spaced(const char *terms) {
  text out = text_new(test_arena);
  sexp_add_spaced(slice_of(terms), &out);
  return text_string(&out);
}

static const char *canonical(const char *terms) {
  text out = text_new(test_arena);
  sexp_add_canonical(slice_of(terms), &out);
  return text_string(&out);
}

static void takes_terms_one_by_one(void **state) {
  (void)state;
  slice rest = slice_of(" noop ( mark 1 (f x)) ; a comment\n ?x"), term;
  assert_int_equal(sexp_next(&rest, &term), SEXP_NAME);
  assert_true(slice_equals(term, "noop"));
  assert_int_equal(sexp_next(&rest, &term), SEXP_LIST);
  assert_true(slice_equals(term, "( mark 1 (f x))"));
  assert_true(slice_equals(sexp_inside(term), " mark 1 (f x)"));
  assert_int_equal(sexp_next(&rest, &term), SEXP_NAME);
  assert_true(slice_equals(term, "?x"));
  assert_int_equal(sexp_next(&rest, &term), SEXP_END);
}

static void finds_missing_parentheses(void **state) {
  (void)state;
  slice rest = slice_of("(a (b)"), term;
  assert_int_equal(sexp_next(&rest, &term), SEXP_BROKEN);
  rest = slice_of(") a");
  assert_int_equal(sexp_next(&rest, &term), SEXP_BROKEN);
}

static void writes_one_blank_between_tokens(void **state) {
  (void)state;
  assert_string_equal(spaced("(mark  1\n\t1); hello )\n noop"), "( mark 1 1 ) noop");
  assert_string_equal(spaced(""), "");
}

static void writes_canonical_terms(void **state) {
  (void)state;
  assert_string_equal(canonical("( Mark 1 1 )  NOOP"), "(mark 1 1) noop");
  assert_string_equal(canonical("( noop )"), "noop");
  assert_string_equal(canonical("(f (a) ( g  b ) )"), "(f a (g b))");
}

static void takes_escaped_bytes_into_names(void **state) {
  (void)state;
  slice rest = slice_of("a\\)b c"), term;
  assert_int_equal(sexp_next(&rest, &term), SEXP_NAME);
  assert_true(slice_equals(term, "a\\)b"));
  rest = slice_of("a\\");
  assert_int_equal(sexp_next(&rest, &term), SEXP_NAME);
  assert_int_equal(term.length, 2);
}

static void compares_words_in_any_case(void **state) {
  (void)state;
  assert_true(sexp_is(slice_of("Start"), "START"));
  assert_false(sexp_is(slice_of("star"), "START"));
  assert_false(sexp_is(slice_of("started"), "START"));
}

static void knows_when_the_first_list_is_closed(void **state) {
  (void)state;
  const char message[] = "( PLAY m ; a ) in a comment\n (a (b \\) ) ) )trailing";
  sexp_scan s = {0};
  for (size_t i = 0; i < sizeof message - 1; i++) {
    const bool closed = sexp_scan_add(&s, message + i, 1);
    assert_int_equal(closed, i + 1 >= sizeof message - sizeof "trailing");
  }
}

static void stands_a_million_parentheses(void **state) {
  (void)state;
  enum { MANY = 1000000 };
  char *text = arena_alloc(test_arena, 2 * MANY);
  memset(text, '(', MANY);
  memset(text + MANY, ')', MANY);
  slice rest = {text, 2 * MANY}, term;
  assert_int_equal(sexp_next(&rest, &term), SEXP_LIST);
  rest = (slice){text, MANY};
  assert_int_equal(sexp_next(&rest, &term), SEXP_BROKEN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_terms_one_by_one),
      cmocka_unit_test(finds_missing_parentheses),
      cmocka_unit_test(writes_one_blank_between_tokens),
      cmocka_unit_test(writes_canonical_terms),
      cmocka_unit_test(takes_escaped_bytes_into_names),
      cmocka_unit_test(compares_words_in_any_case),
      cmocka_unit_test(knows_when_the_first_list_is_closed),
      cmocka_unit_test(stands_a_million_parentheses),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
