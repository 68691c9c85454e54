#include "read/read_fixture.h"

static void reads_the_rules_of_the_papers(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "role(x) . role(o).", "(role x) (role o)");
  assert_reads(f, "legal(P,mark(M,N)) :- true(control(P)), true(cell(M,N,b)) .",
               "(<= (legal ?P (mark ?M ?N)) (true (control ?P)) (true (cell ?M ?N b)))");
  assert_reads(f,
               "next(cell(M,N,O)) :- %r3\n  does(P,mark(J,K)) ,\n  true(cell(M,N,O)) ,\n"
               "  ( distinct(M,J) or distinct(N,K) ) .",
               "(<= (next (cell ?M ?N ?O)) (does ?P (mark ?J ?K)) (true (cell ?M ?N ?O)) "
               "(or (distinct ?M ?J) (distinct ?N ?K)))");
}

static void knows_every_spelling_of_the_operators(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "h() :- a, b.", "(<= h a b)");
  assert_reads(f, "h() <= a & b.", "(<= h a b)");
  assert_reads(f, "h() <- a and b.", "(<= h a b)");
  assert_reads(f, "h() :- ~a, \\+b, not c, not(d), ~(e), not (g, i).",
               "(<= h (not a) (not b) (not c) (not d) (not e) (not (and g i)))");
  assert_reads(f, "h() :- a or b.", "(<= h (or a b))");
  assert_reads(f, "h() :- a | b ; c.", "(<= h (or a b c))");
  assert_reads(f, "h() :- X != Y, X \\= Y, distinct(X, Y).",
               "(<= h (distinct ?X ?Y) (distinct ?X ?Y) (distinct ?X ?Y))");
}

static void operators_bind_in_their_order(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "h() :- a, b or c, ~d.", "(<= h (or (and a b) (and c (not d))))");
  assert_reads(f, "h() :- not X != Y.", "(<= h (not (distinct ?X ?Y)))");
  assert_reads(f, "h() :- ~~a.", "(<= h (not (not a)))");
  assert_reads(f, "h() :- (a, b), c.", "(<= h (and a b) c)");
  assert_reads(f, "h() :- (a, b).", "(<= h (and a b))");
  assert_reads(f, "h() :- a, (b or c or (d or e)).", "(<= h a (or b c (or d e)))");
  assert_reads(f, "h() :- or(a, and(b, c)), or(d).", "(<= h (or a (and b c)) (or d))");
  assert_reads(f, "h() :- .", "(<= h)");
}

static void a_clause_ends_with_its_line(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "role(x)\nrole(o)\nterminal\n", "(role x) (role o) terminal");
  assert_reads(f, "h(x) :-\n a\n , b\n and c &\n d\nterminal <=\n  e",
               "(<= (h x) a b c d) (<= terminal e)");
  assert_reads(f, "p(a,\n  b\n , c)\n.\nq(x)\n++(1)\n", "(p a b c) (q x) (++ 1)");
  assert_reads(f, "role(x)\r\nrole(o)\rrole(p)", "(role x) (role o) (role p)");
}

static void assert_one_warning(read_fixture *f, const char *words, uint32_t line, uint32_t column) {
  assert_true(read_text(f, words));
  assert_int_equal(f->d.all.count, 1);
  assert_fault(f, 0, DIAG_W114, line, column,
               "this clause ends with its line, without a full stop");
  assert_related(f, 0, line + 1, line == 1 ? 3 : 1);
  assert_non_null(f->d.all.items[0].hint);
}

static void a_forgotten_comma_is_warned_of(void **state) {
  read_fixture *f = *state;
  assert_one_warning(f, "terminal :- late\n  full.\n", 1, 17);
  assert_one_warning(f, "terminal :- late\n  full\nrole(x)\nrole(y)\n", 1, 17);
  assert_one_warning(f, "role(x).\nterminal :- late % why\nfull.\n", 2, 17);
}

static void a_text_without_stops_is_fine(void **state) {
  read_fixture *f = *state;
  assert_true(read_text(f, "role(x)\nrole(o)\nterminal :-\n  late,\n  full\ninit(a)\n"));
  assert_int_equal(f->d.all.count, 0);
  assert_true(read_text(f, "  role(x)\n  role(o)\ninit(a)\nterminal.\n"));
  assert_int_equal(f->d.all.count, 0);
}

static void reads_every_kind_of_name(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "p(-1, +2, 01, 1.5, ++, -, <, 'a b', 'it''s', 'b\\\\s', 'c\\'d').",
               "(p -1 +2 01 1.5 ++ - < a b it's b\\s c'd)");
  assert_reads(f, "p(goal1-0, not-filled, n++, caf\xc3\xa9, 'X', not, and, or, a()).",
               "(p goal1-0 not-filled n++ caf\xc3\xa9 X not and or a)");
  assert_reads(f, "p(X, ?y, Z_1, _q, ?'n++', '?m', ?k++).", "(p ?X ?y ?Z_1 ?_q ?n++ ?m ?k++)");
  assert_reads(f, "q(x). p (a, (b)).", "(q x) (p a b)");
  assert_reads(f, "h(X):--1,+1,a-b.", "(<= (h ?X) -1 +1 a-b)");
}

