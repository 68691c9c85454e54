#include "ground/ground_fixture.h"

static const char *atoms_text(rules_fixture *f, const bases *b, symbol_id keyword) {
  uint32_t count;
  const term_id *atoms = bases_atoms(b, keyword, f->keep, &count);
  text out = text_new(f->keep);
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_add_char(&out, ' ');
    term_print(f->p.terms, atoms[i], NOTATION_KIF, NULL, &out);
  }
  return text_string(&out);
}

static void compute(bases *b, rules_fixture *f, const char *words, bases_method m) {
  build_sound(f, words);
  assert_true(bases_compute(b, &f->p, m, f->keep, NULL, &f->d));
}

static const char *found_by(bases_method m, rules_fixture *f, const char *words,
                            symbol_id keyword) {
  bases b;
  compute(&b, f, words, m);
  const char *all = atoms_text(f, &b, keyword);
  bases_free(&b);
  return all;
}

static const char *possible(rules_fixture *f, const char *words, symbol_id keyword) {
  return found_by(BASES_ONESTEP, f, words, keyword);
}

/* ---- one step ---- */

static const char counter[] = "(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 5 6)"
                              "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
                              "(<= (legal r (stay ?m)) (true (step ?m)))"
                              "(<= (next (did ?x)) (does r (stay ?x)))";

static void fluents_come_from_init_and_next(void **state) {
  assert_string_equal(possible(*state, counter, SYM_TRUE),
                      "(true (did 0)) (true (did 1)) (true (did 2)) (true (step 0)) (true (step "
                      "1)) (true (step 2))");
}

static void moves_come_from_legal(void **state) {
  assert_string_equal(possible(*state, counter, SYM_DOES),
                      "(does r (stay 0)) (does r (stay 1)) (does r (stay 2))");
}

static void a_negation_that_depends_on_the_state_is_taken_to_hold(void **state) {
  assert_string_equal(possible(*state, "(role r) (init a) (<= (next b) (not (true a)))", SYM_TRUE),
                      "(true a) (true b)");
}

static void a_negation_that_does_not_is_evaluated(void **state) {
  assert_string_equal(possible(*state,
                               "(role r) (p x) (p y) (q x) (init a)"
                               "(<= (next (b ?x)) (p ?x) (not (q ?x)))",
                               SYM_TRUE),
                      "(true (b y)) (true a)");
}

static void moves_of_what_is_no_role_are_left_out(void **state) {
  assert_string_equal(possible(*state, "(role r) (legal r a) (legal nobody b)", SYM_DOES),
                      "(does r a)");
}

static void rules_stratified_only_once_ground_are_taken_at_their_most_generous(void **state) {
  assert_string_equal(possible(*state,
                               "(role r) (n 0 1) (n 1 2) (n 2 3)"
                               "(<= (even ?y) (n ?x ?y) (not (even ?x)))"
                               "(<= (next (e ?x)) (even ?x))",
                               SYM_TRUE),
                      "(true (e 1)) (true (e 2)) (true (e 3))");
}

/* ---- declared ---- */

static const char declaring[] =
    "(role r) (init a) (base a) (base b) (base c) (input r x) (input r y)"
    "(<= (next b) (does r x)) (legal r x)";

static void declared_bases_are_what_the_game_declares(void **state) {
  assert_string_equal(found_by(BASES_DECLARED, *state, declaring, SYM_TRUE),
                      "(true a) (true b) (true c)");
  assert_string_equal(found_by(BASES_DECLARED, *state, declaring, SYM_DOES),
                      "(does r x) (does r y)");
}

static void declared_bases_bound_terms_that_would_grow(void **state) {
  assert_string_equal(found_by(BASES_DECLARED, *state,
                               "(role r) (init (n z)) (base (n z)) (base (n (s z)))"
                               "(<= (next (n (s ?x))) (true (n ?x)))",
                               SYM_TRUE),
                      "(true (n (s z))) (true (n z))");
}

