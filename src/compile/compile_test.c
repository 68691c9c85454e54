#include "compile/compile_fixture.h"

#define BOARD \
  "(role a) (at 1) (at 2) (init (cell 1)) (<= (legal a (go ?x)) (at ?x))" \
  "(<= (next (cell ?x)) (true (cell ?x))) (<= (next (cell ?x)) (does a (go ?x)))" \
  "(<= terminal full) (<= (goal a 0) (not full)) (<= (goal a 100) full)"

static void assert_stage(void **state, const char *words, compile_stage stage,
                         const char *expected) {
  const char *found = stage_text(*state, words, stage);
  assert_non_null(found);
  assert_string_equal(found, expected);
}

/* The line of the text that begins so. */
static bool has_line(const char *words, const char *line) {
  for (const char *at = words; (at = strstr(at, line)); at++)
    if ((at == words || at[-1] == '\n') && at[strlen(line)] == '\n') return true;
  return false;
}

static void assert_has_line(const char *words, const char *line) {
  assert_non_null(words);
  if (!has_line(words, line)) print_error("no line `%s` in\n%s\n", line, words);
  assert_true(has_line(words, line));
}

static void mini_has_one_rule_for_each_disjunct(void **state) {
  assert_stage(state, "(role a) (<= (p ?x) (role ?x) (or (q ?x) (not (distinct ?x a)))) (q a)",
               COMPILE_MINI,
               "(role a)\n(<= (p ?x) (role ?x) (q ?x))\n(<= (p a) (role a))\n(q a)\n");
}

static void strata_stand_before_negation(void **state) {
  const char *found = stage_text(*state, LAMP, COMPILE_STRATA);
  assert_has_line(found, "stratum 1");
  assert_has_line(found, "  (<= (goal owner 0) (stratum 0) (not over))");
  assert_has_line(found, "  (<= (goal owner 100) over)");
}

static void rules_that_nothing_asks_for_are_left_out(void **state) {
  const char *found =
      stage_text(*state, LAMP "(base (lamp on)) (<= (idle ?x) (role ?x))", COMPILE_STRATA);
  assert_null(strstr(found, "base"));
  assert_null(strstr(found, "idle"));
}

static void splits_what_is_stratified_only_once_ground(void **state) {
  const char *found =
      stage_text(*state,
                 "(role a) (init p) (<= (legal a go) (true p)) (<= terminal (true p))"
                 "(<= (goal ?r 100) (role ?r) (true p))"
                 "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))",
                 COMPILE_STRATA);
  assert_has_line(found, "stratum 1");
  assert_has_line(found, "  (<= (goal ?0 0) (role ?0) (stratum 0) (not (goal ?0 100)))");
}

static void a_value_that_no_rule_gives_is_split_off_too(void **state) {
  const char *found = stage_text(*state,
                                 "(role a) (init p) (<= (legal a go) (true p))"
                                 "(<= terminal (true p))"
                                 "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))",
                                 COMPILE_STRATA);
  assert_has_line(found, "  (<= (goal ?0 0) (role ?0))");
}

static void terms_differ_in_one_of_their_parts(void **state) {
  const char *found = stage_text(*state,
                                 BOARD "(<= (far ?x) (true (cell ?x)) (does a ?m)"
                                       "  (distinct ?m (go ?x)))"
                                       "(<= (next odd) (far ?x) (at ?y) (at ?z)"
                                       "  (distinct (f ?x (g ?y) 1) (f 1 (g ?z) 1))"
                                       "  (distinct (f ?x) (g ?x)) (distinct ?x (f ?y)))"
                                       "(<= (next odd) (far ?x) (distinct (f ?x) (f ?x)))",
                                 COMPILE_STRATA);
  assert_has_line(found, "  (<= (far ?0) (true (cell ?0)) (does a (go ?1)) (distinct ?1 ?0))");
  assert_has_line(found, "  (<= (next odd) (far ?0) (at ?1) (at ?2) (distinct ?0 1))");
  assert_has_line(found, "  (<= (next odd) (far ?0) (at ?1) (at ?2) (distinct ?1 ?2))");
  assert_false(has_line(found, "  (<= (next odd) (far ?0))"));
}

