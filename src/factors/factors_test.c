/* Independent parts of small games, and what is none. */
#include "factors/factors.h"

#include "circuit/circuit_fixture.h"
#include "circuit/circuit_sound.h"
#include "factors/factors_sound.h"
#include "factors/part_circuit.h"

#define CLOCK \
  "(init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)" \
  "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"

/* Three rows of lamps; a button turns one on when the one before it is, and the others stay. */
#define ROWS \
  "(role r) (row 1) (row 2) (row 3) (<= (legal r (press ?b ?n)) (row ?b) (lamp ?n)) (lamp a) (lamp b)" \
  "(<= (next (lit ?b a)) (does r (press ?b a))) (<= (next (lit ?b ?n)) (true (lit ?b ?n)))" \
  "(<= (next (lit ?b b)) (does r (press ?b b)) (true (lit ?b a)))" \
  "(<= (full ?b) (true (lit ?b a)) (true (lit ?b b)))"

#define ROW_ENDS \
  "(<= terminal (full 1)) (<= terminal (full 2)) (<= terminal (true (step 5)))" \
  "(<= (goal r 100) (full 1)) (<= (goal r 50) (full 2) (not (full 1)))" \
  "(<= (goal r 0) (not (full 1)) (not (full 2)))"

/* Two counters; each move says what both do. */
#define COUNTERS \
  "(role r) (init (at x 0)) (init (at y 0)) (succ 0 1) (succ 1 2) (succ 2 0) (kind up) (kind stay)" \
  "(<= (legal r (both ?m ?n)) (can x ?m) (can y ?n)) (<= (can ?c stay) (true (at ?c ?v)))" \
  "(<= (can ?c up) (true (at ?c ?v)) (distinct ?v 2)) (<= (acts x ?m) (does r (both ?m ?n)))" \
  "(<= (acts y ?n) (does r (both ?m ?n)))" \
  "(<= (next (at ?c ?v)) (acts ?c stay) (true (at ?c ?v)))" \
  "(<= (next (at ?c ?w)) (acts ?c up) (true (at ?c ?v)) (succ ?v ?w))" \
  "(<= terminal (true (at x 2))) (<= terminal (true (at y 2)))" \
  "(<= (goal r 100) (true (at x 2))) (<= (goal r 0) (not (true (at x 2))))"

/* Each player has a board of its own. */
#define RACE \
  "(role a) (role b) (init (at a 0)) (init (at b 0)) (succ 0 1) (succ 1 2) (legal a go) (legal a stay)" \
  "(legal b go) (legal b stay) (<= (next (at ?r ?v)) (does ?r stay) (true (at ?r ?v)))" \
  "(<= (next (at ?r ?w)) (does ?r go) (true (at ?r ?v)) (succ ?v ?w))" \
  "(<= terminal (true (at ?r 2))) (<= (goal ?r 100) (true (at ?r 2)))" \
  "(<= (goal ?r 0) (role ?r) (not (true (at ?r 2))))"

/* Three cells in a row: every one is read with every other one. */
#define CELLS \
  "(role r) (cell 1) (cell 2) (cell 3) (<= (legal r (mark ?c)) (cell ?c) (not (true (marked ?c))))" \
  "(<= (next (marked ?c)) (does r (mark ?c))) (<= (next (marked ?c)) (true (marked ?c)))" \
  "(<= (line 1 2) (true (marked 1)) (true (marked 2))) (<= (line 2 3) (true (marked 2))" \
  "(true (marked 3))) (<= terminal (line ?x ?y)) (<= (goal r 100) (line 1 2))" \
  "(<= (goal r 0) (not (line 1 2)))"

static const circuit *circuit_for(rules_fixture *f, const char *words) {
  return &staged(f, words, optimised)->shared;
}

static factors found_in(rules_fixture *f, const char *words) {
  factors x;
  budget b = budget_new(0, 0);
  factors_find(&x, circuit_for(f, words), f->keep, &b);
  assert_null(x.reason);
  return x;
}

static uint32_t part_of(const factors *x, const char *fluent, arena *keep) {
  const wire now = fluent_wire(x->c, fluent, keep);
  return wire_is_constant(now) ? PART_UNREAD : x->part_of[x->c->gates.items[wire_gate(now)].number];
}

static void boards_on_which_one_move_is_made_are_parts(void **state) {
  rules_fixture *f = *state;
  const factors x = found_in(f, ROWS CLOCK ROW_ENDS);
  assert_int_equal(x.count, 2); /* nothing reads the third row */
  assert_int_equal(x.choices[0], CHOOSES_ONE_PART);
  assert_int_equal(part_of(&x, "(lit 1 a)", f->keep), part_of(&x, "(lit 1 b)", f->keep));
  assert_int_not_equal(part_of(&x, "(lit 1 a)", f->keep), part_of(&x, "(lit 2 a)", f->keep));
  assert_int_equal(part_of(&x, "(lit 3 a)", f->keep), PART_UNREAD);
  for (uint32_t part = 0; part < 2; part++) {
    assert_true(x.ends[part] && x.scores[part]);
    assert_int_equal(factor_class_count(&x, part, 0), 3); /* two buttons, and any other */
    uint32_t active = 0;
    for (uint32_t m = 0; m < x.c->moves.count; m++) active += !factor_move_is_idle(&x, part, 0, m);
    assert_int_equal(active, 2);
  }
}

