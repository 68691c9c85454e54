/* A ground program with one thing broken is noticed, and is sound again once that is mended. */
#include "ground/ground_sound.h"

#include "ground/ground_fixture.h"

static const char game[] =
    "(role r) (role s) (legal r a) (legal r b) (legal s c) (<= (legal s d) (true p)) (init p)\n"
    "(<= (next p) (does r a)) (<= (next q) (true p) (not (true q)) (does s d))\n"
    "(<= (goal r 1) (true p)) (<= (goal r 0) (not (true p))) (<= (sees r x) (does r b))\n"
    "(<= terminal (true q))";

static void what_is_grounded_is_sound(void **state) {
  const ground_program simple = grounded(*state, game, plain);
  assert_true(ground_is_sound(&simple));
}

static void a_role_may_have_no_moves(void **state) {
  const ground_program g = grounded(
      *state,
      "(role r) (role s) (legal r a) (init p) (<= (next p) (does r a)) (<= terminal (true p))",
      plain);
  assert_true(ground_is_sound(&g));
}

static void optimised_programs_are_sound(void **state) {
  const ground_program g = grounded(*state, game, optimised);
  assert_true(ground_is_sound(&g));
}

static void assert_noticed(const ground_program *g, uint32_t *number, uint32_t wrong) {
  const uint32_t right = *number;
  *number = wrong;
  assert_false(ground_is_sound(g));
  *number = right;
  assert_true(ground_is_sound(g));
}

static void atoms_that_there_are_not(void **state) {
  ground_program g = grounded(*state, game, plain);
  const uint32_t end = g.atoms.count;
  assert_noticed(&g, &g.literals.items[0], literal_of_atom(end, true));
  assert_noticed(&g, &g.rules.items[0].head, end);
  assert_noticed(&g, &g.fluents.items[0].next, end);
  assert_noticed(&g, &g.fluents.items[1].holds, end);
  assert_noticed(&g, &g.moves.items[0].does, end);
  assert_noticed(&g, &g.moves.items[3].legal, end);
  assert_noticed(&g, &g.goals.items[1].atom, end);
  assert_noticed(&g, &g.percepts.items[0].atom, ATOM_NONE);
  vec_push(g.keep, &g.marks, (ground_mark){0});
  assert_noticed(&g, &g.marks.items[0].atom, end);
  assert_noticed(&g, &g.terminal, end);
}

static void ranges_that_do_not_fit(void **state) {
  ground_program g = grounded(*state, game, plain);
  assert_noticed(&g, &vec_last(&g.rules).body, g.literals.count);
  assert_noticed(&g, &g.rules_of[g.atoms.count], g.rules.count + 1);
  assert_noticed(&g, &g.rules_of[g.atoms.count], g.rules.count - 1);
  assert_noticed(&g, &g.roles.items[1].first_move, 1);
  assert_noticed(&g, &g.roles.items[1].move_count, 3);
  assert_noticed(&g, &g.goals.items[0].role, 2);
}

static void rules_for_what_is_given(void **state) {
  ground_program g = grounded(*state, game, plain);
  assert_noticed(&g, &g.fluents.items[0].holds, g.terminal);
  assert_noticed(&g, &g.moves.items[0].does, g.terminal);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(what_is_grounded_is_sound), rules_test(optimised_programs_are_sound),
      rules_test(a_role_may_have_no_moves),  rules_test(atoms_that_there_are_not),
      rules_test(ranges_that_do_not_fit),    rules_test(rules_for_what_is_given),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