static void each_underscore_is_a_new_variable(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "p(_) :- q(_, _3, _). r(_).", "(<= (p ?_4) (q ?_5 ?_3 ?_6)) (r ?_1)");
}

static void keeps_comments_of_all_kinds(void **state) {
  read_fixture *f = *state;
  assert_reads(f, "% a\n; b\nrole(x). /* c\n d */ role /* e */ (y).", "(role x) (role y)");
  assert_int_equal(f->t.comments.count, 4);
  assert_true(slice_equals(source_slice(&f->s, f->t.comments.items[2]), "/* c\n d */"));
}

static void spans_are_of_the_text(void **state) {
  read_fixture *f = *state;
  assert_true(read_text(f, "p(X) :- q, (r or s) ."));
  static const span expected[] = {{0, 21}, {5, 7},   {0, 4},   {0, 1},   {2, 3},
                                  {8, 9},  {11, 19}, {14, 16}, {12, 13}, {17, 18}};
  assert_int_equal(f->t.nodes.count, 10);
  for (uint32_t i = 0; i < 10; i++) {
    assert_int_equal(tree_node(&f->t, i)->where.start, expected[i].start);
    assert_int_equal(tree_node(&f->t, i)->where.end, expected[i].end);
  }
  assert_tree_is_sound(&f->t);
}

static void points_at_the_parenthesis_that_is_never_closed(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "p(a.\nq(b).", DIAG_E101, 1, 2, "this parenthesis is never closed");
  assert_related(f, 0, 1, 4);
  assert_string_equal(shape(f), "(q b)");
  assert_one_fault(f, "p(a\nq(b)\n", DIAG_E101, 1, 2, "this parenthesis is never closed");
  assert_related(f, 0, 2, 1);
  assert_string_equal(shape(f), "(q b)");
  assert_one_fault(f, "p(a, f(b :- c.\nq(b).", DIAG_E101, 1, 2,
                   "this parenthesis and 1 more are never closed");
  assert_related(f, 0, 1, 10);
}

static void goes_on_after_a_parenthesis_too_many(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "p(a)).\nq(b).", DIAG_E102, 1, 5, "this parenthesis closes nothing");
  assert_string_equal(shape(f), "(p a) (q b)");
}

static void unknown_operators_get_a_hint(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "p(X) :- q(X), X = Y, r(Y).", DIAG_E105, 1, 17, "GDL has no operator `=`");
  assert_non_null(f->d.all.items[0].hint);
  assert_one_fault(f, "p(a) -> q.", DIAG_E105, 1, 6, "GDL has no operator `->`");
  assert_string_equal(f->d.all.items[0].hint, "write the head first: `head :- body`");
  assert_one_fault(f, "p(a) :- a && b.", DIAG_E105, 1, 11, "GDL has no operator `&&`");
  assert_one_fault(f, "p(a) <-> b.", DIAG_E105, 1, 6, "GDL has no operator `<->`");
  assert_one_fault(f, "p(a) :- X == b.", DIAG_E105, 1, 11, "GDL has no operator `==`");
}

static void stray_tokens_are_told_with_what_must_be_there(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "p(a b).\nq(c).", DIAG_E104, 1, 5, "`b` stands where `,` or `)` must be");
  assert_string_equal(shape(f), "(q c)");
  assert_one_fault(f, "p(a) :- b,, c.", DIAG_E104, 1, 11, "`,` stands where a literal must be");
  assert_one_fault(f, "p(a,).", DIAG_E104, 1, 5, "`)` stands where a term must be");
  assert_one_fault(f, "p(a) q(b).", DIAG_E104, 1, 6,
                   "`q` stands where `,` or the end of the clause must be");
  assert_one_fault(f, "p(a) :- b,", DIAG_E104, 1, 11, "the text ends where a literal must be");
  assert_one_fault(f, "p(a) :- [b, c].", DIAG_E104, 1, 9, "`[` has no meaning here");
  assert_one_fault(f, "p(a) :- b :- c.", DIAG_E104, 1, 11,
                   "`:-` stands where `,` or the end of the clause must be");
  assert_one_fault(f, "p(a) :- ().", DIAG_E103, 1, 9, "nothing is in these parentheses");
  assert_one_fault(f, "p(a, ?).", DIAG_E104, 1, 6, "a variable without a name");
  assert_one_fault(f, "p(a, '').", DIAG_E104, 1, 6, "an empty name");
}

static void a_rule_needs_a_head(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "role(x).\n:- a.\nrole(y).", DIAG_E106, 2, 1, "this rule has no head");
  assert_string_equal(shape(f), "(role x) (role y)");
}