static void a_first_fluent_that_is_not_declared_is_an_error(void **state) {
  rules_fixture *f = *state;
  build_sound(f, "(role r) (init a)\n (init b) (base a)");
  bases b;
  assert_false(bases_compute(&b, &f->p, BASES_DECLARED, f->keep, NULL, &f->d));
  bases_free(&b);
  assert_int_equal(count_of(f, DIAG_E805), 1);
  assert_fault(f, DIAG_E805, 2, 2, "(init b)", "(init b) has no fact (base b)");
}

static void a_game_without_declarations_is_told_once(void **state) {
  rules_fixture *f = *state;
  build_sound(f, "(role r) (init a) (init b) (init (c 1)) (init (c 2)) (legal r x) (legal r y)");
  bases b;
  assert_false(bases_compute(&b, &f->p, BASES_DECLARED, f->keep, NULL, &f->d));
  bases_free(&b);
  assert_int_equal(count_of(f, DIAG_E805), 1);
  assert_int_equal(count_of(f, DIAG_W811), 1);
  assert_fault(f, DIAG_E805, 1, 10, "(init a)", "the game declares no base, not even for (init a)");
  assert_fault(f, DIAG_W811, 1, 54, "(legal r x)",
               "the game declares no input, not even for (legal r x)");
}

/* Not at a rule with the same head that gives other fluents. */
static void an_undeclared_fluent_is_shown_where_it_comes_from(void **state) {
  rules_fixture *f = *state;
  bases b;
  compute(&b, f,
          "(role r) (init (at 1)) (base (at 1)) (base (at 2)) (to 1 2) (far 2 7) (far 3 8)\n"
          "(<= (next (at ?y)) (true (at ?x)) (to ?x ?y))\n"
          "(<= (next (at ?y)) (true (at ?x)) (far ?x ?y) (not (true (at ?y))))",
          BASES_DECLARED);
  bases_free(&b);
  assert_int_equal(count_of(f, DIAG_W810), 1);
  assert_fault(f, DIAG_W810, 3, 1,
               "(<= (next (at ?y)) (true (at ?x)) (far ?x ?y) (not (true (at ?y))))",
               "(next (at 7)) has no fact (base (at 7))");
}

static void a_later_fluent_or_move_that_is_not_declared_is_warned_of(void **state) {
  rules_fixture *f = *state;
  bases b;
  compute(&b, f,
          "(role r) (init a) (base a) (<= (next b) (true a)) (legal r x) (legal r y) (input r y)"
          "(legal nobody z)",
          BASES_DECLARED);
  bases_free(&b);
  assert_int_equal(count_of(f, DIAG_W810), 1);
  assert_int_equal(count_of(f, DIAG_W811), 1);
  assert_string_equal(fault(f, DIAG_W811, 0)->message, "(legal r x) has no fact (input r x)");
}

/* ---- iterative ---- */

static void generations_find_what_one_step_finds(void **state) {
  static const char *const games[] = {
      counter,
      "(role r) (init a) (<= (next b) (not (true a))) (<= (next c) (true b)) (<= (legal r x) (true "
      "c))",
      "(role r) (p x) (p y) (q x) (init a) (<= (next (b ?x)) (p ?x) (not (q ?x)))",
      "(role r) (role s) (legal r a) (legal nobody b) (<= (next (did ?r ?m)) (does ?r ?m))"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    assert_string_equal(found_by(BASES_ITERATIVE, *state, games[i], SYM_TRUE),
                        found_by(BASES_ONESTEP, *state, games[i], SYM_TRUE));
    assert_string_equal(found_by(BASES_ITERATIVE, *state, games[i], SYM_DOES),
                        found_by(BASES_ONESTEP, *state, games[i], SYM_DOES));
  }
}

