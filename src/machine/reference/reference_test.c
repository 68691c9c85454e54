#include "machine/machine_fixture.h"

/* ---- a game ---- */

static const char switches[] =
    "(role robot) (init (off 1)) (init (off 2))\n"
    "(<= (legal robot (press ?x)) (true (off ?x)))\n"
    "(<= (legal robot wait) (role robot))\n"
    "(<= (next (on ?x)) (does robot (press ?x)))\n"
    "(<= (next (on ?x)) (true (on ?x)))\n"
    "(<= (next (off ?x)) (true (off ?x)) (not (does robot (press ?x))))\n"
    "(<= terminal (not (some off)))\n"
    "(<= (some off) (true (off ?x)))\n"
    "(<= (goal robot 100) (not (some off)))\n"
    "(<= (goal robot 0) (some off))\n";

static void starts_with_the_init_facts(void **state) {
  machine_fixture *f = *state;
  open_game(f, switches);
  assert_int_equal(f->m->role_count, 1);
  assert_string_equal(f->m->roles[0], "robot");
  assert_string_equal(fluents_now(f), "(off 1) (off 2)");
}

static void lists_moves_in_the_order_of_their_text(void **state) {
  machine_fixture *f = *state;
  open_game(f, switches);
  assert_string_equal(moves_now(f, 0), "(press 1) (press 2) wait");
}

static void plays_to_the_end(void **state) {
  machine_fixture *f = *state;
  open_game(f, switches);
  make_move(f, "(press 2)");
  assert_string_equal(fluents_now(f), "(off 1) (on 2)");
  assert_false(machine_terminal(f->m, f->w, f->position));
  assert_string_equal(goals_now(f, 0), "0");
  make_move(f, "(press 1)");
  assert_true(machine_terminal(f->m, f->w, f->position));
  assert_string_equal(goals_now(f, 0), "100");
}

static void equal_states_are_equal_bytes(void **state) {
  machine_fixture *f = *state;
  open_game(f, switches);
  make_move(f, "(press 2)");
  make_move(f, "(press 1)");
  void *first = memcpy(arena_alloc(f->keep, f->m->position_size), f->position, f->m->position_size);
  machine_start(f->m, f->position);
  make_move(f, "(press 1)");
  assert_memory_not_equal(first, f->position, f->m->position_size);
  make_move(f, "(press 2)");
  assert_memory_equal(first, f->position, f->m->position_size);
}

static void tells_how_many_there_are_beyond_the_capacity(void **state) {
  machine_fixture *f = *state;
  move_id one;
  open_game(f, switches);
  assert_int_equal(machine_legal(f->m, f->w, f->position, 0, &one, 1), 3);
  assert_int_equal(one, move_named(f, 0, "(press 1)"));
}

static void two_workspaces_name_the_same_things_alike(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init (n 0)) (succ 0 1) (succ 1 2) (legal r go) (goal r 1)\n"
               "(<= (next (n (pair ?x ?x))) (true (n ?y)) (succ ?y ?x)) (<= terminal (true (x)))");
  machine_workspace *other = machine_workspace_new(f->m, NULL);
  void *there = arena_alloc(f->keep, f->m->position_size);
  machine_start(f->m, there);
  const move_id joint[] = {move_named(f, 0, "go")};
  machine_step(f->m, f->w, f->position, joint, f->position);
  machine_step(f->m, other, there, joint, there);
  assert_memory_equal(there, f->position, f->m->position_size);
  assert_string_equal(fluents_now(f), "(n (pair 1 1))");
  machine_workspace_free(f->m, other);
}

/* ---- what the keywords mean ---- */

static void no_move_is_made_while_the_state_is_looked_at(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init a) (legal r go) (<= (legal r again) (does r go))\n"
               "(<= (goal r 1) (does r go)) (goal r 0) (<= terminal (does r go)) (next a)");
  make_move(f, "go");
  assert_string_equal(moves_now(f, 0), "go");
  assert_string_equal(goals_now(f, 0), "0");
  assert_false(machine_terminal(f->m, f->w, f->position));
}

static void what_is_legal_for_no_role_is_ignored(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init a) (legal r go) (legal nobody stop) (goal nobody 7) (goal r 1)");
  assert_string_equal(moves_now(f, 0), "go");
  assert_string_equal(goals_now(f, 0), "1");
}

static void several_goals_and_none_are_seen(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role a) (role b) (role c) (legal a x) (goal a 100) (goal a 50) (goal a 0)\n"
               "(goal c high) (goal c -5)");
  assert_string_equal(goals_now(f, 0), "0 50 100");
  assert_string_equal(goals_now(f, 1), "");
  assert_string_equal(goals_now(f, 2), "-5");
}

