#include "datalog/datalog_fixture.h"

/* A join of the last clause, on the facts of all others. */
typedef struct join_fixture {
  rules_fixture *f;
  flat_program flat;
  engine e;
  plan p;
  join j;
  text heads;     /* of the solutions, in order */
  uint32_t limit; /* solutions until it stops */
  uint32_t pauses;
} join_fixture;

static void prepare(join_fixture *x, rules_fixture *f, const char *words, uint32_t given) {
  *x = (join_fixture){.f = f, .heads = text_new(f->keep), .limit = UINT32_MAX};
  x->flat = flattened(f, words);
  x->e = evaluated(f, &x->flat);
  plan_make(&x->p, &x->flat, x->e.tables, x->e.is_open, x->flat.clauses.count - 1, given,
            f->scratch);
  join_init(&x->j, &x->flat, x->e.tables, &x->p, f->keep);
}

static bool note_head(void *context, const join *j) {
  join_fixture *x = context;
  if (x->heads.length) text_add_char(&x->heads, ' ');
  const flat_clause *c = &x->flat.clauses.items[x->p.clause];
  for (uint32_t i = 0; i < x->flat.relations.items[c->head].arity; i++) {
    term_id made;
    assert_true(join_value(j, x->p.head[i], &made));
    term_print(x->flat.terms, made, NOTATION_KIF, NULL, &x->heads);
  }
  return --x->limit > 0;
}

static bool pause_a_little(void *context, join *j) {
  ((join_fixture *)context)->pauses++;
  j->try_limit = j->tried + 1;
  return true;
}

static bool stop_at_once(void *context, join *j) {
  (void)j;
  ((join_fixture *)context)->pauses++;
  return false;
}

static const char *heads_of(join_fixture *x) {
  assert_int_equal(join_run(&x->j, note_head, pause_a_little, x), JOIN_DONE);
  return text_string(&x->heads);
}

static const char paths[] =
    "(edge a b) (edge a c) (edge b d) (edge c d) (<= (q ?x ?z) (edge ?x ?y) (edge ?y ?z))";

static void finds_every_way_to_satisfy_a_clause(void **state) {
  join_fixture x;
  prepare(&x, *state, paths, PLAN_NOTHING);
  assert_string_equal(heads_of(&x), "ad ad");
}

static void gives_each_head_once_where_asked(void **state) {
  join_fixture x;
  prepare(&x, *state,
          "(p a) (r a b) (r a c) (s b d) (s b e) (s c d) (s c f)"
          "(<= (q ?y) (p ?x) (r ?x ?y) (s ?y ?z))",
          PLAN_NOTHING);
  assert_string_equal(heads_of(&x), "c c b b");
  prepare(&x, *state,
          "(p a) (r a b) (r a c) (s b d) (s b e) (s c d) (s c f)"
          "(<= (q ?y) (p ?x) (r ?x ?y) (s ?y ?z))",
          PLAN_NOTHING);
  x.j.each_head_once = true;
  assert_string_equal(heads_of(&x), "c b");
}

/* The row that a body literal or the head (PLAN_HEAD) stands on; ID_NONE when no step did it. */
static uint32_t row_of(const join *j, uint32_t literal) {
  for (uint32_t i = 0; i < j->plan->step_count; i++)
    if (j->plan->steps[i].literal == literal) return j->rows[i];
  return ID_NONE;
}

static void begins_with_the_given_rows_alone(void **state) {
  join_fixture x;
  prepare(&x, *state, paths, 0);
  x.j.given = 1;
  x.j.given_end = 2; /* (edge a c) */
  assert_string_equal(heads_of(&x), "ad");
  assert_int_equal(row_of(&x.j, 0), 1);
  assert_int_equal(row_of(&x.j, 1), 3);
  assert_int_equal(row_of(&x.j, PLAN_HEAD), ID_NONE);
}

static void begins_with_a_head_and_finds_its_reasons(void **state) {
  join_fixture x;
  prepare(&x, *state, paths, PLAN_HEAD);
  x.j.given = 0;
  x.j.given_end = 1;
  assert_string_equal(heads_of(&x), "ad ad");
  assert_int_equal(row_of(&x.j, PLAN_HEAD), 0);
}

static void rows_beyond_the_visible_ones_do_not_count(void **state) {
  join_fixture x;
  prepare(&x, *state, "(p a) (p b) (p c) (<= (q ?x) (p ?x))", PLAN_NOTHING);
  x.j.visible[0] = 2;
  assert_string_equal(heads_of(&x), "a b");
  prepare(&x, *state, "(r a) (edge a b) (edge a c) (<= (q ?x) (r ?y) (edge ?y ?x))", PLAN_NOTHING);
  x.j.visible[1] = 1; /* the lookup gives the newest first, which is hidden */
  assert_string_equal(heads_of(&x), "b");
  prepare(&x, *state, "(r a) (s b) (s a) (<= (q ?x) (r ?x) (s ?x))", PLAN_NOTHING);
  x.j.visible[1] = 1;
  assert_string_equal(heads_of(&x), "");
}

