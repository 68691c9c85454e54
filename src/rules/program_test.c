#include "rules/rules_fixture.h"

static void keyword_relations_have_fixed_numbers(void **state) {
  rules_fixture *f = *state;
  build_text(f, "(p a)");
  for (symbol_id s = 0; s < KEYWORD_RELATION_COUNT; s++) {
    assert_int_equal(f->p.relations.items[s].name, s);
    assert_int_equal(f->p.relations.items[s].arity, keyword_arity(s));
  }
}

static void a_relation_is_a_name_with_a_number_of_arguments(void **state) {
  rules_fixture *f = *state;
  build_text(f, "(p a)\n(p a b)\n(<= (p ?x) (q ?x))");
  assert_int_not_equal(relation_named(f, "p", 1), relation_named(f, "p", 2));
  assert_int_equal(f->p.relations.items[relation_named(f, "p", 1)].clause_count, 2);
  assert_int_equal(relation_named(f, "p", 3), RELATION_NONE);
}

static void clauses_are_found_by_relation_in_their_order(void **state) {
  rules_fixture *f = *state;
  build_text(f, "(p a)\n(q a)\n(p b)\n(<= (p c) (q a))");
  const relation *p = &f->p.relations.items[relation_named(f, "p", 1)];
  assert_int_equal(p->clause_count, 3);
  const uint32_t expected[] = {0, 2, 3};
  for (uint32_t i = 0; i < 3; i++)
    assert_int_equal(f->p.clauses_of_relation.items[p->first_clause + i], expected[i]);
}

static void knows_where_a_relation_is_first_used(void **state) {
  rules_fixture *f = *state;
  build_text(f, "(<= p (not (q a)) (q b))");
  const relation *q = &f->p.relations.items[relation_named(f, "q", 1)];
  assert_place(f, program_span(&f->p, q->first_use), 1, 12, "(q a)");
  assert_int_equal(f->p.relations.items[relation_named(f, "p", 0)].first_use, UINT32_MAX);
}

static void clauses_can_be_added_by_hand(void **state) {
  rules_fixture *f = *state;
  program p;
  program_init(&p, symbols_new(f->keep), f->keep);
  const term_id a = term_constant(p.terms, symbol_intern(p.symbols, slice_of("a")));
  const literal body = {LITERAL_NEGATIVE, term_constant(p.terms, SYM_TERMINAL), 0};
  program_add_clause(&p, a, RULE_NONE, &body, 1, 0);
  program_index_relations(&p);
  text out = text_new(f->keep);
  clause_print(&p, 0, NOTATION_KIF, &out);
  assert_string_equal(text_string(&out), "(<= a (not terminal))");
  assert_int_equal(program_span(&p, 0).start, UINT32_MAX);
}

static void roles_are_what_facts_name(void **state) {
  rules_fixture *f = *state;
  build_text(f, "(role a)\n(role (b 1))\n(role a)\n(<= (role c) (p c))\n(<= (role ?x) (p ?x))");
  const id_vec roles = program_roles(&f->p, f->keep);
  assert_int_equal(roles.count, 2);
  assert_int_equal(term_get(f->p.terms, roles.items[0])->arg_count, 0);
  assert_int_equal(term_get(f->p.terms, roles.items[1])->arg_count, 1);
}

static void base_and_input_depend_on_a_part_of_the_rules(void **state) {
  rules_fixture *f = *state;
  program part;
  text out = text_new(f->keep);
  build_text(f,
             "(role r) (init a) (<= (legal r go) p) (<= p (true a)) (<= (next a) (not q)) (q 1)\n"
             "(<= q (true b)) (<= terminal s) (<= s (true a)) (<= (goal r 1) s) (<= (sees r s) p)");
  program_for_bases(&part, &f->p, f->keep);
  for (clause_id c = 0; c < part.clauses.count; c++) clause_print(&part, c, NOTATION_KIF, &out);
  assert_string_equal(text_string(&out), "(role r)(init a)(<= (legal r go) p)(<= p (true a))"
                                         "(<= (next a) (not q))(<= q (true b))");
}

static void prints_in_both_notations(void **state) {
  rules_fixture *f = *state;
  build_text(f, "(<= (p ?x) (q ?x) (or (not a) b) (distinct ?x c))");
  text out = text_new(f->keep);
  rule_print(&f->p, 0, NOTATION_PROLOG, &out);
  assert_string_equal(text_string(&out), "p(X) :- q(X), (~(a) or b), distinct(X, c).");
}

static const char *place_of_rule(rules_fixture *f, rule_id r) {
  text out = text_new(f->keep);
  program_print_place(&f->p, program_span(&f->p, f->p.rules.items[r].node), &out);
  return text_string(&out);
}

static void prints_the_place_of_a_rule(void **state) {
  rules_fixture *f = *state;
  build_text(f, "(p a)\n  (<= (q ?x) (p ?x))\n(<= (r ?y)\n (q ?y) (not (averyveryverylongname ?y))"
                " (not (anotherlongname ?y)))");
  assert_string_equal(place_of_rule(f, 1), " at line 2:3: (<= (q ?x) (p ?x))");
  assert_string_equal(place_of_rule(f, 2), " at line 3:1: (<= (r ?y) (q ?y) (not (averyveryverylong"
                                           "name ?y)) (not (ano...");
}

static void what_was_not_read_has_no_place(void **state) {
  rules_fixture *f = *state;
  text out = text_new(f->keep);
  program p;
  program_init(&p, symbols_new(f->keep), f->keep);
  program_print_place(&p, (span){0, 1}, &out);
  build_text(f, "(p a)");
  program_print_place(&f->p, SPAN_NONE, &out);
  assert_int_equal(out.length, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(keyword_relations_have_fixed_numbers),
      rules_test(a_relation_is_a_name_with_a_number_of_arguments),
      rules_test(clauses_are_found_by_relation_in_their_order),
      rules_test(knows_where_a_relation_is_first_used),
      rules_test(clauses_can_be_added_by_hand),
      rules_test(roles_are_what_facts_name),
      rules_test(base_and_input_depend_on_a_part_of_the_rules),
      rules_test(prints_in_both_notations),
      rules_test(prints_the_place_of_a_rule),
      rules_test(what_was_not_read_has_no_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
