#include "read/read_fixture.h"

/* Lays `words` out and checks the text, that it reads as the same rules, and that laying it
   out again changes nothing. */
static void assert_layout(read_fixture *f, const char *words, notation n, uint32_t width,
                          const char *expected) {
  assert_true(read_text(f, words));
  const char *first = formatted(f, n, width);
  assert_string_equal(first, expected);
  assert_true(read_text(f, first));
  assert_int_equal(f->t.notation, n);
  assert_string_equal(formatted(f, n, width), expected);
}

static void kif(read_fixture *f, const char *words, const char *expected) {
  assert_layout(f, words, NOTATION_KIF, 40, expected);
}

static void infix(read_fixture *f, const char *words, const char *expected) {
  assert_layout(f, words, NOTATION_PROLOG, 40, expected);
}

static void a_short_rule_stays_on_one_line(void **state) {
  read_fixture *f = *state;
  kif(f, "(<=\n a\n b ) c", "(<= a b)\nc\n");
  infix(f, "(<=\n a\n b ) c", "a :- b.\nc.\n");
}

static void a_long_rule_has_a_line_for_each_literal(void **state) {
  read_fixture *f = *state;
  const char *words = "(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (not (does x noop)))";
  kif(f, words, "(<= (next (cell ?x ?y b))\n    (true (cell ?x ?y b))\n    (not (does x noop)))\n");
  infix(f, words, "next(cell(X, Y, b)) :-\n    true(cell(X, Y, b)),\n    not does(x, noop).\n");
}

static void a_long_disjunction_is_broken_too(void **state) {
  read_fixture *f = *state;
  const char *words = "(<= (a ?x) (or (true (cell ?x 1 b)) (and (b ?x) (c ?x))))";
  kif(f, words, "(<= (a ?x)\n    (or (true (cell ?x 1 b))\n        (and (b ?x) (c ?x))))\n");
  infix(f, words, "a(X) :-\n    (true(cell(X, 1, b)) or\n     (b(X), c(X))).\n");
}

static void a_fact_is_never_broken(void **state) {
  read_fixture *f = *state;
  kif(f, "(a aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbb c)",
      "(a aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbb c)\n");
}

static void infix_connectives_get_parentheses(void **state) {
  read_fixture *f = *state;
  infix(f, "(<= h (not (and a b)) (or c))", "h :- not (a, b), or(c).\n");
  infix(f, "(<= h (and (and a b) c) (not a b))", "h :- ((a, b), c), not(a, b).\n");
  infix(f, "(<= h (not (or a)) (not (not (and b))))", "h :- not(or(a)), not not(and(b)).\n");
  infix(f, "(<= h (not (and a b c)) (not or))", "h :- not (a, b, c), not 'or'.\n");
  infix(f, "(and a b) (<= (not a) (f (not 1) not))", "and(a, b).\nnot(a) :- f(not(1), 'not').\n");
  infix(f, "(terminal) (<= (h)) (<= x (y))", "terminal.\nh.\nx :- y.\n");
}

static void comments_stay_where_they_stand(void **state) {
  read_fixture *f = *state;
  const char *words =
      "; one\n\n;; two\n(a) ; three  \n(<= b ; four\n  ; five\n  c ; six\n  d)\n; seven";
  kif(f, words,
      "; one\n\n;; two\n(a) ; three\n(<= b ; four\n    ; five\n    c ; six\n    d)\n; seven\n");
  infix(f, words,
        "% one\n\n%% two\na. % three\nb :- % four\n    % five\n    c, % six\n    d.\n% seven\n");
}

static void a_comment_before_the_closing_parenthesis_is_kept(void **state) {
  read_fixture *f = *state;
  kif(f, "(<= a b ; c\n)", "(<= a b) ; c\n");
  infix(f, "(<= a b ; c\n)", "a :- b. % c\n");
  kif(f, "(<= a b\n ; c\n)", "(<= a\n    b\n    ; c\n    )\n");
  infix(f, "(<= a b\n ; c\n)", "a :-\n    b\n    % c\n    .\n");
  kif(f, "(<= a (or b ; c\n c))", "(<= a\n    (or b ; c\n        c))\n");
  infix(f, "(<= a (or b ; c\n c))", "a :-\n    (b or % c\n     c).\n");
  kif(f, "(p ; a\n q)", "(p ; a\n    q)\n");
  infix(f, "(<= ; a\n p q)", "% a\np :- q.\n");
}

static void block_comments_become_lines(void **state) {
  read_fixture *f = *state;
  const char *words = "/* one\r\n   two */\na(x). /* three */ b(y).";
  kif(f, words, "; one\n;   two\n(a x) ; three\n(b y)\n");
  infix(f, words, "/* one\n   two */\na(x). /* three */\nb(y).\n");
}