static void terms_that_differ_in_too_many_ways_are_declined(void **state) {
  rules_fixture *f = *state;
  text game = text_new(f->keep);
  text_add(&game, BOARD "(<= full (at ?x) (at ?y) (at ?z) (at ?u)");
  for (int i = 0; i < 15; i++) text_add_format(&game, " (distinct (f%d ?x ?y) (f%d ?z ?u))", i, i);
  text_add_char(&game, ')');
  assert_null(stage_text(f, text_string(&game), COMPILE_STRATA));
  assert_int_equal(count_of(f, DIAG_E840), 1);
}

static void what_moves_is_told_from_what_holds_at_rest(void **state) {
  const char *found = stage_text(*state,
                                 LAMP "(<= pressed (does owner (press ?l)))"
                                      "(<= quiet (true (lamp on)) (not pressed))"
                                      "(<= terminal quiet) (<= (next still) quiet)",
                                 COMPILE_STRATA);
  assert_has_line(found, "  (<= quiet (true (lamp on)) (not pressed))");
  assert_has_line(found, "  (<= quiet#moves (true (lamp on)) (stratum 0) (not pressed#moves))");
  assert_has_line(found, "  (<= pressed#moves (does owner (press ?0)))");
  assert_has_line(found, "  (<= (next still) quiet#moves)");
  assert_has_line(found, "  (<= terminal quiet)");
  assert_null(strstr(found, "(<= pressed "));
}

static void declines_what_stays_unstratified(void **state) {
  rules_fixture *f = *state;
  assert_null(stage_text(f,
                         LAMP "(<= (p ?x) (true (lamp ?x)) (not (q ?x)))"
                              "(<= (q ?x) (true (lamp ?x)) (not (p ?x)))"
                              "(<= terminal (p on))",
                         COMPILE_STRATA));
  assert_int_equal(count_of(f, DIAG_E840), 1);
}

static void declines_a_game_without_roles(void **state) {
  rules_fixture *f = *state;
  assert_null(stage_text(f, "(init a) (<= terminal (true a)) (goal x 1)", COMPILE_C));
  assert_int_equal(count_of(f, DIAG_E601), 1);
}

/* Neither init nor next has too many shapes, but both together have. */
static void declines_states_of_too_many_shapes(void **state) {
  rules_fixture *f = *state;
  text game = text_new(f->keep);
  text_add(&game, "(role a) (legal a go) (<= terminal (true (f0 1))) (goal a 0)");
  for (int i = 0; i < 40; i++)
    text_add_format(&game, "(init (f%d 1)) (<= (next (g%d 1)) (does a go))", i, i);
  assert_null(stage_text(f, text_string(&game), COMPILE_STRATA));
  assert_int_equal(count_of(f, DIAG_E840), 1);
}

static void declines_a_relation_of_very_many_columns(void **state) {
  rules_fixture *f = *state;
  text cell = text_new(f->keep), game = text_new(f->keep);
  for (int i = 0; i < 64; i++) text_add_format(&cell, " ?x%d", i);
  text_add(&game, "(role a) (legal a go) (goal a 0)\n(init (cell");
  for (int i = 0; i < 64; i++) text_add(&game, " b");
  text_add_format(&game, "))\n(<= (next (cell%s)) (true (cell%s)))", text_string(&cell),
                  text_string(&cell));
  assert_null(stage_text(f, text_string(&game), COMPILE_C));
  assert_int_equal(count_of(f, DIAG_E840), 1);
  const diag *g = fault(f, DIAG_E840, 0);
  assert_int_equal(source_place(&f->s, g->where.start).line, 2);
  assert_string_equal(g->message,
                      "a relation here has more than 63 columns, its terms taken apart");
  assert_string_equal(g->hint, "other machines may play it, such as `--machine reference`");
}