/* Evaluating everything anew for each generation would take minutes. */
static void long_chains_take_a_moment_in_every_method(void **state) {
  enum { LENGTH = 10000 };
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(role r) (init (step 0)) (init (at 0)) (legal r go) (even 0)"
                   "(<= (even ?z) (even ?x) (succ ?x ?y) (succ ?y ?z))"
                   "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
                   "(<= (next (at ?n)) (true (at ?m)) (does r go) (succ ?m ?n))"
                   "(<= (next (odd ?n)) (true (at ?n)) (not (even ?n)))");
  for (uint32_t i = 0; i < LENGTH; i++) text_add_format(&words, "(succ %u %u)", i, i + 1);
  build_sound(f, text_string(&words));
  for (int m = BASES_ONESTEP; m <= BASES_ITERATIVE; m += BASES_ITERATIVE) {
    budget limits = budget_new(0, 0);
    bases b;
    assert_true(bases_compute(&b, &f->p, (bases_method)m, f->keep, &limits, &f->d));
    uint32_t count;
    bases_atoms(&b, SYM_TRUE, f->keep, &count);
    assert_int_equal(count, 2 * (LENGTH + 1) + LENGTH / 2);
    bases_free(&b);
  }
}

static void roles_may_be_terms_in_every_method(void **state) {
  static const char words[] =
      "(role (team a b)) (role (team b a)) (init x) (base x) (legal (team a b) go)"
      "(input (team a b) go) (<= (next x) (does (team a b) go)) (legal (team c c) go)";
  for (int m = BASES_ONESTEP; m <= BASES_ITERATIVE; m++)
    assert_string_equal(found_by((bases_method)m, *state, words, SYM_DOES), "(does (team a b) go)");
}

/* ---- limits ---- */

static void endless_fluents_name_their_rule(void **state) {
  rules_fixture *f = *state;
  build_sound(f, "(role r) (init (n z))\n(<= (next (n (s ?x))) (true (n ?x)))");
  bases b;
  assert_false(bases_compute(&b, &f->p, BASES_ONESTEP, f->keep, NULL, &f->d));
  bases_free(&b);
  assert_fault(f, DIAG_E804, 2, 1, "(<= (next (n (s ?x))) (true (n ?x)))",
               "this rule makes ever larger terms");
}

static void the_budget_no_longer_watches_what_was_freed(void **state) {
  rules_fixture *f = *state;
  build_sound(f, counter);
  budget limits = budget_new(0, 1 << 30);
  for (uint32_t i = 0; i < 20; i++) {
    bases b;
    assert_true(bases_compute(&b, &f->p, BASES_ONESTEP, f->keep, &limits, &f->d));
    bases_free(&b);
    assert_int_equal(limits.watched_count, 0);
  }
}

/* A clause of many variables is decomposed after it has looked at too many rows. */
static const char *costly_game(rules_fixture *f) {
  text words = text_new(f->keep);
  text_add(&words, "(role r)");
  for (uint32_t i = 0; i < 20; i++) text_add_format(&words, "(c %u) (init (at %u))", i, i);
  text_add(
      &words,
      "(<= (next win) (true (at ?a)) (c ?b) (c ?d) (c ?e) (c ?f) (true (at ?b)) (true (at ?d))"
      "(distinct ?a ?b) (distinct ?b ?d) (distinct ?d ?e) (distinct ?e ?f) (impossible ?f))"
      "(<= (impossible ?x) (c ?x) (c ?y) (c ?z) (c ?u) (c ?v) (distinct ?x ?y) (distinct ?y ?z)"
      "(distinct ?z ?u) (distinct ?u ?v) (same ?v ?u)) (same 0 0)");
  return text_string(&words);
}

static void a_costly_clause_is_rewritten_and_gives_the_same(void **state) {
  rules_fixture *f = *state;
  bases b;
  compute(&b, f, costly_game(f), BASES_ONESTEP);
  uint32_t count;
  bases_atoms(&b, SYM_TRUE, f->keep, &count);
  assert_int_equal(count, 20);
  assert_true(bases_decompose(&b, f->keep, NULL, &f->d));
  bases_atoms(&b, SYM_TRUE, f->keep, &count);
  assert_int_equal(count, 20);
  bases_free(&b);
}

