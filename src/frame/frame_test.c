#include "frame/encoding.h"
#include "frame/pruning.h"
#include "ground/ground.h"
#include "rules/rules_fixture.h"

/* Figure 1 of the paper, with an end and goals. */
static const char paper[] =
    "(role x) (role o) (init (control x))\n"
    "(init (cell 1 1 b)) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b))\n"
    "(<= (legal ?p (mark ?m ?n)) (true (control ?p)) (true (cell ?m ?n b)))\n"
    "(<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))\n"
    "(<= (next (cell ?m ?n x)) (does x (mark ?m ?n)))\n"
    "(<= (next (cell ?m ?n o)) (does o (mark ?m ?n)))\n"
    "(<= (next (cell ?m ?n ?o)) (does ?p (mark ?j ?k)) (true (cell ?m ?n ?o))\n"
    "    (or (distinct ?m ?j) (distinct ?n ?k)))\n"
    "(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))\n"
    "(<= open (true (cell ?m ?n b))) (<= terminal (not open)) (<= (goal ?r 50) (role ?r))";

static const char *translated(rules_fixture *f, const char *words, frame_cover cover) {
  frame_translation t;
  frame_proof proof = {0};
  program rules;
  text out = text_new(f->keep);
  assert_true(build_text(f, words));
  assert_true(frame_open(&t, &f->p, f->keep, NULL, &f->d));
  if (cover == COVER_PRUNED) frame_prove(&proof, &t, SCOPE_GAMES, 20, f->keep, NULL);
  assert_true(frame_translate(&t, cover, frame_pruning_by(&proof), NULL, &f->d));
  frame_write_rules(&t, &rules, f->keep);
  frame_print_clauses(&rules, 0, NOTATION_PROLOG, &out);
  frame_close(&t);
  return text_string(&out);
}

static void the_pruned_covering_gives_the_three_rules_of_the_paper(void **state) {
  assert_string_equal(
      translated(*state, paper, COVER_PRUNED),
      "fnext(cell(X, Y, Z)) :- does(o, mark(X, Y)), does(x, noop), true(cell(X, Y, Z)).\n"
      "fnext(cell(X, Y, Z)) :- does(x, mark(X, Y)), does(o, noop), true(cell(X, Y, Z)).\n"
      "fnext(control(X)) :- true(control(X)).\n");
}

static void the_direct_covering_has_joint_moves_that_cannot_be_made(void **state) {
  assert_string_equal(
      translated(*state, paper, COVER_DIRECT),
      "fnext(cell(X, Y, Z)) :- does(x, noop), does(o, noop), true(cell(X, Y, Z)).\n"
      "fnext(cell(X, Y, Z)) :- does(o, mark(X, Y)), does(x, noop), true(cell(X, Y, Z)).\n"
      "fnext(cell(X, Y, Z)) :- does(x, mark(X, Y)), does(o, noop), true(cell(X, Y, Z)).\n"
      "fnext(cell(X, Y, Z)) :- does(x, mark(X, Y)), does(o, mark(X, Y)), true(cell(X, Y, Z)).\n"
      "fnext(control(X)) :- true(control(X)).\n");
}

static void the_generic_covering_needs_relations_of_its_own(void **state) {
  assert_string_equal(
      translated(*state, paper, COVER_GENERIC),
      "fnext(cell(X, Y, Z)) :- does(W, U), does(A, V), true(cell(X, Y, Z)), distinct(W, A), "
      "~keeps1(U, X), ~keeps1(V, X), ~keeps2(U, Y), ~keeps2(V, Y).\n"
      "fnext(control(X)) :- true(control(X)).\n"
      "keeps1(mark(X, Y), Z) :- does(U, mark(X, Y)), true(cell(Z, V, W)), distinct(X, Z).\n"
      "keeps2(mark(X, Y), Z) :- does(U, mark(X, Y)), true(cell(V, Z, W)), distinct(Y, Z).\n");
}

/* ---- one rule at a time: role r does noop or put(?a), fluents are p(1) .. p(3) and q ---- */

