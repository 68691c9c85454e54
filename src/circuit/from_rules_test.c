#include "circuit/circuit_fixture.h"

static wire goal_wire(const circuit *c) { return c->goals.items[0].holds; }

static void recursion_is_the_least_solution(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s =
      staged(f,
             "(role r) (e 1 2) (e 2 3) (e 3 1) (e 4 4) (node 1) (node 2) (node 3) (node 4)\n"
             "(<= (legal r (toggle ?x)) (node ?x)) (init (on 1))\n"
             "(<= (lit ?x) (true (on ?x))) (<= (lit ?y) (lit ?x) (e ?x ?y))\n"
             "(<= (next (on ?x)) (does r (toggle ?x)) (not (lit ?x)))\n"
             "(<= (next (on ?x)) (true (on ?x)) (not (does r (toggle ?x))))\n"
             "(<= terminal (lit 4)) (<= (goal r 1) (lit 3))\n",
             optimised);
  assert_true(s->rules.components.count > 0);
  assert_all_play(f, s);
}

/* Both moments: `p` is read by legal, while no move is done, and by next, while one is. */
static void no_move_is_done_while_legal_is_read(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s =
      staged(f,
             "(role r) (init (at 0))\n"
             "(<= p (does r a)) (<= q (not (does r a)))\n"
             "(<= (legal r a) q) (<= (legal r b) q) (<= (legal r c) p)\n"
             "(<= (next (at 1)) p) (<= (next (at 2)) q) (<= (goal r 7) p) (<= (goal r 8) q)",
             plain);
  const circuit *c = &s->rules;
  for (uint32_t i = 0; i < c->moves.count; i++) {
    text word = text_new(f->keep);
    term_print(c->terms, c->moves.items[i].term, NOTATION_KIF, NULL, &word);
    const bool is_c = strcmp(text_string(&word), "c") == 0;
    assert_int_equal(c->moves.items[i].legal, is_c ? WIRE_FALSE : WIRE_TRUE);
  }
  for (uint32_t i = 0; i < c->goals.count; i++)
    assert_true(wire_is_constant(c->goals.items[i].holds));
  assert_all_play(f, s);
}

static void recursion_through_moves_is_had_at_both_moments(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s =
      staged(f,
             "(role r) (role q) (e 1 2) (e 2 3) (e 3 1) (node 1) (node 2) (node 3)\n"
             "(<= (legal ?r (hit ?x)) (role ?r) (node ?x)) (init (on 1))\n"
             "(<= (hot ?x) (does r (hit ?x))) (<= (hot ?x) (true (on ?x)))\n"
             "(<= (hot ?y) (hot ?x) (e ?x ?y) (not (does q (hit ?y))))\n"
             "(<= (next (on ?x)) (hot ?x) (not (does q (hit ?x))))\n"
             "(<= (legal r big) (hot 2)) (<= terminal (hot 3)) (<= (goal r 1) (hot 1))\n"
             "(<= (sees q ?x) (hot ?x))",
             optimised);
  assert_true(s->rules.components.count >= 2);
  assert_all_play(f, s);
}

static void rules_that_differ_in_the_move_alone_are_one_set(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s =
      staged(f,
             "(role r) (init go) (x 1) (x 2) (x 3) (x 4) (x 5) (x 6) (x 7)\n"
             "(<= (legal r (m ?i)) (x ?i)) (<= (next done) (true go) (does r (m 1)))\n"
             "(<= (next done) (true go) (does r (m 2))) (<= (next done) (true go) (does r (m 3)))\n"
             "(<= (next go) (does r (m 5)))",
             plain);
  assert_int_equal(count_gates(&s->rules, GATE_AND), 2); /* the set, and the term */
  assert_all_play(f, s);
}

