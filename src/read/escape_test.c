#include "read/escape.h"

#include "read/any_name_fixture.h"
#include "read/canonical.h"
#include "read/read_fixture.h"

static symbol_id only_name(read_fixture *f, const text *words, notation n, symbol_table *symbols) {
  f->s = source_of("test", words->bytes, (uint32_t)words->length);
  diag_sink_init(&f->d, f->keep);
  const bool is_read = tree_read_as(&f->t, &f->s, n, symbols, f->keep, &f->d);
  if (!is_read || f->t.nodes.count != 1) print_error("%s\n", words->bytes);
  assert_true(is_read);
  assert_int_equal(f->t.nodes.count, 1);
  return tree_node(&f->t, 0)->symbol;
}

/* As it was first written, and as canonical text. */
static void assert_reads_back(read_fixture *f, symbol_table *symbols, symbol_id s) {
  for (notation n = NOTATION_KIF; n <= NOTATION_PROLOG; n++) {
    text words = text_new(f->keep);
    name_print(symbols, s, n, &words);
    assert_int_equal(only_name(f, &words, n, symbols), s);
    assert_int_equal(strlen(text_string(&words)), words.length);
  }
  const slice canonical = symbol_canonical(symbols, s);
  text words = text_new(f->keep);
  text_add_bytes(&words, canonical.start, canonical.length);
  assert_int_equal(only_name(f, &words, NOTATION_KIF, symbols), s);
  assert_int_equal(canonical_name_length(text_string(&words)), words.length);
  if (!symbol_is_variable(symbols, s))
    assert_int_equal(canonical_find(symbols, canonical, f->keep), s);
}

static void hard_names_read_back(void **state) {
  read_fixture *f = *state;
  symbol_table *symbols = symbols_new(f->keep);
  for (uint32_t i = 0; hard_name(i).length; i++)
    assert_reads_back(f, symbols, symbol_intern_constant(symbols, hard_name(i)));
}

static void names_of_any_bytes_read_back(void **state) {
  read_fixture *f = *state;
  symbol_table *symbols = symbols_new(f->keep);
  rng r = rng_new(20, 0);
  char room[8];
  for (uint32_t i = 0; i < 20000; i++)
    assert_reads_back(f, symbols, symbol_intern_constant(symbols, any_name(&r, room)));
}

static void variables_of_any_bytes_read_back(void **state) {
  read_fixture *f = *state;
  symbol_table *symbols = symbols_new(f->keep);
  rng r = rng_new(20, 1);
  char room[8], name[32] = "?";
  for (uint32_t i = 0; i < 10000; i++) {
    const slice bare = any_name(&r, room);
    memcpy(name + 1, bare.start, bare.length);
    const symbol_id s = symbol_intern(symbols, (slice){name, bare.length + 1});
    assert_true(symbol_is_variable(symbols, s));
    assert_reads_back(f, symbols, s);
  }
}

static void a_canonical_text_has_nothing_that_a_line_or_a_program_minds(void **state) {
  read_fixture *f = *state;
  symbol_table *symbols = symbols_new(f->keep);
  rng r = rng_new(20, 2);
  char room[8];
  for (uint32_t i = 0; i < 10000; i++) {
    const slice text =
        symbol_canonical(symbols, symbol_intern_constant(symbols, any_name(&r, room)));
    for (size_t at = 0; at < text.length;) {
      const uint32_t length = utf8_length(text.start + at, text.start + text.length);
      assert_true(length > 0 && (uint8_t)text.start[at] >= ' ' && text.start[at] != 0x7f);
      at += length;
    }
  }
}

static void a_constant_may_be_named_like_a_variable(void **state) {
  read_fixture *f = *state;
  symbol_table *symbols = symbols_new(f->keep);
  const symbol_id variable = symbol_intern(symbols, slice_of("?x"));
  const symbol_id constant = symbol_intern_constant(symbols, slice_of("?X"));
  assert_int_not_equal(variable, constant);
  assert_true(symbol_is_variable(symbols, variable));
  assert_false(symbol_is_variable(symbols, constant));
  assert_int_equal(symbol_find(symbols, slice_of("?X")), variable);
  assert_int_equal(symbol_find_constant(symbols, slice_of("?x")), constant);
  assert_true(slice_equals(symbol_canonical(symbols, constant), "\\?x"));
}

static void ordinary_names_are_their_own_canonical_text(void **state) {
  read_fixture *f = *state;
  symbol_table *symbols = symbols_new(f->keep);
  static const char *const names[] = {"a",
                                      "cell",
                                      "+",
                                      "<=",
                                      "a?b",
                                      "a#|b",
                                      "1.5",
                                      "-1",
                                      "'q'",
                                      "\"",
                                      "{}",
                                      "a.b",
                                      "\xc3\xa9t\xc3\xa9",
                                      "|",
                                      "#"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const symbol_id s = symbol_intern(symbols, slice_of(names[i]));
    assert_ptr_equal(symbol_canonical(symbols, s).start, symbol_folded(symbols, s).start);
  }
}

static void a_byte_may_be_written_as_a_number(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "(p \\x61\\ a\\x62\\c)", "(p a abc)");
  assert_reads(f, "p('\\x61\\', 'a\\x62\\c').", "(p a abc)");
  assert_reads(f, "(p \\x28\\) (q)", "(p () (q)"); /* the name is a parenthesis */
}

static void the_number_of_a_byte_has_two_digits_and_an_end(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "(p \\x6 \\x6g\\\\ \\x61)", "(p x6 x6g\\ x61)");
  assert_reads(f, "p('\\x6', '\\x61').", "(p \\x6 \\x61)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(hard_names_read_back),
      a_test(names_of_any_bytes_read_back),
      a_test(variables_of_any_bytes_read_back),
      a_test(a_canonical_text_has_nothing_that_a_line_or_a_program_minds),
      a_test(a_constant_may_be_named_like_a_variable),
      a_test(ordinary_names_are_their_own_canonical_text),
      a_test(a_byte_may_be_written_as_a_number),
      a_test(the_number_of_a_byte_has_two_digits_and_an_end),
  };
  return cmocka_run_group_tests_name("escape", tests, NULL, NULL);
}
