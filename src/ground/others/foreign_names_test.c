#include "ground/others/foreign_names.h"

#include "read/any_name_fixture.h"
#include "rules/rules_fixture.h"

#include <stdlib.h>

typedef void (*name_printer)(const term_table *t, term_id id, text *out);

typedef struct printed_term {
  const char *words;
  term_id term;
} printed_term;

static int compare_words(const void *a, const void *b) {
  return strcmp(((const printed_term *)a)->words, ((const printed_term *)b)->words);
}

static bool is_clean(const char *words) {
  for (const char *at = words; *at; at++)
    if ((uint8_t)*at < ' ' || *at == 0x7f) return false;
  return true;
}

static term_id any_term(term_table *t, rng *r) {
  char room[8];
  const symbol_id name = symbol_intern_constant(t->symbols, any_name(r, room));
  const term_id a = term_constant(t, symbol_intern(t->symbols, slice_of("a")));
  term_id whole;
  if (rng_below(r, 2)) return term_constant(t, name);
  assert_true(term_compound(t, name, &a, 1, &whole));
  return whole;
}

static void assert_tells_apart(rules_fixture *f, name_printer print) {
  enum { COUNT = 5000 };
  term_table t;
  terms_init(&t, symbols_new(f->keep), f->keep);
  rng r = rng_new(3, 0);
  printed_term *all = arena_new_array(f->keep, printed_term, COUNT);
  for (uint32_t i = 0; i < COUNT; i++) {
    text out = text_new(f->keep);
    all[i].term = any_term(&t, &r);
    print(&t, all[i].term, &out);
    all[i].words = text_string(&out);
    assert_int_equal(strlen(all[i].words), out.length);
    assert_true(is_clean(all[i].words));
  }
  qsort(all, COUNT, sizeof *all, compare_words);
  for (uint32_t i = 1; i < COUNT; i++)
    assert_true(all[i].term == all[i - 1].term || compare_words(&all[i], &all[i - 1]) != 0);
}

static void different_terms_are_written_differently(void **state) {
  assert_tells_apart(*state, foreign_prolog_term);
  assert_tells_apart(*state, foreign_prolog_atom);
  assert_tells_apart(*state, foreign_asp_term);
  assert_tells_apart(*state, foreign_asp_atom);
}

static const char *written(rules_fixture *f, slice name, name_printer print) {
  term_table t;
  terms_init(&t, symbols_new(f->keep), f->keep);
  text out = text_new(f->keep);
  print(&t, term_constant(&t, symbol_intern_constant(t.symbols, name)), &out);
  return text_string(&out);
}

static void bytes_that_are_no_text_become_digits(void **state) {
  rules_fixture *f = *state;
  const slice line = {"a\nb", 3}, byte = {"a\xff", 2}, zero = {"\0", 1};
  assert_string_equal(written(f, line, foreign_prolog_term), "'a\\x0a\\b'");
  assert_string_equal(written(f, byte, foreign_prolog_term), "'\\x1b\\61ff'");
  assert_string_equal(written(f, zero, foreign_prolog_atom), "'g_\\x00\\'");
  assert_string_equal(written(f, line, foreign_asp_term), "a'0ab");
  assert_string_equal(written(f, byte, foreign_asp_term), "a'ff");
  assert_string_equal(written(f, zero, foreign_asp_term), "f'''00");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(different_terms_are_written_differently),
      rules_test(bytes_that_are_no_text_become_digits),
  };
  return cmocka_run_group_tests_name("foreign_names", tests, NULL, NULL);
}
