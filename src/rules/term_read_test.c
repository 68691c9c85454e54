#include "rules/term_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct names_fixture {
  arena *keep, *scratch;
  term_table terms;
} names_fixture;

static int set_up(void **state) {
  names_fixture *f = test_calloc(1, sizeof *f);
  f->keep = arena_new();
  f->scratch = arena_new();
  symbol_table *symbols = symbols_new(f->keep);
  symbol_intern_constant(symbols, slice_of("f"));
  symbol_intern_constant(symbols, slice_of("a b"));
  symbol_intern_constant(symbols, slice_of("1"));
  terms_init(&f->terms, symbols, f->keep);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  names_fixture *f = *state;
  arena_free(f->scratch);
  arena_free(f->keep);
  test_free(f);
  return 0;
}

static void what_is_read_prints_as_it_was(void **state) {
  names_fixture *f = *state;
  static const char *const texts[] = {"f", "(f 1)", "(f (f 1 a\\ b) 1)", "a\\ b"};
  for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    term_id made;
    text out = text_new(f->keep);
    assert_true(term_read_canonical(&f->terms, texts[i], f->scratch, &made));
    term_print(&f->terms, made, NOTATION_KIF, NULL, &out);
    assert_string_equal(text_string(&out), texts[i]);
  }
}

static void no_name_is_added(void **state) {
  names_fixture *f = *state;
  const uint32_t count = symbol_count(f->terms.symbols);
  term_id made = TERM_NONE;
  assert_false(term_read_canonical(&f->terms, "(f g)", f->scratch, &made));
  assert_int_equal(made, TERM_NONE);
  assert_int_equal(symbol_count(f->terms.symbols), count);
}

static void what_is_no_ground_term_is_refused(void **state) {
  names_fixture *f = *state;
  static const char *const texts[] = {"",    "?x", "(f ?x)",    "(f 1",
                                      "f 1", "()", "((f 1) 1)", "(f  1)"};
  term_id made;
  for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_false(term_read_canonical(&f->terms, texts[i], f->scratch, &made));
}

static void a_term_that_is_too_deep_is_refused(void **state) {
  names_fixture *f = *state;
  text words = text_new(f->keep);
  term_id made;
  for (uint32_t i = 0; i < TERM_DEPTH_MAX * 2; i++) text_add(&words, "(f ");
  text_add(&words, "1");
  for (uint32_t i = 0; i < TERM_DEPTH_MAX * 2; i++) text_add(&words, ")");
  assert_false(term_read_canonical(&f->terms, text_string(&words), f->scratch, &made));
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(what_is_read_prints_as_it_was),
      a_test(no_name_is_added),
      a_test(what_is_no_ground_term_is_refused),
      a_test(a_term_that_is_too_deep_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
