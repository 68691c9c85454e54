#include "rules/rules_fixture.h"

static const analysis *analysed(rules_fixture *f, const char *rules) {
  assert_true(build_text(f, rules));
  return &f->a;
}

static void edges_stand_once_for_each_pair_and_sign(void **state) {
  rules_fixture *f = *state;
  const analysis *a = analysed(f, "(<= p q r)\n(<= p q (not r))\n(<= p (not r))");
  const relation_id p = relation_named(f, "p", 0);
  assert_int_equal(a->edges_of[p + 1] - a->edges_of[p], 3);
}

static void parts_come_after_what_they_depend_on(void **state) {
  rules_fixture *f = *state;
  const analysis *a = analysed(f, "(<= a b)\n(<= b c)\n(<= c b)\n(<= c d)");
  const uint32_t part_a = a->component[relation_named(f, "a", 0)];
  const uint32_t part_b = a->component[relation_named(f, "b", 0)];
  assert_int_equal(part_b, a->component[relation_named(f, "c", 0)]);
  assert_true(part_a > part_b);
  assert_true(part_b > a->component[relation_named(f, "d", 0)]);
}

static void relations_in_cycles_are_recursive(void **state) {
  rules_fixture *f = *state;
  const analysis *a = analysed(f, "(<= a b)\n(<= b a)\n(<= c c)\n(<= d a)");
  assert_true(a->is_recursive[relation_named(f, "a", 0)]);
  assert_true(a->is_recursive[relation_named(f, "c", 0)]);
  assert_false(a->is_recursive[relation_named(f, "d", 0)]);
}

static void negation_raises_the_stratum(void **state) {
  rules_fixture *f = *state;
  const analysis *a = analysed(f, "(<= a b)\n(<= c (not a))\n(<= d (not c) a)");
  assert_int_equal(a->stratum[relation_named(f, "a", 0)], 0);
  assert_int_equal(a->stratum[relation_named(f, "c", 0)], 1);
  assert_int_equal(a->stratum[relation_named(f, "d", 0)], 2);
  assert_int_equal(a->stratum_count, 3);
  assert_true(a->stratified);
}

static void a_cycle_through_negation_is_not_stratified(void **state) {
  assert_false(analysed(*state, "(<= a (not b))\n(<= b a)")->stratified);
}

static void what_reads_the_state_is_dynamic(void **state) {
  rules_fixture *f = *state;
  const analysis *a = analysed(f, "(<= a b)\n(<= b (true x))\n(<= c (does r m))\n(<= d e)");
  assert_true(a->is_dynamic[relation_named(f, "a", 0)]);
  assert_true(a->is_dynamic[relation_named(f, "c", 0)]);
  assert_false(a->is_dynamic[relation_named(f, "d", 0)]);
  assert_true(a->depends_on_does[relation_named(f, "c", 0)]);
  assert_false(a->depends_on_does[relation_named(f, "a", 0)]);
}

static void tells_how_long_facts_live(void **state) {
  rules_fixture *f = *state;
  const analysis *a = analysed(f, "(<= (next (mark ?x ?y)) (true (mark ?x ?y)))\n"
                                  "(<= (row ?x) (true (mark ?x 1)))\n"
                                  "(<= (free ?x) (index ?x) (not (row ?x)))\n"
                                  "(index 1)\n"
                                  "(<= (turn ?r) (true (control ?r)))");
  assert_int_equal(a->lifetimes[relation_named(f, "index", 1)], LIFETIME_PERMANENT);
  assert_int_equal(a->lifetimes[relation_named(f, "row", 1)], LIFETIME_PERSISTENT);
  assert_int_equal(a->lifetimes[relation_named(f, "free", 1)], LIFETIME_EPHEMERAL);
  assert_int_equal(a->lifetimes[relation_named(f, "turn", 1)], LIFETIME_EPHEMERAL);
}

static void an_empty_program_has_an_analysis(void **state) {
  assert_int_equal(analysed(*state, "")->edges.count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(edges_stand_once_for_each_pair_and_sign),
      rules_test(parts_come_after_what_they_depend_on),
      rules_test(relations_in_cycles_are_recursive),
      rules_test(negation_raises_the_stratum),
      rules_test(a_cycle_through_negation_is_not_stratified),
      rules_test(what_reads_the_state_is_dynamic),
      rules_test(tells_how_long_facts_live),
      rules_test(an_empty_program_has_an_analysis),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
