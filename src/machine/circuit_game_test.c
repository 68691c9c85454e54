#include "machine/circuit_game.h"
#include "machine/machine_fixture.h"

static bool open_grounded(machine_fixture *f, grounded *g, const char *words) {
  open_text(f, words);
  const machine_source from = {.program = &f->p};
  return grounded_open(g, &from, &f->b, &f->d);
}

static const char goals[] =
    "(role x) (role y) (legal x a) (legal y a) (init p) (<= (next p) (true p)) (goal y 100)\n"
    "(goal x 50) (goal x -7) (goal x 100) (goal x high) (goal x 07) (goal x (of 3)) (goal x "
    "99999999999)\n";

static void goals_are_numbers_by_role_from_the_lowest(void **state) {
  machine_fixture *f = *state;
  grounded g;
  assert_true(open_grounded(f, &g, goals));
  int32_t values[8];
  assert_int_equal(g.goals_of[1] - g.goals_of[0], 4);
  assert_int_equal(g.goals_of[2] - g.goals_of[1], 1);
  for (uint32_t i = 0; i < 5; i++) values[i] = g.goal_values[g.goals[i]];
  const int32_t expected[] = {-7, 7, 50, 100, 100};
  assert_memory_equal(values, expected, sizeof expected);
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(g.circuit.goals.items[g.goals[i]].role, 0);
  grounded_close(&g);
}

static void positions_have_a_bit_for_each_latch(void **state) {
  machine_fixture *f = *state;
  grounded g;
  text words = text_new(f->keep);
  text_add(
      &words,
      "(role r) (legal r wait) (<= (legal r (flip ?x)) (x ?x)) (init (on 3)) (init (on 69))\n"
      "(init fixed) (<= (next fixed) (true fixed)) (<= (goal r 1) (true fixed) (true (on 1)))\n"
      "(<= (next (on ?x)) (true (on ?x)) (not (does r (flip ?x))))\n"
      "(<= (next (on ?x)) (x ?x) (not (true (on ?x))) (does r (flip ?x)))\n");
  for (int i = 0; i < 70; i++) text_add_format(&words, "(x %d) ", i);
  assert_true(open_grounded(f, &g, text_string(&words)));
  assert_int_equal(g.circuit.latches.count, 70);
  assert_int_equal(grounded_words(&g), 2);
  uint64_t position[2] = {UINT64_MAX, UINT64_MAX};
  grounded_start(&g, position);
  fluent_id fluents[8];
  text found = text_new(f->keep);
  const uint32_t count = grounded_fluents(&g, position, fluents, 8);
  for (uint32_t i = 0; i < count; i++) {
    grounded_fluent_text(&g, fluents[i], &found);
    text_add_char(&found, ' ');
  }
  assert_string_equal(text_string(&found), "(on 3) (on 69) fixed ");
  assert_int_equal(grounded_fluents(&g, position, fluents, 1), 3);
  assert_int_equal(position[1] >> 6, 0);
  grounded_close(&g);
}

static void moves_and_roles_have_their_names(void **state) {
  machine_fixture *f = *state;
  grounded g;
  assert_true(
      open_grounded(f, &g,
                    "(role second) (role first) (legal second b) (legal second (a 1))\n"
                    "(legal first c) (init p) (<= (next p) (does second b)) (goal first 1)\n"
                    "(<= (sees first (it ?m)) (does second ?m) (distinct ?m b))"));
  assert_string_equal(g.roles[0], "second");
  assert_string_equal(g.roles[1], "first");
  text words = text_new(f->keep);
  grounded_move_text(&g, 0, 0, &words);
  grounded_move_text(&g, 0, 1, &words);
  grounded_move_text(&g, 1, 0, &words);
  grounded_percept_text(&g, 0, 0, &words);
  assert_string_equal(text_string(&words), "(a 1)bc(it (a 1))");
  grounded_close(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(goals_are_numbers_by_role_from_the_lowest),
      a_test(positions_have_a_bit_for_each_latch),
      a_test(moves_and_roles_have_their_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