static void quotes_and_comments_must_end(void **state) {
  read_fixture *f = *state;
  assert_one_fault(f, "p('ab).\nq(c).", DIAG_E110, 1, 3, "this quoted name never ends");
  assert_string_equal(shape(f), "(q c)");
  assert_one_fault(f, "p(a). /* b", DIAG_E110, 1, 7, "this comment never ends");
}

static void bytes_that_mean_nothing_are_told(void **state) {
  read_fixture *f = *state;
  assert_false(read_bytes(f, "p(a,\0\0b).", 10));
  assert_fault(f, 0, DIAG_E109, 1, 5, "a NUL byte cannot be part of a rulesheet");
  assert_string_equal(shape(f), "(p a b)");
  assert_one_fault(f, "p(\xff).", DIAG_E109, 1, 3, "the byte 0xff is not valid UTF-8");
}

static void a_text_may_be_cut_anywhere(void **state) {
  read_fixture *f = *state;
  read_every_beginning(f,
                       "% head\nrole(x). role(o)\ninit(cell(1,'a b',b)). /* c\n */\n"
                       "legal(P,mark(M,_)) :- true(control(P)), ~(a or b & ?'n++' != -1),\n"
                       "    not \\+ c, not(d) % why\n    and e.\nterminal <= line(x) | \xc3\xa9\n");
}

static void repeat(read_fixture *f, const char *start, const char *middle, const char *end) {
  text all = text_new(f->keep);
  text_add(&all, start);
  for (int i = 0; i < 1000000; i++) text_add(&all, middle);
  text_add(&all, end);
  read_bytes(f, all.bytes, all.length);
  assert_tree_is_sound(&f->t);
}

static void nothing_is_nested_too_deeply(void **state) {
  read_fixture *f = *state;
  repeat(f, "p(x) :- ", "(", "");
  assert_int_equal(f->d.all.count, 1);
  assert_fault(f, 0, DIAG_E101, 1, 9, "this parenthesis and 999999 more are never closed");
  repeat(f, "p(x) :- ", "~", "a.");
  assert_int_equal(f->d.errors, 0);
  repeat(f, "p(x) :- ", "f(", "");
  assert_int_equal(f->d.errors, 1);
  repeat(f, "p(x) :- a", " or a, b", ".");
  assert_int_equal(f->d.errors, 0);
  repeat(f, "p(x)", ")", ".");
  repeat(f, "p(x)", "\n(", ".");
}

static void tells_that_the_last_clause_has_no_stop(void **state) {
  read_fixture *f = *state;
  assert_true(read_text(f, "a(b).\nc :- d, e\n"));
  assert_fault(f, 0, DIAG_W114, 2, 10, "the last clause has no full stop: the text ends here");
  assert_int_equal(f->d.all.count, 1);
}

static void directives_say_nothing_of_the_game(void **state) {
  read_fixture *f = *state;
  assert_reads(f, ":- discontiguous a/1, 'b c'/2.\na(b).\n:- style_check(-singleton). c.",
               "(a b) c");
  assert_int_equal(f->t.comments.count, 2);
  assert_one_fault(f, "a. :- b, c.", DIAG_E106, 1, 4, "this rule has no head");
}

static void a_quoted_name_is_no_variable(void **state) {
  read_fixture *f = *state;
  assert_true(read_text(f, "p('?x', ?'x', ?x, '?')."));
  const symbol_table *s = f->t.symbols;
  assert_false(symbol_is_variable(s, tree_node(&f->t, 2)->symbol));
  assert_true(symbol_is_variable(s, tree_node(&f->t, 3)->symbol));
  assert_int_equal(tree_node(&f->t, 3)->symbol, tree_node(&f->t, 4)->symbol);
  assert_false(symbol_is_variable(s, tree_node(&f->t, 5)->symbol));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(reads_the_rules_of_the_papers),
      a_test(knows_every_spelling_of_the_operators),
      a_test(operators_bind_in_their_order),
      a_test(a_clause_ends_with_its_line),
      a_test(a_forgotten_comma_is_warned_of),
      a_test(a_text_without_stops_is_fine),
      a_test(reads_every_kind_of_name),
      a_test(each_underscore_is_a_new_variable),
      a_test(keeps_comments_of_all_kinds),
      a_test(spans_are_of_the_text),
      a_test(points_at_the_parenthesis_that_is_never_closed),
      a_test(goes_on_after_a_parenthesis_too_many),
      a_test(unknown_operators_get_a_hint),
      a_test(stray_tokens_are_told_with_what_must_be_there),
      a_test(a_rule_needs_a_head),
      a_test(quotes_and_comments_must_end),
      a_test(bytes_that_mean_nothing_are_told),
      a_test(a_text_may_be_cut_anywhere),
      a_test(nothing_is_nested_too_deeply),
      a_test(tells_that_the_last_clause_has_no_stop),
      a_test(directives_say_nothing_of_the_game),
      a_test(a_quoted_name_is_no_variable),
  };
  return cmocka_run_group_tests_name("prolog", tests, NULL, NULL);
}
