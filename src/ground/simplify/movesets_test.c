#include "ground/ground_fixture.h"

/* Six moves, m1 .. m6. */
static const char *frame_game(rules_fixture *f, const char *more) {
  text words = text_new(f->keep);
  text_add(&words, "(role r) (init f) (init g) (<= (next g) (does r m6))");
  for (int i = 1; i <= 6; i++) text_add_format(&words, "(legal r m%d)", i);
  text_add(&words, more);
  return text_string(&words);
}

static const char *rules_of_head(rules_fixture *f, const ground_program *g, const char *head) {
  const atom_id a = atom_named(g, head, f->keep);
  assert_int_not_equal(a, ATOM_NONE);
  text out = text_new(f->keep);
  for (uint32_t r = g->rules_of[a]; r < g->rules_of[a + 1]; r++) {
    if (out.length) text_add(&out, " | ");
    text_add(&out, ground_rule_text(g, r, f->keep));
  }
  return text_string(&out);
}

static void most_moves_become_all_but_the_one(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      grounded(f, frame_game(f, "(<= (next f) (true f) (does r ?m) (distinct ?m m1))"), optimised);
  assert_string_equal(rules_of_head(f, &g, "(next f)"), "(next f) <= (not (does r m1)) (true f)");
}

static void most_moves_become_all_but_these(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(
      f, frame_game(f, "(<= (next f) (true f) (does r ?m) (distinct ?m m1) (distinct ?m m2))"),
      optimised);
  assert_string_equal(rules_of_head(f, &g, "(next f)"), "(next f) <= (not others#1) (true f)");
  assert_string_equal(rules_of_head(f, &g, "others#1"),
                      "others#1 <= (does r m1) | others#1 <= (does r m2)");
}

static void few_moves_stay_as_they_are(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      grounded(f, frame_game(f, "(some m1) (some m2) (<= (next f) (true f) (does r ?m) (some ?m))"),
               optimised);
  assert_string_equal(rules_of_head(f, &g, "(next f)"),
                      "(next f) <= (does r m1) (true f) | (next f) <= (does r m2) (true f)");
}

static void all_moves_become_no_condition(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(
      f, frame_game(f, "(<= (next h) (true f) (does r ?m)) (<= terminal (true h))"), optimised);
  assert_string_equal(rules_of_head(f, &g, "(next h)"), "(next h) <= (true f)");
}

static void equal_sets_share_one_atom(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      grounded(f,
               frame_game(f, "(<= (next f) (true f) (does r ?m) (distinct ?m m1) (distinct ?m m2))"
                             "(<= (next h) (true g) (does r ?m) (distinct ?m m1) (distinct ?m m2)) "
                             "(<= terminal (true h))"),
               optimised);
  assert_non_null(strstr(rules_of_head(f, &g, "(next f)"), "(not others#1)"));
  assert_non_null(strstr(rules_of_head(f, &g, "(next h)"), "(not others#1)"));
  assert_int_equal(atom_named(&g, "others#2", f->keep), ATOM_NONE);
}

static void roles_have_sets_of_their_own(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(f,
                                    "(role a) (role b) (init f) (init g) (m 1) (m 2) (m 3) (m 4) "
                                    "(<= (legal ?r ?m) (role ?r) (m ?m))"
                                    "(<= (next f) (true f) (does a ?m) (distinct ?m 1)) (<= (next "
                                    "g) (true g) (does b ?m) (distinct ?m 1))",
                                    optimised);
  assert_string_equal(rules_of_head(f, &g, "(next f)"), "(next f) <= (not (does a 1)) (true f)");
  assert_string_equal(rules_of_head(f, &g, "(next g)"), "(next g) <= (not (does b 1)) (true g)");
}

/* While legal, goal and terminal are read nobody moves: 'none of these' would hold. */
static void what_is_read_while_nobody_moves_is_left_alone(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(
      f,
      frame_game(
          f,
          "(<= moved (does r ?m) (distinct ?m m1) (true f)) (<= terminal moved) (<= (next f) moved)"
          "(<= (next h) (does r ?m) (distinct ?m m1) (true f)) (<= (goal r 1) (true h))"),
      optimised);
  assert_null(strstr(rules_of_head(f, &g, "moved"), "(not "));
  assert_non_null(strstr(rules_of_head(f, &g, "(next h)"), "(not (does r m1))"));
}

static void a_goal_that_reads_moves_through_another_atom_is_left_alone(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(
      f,
      frame_game(f,
                 "(<= deep (does r ?m) (distinct ?m m1) (true f)) (<= middle (not deep) (true g))"
                 "(<= (goal r 5) middle) (<= (next f) (not deep))"),
      optimised);
  assert_null(strstr(rules_of_head(f, &g, "deep"), "(not "));
}

/* A set can name a move that no rule has asked for. */
static void a_move_that_nothing_asked_for_gets_an_atom(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      grounded(f,
               "(role r) (init f) (init g) (legal r a) (legal r b) (legal r c)"
               "(<= (next f) (true g) (does r a)) (<= (next f) (true g) (does r b))"
               "(<= (next g) (true f))",
               optimised);
  assert_string_equal(rules_of_head(f, &g, "(next f)"), "(next f) <= (not (does r c)) (true g)");
  bool is_given = false;
  for (uint32_t i = 0; i < g.moves.count; i++)
    is_given |= g.moves.items[i].does == atom_named(&g, "(does r c)", f->keep);
  assert_true(is_given);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(most_moves_become_all_but_the_one),
      rules_test(most_moves_become_all_but_these),
      rules_test(few_moves_stay_as_they_are),
      rules_test(all_moves_become_no_condition),
      rules_test(equal_sets_share_one_atom),
      rules_test(roles_have_sets_of_their_own),
      rules_test(what_is_read_while_nobody_moves_is_left_alone),
      rules_test(a_goal_that_reads_moves_through_another_atom_is_left_alone),
      rules_test(a_move_that_nothing_asked_for_gets_an_atom),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