static void normal_rules_have_two_conditions(void **state) {
  assert_stage(state, LAMP, COMPILE_NORMAL,
               "permanent (role ?0) 1 facts\n"
               "permanent (init (lamp ?0)) 1 facts\n"
               "permanent (init (count ?0)) 1 facts\n"
               "permanent (switches ?0 ?1) 2 facts\n"
               "permanent (after ?0 ?1) 2 facts\n"
               "(<= (goal owner 0) (not over))\n"
               "(<= (legal owner (press ?0)) (true (lamp ?0)))\n"
               "(<= (legal owner wait) (not over) (true (lamp ?0)))\n"
               "(<= over (true (count 2)))\n"
               "(<= (goal owner 100) over)\n"
               "(<= terminal over)\n"
               "(<= (part#1 ?0) (does owner (press ?2)) (true (count ?0)))\n"
               "(<= (next (count ?1)) (part#1 ?0) (after ?0 ?1))\n"
               "(<= (next (lamp ?1)) (does owner (press ?0)) (switches ?0 ?1))\n"
               "(<= (next (count ?0)) (does owner wait) (true (count ?0)))\n"
               "(<= (next (lamp ?0)) (does owner wait) (true (lamp ?0)))\n");
}

static void made_relations_are_shared(void **state) {
  const char *found = stage_text(*state,
                                 BOARD "(<= full (true (cell 1)) (true (cell 2)) (at 1))"
                                       "(<= (b ?x) (true (cell ?x)) (true (cell 1)) (at ?x))"
                                       "(<= (c ?x) (true (cell ?x)) (true (cell 1)) (at ?x))"
                                       "(<= full (b ?x)) (<= full (c ?x))",
                                 COMPILE_NORMAL);
  assert_non_null(strstr(found, "(b ?0) (part#1 ?0)"));
  assert_non_null(strstr(found, "(c ?0) (part#1 ?0)"));
}

#define WALLS "(init (wall 1)) (<= (next (wall ?x)) (true (wall ?x)))"

static void what_depends_on_fluents_that_never_change_is_permanent(void **state) {
  const char *found = stage_text(
      *state, BOARD WALLS "(<= (way ?x) (at ?x) (not (true (wall ?x)))) (<= full (way 1))",
      COMPILE_STRATA);
  assert_has_line(found, "  (<= (true#always (wall ?0)) (init (wall ?0)))");
  assert_has_line(found, "  (<= (next (wall ?0)) (true (wall ?0)))");
  assert_null(strstr(found, "(not (true (wall"));
  found =
      stage_text(*state, BOARD WALLS "(<= full (at ?x) (not (true (wall ?x))))", COMPILE_NORMAL);
  assert_has_line(found, "permanent full 1 facts");
}

static void fluents_that_may_come_or_go_are_not_taken_for_constant(void **state) {
  static const char *const games[] = {
      BOARD WALLS "(<= (next (wall ?x)) (does a (go ?x))) (<= full (true (wall 2)))",
      BOARD "(init (wall 1)) (<= (next (wall ?x)) (true (wall ?x)) (does a (go ?x)))"
            "(<= full (true (wall 1)))",
      BOARD "(init (wall 1)) (<= (next (wall 2)) (true (wall 2))) (<= full (true (wall 1)))",
      BOARD "(init (wall 1 2)) (<= (next (wall ?x ?y)) (true (wall ?y ?x)))"
            "(<= full (true (wall 1 2)))",
  };
  for (size_t i = 0; i < sizeof games / sizeof *games; i++)
    assert_null(strstr(stage_text(*state, games[i], COMPILE_STRATA), "#always"));
}

#define FREE "(<= (free ?x) (at ?x) (not (true (cell ?x))) (distinct ?x 3))"

