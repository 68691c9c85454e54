#include "datalog/datalog_fixture.h"

static const char *flat_clauses(rules_fixture *f, const char *words) {
  const flat_program flat = flattened(f, words);
  return flat_text(f, &flat);
}

static uint32_t shape_count(const rules_fixture *f, const flat_program *flat, const char *name,
                            uint32_t arity) {
  const relation_id r = relation_named(f, name, arity);
  return flat->relations_from[r + 1] - flat->relations_from[r];
}

static const flat_relation *first_shape(const rules_fixture *f, const flat_program *flat,
                                        const char *name, uint32_t arity) {
  const relation_id r = relation_named(f, name, arity);
  return &flat->relations.items[flat->relations_by_source.items[flat->relations_from[r]]];
}

static void fluents_are_split_by_functor(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, "(init (cell 1 b)) (init (control x)) (init over)");
  assert_int_equal(shape_count(f, &flat, "init", 1), 3);
  assert_int_equal(flat.relations.items[flat.clauses.items[0].head].arity, 2);
  assert_int_equal(flat.relations.items[flat.clauses.items[1].head].arity, 1);
}

/* `over` itself is a constant: the hole is the whole fluent. */
static void a_constant_fluent_is_one_column(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, "(init over) (init begun)");
  assert_int_equal(shape_count(f, &flat, "init", 1), 1);
  assert_int_equal(first_shape(f, &flat, "init", 1)->arity, 1);
  assert_true(first_shape(f, &flat, "init", 1)->is_exact);
}

static void a_variable_as_a_whole_fluent_is_specialised(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      flat_clauses(f, "(init (cell 1 b)) (init (control x)) (<= (seen ?f) (init ?f))"),
      "(init (cell 1 b))\n"
      "(init (control x))\n"
      "(<= (seen (cell ?0 ?1)) (init (cell ?0 ?1)))\n"
      "(<= (seen (control ?0)) (init (control ?0)))");
}

static void a_variable_as_a_whole_move_is_specialised(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, "(role x) (legal x (mark 1 2)) (legal x noop)"
                                         "(<= (possible ?m) (role ?r) (legal ?r ?m))");
  assert_int_equal(shape_count(f, &flat, "possible", 1), 2);
}

static void nested_terms_are_flattened_at_every_depth(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(flat_clauses(f, "(p (f (g a) b)) (<= (q ?x) (p (f ?x ?y)))"),
                      "(p (f (g a) b))\n"
                      "(<= (q (g ?0)) (p (f (g ?0) ?1)))");
}

static void patterns_meet_only_shapes_that_fit(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(flat_clauses(f, "(p (f a)) (p (g a)) (p b) (<= (q ?x) (p (f ?x)))"),
                      "(p (f a))\n(p (g a))\n(p b)\n(<= (q ?0) (p (f ?0)))");
}

static void a_clause_over_impossible_shapes_is_not_written(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(flat_clauses(f, "(p a) (<= (q ?x) (p (f ?x))) (<= r (q ?x))"), "(p a)");
}

static void the_same_variable_twice_must_have_one_shape(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(flat_clauses(f, "(p (f a)) (p b) (q (f a)) (<= (r ?x) (p ?x) (q ?x))"),
                      "(p (f a))\n(p b)\n(q (f a))\n"
                      "(<= (r (f ?0)) (p (f ?0)) (q (f ?0)))");
}

static void a_relation_that_nests_without_end_stays_generic(void **state) {
  rules_fixture *f = *state;
  const flat_program flat =
      flattened(f, "(n z) (bound (s z)) (<= (n (s ?x)) (n ?x) (bound (s ?x)))");
  const flat_relation *n = first_shape(f, &flat, "n", 1);
  assert_true(n->is_exact); /* (bound (s z)) stops it */
  const flat_program endless = flattened(f, "(n z) (<= (n (s ?x)) (n ?x))");
  assert_int_equal(shape_count(f, &endless, "n", 1), 1);
  assert_false(first_shape(f, &endless, "n", 1)->is_exact);
  assert_int_equal(first_shape(f, &endless, "n", 1)->arity, 1);
}