static void a_clock_is_common(void **state) {
  rules_fixture *f = *state;
  const factors x = found_in(f, ROWS CLOCK ROW_ENDS);
  assert_int_equal(part_of(&x, "(step 2)", f->keep), PART_COMMON);
  assert_int_equal(part_of(&x, "(step 5)", f->keep), PART_COMMON);
}

static void what_neither_ends_nor_goals_read_is_irrelevant(void **state) {
  rules_fixture *f = *state;
  const factors x =
      found_in(f, ROWS CLOCK "(<= terminal (full 1)) (<= terminal (true (step 5)))"
                             "(<= (goal r 100) (full 1)) (<= (goal r 0) (not (full 1)))");
  assert_int_equal(x.count, 3);
  for (uint32_t part = 0; part < 3; part++)
    assert_int_equal(!x.ends[part] && !x.scores[part], part != part_of(&x, "(lit 1 a)", f->keep));
}

static void a_move_that_says_what_all_parts_do_is_one_in_each(void **state) {
  rules_fixture *f = *state;
  const factors x = found_in(f, COUNTERS);
  assert_int_equal(x.count, 2);
  assert_int_equal(x.choices[0], CHOOSES_IN_ALL_PARTS);
  assert_int_equal(x.c->moves.count, 4);
  for (uint32_t part = 0; part < 2; part++) assert_int_equal(factor_class_count(&x, part, 0), 2);
  assert_int_not_equal(part_of(&x, "(at x 0)", f->keep), part_of(&x, "(at y 0)", f->keep));
}

static void combinations_that_are_no_moves_unite_parts(void **state) {
  rules_fixture *f = *state;
  const factors x = found_in(f, COUNTERS "(<= (next (at x 0)) (does r (both up up)))");
  assert_int_equal(x.count, 0);
}

static void players_with_boards_of_their_own_have_a_part_each(void **state) {
  rules_fixture *f = *state;
  const factors x = found_in(f, RACE);
  assert_int_equal(x.count, 2);
  const uint32_t part = part_of(&x, "(at a 0)", f->keep);
  assert_int_equal(factor_class_count(&x, part, 0), 2);
  assert_int_equal(factor_class_count(&x, part, 1), 1);
  assert_int_equal(factor_class_count(&x, 1 - part, 1), 2);
}

static void a_rule_that_reads_two_boards_unites_them(void **state) {
  rules_fixture *f = *state;
  factors x = found_in(f, ROWS CLOCK ROW_ENDS "(<= (next (lit 1 b)) (true (lit 2 a)))");
  assert_int_equal(x.count, 2); /* the third row is left alone */
  assert_int_equal(part_of(&x, "(lit 1 a)", f->keep), part_of(&x, "(lit 2 a)", f->keep));
  x = found_in(f, ROWS CLOCK ROW_ENDS "(legal r reset) (<= (next (lit 1 a)) (does r reset))"
                                      "(<= (next (lit 2 a)) (does r reset))");
  assert_int_equal(part_of(&x, "(lit 1 a)", f->keep), part_of(&x, "(lit 2 a)", f->keep));
}

static void a_condition_on_two_boards_unites_them(void **state) {
  rules_fixture *f = *state;
  const factors x = found_in(f, ROWS CLOCK ROW_ENDS
                             "(<= (legal r (press 4 a)) free) (<= free (not (true (lit 1 a))))"
                             "(<= free (not (true (lit 2 a))))");
  assert_int_equal(part_of(&x, "(lit 1 a)", f->keep), part_of(&x, "(lit 2 a)", f->keep));
}

static void cells_that_ends_read_together_are_no_parts(void **state) {
  rules_fixture *f = *state;
  assert_int_equal(found_in(f, CELLS).count, 0);
}

static void recursive_rules_are_declined(void **state) {
  rules_fixture *f = *state;
  factors x;
  budget b = budget_new(0, 0);
  const circuit *c = circuit_for(
      f, ROWS CLOCK ROW_ENDS
      "(<= (next (lit 1 b)) (on 1)) (<= (on ?x) (true (lit ?x a)) (on ?y) (row ?x) (row ?y))"
      "(<= (on ?x) (true (lit ?x b)) (true (lit ?x a)))");
  factors_find(&x, c, f->keep, &b);
  assert_int_equal(x.count, 0);
  if (c->components.count) assert_string_equal(x.reason, "its rules are recursive");
}

