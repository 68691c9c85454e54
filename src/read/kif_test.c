#include "read/read_fixture.h"

#include <stdlib.h>

static void reads_what_real_files_hold(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "(role x)(init(cell 1))", "(role x) (init (cell 1))");
  assert_reads(f, "(<=(a ?x)(b ?x))", "(<= (a ?x) (b ?x))");
  assert_reads(f, "(terminal) (<= (legal p noop))", "(terminal) (<= (legal p noop))");
  assert_reads(f, "(a b);c\n(d;e\n)", "(a b) (d)");
  assert_reads(f, "(<= a (or (b) (and c (not (distinct ?x ?y)))))",
               "(<= a (or (b) (and c (not (distinct ?x ?y)))))");
  assert_reads(f, "(p + - -1 +2 ++ -- < > ?n++ goal1-0 a_b 01 |x| \"s\" a.b)",
               "(p + - -1 +2 ++ -- < > ?n++ goal1-0 a_b 01 |x| \"s\" a.b)");
  assert_reads(f, "\f(a\fb\v\tc)\r(d)\r\n(e)", "(a b c) (d) (e)");
  assert_reads(f, "(sees random ?x)", "(sees random ?x)");
  assert_reads(f, "\xef\xbb\xbf(a)", "(a)");
  assert_reads(f, "(caf\xc3\xa9 b)", "(caf\xc3\xa9 b)");
}

static void the_first_writing_of_a_name_is_kept(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "(ROLE Red) (role RED)", "(ROLE Red) (ROLE Red)");
}

static void a_backslash_takes_the_next_character_as_it_is(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "(a\\ b \\(\\) \\;x \\\\)", "(a b () ;x \\)");
  assert_int_equal(f->t.nodes.count, 5);
}

static void comments_end_with_any_line_end(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "; one\r(a) ; two\r\n(b) ; \xff three", "(a) (b)");
  assert_int_equal(f->t.comments.count, 3);
  assert_true(slice_equals(source_slice(&f->s, f->t.comments.items[0]), "; one"));
  assert_true(slice_equals(source_slice(&f->s, f->t.comments.items[2]), "; \xff three"));
}

static void spans_include_the_parentheses(void **state) {
  read_fixture *f = *state;
  assert_true(read_text(f, " (a (bc d)) "));
  static const span expected[] = {{1, 11}, {2, 3}, {4, 10}, {5, 7}, {8, 9}};
  for (uint32_t i = 0; i < 5; i++) {
    assert_int_equal(tree_node(&f->t, i)->where.start, expected[i].start);
    assert_int_equal(tree_node(&f->t, i)->where.end, expected[i].end);
  }
  assert_tree_is_sound(&f->t);
}

static void points_at_the_form_that_is_never_closed(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "(role a)\n(init (p 1)\n(legal a x)\n(<= terminal (true (p 1)))\n", DIAG_E101,
                   2, 1, "this parenthesis is never closed");
  assert_related(f, 0, 3, 1);
  assert_string_equal(shape(f), "(role a) (init (p 1)) (legal a x) (<= terminal (true (p 1)))");
}

static void points_at_the_last_form_of_a_text_that_is_cut_off(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "(role a)\n(<= (next p)\n    (not (true (q", DIAG_E101, 2, 1,
                   "this parenthesis and 3 more are never closed");
  assert_related(f, 0, 3, 18);
  assert_string_equal(shape(f), "(role a) (<= (next p) (not (true (q))))");
}

static void indentation_tells_which_literal_is_not_closed(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f,
                   "(<= (next (c ?x))\n"
                   "    (true (c ?x)\n"
                   "    (does ?r (m ?y))\n"
                   "    (distinct ?x ?y))\n"
                   "(<= terminal (open ?x))\n",
                   DIAG_E101, 2, 5, "this parenthesis is never closed");
  assert_related(f, 0, 3, 5);
  assert_string_equal(shape(f),
                      "(<= (next (c ?x)) (true (c ?x)) (does ?r (m ?y)) (distinct ?x ?y)) "
                      "(<= terminal (open ?x))");
}