static void what_is_only_checked_is_not_worked_out(void **state) {
  const char *found =
      stage_text(*state,
                 BOARD FREE "(ring 1 2) (<= (open ?x) (true (cell ?x)) (free ?x))"
                            "(<= full (true (cell ?x)) (ring ?x ?y) (free ?y))"
                            "(<= full (ring ?x ?y) (open ?x) (open ?y)) (<= full (free 3))",
                 COMPILE_NORMAL);
  assert_null(strstr(found, "(free"));
  assert_non_null(strstr(found, "(not (true (cell ?1)))"));
  assert_null(strstr(found, "(open"));
}

static void what_gives_values_or_is_denied_is_worked_out(void **state) {
  const char *found = stage_text(*state, BOARD FREE "(<= full (free ?x))", COMPILE_NORMAL);
  assert_non_null(strstr(found, "(<= full (free ?0))"));
  found =
      stage_text(*state, BOARD FREE "(<= full (true (cell ?x)) (not (free ?x)))", COMPILE_NORMAL);
  assert_non_null(strstr(found, "(not (free ?0))"));
}

static void labels_follow_algorithm_1(void **state) {
  const char *found =
      stage_text(*state, BOARD "(<= full (true (cell 1)) (true (cell 2)))", COMPILE_LABELS);
  assert_has_line(found, "permanent  (at ?0)");
  assert_has_line(found, "persistent (true (cell ?0))");
  assert_has_line(found, "persistent full");
  assert_has_line(found, "ephemeral  (goal ?0 ?1)");
  assert_has_line(found, "ephemeral  (next (cell ?0))");
}

static void facts_trigger_what_waits_for_them(void **state) {
  const char *found = stage_text(*state, LAMP, COMPILE_INVERTED);
  assert_has_line(found, "for terminal, legal, goal");
  assert_has_line(found, "  on (does ?0 (press ?1))");
  assert_has_line(found, "    (does owner (press ?2)) -> (part#1 ?0) if (true (count ?0))");
  assert_has_line(found, "    (part#1 ?0) -> (next (count ?1)) if (after ?0 ?1)");
}

static void recursion_is_run_again_and_again(void **state) {
  const char *found = stage_text(*state,
                                 BOARD "(next-to 1 2) (<= (way ?x) (true (cell ?x)))"
                                       "(<= (way ?y) (way ?x) (next-to ?x ?y)) (<= full (way 2))",
                                 COMPILE_INVERTED);
  assert_has_line(found, "  again and again on (way ?0)");
}

static void the_rule_stands_above_what_it_became(void **state) {
  const char *found = stage_text(*state, LAMP, COMPILE_C);
  const char *rule =
      strstr(found, "/* (<= (next (lamp ?m)) (does owner (press ?l)) (switches ?l ?m)) */");
  assert_non_null(rule);
  assert_non_null(strstr(rule, "add_"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(mini_has_one_rule_for_each_disjunct),
      rules_test(strata_stand_before_negation),
      rules_test(rules_that_nothing_asks_for_are_left_out),
      rules_test(splits_what_is_stratified_only_once_ground),
      rules_test(a_value_that_no_rule_gives_is_split_off_too),
      rules_test(terms_differ_in_one_of_their_parts),
      rules_test(terms_that_differ_in_too_many_ways_are_declined),
      rules_test(what_moves_is_told_from_what_holds_at_rest),
      rules_test(declines_what_stays_unstratified),
      rules_test(declines_a_game_without_roles),
      rules_test(declines_states_of_too_many_shapes),
      rules_test(declines_a_relation_of_very_many_columns),
      rules_test(normal_rules_have_two_conditions),
      rules_test(made_relations_are_shared),
      rules_test(what_depends_on_fluents_that_never_change_is_permanent),
      rules_test(fluents_that_may_come_or_go_are_not_taken_for_constant),
      rules_test(what_is_only_checked_is_not_worked_out),
      rules_test(what_gives_values_or_is_denied_is_worked_out),
      rules_test(labels_follow_algorithm_1),
      rules_test(facts_trigger_what_waits_for_them),
      rules_test(recursion_is_run_again_and_again),
      rules_test(the_rule_stands_above_what_it_became),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
