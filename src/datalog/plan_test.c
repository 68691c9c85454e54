#include "datalog/datalog_fixture.h"

/* A plan of the last clause, on the facts of all others. */
static plan plan_last(rules_fixture *f, flat_program *flat, engine *e, const char *words,
                      uint32_t given) {
  *flat = flattened(f, words);
  *e = evaluated(f, flat);
  plan p;
  plan_make(&p, flat, e->tables, e->is_open, flat->clauses.count - 1, given, f->scratch);
  return p;
}

/* For each step: how it finds rows, of what, and what is checked then: "scan:1 find:0+2". */
static const char *plan_text(rules_fixture *f, const plan *p) {
  static const char *const kinds[] = {"given", "scan", "lookup", "find"};
  text out = text_new(f->keep);
  for (uint32_t i = 0; i < p->check_count; i++) text_add_format(&out, "+%u ", p->checks[i].literal);
  for (uint32_t i = 0; i < p->step_count; i++) {
    const step *s = &p->steps[i];
    text_add_format(&out, "%s%s:", i ? " " : "", kinds[s->kind]);
    if (s->literal == PLAN_HEAD)
      text_add(&out, "head");
    else
      text_add_number(&out, s->literal);
    for (uint32_t k = 0; k < s->check_count; k++)
      text_add_format(&out, "+%u", s->checks[k].literal);
  }
  return text_string(&out);
}

static const char *plan_of(rules_fixture *f, const char *words, uint32_t given) {
  flat_program flat;
  engine e;
  const plan p = plan_last(f, &flat, &e, words, given);
  return plan_text(f, &p);
}

static const char many_and_few[] = "(many a) (many b) (many c) (many d) (few a)";

static void begins_with_the_smallest_table(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  text_add_format(&words, "%s (<= (q ?x ?y) (many ?x) (few ?y))", many_and_few);
  assert_string_equal(plan_of(f, text_string(&words), PLAN_NOTHING), "scan:1 scan:0");
}

static void looks_up_by_the_columns_that_are_bound(void **state) {
  rules_fixture *f = *state;
  flat_program flat;
  engine e;
  const plan p =
      plan_last(f, &flat, &e, "(start a) (edge a b) (edge b c) (<= (q ?y) (start ?x) (edge ?x ?y))",
                PLAN_NOTHING);
  assert_string_equal(plan_text(f, &p), "scan:0 lookup:1");
  assert_int_equal(p.steps[1].key_count, 1);
  assert_int_equal(p.steps[1].key[0].kind, VALUE_VARIABLE);
  assert_int_equal(p.steps[1].action_count, 1);
  assert_int_equal(p.steps[1].actions[0].kind, CELL_BIND);
  assert_int_equal(p.steps[1].actions[0].column, 1);
}

static void finds_a_row_whose_cells_are_all_bound(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      plan_of(
          f, "(p a) (r a b) (r a c) (s b a) (s c a) (s a a) (<= (q ?x) (p ?x) (r ?x ?y) (s ?y ?x))",
          PLAN_NOTHING),
      "scan:0 lookup:1 find:2");
}

static void a_constant_is_part_of_the_key(void **state) {
  rules_fixture *f = *state;
  flat_program flat;
  engine e;
  const plan p =
      plan_last(f, &flat, &e, "(edge a b) (edge b c) (<= (q ?y) (edge a ?y))", PLAN_NOTHING);
  assert_string_equal(plan_text(f, &p), "lookup:0");
  assert_int_equal(p.steps[0].key[0].kind, VALUE_TERM);
}

static void a_variable_twice_in_one_literal_is_compared(void **state) {
  rules_fixture *f = *state;
  flat_program flat;
  engine e;
  const plan p =
      plan_last(f, &flat, &e, "(edge a b) (edge b b) (<= (q ?x) (edge ?x ?x))", PLAN_NOTHING);
  assert_string_equal(plan_text(f, &p), "scan:0");
  assert_int_equal(p.steps[0].actions[0].kind, CELL_BIND);
  assert_int_equal(p.steps[0].actions[1].kind, CELL_EQUALS);
}