/* Whatever number of a proved partition is changed, it is no longer one. */
static void a_forged_partition_is_rejected(void **state) {
  static const char *const games[] = {ROWS CLOCK ROW_ENDS, COUNTERS, RACE};
  rules_fixture *f = *state;
  for (uint32_t g = 0; g < 3; g++) {
    factors x = found_in(f, games[g]);
    assert_true(factors_are_sound(&x));
    for (uint32_t i = 0; i < x.c->latches.count; i++) {
      static const uint32_t others[] = {0, 1, 2, PART_COMMON, PART_UNREAD};
      const uint32_t part = x.part_of[i];
      for (uint32_t k = 0; k < 5 && part < x.count; k++) {
        x.part_of[i] = others[k];
        assert_int_equal(factors_are_sound(&x), others[k] == part);
      }
      x.part_of[i] = part;
    }
    for (uint32_t i = 0; i < x.count * x.c->moves.count; i++) {
      const uint32_t class = x.classes[i];
      for (uint32_t other = 0; other < 4; other++) {
        x.classes[i] = other;
        assert_int_equal(factors_are_sound(&x), other == class);
      }
      x.classes[i] = class;
    }
    for (uint32_t part = 0; part < x.count; part++) {
      x.ends[part] = !x.ends[part];
      assert_int_equal(factors_are_sound(&x), x.ends[part]);
      x.ends[part] = !x.ends[part];
    }
    for (uint32_t role = 0; role < x.c->roles.count; role++) {
      x.choices[role] =
          x.choices[role] == CHOOSES_ONE_PART ? CHOOSES_IN_ALL_PARTS : CHOOSES_ONE_PART;
      /* who has choices in one part alone does both */
      if (g < 2) assert_false(factors_are_sound(&x));
      x.choices[role] =
          x.choices[role] == CHOOSES_ONE_PART ? CHOOSES_IN_ALL_PARTS : CHOOSES_ONE_PART;
    }
    assert_true(factors_are_sound(&x));
  }
}

static void a_part_is_a_circuit_of_its_own(void **state) {
  static const char *const games[] = {ROWS CLOCK ROW_ENDS, COUNTERS};
  rules_fixture *f = *state;
  for (uint32_t g = 0; g < 2; g++) {
    const factors x = found_in(f, games[g]);
    factor_summary s;
    wire_vec outputs = {0};
    uint32_t features = 0, latches = 0;
    vec_push(f->keep, &outputs, x.c->terminal);
    factor_summarise(&s, x.c, x.part_of, &outputs, f->keep);
    for (uint32_t part = 0; part <= x.count; part++) {
      part_circuit p;
      part_circuit_make(&p, &x, part, &s, f->keep);
      assert_true(circuit_is_sound(&p.c));
      assert_int_equal(p.c.targets.count, p.features.count);
      features += p.features.count;
      latches += p.c.latches.count;
      if (part < x.count) assert_int_equal(p.c.moves.count, factor_class_count(&x, part, 0));
      if (part < x.count) assert_int_not_equal(p.c.terminal, WIRE_FALSE);
    }
    assert_int_equal(features, s.features.count);
    assert_true(latches <= x.c->latches.count);
  }
}

/* An output is what its features say, whatever the state. */
static void a_summary_says_what_the_circuit_says(void **state) {
  rules_fixture *f = *state;
  const factors x = found_in(f, ROWS CLOCK ROW_ENDS);
  factor_summary s;
  wire_vec outputs = {0};
  rng r = rng_new(3, 0);
  vec_push(f->keep, &outputs, x.c->terminal);
  for (uint32_t i = 0; i < x.c->goals.count; i++)
    vec_push(f->keep, &outputs, x.c->goals.items[i].holds);
  factor_summarise(&s, x.c, x.part_of, &outputs, f->keep);
  uint64_t *values = arena_zero_array(f->keep, uint64_t, x.c->gates.count);
  uint8_t features[32], gates[32];
  assert_in_range(s.features.count, 2, 32);
  assert_in_range(s.gates.count, 1, 32);
  for (uint32_t round = 0; round < 200; round++) {
    for (uint32_t i = 0; i < x.c->latches.count; i++)
      values[x.c->latches.items[i].gate] = rng_next(&r) & rng_next(&r);
    circuit_simulate(x.c, values);
    for (uint32_t i = 0; i < s.features.count; i++) {
      features[i] = SUMMARY_TRUE;
      for (uint32_t k = 0; k < s.features.items[i].count; k++)
        features[i] &= wire_value(values, s.wires.items[s.features.items[i].first + k]) & 1;
    }
    summary_evaluate(&s, features, gates);
    for (uint32_t i = 0; i < outputs.count; i++)
      assert_int_equal(summary_value(features, gates, s.outputs.items[i]),
                       wire_value(values, outputs.items[i]) & 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(boards_on_which_one_move_is_made_are_parts),
      rules_test(a_clock_is_common),
      rules_test(what_neither_ends_nor_goals_read_is_irrelevant),
      rules_test(a_move_that_says_what_all_parts_do_is_one_in_each),
      rules_test(combinations_that_are_no_moves_unite_parts),
      rules_test(players_with_boards_of_their_own_have_a_part_each),
      rules_test(a_rule_that_reads_two_boards_unites_them),
      rules_test(a_condition_on_two_boards_unites_them),
      rules_test(cells_that_ends_read_together_are_no_parts),
      rules_test(recursive_rules_are_declined),
      rules_test(a_forged_partition_is_rejected),
      rules_test(a_part_is_a_circuit_of_its_own),
      rules_test(a_summary_says_what_the_circuit_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
