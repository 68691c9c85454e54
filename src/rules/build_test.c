#include "rules/rules_fixture.h"

static void facts_and_rules_become_rules(void **state) {
  rules_fixture *f = *state;
  assert_true(build_text(f, "(role White) terminal (<= (legal ?r noop) (role ?r) (not (true f)))"));
  assert_string_equal(rules_text(f), "(role white)\nterminal\n"
                                     "(<= (legal ?r noop) (role ?r) (not (true f)))");
}

static void both_notations_give_the_same_rules(void **state) {
  rules_fixture *f = *state;
  assert_true(build_text(f, "p(X) :- q(X, a), ~r(X), (s or t).\n"));
  const char *infix = rules_text(f);
  assert_true(build_text(f, "(<= (p ?X) (q ?X a) (not (r ?X)) (or s t))"));
  assert_string_equal(infix, rules_text(f));
}

static void a_name_in_parentheses_is_a_constant(void **state) {
  rules_fixture *f = *state;
  assert_true(build_text(f, "(<= (terminal) (open))"));
  assert_string_equal(rules_text(f), "(<= terminal open)");
  assert_int_equal(f->p.relations.items[SYM_TERMINAL].clause_count, 1);
}

static void variables_are_numbered_in_the_order_of_the_text(void **state) {
  rules_fixture *f = *state;
  assert_true(build_text(f, "(<= (p (f ?b ?a)) (q ?c ?a ?b))"));
  text out = text_new(f->keep);
  rule_print_numbered(&f->p, 0, NOTATION_KIF, &out);
  assert_string_equal(text_string(&out), "(<= (p (f ?0 ?1)) (q ?2 ?1 ?0))");
}

static void a_rule_without_conditions_is_a_fact(void **state) {
  rules_fixture *f = *state;
  assert_true(build_text(f, "(<= (p a))"));
  assert_string_equal(rules_text(f), "(p a)");
}

static void refuses_true_and_does_as_heads(void **state) {
  rules_fixture *f = *state;
  assert_false(build_text(f, "(<= (true f) (p a))\n(does white noop)"));
  assert_int_equal(count_of(f, DIAG_E201), 2);
  assert_place(f, fault(f, DIAG_E201, 0)->where, 1, 5, "(true f)");
  assert_int_equal(f->p.rules.count, 0);
}

static void true_with_two_arguments_is_a_relation(void **state) {
  rules_fixture *f = *state;
  assert_true(build_text(f, "(true a b)"));
  assert_fault(f, DIAG_W203, 1, 1, "(true a b)",
               "true has its meaning with 1 argument; with 2 it is an ordinary relation");
}

static void finds_faults_in_a_head_that_it_refuses(void **state) {
  rules_fixture *f = *state;
  assert_false(build_text(f, "(not (empty (cons (?r a) b)))"));
  assert_fault(f, DIAG_E405, 1, 20, "?r", "the variable ?r stands where a name must be");
}

static void refuses_variables_as_atoms(void **state) {
  rules_fixture *f = *state;
  assert_false(build_text(f, "(<= ?x (p ?x))\n(<= p ?x)\n(<= p (?x a))"));
  assert_int_equal(count_of(f, DIAG_E405), 3);
  assert_place(f, fault(f, DIAG_E405, 1)->where, 2, 7, "?x");
  assert_string_equal(fault(f, DIAG_E405, 1)->hint, "name the relation, for example (true ?x)");
}

static void hints_are_in_the_notation_of_the_text(void **state) {
  rules_fixture *f = *state;
  assert_false(build_text(f, "role(x).\nterminal :- Terminal."));
  assert_fault(f, DIAG_E405, 2, 13, "Terminal",
               "the variable Terminal stands where an atom must be");
  assert_string_equal(fault(f, DIAG_E405, 0)->hint,
                      "name the relation, for example true(Terminal)");
}

static void refuses_a_rule_without_a_head(void **state) {
  rules_fixture *f = *state;
  assert_false(build_text(f, "(p a)\n(<=)\n(p b)"));
  assert_fault(f, DIAG_E106, 2, 1, "(<=)", "this rule has no head");
  assert_int_equal(f->p.rules.count, 2);
}

static void refuses_operators_with_wrong_operands(void **state) {
  rules_fixture *f = *state;
  assert_false(build_text(f, "(<= p (not a b))\n(<= p (or))\n(<= p (distinct a))"));
  assert_int_equal(count_of(f, DIAG_E111), 3);
  assert_place(f, fault(f, DIAG_E111, 0)->where, 1, 7, "(not a b)");
}