static void pauses_at_its_limit_and_goes_on_where_it_was(void **state) {
  join_fixture x;
  prepare(&x, *state, "(p a) (p b) (p c) (r a) (r b) (<= (q ?x ?y) (p ?x) (r ?y))", PLAN_NOTHING);
  x.j.try_limit = 0;
  assert_string_equal(heads_of(&x), "aa ba ca ab bb cb");
  assert_true(x.pauses >= 8);
  assert_int_equal(x.j.tried, 2 + 2 * 3);
}

static void stops_when_a_pause_says_so(void **state) {
  join_fixture x;
  prepare(&x, *state, "(p a) (p b) (p c) (<= (q ?x) (p ?x))", PLAN_NOTHING);
  x.j.try_limit = 2;
  assert_int_equal(join_run(&x.j, note_head, stop_at_once, &x), JOIN_STOPPED);
  assert_string_equal(text_string(&x.heads), "a b");
  assert_int_equal(x.pauses, 1);
}

static void stops_when_a_solution_says_so(void **state) {
  join_fixture x;
  prepare(&x, *state, "(p a) (p b) (p c) (<= (q ?x) (p ?x))", PLAN_NOTHING);
  x.limit = 2;
  assert_int_equal(join_run(&x.j, note_head, stop_at_once, &x), JOIN_STOPPED);
  assert_string_equal(text_string(&x.heads), "a b");
}

static void checks_distinct_and_negation(void **state) {
  join_fixture x;
  prepare(&x, *state,
          "(p a) (p b) (p c) (t b) (<= (q ?x ?y) (p ?x) (p ?y) (distinct ?x ?y) (not (t ?x)))",
          PLAN_NOTHING);
  assert_string_equal(heads_of(&x), "ab ac ca cb");
}

static void a_failing_check_without_variables_ends_it(void **state) {
  join_fixture x;
  prepare(&x, *state, "(p a) (t b) (<= (q ?x) (p ?x) (not (t b)))", PLAN_NOTHING);
  assert_string_equal(heads_of(&x), "");
  assert_int_equal(x.j.tried, 0);
}

static void a_fact_is_its_own_solution(void **state) {
  join_fixture x;
  prepare(&x, *state, "(p a)", PLAN_NOTHING);
  assert_string_equal(heads_of(&x), "a");
}

static void new_rows_are_found_through_old_plans(void **state) {
  join_fixture x;
  prepare(&x, *state, "(r a) (edge a b) (<= (q ?x) (r ?y) (edge ?y ?x))", PLAN_NOTHING);
  const flat_literal *l = &x.flat.literals.items[x.flat.clauses.items[x.p.clause].body];
  const term_id a = table_row(&x.e.tables[l[0].relation], 0)[0];
  table_insert(&x.e.tables[l[1].relation], (const term_id[]){a, a});
  assert_string_equal(heads_of(&x), "a b");
}

static void a_head_that_is_known_is_not_looked_for(void **state) {
  join_fixture x;
  prepare(&x, *state, "(p a) (p b) (r a c) (r b c) (<= (q ?x) (p ?x) (r ?x ?y))", PLAN_NOTHING);
  x.j.each_head_once = true;
  table known;
  table_init(&known, 1, x.f->keep);
  x.j.known = &known;
  const flat_literal *p = &x.flat.literals.items[x.flat.clauses.items[x.p.clause].body];
  table_insert(&known, table_row(&x.e.tables[p->relation], 0));
  assert_string_equal(heads_of(&x), "b");
}

/* Heads are tried first, and each asks for one of the given rows. */
static void given_rows_may_come_after_the_head(void **state) {
  rules_fixture *f = *state;
  join_fixture x;
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < 200; i++) text_add_format(&words, "(cell c%u) (move c%u)", i, i);
  text_add(&words, "(<= (kept ?x) (cell ?x) (move ?y) (distinct ?x ?y))");
  prepare(&x, f, text_string(&words), 1);
  assert_int_equal(x.p.steps[1].kind, STEP_GIVEN);
  assert_int_equal(x.p.last_head_step, 0);
  x.j.given = 7;
  x.j.given_end = 8;
  x.j.each_head_once = true;
  const char *heads = heads_of(&x);
  assert_non_null(strstr(heads, "c6 c8"));
  assert_int_equal(x.j.tried, 400);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(finds_every_way_to_satisfy_a_clause),
      rules_test(gives_each_head_once_where_asked),
      rules_test(begins_with_the_given_rows_alone),
      rules_test(begins_with_a_head_and_finds_its_reasons),
      rules_test(rows_beyond_the_visible_ones_do_not_count),
      rules_test(pauses_at_its_limit_and_goes_on_where_it_was),
      rules_test(stops_when_a_pause_says_so),
      rules_test(stops_when_a_solution_says_so),
      rules_test(checks_distinct_and_negation),
      rules_test(a_failing_check_without_variables_ends_it),
      rules_test(a_fact_is_its_own_solution),
      rules_test(new_rows_are_found_through_old_plans),
      rules_test(a_head_that_is_known_is_not_looked_for),
      rules_test(given_rows_may_come_after_the_head),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
