#include "prove/prove_fixture.h"

static const char lamp[] =
    "(role r) (init (lamp off)) (init day) (<= (legal r push)) (<= terminal (true never))\n"
    "(<= (next (lamp on)) (true (lamp off))) (<= (next (lamp off)) (true (lamp on)))\n"
    "(<= (next day) (not (true day))) (<= (next never) (true never) (true day))";

static const char *complaint_about(prove_fixture *f, const char *words) {
  property_vec properties = {0};
  const char *complaint = "";
  property_read(&properties, words, &f->j.g.circuit, f->keep, &complaint);
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
                      "there is no fluent `(lump on)`; did you mean `lamp`?");
  assert_string_equal(complaint_about(f, "unreachable (lamp on off)"),
                      "there is no fluent `(lamp on off)`: `lamp` has 1 argument");
  assert_string_equal(complaint_about(f, "unreachable push"), "there is no fluent `push`");
  assert_string_equal(complaint_about(f, "invariant (not)"), "`not` takes one formula");
  assert_string_equal(complaint_about(f, "unreachable (light ?x)"),
                      "there is no fluent `(light ?x)`");
  assert_string_equal(complaint_about(f, "invariant (exists ?x (distinct ?x on))"),
                      "there is nothing that the variable can stand for: `?x`");
  assert_string_equal(complaint_about(f, "invariant (forall (lamp on))"),
                      "a quantifier takes variables");
  assert_string_equal(complaint_about(f, "invariant (exists ?x)"),
                      "a quantifier takes variables and one formula");
  assert_string_equal(complaint_about(f, "invariant (distinct a b (lamp on))"),
                      "`distinct` takes two terms");
  assert_string_equal(complaint_about(f, "unreachable (lamp on) day"),
                      "there is more behind the formula: `day`");
  assert_string_equal(complaint_about(f, "invariant"), "a formula is not complete");
  assert_string_equal(complaint_about(f, "beautiful"), "there is no property `beautiful`");
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
  };
  return cmocka_run_group_tests_name("prove/claim", tests, NULL, NULL);
}