static void a_move_that_is_never_legal_is_never_done(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s = staged(
      f,
      "(role r) (init go) (input r a) (input r b) (input r c) (legal r a) (legal r b)\n"
      "(<= (legal r c) (true never)) (<= (next went) (does r c)) (<= (next here) (does r a))\n"
      "(<= (next never) (true never)) (<= (goal r 1) (true went))",
      optimised);
  assert_int_equal(s->rules.moves.count, 2);
  assert_all_play(f, s);
}

static void unstratified_once_ground_is_told(void **state) {
  rules_fixture *f = *state;
  const ground_program g = instantiated(
      f, "(role r) (legal r a) (init p) (<= (next p) (not (true p)))\n"
         "(<= win (true p) (not lose)) (<= lose (not win)) (<= (goal r 1) win) (<= terminal lose)");
  circuit c;
  assert_false(circuit_from_rules(&c, &g, f->keep, NULL, &f->d));
  assert_int_equal(count_of(f, DIAG_E501), 1);
  assert_non_null(strstr(fault(f, DIAG_E501, 0)->message, "depends on its own negation"));
}

static void stratified_once_ground_is_enough(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s =
      staged(f,
             "(role r) (legal r a) (legal r b) (succ 1 2) (succ 2 3) (init (p 3))\n"
             "(<= (even ?x) (succ ?x ?y) (not (even ?y)) (true (p ?y)))\n"
             "(<= (next (p ?x)) (even ?x)) (<= (next (p 3)) (does r a)) (<= (goal r 1) (even 1))\n"
             "(<= (next (p ?x)) (true (p ?x)) (does r b))",
             plain);
  assert_all_play(f, s);
}

static void what_nothing_makes_true_is_false(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s =
      staged(f, "(role r) (legal r a) (init p) (<= (next p) (true p))", plain);
  assert_int_equal(s->rules.terminal, WIRE_FALSE);
  assert_int_equal(s->rules.goals.count, 0);
}

static void two_rules_are_a_disjunction(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s =
      staged(f,
             "(role r) (legal r a) (legal r b) (init x) (init y)\n"
             "(<= (next x) (does r a)) (<= (next y) (does r b)) (<= (goal r 1) (true x))\n"
             "(<= (goal r 1) (true y))",
             plain);
  assert_true(wire_is_negated(goal_wire(&s->rules)));
  assert_int_equal(s->rules.gates.items[wire_gate(goal_wire(&s->rules))].input_count, 2);
  assert_all_play(f, s);
}

/* Each of very many atoms is read by one rule alone. */
static void a_long_chain_is_cut(void **state) {
  rules_fixture *f = *state;
  enum { LENGTH = 4200 };
  text words = text_new(f->keep);
  text_add(
      &words,
      "(role r) (legal r a) (legal r b) (<= (next (p 0)) (does r a))\n(<= (c 0) (true (p 0)))");
  for (int i = 1; i < LENGTH; i++)
    text_add_format(&words,
                    "(<= (c %d) (c %d) (not (true (p %d))))(<= (next (p %d)) (true (p %d)))\n", i,
                    i - 1, i, i, i - 1);
  text_add_format(&words, "(<= (goal r 1) (c %d)) (<= terminal (true (p 0)))", LENGTH - 1);
  const ground_program g = instantiated(f, text_string(&words));
  circuit c;
  assert_true(circuit_from_rules(&c, &g, f->keep, NULL, &f->d));
  assert_true(c.inputs.count >= LENGTH && c.inputs.count < LENGTH + 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(recursion_is_the_least_solution),
      rules_test(no_move_is_done_while_legal_is_read),
      rules_test(recursion_through_moves_is_had_at_both_moments),
      rules_test(rules_that_differ_in_the_move_alone_are_one_set),
      rules_test(a_move_that_is_never_legal_is_never_done),
      rules_test(unstratified_once_ground_is_told),
      rules_test(stratified_once_ground_is_enough),
      rules_test(what_nothing_makes_true_is_false),
      rules_test(two_rules_are_a_disjunction),
      rules_test(a_long_chain_is_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
