#include "circuit/circuit_fixture.h"

static const char moves[] = "(role r) (legal r a) (legal r b) (legal r c)\n";

static circuit_stages *merged(rules_fixture *f, const char *rules) {
  text words = text_new(f->keep);
  text_add_format(&words, "%s%s", moves, rules);
  circuit_stages *s = staged(f, text_string(&words), plain);
  assert_all_play(f, s);
  return s;
}

static wire wire_named(rules_fixture *f, const circuit_stages *s, const char *fluent) {
  return fluent_wire(&s->merged, fluent, f->keep);
}

static void equal_fluents_have_one_latch(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s =
      merged(f, "(init p) (init q) (<= (next p) (does r a)) (<= (next q) (does r a))\n"
                "(<= (goal r 1) (true p)) (<= (goal r 2) (true q))");
  assert_int_equal(s->merged.latches.count, 1);
  assert_int_equal(wire_named(f, s, "p"), wire_named(f, s, "q"));
  assert_false(wire_is_constant(wire_named(f, s, "p")));
}

static void complementary_fluents_have_one_latch(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s = merged(f, "(init p) (<= (next p) (true q)) (<= (next q) (true p))\n"
                                      "(<= (goal r 1) (true p)) (<= (goal r 2) (true q))");
  assert_int_equal(s->merged.latches.count, 1);
  assert_int_equal(wire_named(f, s, "p"), wire_not(wire_named(f, s, "q")));
}

/* p and q are equal if x and y are, and the other way round. */
static void equal_only_together(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s =
      merged(f, "(<= (next p) (true x) (does r a)) (<= (next q) (true y) (does r a))\n"
                "(<= (next x) (not (true p))) (<= (next y) (not (true q)))\n"
                "(<= (goal r 1) (true p)) (<= (goal r 2) (true q))");
  assert_int_equal(s->merged.latches.count, 2);
  assert_int_equal(wire_named(f, s, "p"), wire_named(f, s, "q"));
  assert_int_equal(wire_named(f, s, "x"), wire_named(f, s, "y"));
}

static void what_is_always_made_true_has_no_latch(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s =
      merged(f, "(init p) (init live) (next p) (<= (next live) (true p) (does r a))\n"
                "(<= (goal r 1) (not (true p))) (<= (goal r 2) (true live))");
  assert_int_equal(wire_named(f, s, "p"), WIRE_TRUE);
  assert_false(wire_is_constant(wire_named(f, s, "live")));
}

/* A counter of ten bits: its last bit changes after more steps than are played beforehand. */
static void what_differs_late_is_not_merged(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  for (int i = 0; i < 10; i++) {
    text_add_format(&words, "(<= (next (bit %d)) (true (bit %d)) (not (carry %d)))\n", i, i, i);
    text_add_format(&words, "(<= (next (bit %d)) (not (true (bit %d))) (carry %d))\n", i, i, i);
    if (i) text_add_format(&words, "(<= (carry %d) (carry %d) (true (bit %d)))\n", i, i - 1, i - 1);
  }
  text_add(&words,
           "(<= (carry 0) (not (true (bit 99)))) (<= (next (bit 99)) (true (bit 99)) (does r c))\n"
           "(<= (next never) (true (bit 9)) (does r a)) (<= (goal r 1) (true never))\n"
           "(<= terminal (true (bit 8)))");
  const circuit_stages *s = merged(f, text_string(&words));
  for (int i = 0; i < 10; i++)
    for (int k = 0; k < i; k++) {
      char a[24], b[24];
      snprintf(a, sizeof a, "(bit %d)", i);
      snprintf(b, sizeof b, "(bit %d)", k);
      assert_false(wire_is_constant(wire_named(f, s, a)));
      assert_int_not_equal(wire_gate(wire_named(f, s, a)), wire_gate(wire_named(f, s, b)));
    }
  assert_false(wire_is_constant(wire_named(f, s, "never")));
}

/* Differs only when one move of very many is done. */
static void what_a_rare_move_tells_apart_is_not_merged(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  for (int i = 0; i < 3000; i++) text_add_format(&words, "(x %d) ", i);
  text_add(&words, "(<= (legal r (m ?i)) (x ?i)) (<= (next p) (does r a))\n"
                   "(<= (next q) (does r a)) (<= (next q) (does r (m 2999)))\n"
                   "(<= (goal r 1) (true p)) (<= (goal r 2) (true q))");
  const circuit_stages *s = merged(f, text_string(&words));
  assert_int_not_equal(wire_gate(wire_named(f, s, "p")), wire_gate(wire_named(f, s, "q")));
}

static void a_fluent_and_one_a_step_later_are_two(void **state) {
  rules_fixture *f = *state;
  const circuit_stages *s = merged(f, "(<= (next p) (does r a)) (<= (next q) (true p))\n"
                                      "(<= (goal r 1) (true q))");
  assert_int_equal(s->merged.latches.count, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(equal_fluents_have_one_latch),
      rules_test(complementary_fluents_have_one_latch),
      rules_test(equal_only_together),
      rules_test(what_is_always_made_true_has_no_latch),
      rules_test(what_differs_late_is_not_merged),
      rules_test(what_a_rare_move_tells_apart_is_not_merged),
      rules_test(a_fluent_and_one_a_step_later_are_two),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
