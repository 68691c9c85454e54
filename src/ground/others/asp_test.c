#include "ground/others/written_fixture.h"

static const char *written(rules_fixture *f, const char *rules, bases_method m) {
  return written_by(asp_write, f, rules, m);
}

static void clauses_are_written_as_they_are_and_relaxed(void **state) {
  assert_has(written(*state, game, BASES_ONESTEP),
             "r0(17).\n"
             "r1(f18(19)).\n"
             "r11(19,21).\n"
             "r5(17,f22(V0)):-r2(f18(V1)),r11(V1,V0),not r12(V0).\n"
             "b5(17,f22(V0)):-b2(f18(V1)),r11(V1,V0),not r12(V0).\n"
             "r4(f18(V0)):-r3(17,f22(V0)),not r13(V0),V0!=19.\n"
             "b4(f18(V0)):-b3(17,f22(V0)),V0!=19.\n"
             "r13(V0):-r2(f18(V0)),not r12(V0).\n"
             "r12(21).\n");
}

static void fluents_and_moves_are_chosen_from_what_can_be(void **state) {
  assert_has(written(*state, game, BASES_ONESTEP),
             "b2(F):-r1(F).\nb2(F):-b4(F).\nb3(R,M):-r0(R),b5(R,M).\n"
             "{r2(F):b2(F)}.\n1={r3(R,M):b3(R,M)}:-r0(R).\n");
}

static void declared_fluents_and_moves_need_no_relaxed_rules(void **state) {
  assert_has(written(*state, game, BASES_DECLARED), "b2(F):-r8(F).\nb3(R,M):-r0(R),r9(R,M).\n");
}

static void what_the_state_does_not_change_is_not_shown(void **state) {
  const char *program = written(*state, game, BASES_ONESTEP);
  assert_has(program, "#show r13/1.\n#show b2/1.\n#show b3/2.\n");
  assert_null(strstr(program, "#show r11"));
}

static void the_names_may_be_those_of_the_game(void **state) {
  const char *program = written_by(asp_write_named, *state, game, BASES_ONESTEP);
  assert_has(program, "legal(r, go(Y)) :- true(at(X)), succ(X, Y), not end(Y).\n"
                      "legal'(r, go(Y)) :- true'(at(X)), succ(X, Y), not end(Y).\n"
                      "next(at(Y)) :- does(r, go(Y)), not stuck(Y), Y != 1.\n");
  assert_has(program, "true'(F):-next'(F).\ndoes'(R,M):-role(R),legal'(R,M).\n"
                      "{true(F):true'(F)}.\n1={does(R,M):does'(R,M)}:-role(R).\n");
  assert_has(program, "#show stuck/1.\n#show true'/1.\n#show does'/2.\n");
}

static void names_that_gringo_does_not_take_are_changed(void **state) {
  assert_has(written_by(asp_write_named, *state, "(role X-1) (init (5 not))", BASES_ONESTEP),
             "role(\"x-1\").\ninit(f''5(\"not\")).\n");
  assert_has(written_by(asp_write_named, *state,
                        "(role r) (<= (is-at ?x ?_y ?x1) (true (f ?x ?_y ?x1)))", BASES_ONESTEP),
             "is'2dat(X, V'1, X1) :- true(f(X, V'1, X1)).\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(clauses_are_written_as_they_are_and_relaxed),
      rules_test(fluents_and_moves_are_chosen_from_what_can_be),
      rules_test(declared_fluents_and_moves_need_no_relaxed_rules),
      rules_test(what_the_state_does_not_change_is_not_shown),
      rules_test(the_names_may_be_those_of_the_game),
      rules_test(names_that_gringo_does_not_take_are_changed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
