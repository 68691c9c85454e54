#include "prove/prove_fixture.h"

static const char lamp[] =
    "(role r) (init (lamp off)) (init day) (<= (legal r push)) (<= terminal (true never))\n"
    "(<= (next (lamp on)) (true (lamp off))) (<= (next (lamp off)) (true (lamp on)))\n"
    "(<= (next day) (not (true day))) (<= (next never) (true never) (true day))";

static const char *complaint_about(prove_fixture *f, const char *words) {
  property_vec properties = {0};
  const char *complaint = "";
  const state_atoms atoms = job_atoms(&f->j);
  property_read(&properties, words, &atoms, f->keep, &complaint);
  return complaint;
}

static void reads_nested_formulas(void **state) {
  prove_fixture *f = *state;
  read_game(f, lamp);
  assert_verdict(f, "invariant (or (lamp on) (and (TRUE (Lamp  off)) (not (lamp on))))",
                 "exhaustive", "proved");
  assert_verdict(f, "invariant (lamp on)", "exhaustive", "refuted");
  assert_verdict(f, "invariant (or)", "exhaustive", "refuted");
  assert_verdict(f, "invariant (and)", "exhaustive", "proved");
  assert_verdict(f, "unreachable (and (lamp on) day)", "exhaustive", "proved");
}

/* Free variables mean all instances of an invariant, and any of what is never reached. */
static void variables_stand_for_what_fluents_have_in_their_place(void **state) {
  prove_fixture *f = *state;
  read_game(f, lamp);
  assert_verdict(f, "invariant (exists ?x (lamp ?x))", "exhaustive", "proved");
  assert_verdict(f, "invariant (forall (?X) (lamp ?x))", "exhaustive", "refuted");
  assert_verdict(f, "invariant (lamp ?x)", "exhaustive", "refuted");
  assert_verdict(f, "invariant (or (not (lamp ?x)) (not (lamp ?y)) (not (distinct ?x ?y)))",
                 "exhaustive", "proved");
  assert_verdict(f, "invariant (not (and (lamp ?x) (lamp ?y)))", "exhaustive", "refuted");
  assert_verdict(f, "unreachable (lamp ?x)", "exhaustive", "refuted");
  assert_verdict(f, "unreachable (and (lamp ?x) (distinct ?x on) (distinct ?x off))", "exhaustive",
                 "proved");
  assert_verdict(f, "invariant (or day (exists ?x (and (lamp ?x) (distinct ?x off))))",
                 "exhaustive", "proved");
}

/* Terms in terms, and instances that are no fluents. */
static void variables_stand_for_whole_terms(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init (on (disk 1) (peg a))) (legal r go) (goal r 0)\n"
               "(<= (next (on (disk 1) (peg b))) (true (on (disk 1) (peg a))))\n"
               "(<= (next (on (peg b) nil)) (true (on (disk 1) (peg a))))\n"
               "(<= terminal (true (on (disk 1) (peg b))))");
  assert_verdict(f, "invariant (exists (?x ?y) (on ?x ?y))", "exhaustive", "proved");
  assert_verdict(f, "invariant (exists ?p (on (disk 1) (peg ?p)))", "exhaustive", "proved");
  assert_verdict(f, "invariant (exists ?x (and (on ?x (peg a)) (distinct ?x (disk 1))))",
                 "exhaustive", "refuted");
}

/* `never` stands in the rules, and nothing leads to it; the lamp is never lit by day. */
static void what_no_rule_gives_is_unreachable(void **state) {
  prove_fixture *f = *state;
  read_game(f, lamp);
  const char *const asked[] = {"unreachable never", "unreachable (and day never)",
                               "unreachable (lamp day)", "invariant (not (lamp never))"};
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    ask(f, asked[i]);
    run_whole(f, "probe", 10);
    assert_int_equal(f->j.findings[0].kind, VERDICT_PROVED);
    assert_string_equal(f->j.findings[0].method, "grounding");
  }
  ask(f, "unreachable (or day never)");
  run_whole(f, "probe", 10);
  assert_int_equal(f->j.findings[0].kind, VERDICT_REFUTED);
}