static void a_pattern_binds_its_variables_from_a_generic_relation(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(flat_clauses(f, "(n z) (<= (n (s ?x)) (n ?x)) (<= (q ?y) (n (s ?y)))"),
                      "(n z)\n"
                      "(<= (q ?0) (n (s ?0)))\n"
                      "(<= (n (s ?0)) (n ?0))");
}

static void what_reads_a_generic_relation_is_generic_too(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(
      f, "(n z) (<= (n (s ?x)) (n ?x)) (<= (q ?x) (n ?x)) (d a) (<= (r ?x) (q ?x) (d ?x))");
  assert_false(first_shape(f, &flat, "q", 1)->is_exact);
  assert_true(first_shape(f, &flat, "r", 1)->is_exact); /* d holds constants alone */
}

static void a_negated_atom_takes_the_shape_of_its_arguments(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      flat_clauses(f, "(p (f a)) (p b) (q (f a)) (q (f c)) (<= (r ?x) (q ?x) (not (p ?x)))"),
      "(p (f a))\n(p b)\n(q (f a))\n(q (f c))\n"
      "(<= (r (f ?0)) (q (f ?0)) (not (p (f ?0))))");
}

static void a_negated_atom_of_a_shape_without_facts_is_left_out(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(flat_clauses(f, "(p b) (q (f a)) (<= (r ?x) (q ?x) (not (p ?x)))"),
                      "(p b)\n(q (f a))\n(<= (r (f ?0)) (q (f ?0)))");
}

static void negation_over_a_generic_relation_uses_its_one_shape(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, "(n z) (<= (n (s ?x)) (n ?x)) (p (f a)) (p b)"
                                         "(<= (q ?x) (p ?x) (not (n ?x)))");
  const flat_id n = flat.relations_by_source.items[flat.relations_from[relation_named(f, "n", 1)]];
  uint32_t negations = 0;
  for (uint32_t i = 0; i < flat.literals.count; i++)
    if (flat.literals.items[i].kind == LITERAL_NEGATIVE) {
      assert_int_equal(flat.literals.items[i].relation, n);
      negations++;
    }
  assert_int_equal(negations, 2);
}

static void distinct_of_terms_that_differ_is_left_out(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(flat_clauses(f, "(p a) (<= (q ?x) (p ?x) (distinct a b))"),
                      "(p a)\n(<= (q ?0) (p ?0))");
}

static void distinct_of_one_term_leaves_the_clause_out(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(flat_clauses(f, "(p a) (<= (q ?x) (p ?x) (distinct ?x ?x))"), "(p a)");
}

static void distinct_is_kept_between_variables(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(flat_clauses(f, "(p (f a)) (p b) (<= (q ?x) (p ?x) (p ?y) (distinct ?x ?y))"),
                      "(p (f a))\n(p b)\n"
                      "(<= (q (f ?0)) (p (f ?0)) (p (f ?1)) (distinct (f ?0) (f ?1)))\n"
                      "(<= (q (f ?0)) (p (f ?0)) (p ?1) (distinct (f ?0) ?1))\n"
                      "(<= (q ?0) (p ?0) (p ?1) (distinct ?0 ?1))\n"
                      "(<= (q ?0) (p ?0) (p (f ?1)) (distinct ?0 (f ?1)))");
}

static void too_many_shapes_make_a_relation_generic(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < 100; i++) text_add_format(&words, "(p (f%u a))", i);
  text_add(&words, "(<= (q ?x) (p ?x))");
  const flat_program flat = flattened(f, text_string(&words));
  assert_int_equal(shape_count(f, &flat, "p", 1), 1);
  assert_int_equal(shape_count(f, &flat, "q", 1), 1);
  assert_int_equal(flat.clauses.count, 101);
}