static void careless_indentation_blames_the_whole_rule(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "(<= (goal x)\n    (or (a)\n    (b))\n    (true c)\n(role x)\n", DIAG_E101, 1,
                   1, "this parenthesis is never closed");
  assert_related(f, 0, 5, 1);
  assert_string_equal(shape(f), "(<= (goal x) (or (a) (b)) (true c)) (role x)");
}

static void bodies_in_the_first_column_are_fine(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "(<= a\n(true b)\n(c d))\n(e\n(f))", "(<= a (true b) (c d)) (e (f))");
  assert_one_fault(f, "(<= a\n(true b)\n(not c)\n(role d)\n", DIAG_E101, 1, 1,
                   "this parenthesis is never closed");
  assert_string_equal(shape(f), "(<= a (true b) (not c)) (role d)");
}

static void every_unclosed_form_is_reported(void **state) {
  read_fixture *f = *state;
  assert_false(read_text(f, "(a (b\n(c)\n(d (e)\n(f)\n(<= g h\n(<= i j)\n(k\n"));
  assert_int_equal(f->d.all.count, 4);
  assert_fault(f, 0, DIAG_E101, 1, 1, "this parenthesis and 1 more are never closed");
  assert_fault(f, 1, DIAG_E101, 3, 1, "this parenthesis is never closed");
  assert_fault(f, 2, DIAG_E101, 5, 1, "this parenthesis is never closed");
  assert_fault(f, 3, DIAG_E101, 7, 1, "this parenthesis is never closed");
  assert_string_equal(shape(f), "(a (b)) (c) (d (e)) (f) (<= g h) (<= i j) (k)");
}

static void points_at_the_parenthesis_too_many(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "(role a)\n(init p))\n(legal a x)\n", DIAG_E102, 2, 9,
                   "this parenthesis closes nothing");
  assert_related(f, 0, 2, 8);
  assert_string_equal(shape(f), "(role a) (init p) (legal a x)");
  assert_one_fault(f, ")))(a)", DIAG_E102, 1, 1, "these 3 parentheses close nothing");
}

static void faults_before_an_unclosed_form_are_told_once(void **state) {
  read_fixture *f = *state;
  assert_false(read_text(f, "(a \x01)\n(b \x02 . \n(c ?)\n"));
  assert_int_equal(f->d.all.count, 5);
}

static void control_bytes_are_told_once_a_run(void **state) {
  read_fixture *f = *state;
  assert_false(read_bytes(f, "(a\0\0\0 b\x01 c)", 11));
  assert_int_equal(f->d.all.count, 2);
  assert_fault(f, 0, DIAG_E109, 1, 3, "a NUL byte cannot be part of a rulesheet");
  assert_fault(f, 1, DIAG_E109, 1, 8, "the control character 0x01 cannot be part of a rulesheet");
  assert_string_equal(shape(f), "(a b c)");
}

static void names_must_be_utf8_and_not_look_blank(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "(a \xff\xfe b)", DIAG_E109, 1, 4, "the byte 0xff is not valid UTF-8");
  assert_one_fault(f,
                   "(a\xc2\xa0"
                   "b)",
                   DIAG_E109, 1, 3, "this character looks like a blank but is not one");
}

static void stray_marks_are_no_names(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "(black . 100)", DIAG_E104, 1, 8, "`.` is not a name");
  assert_one_fault(f, "(a ?)", DIAG_E104, 1, 4, "a variable without a name");
  assert_one_fault(f, "(a \\\n)", DIAG_E109, 1, 4, "nothing follows this `\\`");
}

static void quotes_that_quote_nothing_are_warned_of(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "(p \"a b\" c)", "(p \"a b\" c)");
  assert_int_equal(f->t.nodes.count, 5);
  assert_int_equal(f->d.all.count, 1);
  assert_fault(f, 0, DIAG_W115, 1, 4, "`\"` quotes nothing in KIF: the name ends here");
  assert_non_null(f->d.all.items[0].hint);
  assert_reads(f, "(p |a b|)", "(p |a b|)");
  assert_fault(f, 0, DIAG_W115, 1, 4, "`|` quotes nothing in KIF: the name ends here");
  assert_reads(f, "(p |a| \"b\" | || \\|a)", "(p |a| \"b\" | || |a)");
  assert_int_equal(f->d.all.count, 0);
}