static void what_no_rule_gives_leaves_variables_without_values(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init a) (legal r go) (goal r 0) (<= terminal (true (b 1)))\n"
               "(<= (next (b ?x)) (true (b ?x)))");
  assert_verdict(f, "unreachable (b ?x)", "exhaustive", "proved");
  assert_verdict(f, "invariant (not (exists ?x (b ?x)))", "exhaustive", "proved");
  assert_string_equal(complaint_about(f, "invariant (b ?x)"),
                      "there is nothing that the variable can stand for: `?x`");
  assert_string_equal(complaint_about(f, "unreachable (forall ?x (not (b ?x)))"),
                      "there is nothing that the variable can stand for: `?x`");
}

static void says_what_is_wrong_with_a_formula(void **state) {
  prove_fixture *f = *state;
  read_game(f, lamp);
  ask(f, "playable");
  assert_string_equal(complaint_about(f, "invariant (and (lamp on)"),
                      "this parenthesis is never closed");
  assert_string_equal(complaint_about(f, "invariant (lamp"), "this parenthesis is never closed");
  assert_string_equal(complaint_about(f, "invariant (lamp red)"),
                      "there is no fluent `(lamp red)`: `red` stands nowhere in the rules");
  assert_string_equal(complaint_about(f, "unreachable (lump on)"),
                      "there is no fluent or relation `(lump on)`; did you mean `lamp`?");
  assert_string_equal(complaint_about(f, "unreachable (lamp on off)"),
                      "there is no fluent `(lamp on off)`: `lamp` has 1 argument");
  assert_string_equal(complaint_about(f, "unreachable push"),
                      "there is no fluent or relation `push`");
  assert_string_equal(complaint_about(f, "invariant (not)"), "`not` takes one formula");
  assert_string_equal(complaint_about(f, "unreachable (light ?x)"),
                      "there is no fluent or relation `(light ?x)`");
  assert_string_equal(complaint_about(f, "invariant (exists ?x (distinct ?x on))"),
                      "there is nothing that the variable can stand for: `?x`");
  assert_string_equal(complaint_about(f, "invariant (forall (lamp on))"),
                      "a quantifier takes variables");
  assert_string_equal(complaint_about(f, "invariant (exists ?x)"),
                      "a quantifier takes variables and one formula");
  assert_string_equal(complaint_about(f, "invariant (distinct a b (lamp on))"),
                      "`distinct` takes two terms");
  assert_string_equal(complaint_about(f, "unreachable (lamp on) day"),
                      "there is more text after the formula: `day`");
  assert_string_equal(complaint_about(f, "invariant"), "a formula is not complete");
  assert_string_equal(complaint_about(f, "beautiful"),
                      "there is no property `beautiful`; the properties are playable, terminates, "
                      "winnable, goals, dead, mutex, monotone, strongly-winnable, unreachable, "
                      "invariant");
  assert_string_equal(complaint_about(f, "winnable s"),
                      "winnable: there is no role `s`; the roles are r");
  assert_string_equal(complaint_about(f, "playble"),
                      "there is no property `playble`; did you mean `playable`?");
  assert_string_equal(complaint_about(f, "playable r"),
                      "playable takes nothing more, but there is `r`");
}

/* Against counting, for every choice of up to seven fluents, one of them negated. */
static void groups_as_formulas(void **state) {
  prove_fixture *f = *state;
  const uint32_t members[] = {0, 2, 5, 6, 8, 10, 12};
  for (uint32_t count = 1; count <= 7; count++) {
    claim at_most, exactly;
    claim_of_group(&at_most, members, count, false, f->keep);
    claim_of_group(&exactly, members, count, true, f->keep);
    for (uint32_t choice = 0; choice < 1u << count; choice++) {
      bool fluents[7];
      uint32_t held = 0;
      for (uint32_t i = 0; i < count; i++) {
        fluents[i] = choice >> i & 1;
        held += fluents[i] != (members[i] & 1);
      }
      assert_int_equal(claim_holds(&at_most, fluents, f->keep), held <= 1);
      assert_int_equal(claim_holds(&exactly, fluents, f->keep), held == 1);
    }
  }
}

static void all_is_every_property_without_a_formula(void **state) {
  prove_fixture *f = *state;
  read_game(f, lamp);
  ask(f, "all");
  assert_int_equal(f->j.properties.count, 6);
  assert_string_equal(f->j.properties.items[2].name, "winnable r");
}

/* ---- other atoms ---- */

static void formulas_may_name_what_holds_in_a_state(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  assert_verdict(f, "unreachable (and terminal (legal ?r (place ?x ?y)) (not (line ?r)))",
                 "exhaustive", "refuted");
  assert_verdict(f, "unreachable (and (line x) (line o))", "exhaustive", "proved");
  assert_verdict(f, "invariant (or (not (line x)) terminal)", "exhaustive", "proved");
  assert_verdict(f, "invariant (or (not (goal x 100)) (line x))", "exhaustive", "proved");
  assert_verdict(f, "unreachable (line x)", "probe", "refuted");
}