static void a_role_sees_what_the_moves_show_it(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role a) (role b) (legal a (say x)) (legal a (say y)) (legal b hush)\n"
               "(<= (sees b (heard ?w)) (does a (say ?w))) (goal a 1) (goal b 1)");
  const move_id joint[] = {move_named(f, 0, "(say y)"), move_named(f, 1, "hush")};
  const text_list heard = percepts_seen(f->m, f->w, f->position, joint, 1, f->keep);
  assert_string_equal(joined(f, &heard), "(heard y)");
  assert_int_equal(machine_sees(f->m, f->w, f->position, joint, 0, NULL, 0), 0);
}

static void a_game_without_roles_cannot_be_opened(void **state) {
  machine_fixture *f = *state;
  assert_false(open_text(f, "(init a) (next a)"));
  assert_string_equal(f->d.all.items[0].message, "the game has no role");
}

/* ---- negation ---- */

static void rules_stratified_only_once_ground_are_played(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role a) (role b) (legal a x) (winner a)\n"
               "(<= (goal ?r 100) (winner ?r)) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))");
  assert_string_equal(goals_now(f, 0), "100");
  assert_string_equal(goals_now(f, 1), "0");
}

static void a_position_is_won_if_a_move_leads_to_one_that_is_not(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (move 5 4) (move 5 3) (move 4 3) (move 4 2) (move 3 2) (move 3 1)\n"
               "(move 2 1) (move 2 0) (move 1 0)\n"
               "(<= (won ?x) (move ?x ?y) (not (won ?y))) (<= (legal r (won ?x)) (won ?x))");
  assert_string_equal(moves_now(f, 0), "(won 1) (won 2) (won 4) (won 5)");
}

static void a_cycle_through_negation_is_told_with_its_rule(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r)\n(<= (p ?x) (q ?x)\n (not (p ?x)))\n(q 1)\n(<= (legal r go) (p 1))");
  assert_trouble(f, DIAG_E501, 2);
}

static void after_trouble_every_position_is_terminal(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (<= p (not p)) (<= (legal r go) p) (goal r 1)");
  assert_int_equal(machine_legal(f->m, f->w, f->position, 0, NULL, 0), 0);
  assert_true(machine_terminal(f->m, f->w, f->position));
  assert_int_equal(machine_goals(f->m, f->w, f->position, 0, NULL, 0), 0);
}

/* ---- unsafe rules ---- */

static void an_unbound_role_stands_for_every_role(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role a) (role b) (init x) (<= (legal ?r go) (true x)) (<= (goal ?r 7) (true x))");
  assert_string_equal(moves_now(f, 0), "go");
  assert_string_equal(moves_now(f, 1), "go");
  assert_string_equal(goals_now(f, 1), "7");
}

static void an_unbound_variable_under_negation_means_there_is_none(void **state) {
  machine_fixture *f = *state;
  open_game(
      f, "(role r) (init (on 1)) (p 1 2) (<= (q ?x ?y) (p ?x ?y))\n"
         "(<= (legal r no-fluent) (not (true (off ?x)))) (<= (legal r no) (not (true (on ?x))))\n"
         "(<= (legal r no-q) (not (q 2 ?y))) (<= (legal r no-q1) (not (q 1 ?y)))");
  assert_string_equal(moves_now(f, 0), "no-fluent no-q");
}

static void a_relation_of_given_arguments_is_asked_when_they_are_given(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (n 1) (n 2) (<= (differ ?x ?y) (distinct ?x ?y))\n"
               "(<= (legal r (pair ?x ?y)) (differ ?x ?y) (n ?x) (n ?y))");
  assert_string_equal(moves_now(f, 0), "(pair 1 2) (pair 2 1)");
}

static void unbound_variables_are_told_with_their_rule(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r)\n(init a)\n(<= (legal r (go ?x)) (true a))");
  assert_trouble(f, DIAG_E401, 3);
}

static void an_unbound_variable_in_distinct_is_told_with_its_rule(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r)\n(init a)\n(<= (legal r go) (true a) (distinct ?x 1))");
  assert_trouble(f, DIAG_E403, 3);
}

/* ---- recursion ---- */

static void recursion_round_a_cycle_ends(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (edge 1 2) (edge 2 3) (edge 3 1) (edge 3 4) (edge 5 1)\n"
               "(<= (way ?x ?y) (edge ?x ?y)) (<= (way ?x ?z) (way ?x ?y) (way ?y ?z))\n"
               "(<= (legal r (to ?x)) (way 2 ?x))");
  assert_string_equal(moves_now(f, 0), "(to 1) (to 2) (to 3) (to 4)");
}