static void refuses_a_literal_where_a_term_must_be(void **state) {
  rules_fixture *f = *state;
  assert_false(build_text(f, "(<= p (true (not q)))"));
  assert_fault(f, DIAG_E107, 1, 13, "(not q)", "a term must stand here, not the literal (not ...)");
  assert_string_equal(fault(f, DIAG_E107, 0)->hint, "write (not (true ...)) instead");
  assert_false(build_text(f, "(init (not q))"));
  assert_fault(f, DIAG_E107, 1, 7, "(not q)", "a term must stand here, not the literal (not ...)");
  assert_string_equal(fault(f, DIAG_E107, 0)->hint,
                      "say what is, not what is not; or give it another name");
}

static void knows_the_operators_of_other_languages(void **state) {
  rules_fixture *f = *state;
  assert_false(build_text(f, "(=> (p ?x) (q ?x))"));
  assert_fault(f, DIAG_E105, 1, 1, "(=> (p ?x) (q ?x))", "GDL has no operator =>");
  assert_false(build_text(f, "(<= p (|| q r))"));
  assert_fault(f, DIAG_E105, 1, 7, "(|| q r)", "GDL has no operator ||");
}

static void a_name_may_begin_like_an_operator(void **state) {
  rules_fixture *f = *state;
  assert_true(build_text(f, "(<= (=p ?x) (=>> ?x) (not (!q ?x)))"));
}

static void refuses_rules_inside_rules(void **state) {
  rules_fixture *f = *state;
  assert_false(build_text(f, "(<= p q (<= r s))"));
  assert_fault(f, DIAG_E104, 1, 9, "(<= r s)", "a rule cannot stand inside a rule");
}

static void leaves_faulty_rules_out_and_goes_on(void **state) {
  rules_fixture *f = *state;
  assert_false(build_text(f, "(p a)\n(<= (q ?x) ())\n(<= (r ?y) (p ?y))"));
  assert_string_equal(rules_text(f), "(p a)\n(<= (r ?y) (p ?y))");
}

static void a_form_that_the_reader_complained_of_draws_no_further_faults(void **state) {
  rules_fixture *f = *state;
  assert_false(build_text(f, "(p a)\n(<= (q ?x) (not a b)"));
  assert_int_equal(count_of(f, DIAG_E101), 1);
  assert_none(f, DIAG_E111);
  assert_int_equal(f->p.rules.count, 1);
}

static void bounds_the_nesting_of_formulas(void **state) {
  rules_fixture *f = *state;
  text deep = text_new(f->keep);
  text_add(&deep, "(<= p ");
  for (uint32_t i = 0; i <= FORMULA_DEPTH_MAX; i++) text_add(&deep, "(not ");
  text_add(&deep, "q");
  for (uint32_t i = 0; i <= FORMULA_DEPTH_MAX; i++) text_add(&deep, ")");
  text_add(&deep, ")");
  assert_false(build_text(f, text_string(&deep)));
  assert_int_equal(count_of(f, DIAG_E112), 1);
}

static void bounds_the_depth_of_terms(void **state) {
  rules_fixture *f = *state;
  text deep = text_new(f->keep);
  for (uint32_t i = 0; i < 100000; i++) text_add(&deep, "(f ");
  text_add(&deep, "a");
  for (uint32_t i = 0; i < 100000; i++) text_add(&deep, ")");
  assert_false(build_text(f, text_string(&deep)));
  assert_int_equal(count_of(f, DIAG_E112), 1);
}

static void warns_once_of_a_keyword_as_a_name(void **state) {
  rules_fixture *f = *state;
  assert_true(build_text(f, "(init (cell base 1))\n(init (cell base 2))"));
  assert_fault(f, DIAG_W204, 1, 13, "base", "the keyword base is used as a name");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(facts_and_rules_become_rules),
      rules_test(both_notations_give_the_same_rules),
      rules_test(a_name_in_parentheses_is_a_constant),
      rules_test(variables_are_numbered_in_the_order_of_the_text),
      rules_test(a_rule_without_conditions_is_a_fact),
      rules_test(refuses_true_and_does_as_heads),
      rules_test(true_with_two_arguments_is_a_relation),
      rules_test(finds_faults_in_a_head_that_it_refuses),
      rules_test(refuses_variables_as_atoms),
      rules_test(hints_are_in_the_notation_of_the_text),
      rules_test(refuses_a_rule_without_a_head),
      rules_test(refuses_operators_with_wrong_operands),
      rules_test(refuses_a_literal_where_a_term_must_be),
      rules_test(knows_the_operators_of_other_languages),
      rules_test(a_name_may_begin_like_an_operator),
      rules_test(refuses_rules_inside_rules),
      rules_test(leaves_faulty_rules_out_and_goes_on),
      rules_test(a_form_that_the_reader_complained_of_draws_no_further_faults),
      rules_test(bounds_the_nesting_of_formulas),
      rules_test(bounds_the_depth_of_terms),
      rules_test(warns_once_of_a_keyword_as_a_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