static const char around[] =
    "(role r) (init (p 1)) (init (p 2)) (init (p 3)) (init q) (index 1) (index 2) (index 3)\n"
    "(<= (other ?x ?y) (index ?x) (index ?y) (distinct ?x ?y))\n"
    "(<= (legal r noop) (role r)) (<= (legal r (put ?a)) (index ?a))\n"
    "(<= (hit ?x) (does r (put ?x)))\n"
    "(<= terminal (not (true q))) (<= (goal r 0) (true q))\n";

static void assert_ceases(void **state, const char *rules, const char *expected) {
  rules_fixture *f = *state;
  text whole = text_new(f->keep);
  text_add_format(&whole, "%s%s", around, rules);
  assert_string_equal(translated(f, text_string(&whole), COVER_DIRECT), expected);
}

static void what_always_stays_has_no_rule(void **state) {
  assert_ceases(state, "(<= (next ?f) (true ?f))", "");
}

static void a_rule_for_any_fluent_is_written_for_each_name(void **state) {
  assert_ceases(state, "(<= (next ?f) (true ?f) (does r noop))",
                "fnext(p(X)) :- does(r, put(Y)), true(p(X)).\n"
                "fnext(q) :- does(r, put(X)), true(q).\n");
}

static void a_rule_about_one_fluent_leaves_the_others(void **state) {
  assert_ceases(state, "(<= (next (p 2)) (true (p 2)))",
                "fnext(p(X)) :- true(p(X)), distinct(X, 2).\n"
                "fnext(q) :- true(q).\n");
}

static void a_negated_condition_becomes_a_positive_one(void **state) {
  assert_ceases(state, "(<= (next (p ?x)) (true (p ?x)) (not (hit ?x))) (<= (next q) (true q))",
                "fnext(p(X)) :- hit(X), true(p(X)).\n");
}

static void a_static_relation_by_distinct_is_turned_round(void **state) {
  assert_ceases(state,
                "(<= (next (p ?x)) (true (p ?x)) (does r (put ?a)) (other ?x ?a))\n"
                "(<= (next q) (true q))",
                "fnext(p(X)) :- does(r, noop), true(p(X)).\n"
                "fnext(p(X)) :- does(r, put(X)), true(p(X)).\n");
}

static void values_that_are_left_over_are_named(void **state) {
  assert_ceases(state,
                "(<= (next (p ?x)) (true (p ?x)) (not (does r (put 1)))) (<= (next q) (true q))\n"
                "(<= (next (p 1)) (true (p 1))) (<= (next (p 3)) (true (p 3)))",
                "fnext(p(2)) :- does(r, put(1)), true(p(2)).\n");
}

static void variables_of_the_rule_alone_get_a_relation(void **state) {
  assert_ceases(state,
                "(<= (next (p ?x)) (true (p ?x)) (true (p ?y)) (distinct ?x ?y))\n"
                "(<= (next q) (true q))",
                "fnext(p(X)) :- true(p(X)), ~keeps1(X).\n"
                "keeps1(X) :- true(p(Y)), true(p(X)), distinct(X, Y).\n");
}

static void names_of_the_rulesheet_are_left_alone(void **state) {
  assert_ceases(state,
                "(<= (next (p ?x)) (true (p ?x)) (true (p ?y)) (distinct ?x ?y) (keeps1 ?y))\n"
                "(<= (next q) (true q)) (keeps1 1) (<= (fnext ?x) (index ?x))",
                "fnext1(p(X)) :- true(p(X)), ~keeps2(X).\n"
                "keeps2(X) :- true(p(Y)), keeps1(Y), true(p(X)), distinct(X, Y).\n");
}

static void several_does_must_all_be_made(void **state) {
  static const char two[] = "(role a) (role b) (init (p 1)) (init (p 2)) (index 1) (index 2)\n"
                            "(<= (legal ?r noop) (role ?r)) (<= (legal a (put ?x)) (index ?x))\n"
                            "(<= (next (p ?x)) (true (p ?x)) (does a noop) (does b noop))\n"
                            "(<= terminal (not (true (p 1)))) (<= (goal ?r 0) (role ?r))";
  assert_string_equal(translated(*state, two, COVER_DIRECT),
                      "fnext(p(X)) :- does(a, put(Y)), does(b, noop), true(p(X)).\n");
}

/* ---- encodings ---- */