/* A chain of many steps from n0 to `last`, then the rules. */
static const char *long_chain(machine_fixture *f, uint32_t length, const char *rules) {
  text out = text_new(f->keep);
  for (uint32_t i = 0; i + 1 < length; i++) text_add_format(&out, "(succ n%u n%u)\n", i, i + 1);
  text_add_format(&out, "(succ n%u last)\n%s", length - 1, rules);
  return text_string(&out);
}

static void deep_recursion_does_not_overflow_the_stack(void **state) {
  machine_fixture *f = *state;
  open_game(f, long_chain(f, 100000,
                          "(role r) (<= (reached n0) (role r))\n"
                          "(<= (reached ?x) (succ ?y ?x) (reached ?y))\n"
                          "(<= (legal r go) (reached last))"));
  assert_string_equal(moves_now(f, 0), "go");
}

static void deep_recursion_through_negation_does_not_either(void **state) {
  machine_fixture *f = *state;
  open_game(f, long_chain(f, 1000,
                          "(role r) (<= (odd ?x) (succ ?y ?x) (not (odd ?y)))\n"
                          "(<= (legal r go) (not (odd last)))"));
  assert_string_equal(moves_now(f, 0), "go");
}

static void ever_larger_terms_are_told(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (n zero)\n(<= (n (s ?x)) (n ?x))\n(<= (legal r ?x) (n ?x))");
  assert_trouble(f, DIAG_E804, 2);
}

static void questions_about_ever_larger_terms_are_told(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (n (t zero))\n(<= (n ?x) (n (s ?x)))\n(<= (legal r go) (n zero))");
  assert_trouble(f, DIAG_E804, 2);
  assert_string_equal(f->w->trouble.message, "this rule asks about ever larger terms");
}

static void add_numbered(text *out, const char *prefix, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) text_add_format(out, " %s%u", prefix, i);
}

/* More than are put in order: the negated condition comes last all the same. */
static void rules_of_very_many_variables_are_played(void **state) {
  enum { COUNT = 3000 };
  machine_fixture *f = *state;
  text rules = text_new(f->keep);
  text_add(&rules, "(role r) (init (g");
  add_numbered(&rules, "a", COUNT);
  text_add(&rules, "))\n(<= (legal r (go ?x0 ?x2999)) (not (other ?x0 ?x2999)) (true (g");
  add_numbered(&rules, "?x", COUNT);
  text_add(&rules, ")))\n(<= (other ?x ?x) (true (g");
  add_numbered(&rules, "?x", COUNT);
  text_add(&rules, ")) (same ?x ?x0)) (same a1 a0)");
  open_game(f, text_string(&rules));
  assert_string_equal(moves_now(f, 0), "(go a0 a2999)");
}

static void the_time_limit_is_kept(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)\n"
               "(<= (all ?a ?b ?c ?d ?e ?f ?g ?h)\n"
               " (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (d ?h))\n"
               "(<= (legal r (m ?a ?b)) (all ?a ?b ?c ?d ?e ?f ?g ?h))");
  f->b = budget_new(0.1, 0);
  assert_trouble(f, DIAG_E801, 0);
  assert_true(machine_report_trouble(f->w, &f->d));
}

static void the_memory_limit_is_kept(void **state) {
  machine_fixture *f = *state;
  f->b = budget_new(0, 8 << 20);
  open_game(f, "(role r) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)\n"
               "(<= (legal r (m ?a ?b ?c ?d ?e ?f ?g ?h))\n"
               " (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (d ?h))");
  assert_trouble(f, DIAG_E801, 0);
  assert_int_equal(f->b.end, BUDGET_MEMORY);
}

/* 1600 fluents; a position has room for 1024. */
static const char growing[] = "(role r) (legal r go) (legal r end) (goal r 1)\n"
                              "(<= (next (at ?x ?y)) (succ ?x ?a) (succ ?y ?b) (does r go))\n"
                              "(<= (next (at ?x n1)) (true (at ?x n1)) (does r end))";

static void a_state_may_outgrow_its_position(void **state) {
  machine_fixture *f = *state;
  open_game(f, long_chain(f, 40, growing));
  make_move(f, "go");
  look(f);
  assert_int_equal(f->view.fluents.count, 1600);
  assert_string_equal(moves_now(f, 0), "end go");
  make_move(f, "end");
  look(f);
  assert_int_equal(f->view.fluents.count, 40);
}

static void equal_large_states_are_equal_bytes(void **state) {
  machine_fixture *f = *state;
  open_game(f, long_chain(f, 40, growing));
  make_move(f, "go");
  void *first = arena_alloc(f->keep, f->m->position_size);
  memcpy(first, f->position, f->m->position_size);
  make_move(f, "end");
  assert_memory_not_equal(first, f->position, f->m->position_size);
  make_move(f, "go");
  assert_memory_equal(first, f->position, f->m->position_size);
}

