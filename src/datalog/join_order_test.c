#include "datalog/join_order.h"

#include "datalog/datalog_fixture.h"

/* The order for the last clause, on the facts of all others. */
static join_order order_of(rules_fixture *f, const char *words, uint32_t given) {
  const flat_program flat = flattened(f, words);
  const engine e = evaluated(f, &flat);
  return join_order_find(&flat, e.tables, &vec_last(&flat.clauses), given, f->scratch);
}

static void add_numbers(text *words, const char *relation, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) text_add_format(words, "(%s %u)", relation, i);
}

static void the_literal_that_multiplies_least_comes_first(void **state) {
  rules_fixture *f = *state;
  const join_order o = order_of(
      f, "(p a) (p b) (p c) (r a) (s a b) (s b c) (s c a) (<= (q ?x) (p ?x) (s ?x ?y) (r ?y))",
      PLAN_NOTHING);
  assert_int_equal(o.count, 3);
  assert_int_equal(o.literals[0], 2);
  assert_int_equal(o.literals[1], 1);
  assert_int_equal(o.literals[2], 0);
}

/* `few` is smallest, but from it all pairs are looked at; from `wanted` one for each head is
 * enough. */
static const char *many_pairs(rules_fixture *f) {
  text words = text_new(f->keep);
  add_numbers(&words, "few", 100);
  add_numbers(&words, "wanted", 200);
  for (uint32_t x = 0; x < 200; x++)
    for (uint32_t y = 0; y < 100; y++) text_add_format(&words, "(pair %u %u)", x, y);
  text_add(&words, "(<= (q ?x) (few ?y) (wanted ?x) (pair ?x ?y))");
  return text_string(&words);
}

static void what_binds_the_head_comes_first_where_that_saves_much(void **state) {
  rules_fixture *f = *state;
  const join_order o = order_of(f, many_pairs(f), PLAN_NOTHING);
  assert_int_equal(o.literals[0], 1);
}

/* Two rows of `goes` are fewer than three that are wanted, but then six heads are all there are. */
static const char *few_heads(rules_fixture *f) {
  text words = text_new(f->keep);
  for (uint32_t x = 0; x < 2; x++)
    for (uint32_t z = 0; z < 3; z++) text_add_format(&words, "(wanted %u %u)", x, z);
  for (uint32_t y = 0; y < 4000; y++)
    text_add_format(&words, "(from %u %u) (goes %u 0) (goes %u 1)", y % 2, y, y, y);
  text_add(&words, "(<= (q ?x ?z) (wanted ?x ?z) (from ?x ?y) (goes ?y ?z))");
  return text_string(&words);
}

static void a_head_of_which_there_are_few_is_bound_soon(void **state) {
  rules_fixture *f = *state;
  const join_order o = order_of(f, few_heads(f), 1);
  assert_int_equal(o.count, 2);
  assert_int_equal(o.literals[0], 0);
}

static const char *frame_rule(rules_fixture *f) {
  text words = text_new(f->keep);
  add_numbers(&words, "cell", 200);
  add_numbers(&words, "move", 200);
  text_add(&words, "(<= (kept ?x) (cell ?x) (move ?y) (distinct ?x ?y))");
  return text_string(&words);
}

static void given_rows_that_do_not_tell_the_head_come_late(void **state) {
  rules_fixture *f = *state;
  assert_int_equal(order_of(f, frame_rule(f), 1).before_given, 1);
}

static void given_rows_that_bind_the_head_come_first(void **state) {
  rules_fixture *f = *state;
  assert_int_equal(order_of(f, frame_rule(f), 0).before_given, 0);
  assert_int_equal(order_of(f, "(p a) (r b) (<= (q ?x) (p ?x) (r ?y))", 1).before_given, 0);
}

/* Variables beyond the 64th have no bit, yet every literal has a place. */
static void bodies_of_very_many_variables_are_ordered_too(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(e a b) (e b c) (<= (q ?v0 ?v79)");
  for (uint32_t i = 0; i < 79; i++) text_add_format(&words, "(e ?v%u ?v%u)", i, i + 1);
  text_add_char(&words, ')');
  const join_order o = order_of(f, text_string(&words), PLAN_NOTHING);
  bool seen[79] = {false};
  assert_int_equal(o.count, 79);
  for (uint32_t i = 0; i < o.count; i++) {
    assert_false(seen[o.literals[i]]);
    seen[o.literals[i]] = true;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(the_literal_that_multiplies_least_comes_first),
      rules_test(what_binds_the_head_comes_first_where_that_saves_much),
      rules_test(a_head_of_which_there_are_few_is_bound_soon),
      rules_test(given_rows_that_do_not_tell_the_head_come_late),
      rules_test(given_rows_that_bind_the_head_come_first),
      rules_test(bodies_of_very_many_variables_are_ordered_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