static void a_pattern_of_a_generic_relation_is_matched(void **state) {
  rules_fixture *f = *state;
  flattened(f, "(n z) (<= (n (s ?x)) (n ?x) (small ?x)) (small z)"); /* exact: small ends it */
  const flat_program flat = flattened(f, "(n z) (<= (n (s ?x)) (n ?x))");
  engine e;
  engine_init(&e, &flat, NULL, f->keep);
  plan p;
  plan_make(&p, &flat, e.tables, e.is_open, flat.clauses.count - 1, PLAN_HEAD, f->scratch);
  assert_int_equal(p.steps[0].actions[0].kind, CELL_MATCH);
  assert_int_equal(p.steps[0].actions[0].fresh_count, 1);
}

static void distinct_is_checked_as_soon_as_it_is_bound(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(plan_of(f,
                              "(p a) (r a b) (r b c) (s b) (s c) (s d) (s e) (s f)"
                              "(<= (q ?x ?z) (p ?x) (r ?x ?y) (s ?z) (distinct ?x ?y))",
                              PLAN_NOTHING),
                      "scan:0 lookup:1+3 scan:2");
}

static void negation_is_checked_as_soon_as_it_is_bound(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      plan_of(f, "(p a) (t b) (r a b) (r b c) (<= (q ?x) (p ?x) (r ?x ?y) (not (t ?x)))",
              PLAN_NOTHING),
      "scan:0+2 lookup:1");
}

static void a_check_without_variables_comes_before_everything(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(plan_of(f, "(p a) (t b) (<= (q ?x) (p ?x) (not (t b)))", PLAN_NOTHING),
                      "+1 scan:0");
}

static void the_negation_of_an_open_relation_is_left_to_the_caller(void **state) {
  rules_fixture *f = *state;
  const flat_program flat = flattened(f, "(p a) (t a) (<= (q ?x) (p ?x) (not (t ?x)))");
  bool *is_open = arena_zero_array(f->keep, bool, flat.relations.count);
  is_open[flat.clauses.items[1].head] = true;
  engine e;
  engine_init(&e, &flat, is_open, f->keep);
  plan p;
  plan_make(&p, &flat, e.tables, e.is_open, 2, PLAN_NOTHING, f->scratch);
  assert_string_equal(plan_text(f, &p), "scan:0");
}

static void begins_with_the_given_head(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      plan_of(f, "(edge a b) (edge b c) (edge c d) (<= (q ?x ?z) (edge ?x ?y) (edge ?y ?z))",
              PLAN_HEAD),
      "given:head lookup:0 find:1");
}

static void begins_with_the_given_literal(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      plan_of(f, "(edge a b) (edge b c) (edge c d) (<= (q ?x ?z) (edge ?x ?y) (edge ?y ?z))", 1),
      "given:1 lookup:0");
}

static void knows_the_last_step_that_binds_the_head(void **state) {
  rules_fixture *f = *state;
  flat_program flat;
  engine e;
  static const char words[] =
      "(p a) (r a b) (r a c) (s b d) (s c d) (s c e) (<= (q ?y) (p ?x) (r ?x ?y) (s ?y ?z))";
  const plan p = plan_last(f, &flat, &e, words, PLAN_NOTHING);
  assert_string_equal(plan_text(f, &p), "scan:0 lookup:1 lookup:2");
  assert_int_equal(p.last_head_step, 1);
  const plan given = plan_last(f, &flat, &e, words, PLAN_HEAD);
  assert_int_equal(given.last_head_step, 0);
}

static void a_fact_has_no_steps(void **state) {
  rules_fixture *f = *state;
  flat_program flat;
  engine e;
  const plan p = plan_last(f, &flat, &e, "(p a b)", PLAN_NOTHING);
  assert_int_equal(p.step_count, 0);
  assert_int_equal(p.head[1].kind, VALUE_TERM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(begins_with_the_smallest_table),
      rules_test(looks_up_by_the_columns_that_are_bound),
      rules_test(finds_a_row_whose_cells_are_all_bound),
      rules_test(a_constant_is_part_of_the_key),
      rules_test(a_variable_twice_in_one_literal_is_compared),
      rules_test(a_pattern_of_a_generic_relation_is_matched),
      rules_test(distinct_is_checked_as_soon_as_it_is_bound),
      rules_test(negation_is_checked_as_soon_as_it_is_bound),
      rules_test(a_check_without_variables_comes_before_everything),
      rules_test(the_negation_of_an_open_relation_is_left_to_the_caller),
      rules_test(begins_with_the_given_head),
      rules_test(begins_with_the_given_literal),
      rules_test(knows_the_last_step_that_binds_the_head),
      rules_test(a_fact_has_no_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