static void large_states_count_as_memory(void **state) {
  machine_fixture *f = *state;
  f->b = budget_new(60, 1 << 20);
  open_game(f, long_chain(f, 600, growing));
  make_move(f, "go");
  assert_trouble(f, DIAG_E801, 0);
  assert_int_equal(f->b.end, BUDGET_MEMORY);
}

static void a_rule_of_very_many_conditions_is_evaluated(void **state) {
  machine_fixture *f = *state;
  text out = text_new(f->keep);
  text_add(&out, "(role r) (init a) (<= (legal r (go ?x)) (not (true (b ?x)))");
  for (int i = 0; i < 5000; i++) text_add_format(&out, "(not (true (c %d ?x))) (true a)", i);
  text_add(&out, "(p ?x)) (<= (p 1) (true a))");
  open_game(f, text_string(&out));
  assert_string_equal(moves_now(f, 0), "(go 1)");
}

/* ---- conditions in an odd order ---- */

static void tests_may_stand_before_what_binds_their_variables(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (n 1) (n 2) (n 3) (bad 2) (<= (worse ?x) (bad ?x))\n"
               "(<= (legal r (go ?x ?y)) (not (worse ?x)) (not (bad ?y)) (distinct ?x ?y)\n"
               " (n ?x) (n ?y))");
  assert_string_equal(moves_now(f, 0), "(go 1 3) (go 3 1)");
}

static void a_variable_may_stand_for_a_whole_fluent(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init (p 1)) (init q) (legal r go) (goal r 1) (keep q)\n"
               "(<= (next ?f) (true ?f) (keep ?f)) (<= (legal r (drop ?f)) (true ?f))\n"
               "(<= (legal r same) (true (p ?x)) (true (p ?x)))");
  assert_string_equal(moves_now(f, 0), "(drop (p 1)) (drop q) go same");
  make_move(f, "go");
  assert_string_equal(fluents_now(f), "q");
}

static void a_variable_twice_in_an_atom_is_the_same_twice(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (p 1 1) (p 1 2) (<= (q ?x ?y) (p ?x ?y)) (<= (q (f ?x) ?x) (p ?x 2))\n"
               "(<= (legal r (a ?x)) (p ?x ?x)) (<= (legal r (b ?x)) (q ?x ?x))\n"
               "(<= (legal r (c ?x)) (q (f ?x) ?x))");
  assert_string_equal(moves_now(f, 0), "(a 1) (b 1) (c 1)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(starts_with_the_init_facts),
      a_test(lists_moves_in_the_order_of_their_text),
      a_test(plays_to_the_end),
      a_test(equal_states_are_equal_bytes),
      a_test(tells_how_many_there_are_beyond_the_capacity),
      a_test(two_workspaces_name_the_same_things_alike),
      a_test(no_move_is_made_while_the_state_is_looked_at),
      a_test(what_is_legal_for_no_role_is_ignored),
      a_test(several_goals_and_none_are_seen),
      a_test(a_role_sees_what_the_moves_show_it),
      a_test(a_game_without_roles_cannot_be_opened),
      a_test(rules_stratified_only_once_ground_are_played),
      a_test(a_position_is_won_if_a_move_leads_to_one_that_is_not),
      a_test(a_cycle_through_negation_is_told_with_its_rule),
      a_test(after_trouble_every_position_is_terminal),
      a_test(an_unbound_role_stands_for_every_role),
      a_test(an_unbound_variable_under_negation_means_there_is_none),
      a_test(a_relation_of_given_arguments_is_asked_when_they_are_given),
      a_test(unbound_variables_are_told_with_their_rule),
      a_test(an_unbound_variable_in_distinct_is_told_with_its_rule),
      a_test(recursion_round_a_cycle_ends),
      a_test(deep_recursion_does_not_overflow_the_stack),
      a_test(deep_recursion_through_negation_does_not_either),
      a_test(ever_larger_terms_are_told),
      a_test(questions_about_ever_larger_terms_are_told),
      a_test(rules_of_very_many_variables_are_played),
      a_test(the_time_limit_is_kept),
      a_test(the_memory_limit_is_kept),
      a_test(a_state_may_outgrow_its_position),
      a_test(equal_large_states_are_equal_bytes),
      a_test(large_states_count_as_memory),
      a_test(a_rule_of_very_many_conditions_is_evaluated),
      a_test(tests_may_stand_before_what_binds_their_variables),
      a_test(a_variable_may_stand_for_a_whole_fluent),
      a_test(a_variable_twice_in_an_atom_is_the_same_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
