/* A plan with one thing broken is noticed, and is sound again once that is mended. */
#include "datalog/plan_sound.h"

#include "datalog/datalog_fixture.h"

/* "scan:0 lookup:1", then a check. */
static const char game[] =
    "(start a) (edge a b) (edge b c) (<= (q ?x ?y) (start ?x) (edge ?x ?y) (distinct ?x ?y))";

typedef struct subject {
  flat_program flat;
  engine e;
  plan p;
} subject;

static subject *planned(rules_fixture *f, const char *words, uint32_t given) {
  subject *s = arena_alloc_zero(f->keep, sizeof *s);
  s->flat = flattened(f, words);
  s->e = evaluated(f, &s->flat);
  plan_make(&s->p, &s->flat, s->e.tables, s->e.is_open, s->flat.clauses.count - 1, given,
            f->scratch);
  return s;
}

static bool is_sound(const subject *s) { return plan_is_sound(&s->p, &s->flat, s->e.tables); }

static void assert_noticed(const subject *s, uint32_t *number, uint32_t wrong) {
  const uint32_t right = *number;
  *number = wrong;
  assert_false(is_sound(s));
  *number = right;
  assert_true(is_sound(s));
}

static void plans_that_begin_anywhere_are_sound(void **state) {
  assert_true(is_sound(planned(*state, game, PLAN_NOTHING)));
}

static void plans_from_given_heads_are_sound(void **state) {
  assert_true(is_sound(planned(*state, game, PLAN_HEAD)));
}

static void plans_from_given_rows_are_sound(void **state) {
  assert_true(is_sound(planned(*state, game, 1)));
}

static void variables_that_are_read_before_they_are_bound(void **state) {
  subject *s = planned(*state, game, PLAN_NOTHING);
  const step *lookup = &s->p.steps[1];
  assert_int_equal(lookup->kind, STEP_LOOKUP);
  assert_noticed(s, &lookup->key[0].id, lookup->actions[0].with.id);
  assert_noticed(s, &lookup->checks[0].values[0].id, 2);
  assert_noticed(s, &s->p.head[1].id, 2);
}

static void a_variable_that_is_bound_twice(void **state) {
  subject *s = planned(*state, game, PLAN_NOTHING);
  assert_noticed(s, &s->p.steps[1].actions[0].with.id, s->p.steps[0].actions[0].with.id);
}

static void numbers_that_there_are_not(void **state) {
  subject *s = planned(*state, game, PLAN_NOTHING);
  step *lookup = &s->p.steps[1];
  assert_noticed(s, &lookup->index, s->e.tables[lookup->relation].indexes.count);
  assert_noticed(s, &lookup->actions[0].column, 2);
  assert_noticed(s, &lookup->literal, 3);
  assert_noticed(s, &lookup->relation, s->flat.relations.count);
  assert_noticed(s, &s->p.clause, s->flat.clauses.count);
  assert_noticed(s, &s->p.last_head_step, s->p.step_count + 1);
}

static void a_column_without_an_action(void **state) {
  subject *s = planned(*state, game, PLAN_NOTHING);
  assert_noticed(s, &s->p.steps[1].action_count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(plans_that_begin_anywhere_are_sound),
      rules_test(plans_from_given_heads_are_sound),
      rules_test(plans_from_given_rows_are_sound),
      rules_test(variables_that_are_read_before_they_are_bound),
      rules_test(a_variable_that_is_bound_twice),
      rules_test(numbers_that_there_are_not),
      rules_test(a_column_without_an_action),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
