#include "rules/rules_fixture.h"
#include "rules/term_copy.h"

static const char *printed(rules_fixture *f, const term_table *t, term_id id) {
  text out = text_new(f->keep);
  term_print(t, id, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

/* (f (f ... a ?3 ...) ?3), as an atom of the greatest depth. */
static term_id deepest_atom(term_table *t) {
  const symbol_id name = symbol_intern(t->symbols, slice_of("f"));
  term_id it[2] = {term_constant(t, symbol_intern(t->symbols, slice_of("a"))), term_variable(t, 3)};
  for (uint32_t i = 0; i < TERM_DEPTH_MAX; i++) assert_true(term_compound(t, name, it, 2, &it[0]));
  return term_atom(t, name, it, 2);
}

static void a_copy_in_another_table_has_the_same_text(void **state) {
  rules_fixture *f = *state;
  term_table t, other;
  terms_init(&t, symbols_new(f->keep), f->keep);
  terms_init(&other, t.symbols, f->keep);
  const term_id it = deepest_atom(&t);
  term_variable(&other, 0);
  const term_id copy = term_copy(&other, &t, it, f->keep);
  assert_int_not_equal(copy, it);
  assert_string_equal(printed(f, &other, copy), printed(f, &t, it));
}

static void a_copied_table_keeps_the_numbers(void **state) {
  rules_fixture *f = *state;
  term_table t, other;
  terms_init(&t, symbols_new(f->keep), f->keep);
  const term_id it = deepest_atom(&t);
  terms_copy(&other, &t, f->keep);
  assert_int_equal(deepest_atom(&other), it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_copy_in_another_table_has_the_same_text),
      rules_test(a_copied_table_keeps_the_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
