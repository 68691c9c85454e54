#include "rules/rules_fixture.h"

static const char sound_game[] = "(role r)\n(init (light off))\n(legal r push)\n"
                                 "(<= (next (light on)) (does r push))\n"
                                 "(<= (goal r 100) (true (light on)))\n"
                                 "(<= terminal (true (light on)))\n";

/* The sound game without the line that begins so. */
static const char *game_without(rules_fixture *f, const char *start) {
  text rest = text_new(f->keep);
  for (const char *line = sound_game; *line; line = strchr(line, '\n') + 1)
    if (strncmp(line, start, strlen(start)) != 0)
      text_add_bytes(&rest, line, (size_t)(strchr(line, '\n') + 1 - line));
  return text_string(&rest);
}

static void a_sound_game_draws_no_word(void **state) {
  rules_fixture *f = *state;
  check_text(f, sound_game);
  assert_int_equal(f->d.all.count, 0);
  assert_true(f->r.stratified && f->r.allowed && f->r.recursion_ok && f->r.bounded);
}

static void every_missing_part_is_told(void **state) {
  static const struct {
    const char *line;
    diag_kind kind;
  } parts[] = {{"(role", DIAG_E601},     {"(init", DIAG_W602},     {"(legal", DIAG_E603},
               {"(<= (next", DIAG_W612}, {"(<= (goal", DIAG_E604}, {"(<= terminal", DIAG_E605}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    check_text(*state, game_without(*state, parts[i].line));
    assert_int_equal(count_of(*state, parts[i].kind), 1);
  }
}

static void a_part_with_a_fault_is_not_missing(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= terminal ?x)");
  assert_none(f, DIAG_E605);
}

static void nothing_is_missing_behind_an_open_parenthesis(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(role r)\n(init (light off)");
  assert_int_equal(f->d.errors, 1);
}

static void an_empty_text_holds_no_rules(void **state) {
  rules_fixture *f = *state;
  check_text(f, "; nothing");
  assert_int_equal(count_of(f, DIAG_E609), 1);
  assert_int_equal(f->d.all.count, 1);
}

static void goal_values_are_numbers_up_to_100(void **state) {
  rules_fixture *f = *state;
  check_text(f,
             "(goal r 0)\n(goal r 100)\n(goal r 101)\n(goal r win)\n(goal r (f 1))\n(goal r -1)");
  assert_int_equal(count_of(f, DIAG_W606), 4);
  assert_place(f, fault(f, DIAG_W606, 0)->where, 3, 9, "101");
  check_text(f, "(goal r 050)\n(goal r 00100)\n(goal r -0)\n(goal r 0101)");
  assert_int_equal(count_of(f, DIAG_W606), 1);
  assert_place(f, fault(f, DIAG_W606, 0)->where, 4, 9, "0101");
}

static void goal_values_may_come_from_facts(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(payoff a 50)\n(payoff b 150)\n(<= (goal r ?v) (true (did ?x)) (payoff ?x ?v))");
  assert_fault(f, DIAG_W606, 3, 13, "?v", "the goal value 150 is not a whole number from 0 to 100");
  assert_place(f, related(f, DIAG_W606, 0)->where, 2, 11, "150");
  check_text(f, "(payoff a 50)\n(payoff b 150)\n(<= (goal r ?v) (payoff a ?v))");
  assert_none(f, DIAG_W606);
}

static void every_role_needs_moves_and_goals(void **state) {
  rules_fixture *f = *state;
  text game = text_new(f->keep);
  text_add(&game, sound_game);
  text_add(&game, "(role ghost)\n(role random)\n(<= (legal random noop) (true (light off)))");
  check_text(f, text_string(&game));
  assert_fault(f, DIAG_W613, 7, 7, "ghost", "the role ghost never has a legal move");
  assert_fault(f, DIAG_W614, 7, 7, "ghost", "the role ghost has no goal");
}

static void only_roles_move_and_have_goals(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(role white)\n(role black)\n(init p)\n(legal white go)\n(legal blck go)\n"
                "(goal ?anyone 0)\n(goal (team white) 50)\n"
                "(<= (next p) (not (does nobody go)) (does ?who go))\n(<= terminal (true p))");
  assert_int_equal(count_of(f, DIAG_W615), 3);
  assert_place(f, fault(f, DIAG_W615, 0)->where, 5, 8, "blck");
  assert_string_equal(fault(f, DIAG_W615, 0)->message,
                      "the first argument of legal is blck, which is not a role");
  assert_string_equal(fault(f, DIAG_W615, 0)->hint, "did you mean black?");
  assert_place(f, fault(f, DIAG_W615, 1)->where, 7, 7, "(team white)");
  assert_place(f, fault(f, DIAG_W615, 2)->where, 8, 25, "nobody");
  assert_string_equal(fault(f, DIAG_W615, 2)->hint,
                      "only roles move and have goals: this is never used");
  check_text(f, "(player white)\n(<= (role ?p) (player ?p))\n(legal white go)\n(legal blck go)");
  assert_none(f, DIAG_W615);
}

static void base_and_input_declare_everything_or_nothing(void **state) {
  rules_fixture *f = *state;
  text game = text_new(f->keep);
  text_add(&game, sound_game);
  text_add(&game, "(base (light on))\n(input r pull)");
  check_text(f, text_string(&game));
  assert_fault(f, DIAG_W610, 2, 7, "(light off)", "(light off) is not declared by base");
  assert_fault(f, DIAG_W611, 3, 10, "push", "push is not declared by input");
}

static void a_value_that_base_does_not_declare_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(n 1)\n(n 2)\n(<= (base (cell ?x b)) (n ?x))\n(init (cell 1 b))\n"
                "(<= (next (cell 3 b)) (true (cell 1 b)))");
  assert_fault(f, DIAG_W610, 5, 17, "3", "base declares no 3 as the first argument of cell");
  assert_string_equal(fault(f, DIAG_W610, 0)->hint, "it declares 1 or 2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_sound_game_draws_no_word),
      rules_test(every_missing_part_is_told),
      rules_test(a_part_with_a_fault_is_not_missing),
      rules_test(nothing_is_missing_behind_an_open_parenthesis),
      rules_test(an_empty_text_holds_no_rules),
      rules_test(goal_values_are_numbers_up_to_100),
      rules_test(goal_values_may_come_from_facts),
      rules_test(every_role_needs_moves_and_goals),
      rules_test(only_roles_move_and_have_goals),
      rules_test(base_and_input_declare_everything_or_nothing),
      rules_test(a_value_that_base_does_not_declare_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