static void a_game_without_frame_rules_is_given_back_as_it_is(void **state) {
  rules_fixture *f = *state;
  encoded_program e;
  assert_true(build_text(f, "(role r) (init p) (<= (legal r go) (true p)) (<= (next q) (true p))\n"
                            "(<= terminal (true q)) (<= (goal r 0) (true q))"));
  frame_encode(&e, &f->p, ENCODING_PRUNED, SCOPE_GAMES, f->keep, NULL);
  assert_int_equal(e.used, ENCODING_ORIGINAL);
  assert_ptr_equal(e.program, &f->p);
}

static void the_last_clauses_of_an_encoded_program_say_what_stays(void **state) {
  rules_fixture *f = *state;
  encoded_program e;
  text out = text_new(f->keep);
  assert_true(build_text(f, paper));
  frame_encode(&e, &f->p, ENCODING_PRUNED, SCOPE_GAMES, f->keep, NULL);
  assert_int_equal(e.used, ENCODING_PRUNED);
  frame_print_clauses(e.program, e.frame.first_inertia, NOTATION_PROLOG, &out);
  assert_string_equal(text_string(&out),
                      "next(cell(X, Y, Z)) :- true(cell(X, Y, Z)), ~fnext(cell(X, Y, Z)).\n");
  assert_int_equal(e.frame.inertia_count, 1);
}

static uint64_t ground_literals(rules_fixture *f, frame_encoding wanted) {
  encoded_program e;
  ground_program ground;
  ground_stats stats;
  const ground_options plain = {.optimise = false};
  frame_encode(&e, &f->p, wanted, SCOPE_GAMES, f->keep, NULL);
  assert_int_equal(e.used, wanted);
  assert_true(ground_rules(&ground, e.program, plain, f->keep, NULL, &f->d, &stats));
  return stats.literals;
}

/* Rules that name every square that a move does not touch have an instance for each square and
   move; what ceases has one for each square and the moves that touch it. */
static void classical_frame_rules_ground_to_five_times_fewer_literals(void **state) {
  static const char *const games[] = {"bench/classical/amazons-6.kif",
                                      "bench/classical/breakthrough-8.kif",
                                      "bench/classical/gomoku-15.kif"};
  (void)state;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    void *own;
    set_up(&own);
    rules_fixture *f = own;
    source s;
    assert_true(source_load(&s, games[i], f->keep, &f->d));
    assert_true(build_text(f, s.bytes));
    assert_in_range(5 * ground_literals(f, ENCODING_PRUNED), 1,
                    ground_literals(f, ENCODING_ORIGINAL));
    tear_down(&own);
  }
}

static void too_many_roles_are_declined(void **state) {
  rules_fixture *f = *state;
  frame_translation t;
  text words = text_new(f->keep);
  for (int i = 0; i <= FRAME_ROLES_MAX; i++) text_add_format(&words, "(role r%d) ", i);
  text_add(&words, "(init p) (<= (legal ?r noop) (role ?r)) (<= (next p) (true p))\n"
                   "(<= terminal (true p)) (<= (goal ?r 0) (role ?r))");
  assert_true(build_text(f, text_string(&words)));
  assert_false(frame_open(&t, &f->p, f->keep, NULL, &f->d));
  frame_close(&t);
  assert_int_equal(count_of(f, DIAG_E830), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(the_pruned_covering_gives_the_three_rules_of_the_paper),
      rules_test(the_direct_covering_has_joint_moves_that_cannot_be_made),
      rules_test(the_generic_covering_needs_relations_of_its_own),
      rules_test(what_always_stays_has_no_rule),
      rules_test(a_rule_for_any_fluent_is_written_for_each_name),
      rules_test(a_rule_about_one_fluent_leaves_the_others),
      rules_test(a_negated_condition_becomes_a_positive_one),
      rules_test(a_static_relation_by_distinct_is_turned_round),
      rules_test(values_that_are_left_over_are_named),
      rules_test(variables_of_the_rule_alone_get_a_relation),
      rules_test(names_of_the_rulesheet_are_left_alone),
      rules_test(several_does_must_all_be_made),
      rules_test(a_game_without_frame_rules_is_given_back_as_it_is),
      rules_test(the_last_clauses_of_an_encoded_program_say_what_stays),
      rules_test(classical_frame_rules_ground_to_five_times_fewer_literals),
      rules_test(too_many_roles_are_declined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