static void rules_that_nothing_is_gained_for_stay_as_they_are(void **state) {
  rules_fixture *f = *state;
  bases b;
  compute(&b, f,
          "(role r) (init (at 1)) (succ 1 2) (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))",
          BASES_ONESTEP);
  const flat_clause *clauses = b.rules.program.clauses.items;
  const table *tables = b.facts.tables;
  assert_true(bases_decompose(&b, f->keep, NULL, &f->d));
  assert_ptr_equal(b.rules.program.clauses.items, clauses);
  assert_ptr_equal(b.facts.tables, tables);
  bases_free(&b);
}

static void a_limit_while_decomposing_is_reported(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(role r)");
  for (uint32_t i = 0; i < 40; i++)
    for (uint32_t k = 0; k < 40; k++)
      text_add_format(&words, "(init (f c%u c%u)) (init (g c%u c%u))", i, k, i, k);
  text_add(&words, "(<= (next (f ?x ?y)) (true (f ?x ?y)) (true (g ?z ?u)) (distinct ?x ?z))");
  bases b;
  compute(&b, f, text_string(&words), BASES_ONESTEP);
  budget limits = budget_new(1e-9, 0);
  assert_false(bases_decompose(&b, f->keep, &limits, &f->d));
  bases_free(&b);
  assert_int_equal(count_of(f, DIAG_E801), 1);
}

/* ---- alone ---- */

/* Goals that ask for ten cells at once have ten thousand million facts. */
static void base_and_input_do_not_wait_for_the_facts_of_goals(void **state) {
  rules_fixture *f = *state;
  build_sound(f, "(role r) (init (cell 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)"
                 "(succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)"
                 "(<= (next (cell ?n)) (does r (mark ?n)))"
                 "(<= (legal r (mark ?n)) (true (cell ?m)) (succ ?m ?n))"
                 "(<= (goal r 100) (row ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j) (distinct ?a ?j))"
                 "(<= (row ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j) (true (cell ?a)) (true (cell ?b))"
                 " (true (cell ?c)) (true (cell ?d)) (true (cell ?e)) (true (cell ?f))"
                 " (true (cell ?g)) (true (cell ?h)) (true (cell ?i)) (true (cell ?j)))");
  bases b;
  budget limits = budget_new(0, (size_t)8 << 20);
  assert_true(bases_compute_alone(&b, &f->p, BASES_ONESTEP, f->keep, &limits, &f->d));
  uint32_t count;
  bases_atoms(&b, SYM_TRUE, f->keep, &count);
  assert_int_equal(count, 10);
  bases_atoms(&b, SYM_DOES, f->keep, &count);
  assert_int_equal(count, 9);
  bases_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(fluents_come_from_init_and_next),
      rules_test(moves_come_from_legal),
      rules_test(a_negation_that_depends_on_the_state_is_taken_to_hold),
      rules_test(a_negation_that_does_not_is_evaluated),
      rules_test(moves_of_what_is_no_role_are_left_out),
      rules_test(rules_stratified_only_once_ground_are_taken_at_their_most_generous),
      rules_test(declared_bases_are_what_the_game_declares),
      rules_test(declared_bases_bound_terms_that_would_grow),
      rules_test(a_first_fluent_that_is_not_declared_is_an_error),
      rules_test(a_game_without_declarations_is_told_once),
      rules_test(an_undeclared_fluent_is_shown_where_it_comes_from),
      rules_test(a_later_fluent_or_move_that_is_not_declared_is_warned_of),
      rules_test(generations_find_what_one_step_finds),
      rules_test(long_chains_take_a_moment_in_every_method),
      rules_test(roles_may_be_terms_in_every_method),
      rules_test(endless_fluents_name_their_rule),
      rules_test(the_budget_no_longer_watches_what_was_freed),
      rules_test(a_costly_clause_is_rewritten_and_gives_the_same),
      rules_test(rules_that_nothing_is_gained_for_stay_as_they_are),
      rules_test(a_limit_while_decomposing_is_reported),
      rules_test(base_and_input_do_not_wait_for_the_facts_of_goals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