static void a_text_may_be_cut_anywhere(void **state) {
  read_fixture *f = *state;
  read_every_beginning(f, "; head\n(role xplayer)\n(init (cell 1 1 b)) ; c\r\n(<= (next (c ?x))\n"
                          "    (or (true (c ?x)) ; why\n    (not (does \xc3\xa9 \\( ?m))))\n"
                          "(<= terminal (distinct ?x ?y))\n");
}

static void a_million_open_parentheses_are_one_fault(void **state) {
  read_fixture *f = *state;
  enum { DEPTH = 1000000 };
  char *bytes = test_malloc(2 * DEPTH);
  memset(bytes, '(', DEPTH);
  assert_false(read_bytes(f, bytes, DEPTH));
  assert_int_equal(f->d.all.count, 1);
  assert_fault(f, 0, DIAG_E101, 1, 1, "this parenthesis and 999999 more are never closed");
  for (size_t i = 0; i < 2 * DEPTH; i += 2) memcpy(bytes + i, "(\n", 2);
  assert_false(read_bytes(f, bytes, 2 * DEPTH));
  memset(bytes, ')', DEPTH);
  assert_false(read_bytes(f, bytes, DEPTH));
  assert_int_equal(f->d.all.count, 1);
  test_free(bytes);
}

static void a_name_may_be_long(void **state) {
  read_fixture *f = *state;
  enum { LENGTH = 10 * 1000 * 1000 };
  char *bytes = test_malloc(LENGTH);
  memset(bytes, 'x', LENGTH);
  assert_true(read_bytes(f, bytes, LENGTH));
  assert_int_equal(symbol_name(f->t.symbols, tree_node(&f->t, 0)->symbol).length, LENGTH);
  test_free(bytes);
}

static void a_block_comment_may_hold_anything(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "#| (a ; \n |# (b #|)|# c) #|#| |# |# d", "(b c) d");
  assert_int_equal(f->t.comments.count, 3);
  assert_reads(f, "(a#|b |#c #)", "(a#|b |#c #)"); /* within a name it is none */
}

static void a_block_comment_that_never_ends(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "(a)\n #| b #| |#", DIAG_E110, 2, 2, "this comment never ends");
}

static void parentheses_in_block_comments_and_names_are_not_counted(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "(<= a\n  #| ( |# (b \\( \\x28\\)\n(<= c d)", DIAG_E101, 1, 1,
                   "this parenthesis is never closed");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(reads_what_real_files_hold),
      a_test(the_first_writing_of_a_name_is_kept),
      a_test(a_backslash_takes_the_next_character_as_it_is),
      a_test(comments_end_with_any_line_end),
      a_test(spans_include_the_parentheses),
      a_test(points_at_the_form_that_is_never_closed),
      a_test(points_at_the_last_form_of_a_text_that_is_cut_off),
      a_test(indentation_tells_which_literal_is_not_closed),
      a_test(careless_indentation_blames_the_whole_rule),
      a_test(bodies_in_the_first_column_are_fine),
      a_test(every_unclosed_form_is_reported),
      a_test(points_at_the_parenthesis_too_many),
      a_test(faults_before_an_unclosed_form_are_told_once),
      a_test(control_bytes_are_told_once_a_run),
      a_test(names_must_be_utf8_and_not_look_blank),
      a_test(stray_marks_are_no_names),
      a_test(quotes_that_quote_nothing_are_warned_of),
      a_test(a_text_may_be_cut_anywhere),
      a_test(a_million_open_parentheses_are_one_fault),
      a_test(a_name_may_be_long),
      a_test(a_block_comment_may_hold_anything),
      a_test(a_block_comment_that_never_ends),
      a_test(parentheses_in_block_comments_and_names_are_not_counted),
  };
  return cmocka_run_group_tests_name("kif", tests, NULL, NULL);
}