/* A line is replayed on machine `reference`, which is asked for the relation itself. */
static void lines_to_what_relations_say_are_replayed(void **state) {
  prove_fixture *f = *state;
  static const char *const methods[] = {"exhaustive", "pdr", "bmc"};
  read_builtin(f, "tic-tac-toe");
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const finding *v = found(f, "unreachable (line o)", methods[i]);
    assert_int_equal(v->kind, VERDICT_REFUTED);
    assert_int_equal(v->length, 6);
  }
}

static void facts_that_never_change_may_be_named(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init (at 1)) (after 1 2) (after 2 3) (legal r go)\n"
               "(<= (next (at ?y)) (true (at ?x)) (after ?x ?y)) (<= terminal (true (at 3)))\n"
               "(<= (last ?x) (true (at ?x)) (not (onward ?x))) (<= (onward ?x) (after ?x ?y))\n"
               "(<= (moved ?m) (does r ?m)) (goal r 0)");
  assert_verdict(f, "invariant (exists ?x (and (at ?x) (or (onward ?x) (last ?x))))", "exhaustive",
                 "proved");
  assert_verdict(f, "unreachable (exists (?x ?y) (and (at ?x) (at ?y) (after ?x ?y)))",
                 "exhaustive", "proved");
  assert_verdict(f, "unreachable (last 3)", "exhaustive", "refuted");
  assert_verdict(f, "unreachable (last 2)", "exhaustive", "proved");
  assert_verdict(f, "invariant (role r)", "exhaustive", "proved");
}

static void what_is_no_matter_of_a_state_is_turned_down(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init (at 1)) (legal r go) (<= (next (at 1)) (moved go))\n"
               "(<= (moved ?m) (does r ?m)) (<= terminal (true (at 2))) (goal r 0)\n"
               "(<= (far ?x) (true (at ?x)) (distinct ?x 1))");
  ask(f, "playable");
  assert_string_equal(complaint_about(f, "unreachable (moved go)"),
                      "`(moved go)` depends on moves, and a formula is about a state");
  assert_string_equal(complaint_about(f, "unreachable (next (at 1))"),
                      "`(next (at 1))` says nothing of a state alone");
  assert_string_equal(complaint_about(f, "unreachable (true (far 1))"),
                      "there is no fluent `(far 1)`");
  assert_string_equal(complaint_about(f, "unreachable (far 7)"),
                      "`(far 7)` never holds: `7` stands nowhere in the rules");
}

static void a_fluent_is_meant_where_a_relation_has_its_name(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init (on 1)) (legal r go) (<= (next (on 2)) (true (on 1)))\n"
               "(<= (on ?x) (true (on ?x)) (distinct ?x 1)) (<= terminal (true (on 2)))\n"
               "(<= (goal r 100) (on 2)) (<= (goal r 0) (not (on 2)))");
  assert_verdict(f, "unreachable (on 1)", "exhaustive", "refuted");
}

/* The checker of certificates knows fluents alone. */
static void formulas_with_relations_have_no_certificate(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  const finding *v = found(f, "unreachable (line x)", "bmc");
  assert_true(v->has_line);
  assert_false(finding_has_certificate(&f->j.properties.items[0], v));
  text out = text_new(f->keep);
  assert_false(prover_certify(&f->j, &out));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(reads_nested_formulas),
      a_test(variables_stand_for_what_fluents_have_in_their_place),
      a_test(variables_stand_for_whole_terms),
      a_test(what_no_rule_gives_is_unreachable),
      a_test(what_no_rule_gives_leaves_variables_without_values),
      a_test(groups_as_formulas),
      a_test(says_what_is_wrong_with_a_formula),
      a_test(all_is_every_property_without_a_formula),
      a_test(formulas_may_name_what_holds_in_a_state),
      a_test(lines_to_what_relations_say_are_replayed),
      a_test(facts_that_never_change_may_be_named),
      a_test(what_is_no_matter_of_a_state_is_turned_down),
      a_test(a_fluent_is_meant_where_a_relation_has_its_name),
      a_test(formulas_with_relations_have_no_certificate),
  };
  return cmocka_run_group_tests_name("prove/claim", tests, NULL, NULL);
}
