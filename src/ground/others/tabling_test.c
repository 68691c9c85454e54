#include "ground/others/written_fixture.h"

static const char *written(rules_fixture *f, const char *rules, bases_method m) {
  return written_by(prolog_write, f, rules, m);
}

static void a_tabled_relation_asks_its_clauses(void **state) {
  assert_has(written(*state, game, BASES_ONESTEP),
             "q4(V0):- m22_1(17,V0),V0\\==19,true.\n:- table g4/1.\ng4(f18(V0)):-q4(V0).\n");
}

static void the_values_of_an_instance_are_printed(void **state) {
  assert_has(written(*state, game, BASES_ONESTEP), "ground:-q3(V0,V1),write(c3(V0,V1)),nl,fail.\n");
}

static void values_that_the_ground_rule_does_not_have_are_not_printed(void **state) {
  assert_has(written(*state, "(d a) (<= (next f) (d ?x) (true (g ?y)) (d ?z))", BASES_ONESTEP),
             "ground:-q1(V0,V1,V2),write(c1(V1)),nl,fail.\n");
}

static void facts_are_not_tabled(void **state) {
  const char *program = written(*state, game, BASES_ONESTEP);
  assert_has(program, "r11(19,21).\n");
  assert_null(strstr(program, ":- table r11"));
}

static void one_step_finds_fluents_and_moves_from_relaxed_relations(void **state) {
  assert_has(written(*state, game, BASES_ONESTEP),
             ":- table b4/1.\nb4(f18(V0)):- b3(17,f22(V0)),V0\\==19,true.\n"
             ":- table b5/2.\nb5(17,f22(V0)):- b2(f18(V1)),r11(V1,V0),\\+(r12(V0)),true.\n"
             ":- table b2/1, b3/2.\nb2(F):-r1(F).\nb2(F):-b4(F).\nb3(R,M):-r0(R),b5(R,M).\n");
}

static void a_match_without_moves_keeps_every_negation(void **state) {
  assert_has(written(*state, game, BASES_ITERATIVE),
             ":- table o4/1.\no4(f18(V0)):- o3(17,f22(V0)),\\+(o13(V0)),V0\\==19,true.\n");
}

static void a_relation_that_depends_on_its_own_negation_is_asked_with_open_tables(void **state) {
  assert_has(written(*state,
                     "(<= (odd ?y) (succ ?x ?y) (not (odd ?x)) (true f)) (<= (next f) (odd 1))",
                     BASES_ITERATIVE),
             "o11(V0):- o2(21),r12(V1,V0),tnot(o11(V1)),true.\n");
}

static void literals_that_share_variables_stand_together(void **state) {
  assert_has(
      written(*state, "(<= (next f) (true (g ?a)) (true (g ?b)) (near ?a ?b))", BASES_ONESTEP),
      "q0(V0,V1):- t18_1(V0),r11(V0,V1),t18_1(V1),true.\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_tabled_relation_asks_its_clauses),
      rules_test(the_values_of_an_instance_are_printed),
      rules_test(values_that_the_ground_rule_does_not_have_are_not_printed),
      rules_test(facts_are_not_tabled),
      rules_test(one_step_finds_fluents_and_moves_from_relaxed_relations),
      rules_test(a_match_without_moves_keeps_every_negation),
      rules_test(a_relation_that_depends_on_its_own_negation_is_asked_with_open_tables),
      rules_test(literals_that_share_variables_stand_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