static void too_many_combinations_make_a_relation_generic(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < 40; i++) text_add_format(&words, "(p (f%u a))", i);
  text_add(&words, "(<= r (p ?x) (p ?y) (p ?z))");
  const flat_program flat = flattened(f, text_string(&words));
  assert_int_equal(shape_count(f, &flat, "p", 1), 1);
  assert_int_equal(flat.clauses.count, 41);
}

static void an_unbound_variable_is_reported_at_its_place(void **state) {
  rules_fixture *f = *state;
  flat_program flat;
  build_text(f, "(p a)\n(<= (q ?x ?y) (p ?x))");
  assert_false(flatten(&flat, &f->p, f->keep, NULL, &f->d));
  assert_int_equal(count_of(f, DIAG_E401), 1);
  assert_place(f, fault(f, DIAG_E401, 0)->where, 2, 5, "(q ?x ?y)");
}

static void an_unbound_variable_is_reported_once_for_all_shapes(void **state) {
  rules_fixture *f = *state;
  flat_program flat;
  build_text(f, "(p a) (p (f a)) (p (g a))\n(<= (q ?x) (p ?x) (not (p ?y)))");
  assert_false(flatten(&flat, &f->p, f->keep, NULL, &f->d));
  assert_int_equal(count_of(f, DIAG_E402), 1);
}

static void an_atom_is_found_by_its_shape(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, "(p (f a b)) (p c)");
  flat_id r;
  term_id row[2];
  const term_id atom = f->p.clauses.items[0].head;
  assert_true(flat_find(&flat, atom, &r, row));
  assert_int_equal(flat.relations.items[r].arity, 2);
  assert_int_equal(flat_atom(&flat, r, row), atom);
}

static void an_atom_of_no_shape_has_no_place(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, "(p a) (q (f a))");
  flat_id r;
  term_id row[2];
  const term_id fa = term_arg(f->p.terms, f->p.clauses.items[1].head, 0);
  const symbol_id p = symbol_find(f->t.symbols, slice_of("p"));
  assert_false(flat_find(&flat, term_atom(f->p.terms, p, &fa, 1), &r, row));
}

static void a_spent_budget_stops_it(void **state) {
  rules_fixture *f = *state;
  build_text(f, "(p a) (<= (q ?x) (p ?x))");
  budget b = budget_new(1e-9, 0);
  flat_program flat;
  assert_false(flatten(&flat, &f->p, f->keep, &b, &f->d));
  assert_int_equal(b.end, BUDGET_TIME);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(fluents_are_split_by_functor),
      rules_test(a_constant_fluent_is_one_column),
      rules_test(a_variable_as_a_whole_fluent_is_specialised),
      rules_test(a_variable_as_a_whole_move_is_specialised),
      rules_test(nested_terms_are_flattened_at_every_depth),
      rules_test(patterns_meet_only_shapes_that_fit),
      rules_test(a_clause_over_impossible_shapes_is_not_written),
      rules_test(the_same_variable_twice_must_have_one_shape),
      rules_test(a_relation_that_nests_without_end_stays_generic),
      rules_test(a_pattern_binds_its_variables_from_a_generic_relation),
      rules_test(what_reads_a_generic_relation_is_generic_too),
      rules_test(a_negated_atom_takes_the_shape_of_its_arguments),
      rules_test(a_negated_atom_of_a_shape_without_facts_is_left_out),
      rules_test(negation_over_a_generic_relation_uses_its_one_shape),
      rules_test(distinct_of_terms_that_differ_is_left_out),
      rules_test(distinct_of_one_term_leaves_the_clause_out),
      rules_test(distinct_is_kept_between_variables),
      rules_test(too_many_shapes_make_a_relation_generic),
      rules_test(too_many_combinations_make_a_relation_generic),
      rules_test(an_unbound_variable_is_reported_at_its_place),
      rules_test(an_unbound_variable_is_reported_once_for_all_shapes),
      rules_test(an_atom_is_found_by_its_shape),
      rules_test(an_atom_of_no_shape_has_no_place),
      rules_test(a_spent_budget_stops_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