static void groups_are_kept_apart(void **state) {
  read_fixture *f = *state;
  kif(f, "\n\n(a) (b)\r\n\r\n\r\n(c)\n(d)\n\n", "(a)\n(b)\n\n(c)\n(d)\n");
  infix(f, "p(a).\n\n\np(b).\np(c).", "p(a).\n\np(b).\np(c).\n");
}

static void names_cross_the_notations(void **state) {
  read_fixture *f = *state;
  infix(f, "(P Red ?x ?n++ ++ -1 goal-0)", "p(red, X, ?'n++', '++', -1, goal-0).\n");
  kif(f, "p('A b', X, _, _2, -1, 'n++').", "(p A\\ b ?X ?_3 ?_2 -1 n++)\n");
  kif(f, "(ROLE Red) (role red)", "(ROLE Red)\n(ROLE Red)\n");
}

static void a_name_alone_cannot_change_the_notation(void **state) {
  read_fixture *f = *state;
  kif(f, "(a)\n%b", "(a)\n(%b)\n");
  kif(f, "'a'. '%b'. 'c.'.", "a\n(%b)\n(c.)\n");
}

static void what_the_fuzzer_found_stays_mended(void **state) {
  read_fixture *f = *state;
  infix(f, "(;\n\")", "%\n'\"'.\n");
  kif(f, "((i\n);\n)", "((i)) ;\n");
  infix(f, "(T(;\nH))", "t( %\n    h).\n");
}

static void nothing_gives_nothing(void **state) {
  read_fixture *f = *state;
  assert_true(read_text(f, " \n\n"));
  assert_string_equal(formatted(f, NOTATION_KIF, 0), "");
  assert_string_equal(formatted(f, NOTATION_PROLOG, 0), "");
}

static void repeat(text *out, const char *words, int count) {
  for (int i = 0; i < count; i++) text_add(out, words);
}

/* The indentation is bounded, so that the text of a deep tree stays in proportion. */
static void nothing_is_nested_too_deeply(void **state) {
  read_fixture *f = *state;
  enum { DEPTH = 100000 };
  text deep = text_new(f->keep);
  text_add(&deep, "(<= h ");
  repeat(&deep, "(or a (not ", DEPTH);
  text_add(&deep, "b");
  repeat(&deep, ")", 2 * DEPTH + 1);
  for (int n = NOTATION_KIF; n <= NOTATION_PROLOG; n++) {
    assert_true(read_bytes(f, deep.bytes, deep.length));
    const uint32_t nodes = f->t.nodes.count;
    const char *first = formatted(f, (notation)n, 0);
    assert_true(strlen(first) < 100u * DEPTH);
    assert_true(read_text(f, first));
    assert_int_equal(f->t.nodes.count, nodes);
    assert_string_equal(formatted(f, (notation)n, 0), first);
  }
}

static void block_comments_stay_or_become_lines(void **state) {
  read_fixture *f = *state;
  kif(f, "#| one\n  two |# (a)\n(<= b #| ; |# c)",
      "#| one\n  two |#\n(a)\n(<= b #| ; |#\n    c)\n");
  infix(f, "#| one\n  two |# (a)", "% one\n%  two\na.\n");
  kif(f, "/* one\n two */ a(b).", "; one\n; two\n(a b)\n");
}

static void directives_stay_like_comments(void **state) {
  read_fixture *f = *state;
  infix(f, ":- dynamic true/1, /* of a state */\n  does/2.\na(b).   :- table a/1.\n% c\n",
        ":- dynamic true/1, /* of a state */\n  does/2.\na(b). :- table a/1.\n% c\n");
  kif(f, ":- dynamic true/1.\na(b).", ";:- dynamic true/1.\n(a b)\n");
}

static void a_variable_without_a_name_keeps_none(void **state) {
  read_fixture *f = *state;
  infix(f, "p(X, _):-q(X,_,_3),not r(_) , s( ?_ ).", "p(X, _) :- q(X, _, _3), not r(_), s(?_).\n");
  kif(f, "p(_) :- q(_, _3).", "(<= (p ?_4) (q ?_5 ?_3))\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_short_rule_stays_on_one_line),
      a_test(a_long_rule_has_a_line_for_each_literal),
      a_test(a_long_disjunction_is_broken_too),
      a_test(a_fact_is_never_broken),
      a_test(infix_connectives_get_parentheses),
      a_test(comments_stay_where_they_stand),
      a_test(a_comment_before_the_closing_parenthesis_is_kept),
      a_test(block_comments_become_lines),
      a_test(groups_are_kept_apart),
      a_test(names_cross_the_notations),
      a_test(a_name_alone_cannot_change_the_notation),
      a_test(what_the_fuzzer_found_stays_mended),
      a_test(nothing_gives_nothing),
      a_test(nothing_is_nested_too_deeply),
      a_test(block_comments_stay_or_become_lines),
      a_test(directives_stay_like_comments),
      a_test(a_variable_without_a_name_keeps_none),
  };
  return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
