#include "circuit/circuit_fixture.h"
#include "circuit/guard_moves.h"

static const char turns[] =
    "(role a) (role b) (x 1) (x 2) (x 3) (x 4) (x 5) (init (turn a))\n"
    "(<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))\n"
    "(<= (legal a (m ?x)) (true (turn a)) (x ?x) (not (true (used ?x))))\n"
    "(<= (legal b (m ?x)) (true (turn b)) (x ?x) (not (true (used ?x))))\n"
    "(<= (next (used ?x)) (does ?r (m ?x))) (<= (next (used ?x)) (true (used ?x)))\n"
    "(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))\n"
    "(<= open (x ?x) (not (true (used ?x)))) (<= terminal (not open)) (goal a 50) (goal b 50)\n";

static const char without_turns[] =
    "(role a) (x 1) (x 2) (x 3) (init (at 1))\n"
    "(<= (legal a (m ?x)) (x ?x) (not (true (at ?x)))) (<= (next (at ?x)) (does a (m ?x)))\n"
    "(<= terminal (true (at 3))) (goal a 50)\n";

static const circuit *built(rules_fixture *f, const char *words) {
  return &staged(f, words, (ground_options){.optimise = true})->shared;
}

static bool is_guarded(const circuit *c, uint32_t move, wire guard, arena *scratch) {
  wire_vec rest = {0};
  return circuit_list_without(c, c->moves.items[move].legal, guard, &rest, scratch);
}

static void the_turn_is_what_moves_have_in_common(void **state) {
  rules_fixture *f = *state;
  const circuit *c = built(f, turns);
  const wire turn = fluent_wire(c, "(turn a)", f->keep);
  assert_true(circuit_find_guard(c, 0, f->keep) == turn);
  assert_true(circuit_find_guard(c, 1, f->keep) == wire_not(turn));
  for (uint32_t role = 0; role < 2; role++) {
    const circuit_role *r = &c->roles.items[role];
    uint32_t guarded = 0;
    for (uint32_t i = 0; i < r->move_count; i++)
      guarded += is_guarded(c, r->first_move + i, turn ^ role, f->keep);
    assert_int_equal(guarded, 5); /* all but noop */
  }
}

static void few_moves_have_no_guard(void **state) {
  rules_fixture *f = *state;
  const circuit *c = built(f, without_turns);
  assert_true(circuit_find_guard(c, 0, f->keep) == WIRE_TRUE);
}

/* What is left of a conjunction says, together with the guard, what it said. */
static void the_rest_and_the_guard_are_the_conjunction(void **state) {
  rules_fixture *f = *state;
  circuit c;
  gate_maker m;
  rng r = rng_new(3, 0);
  wire in[4];
  wire_vec rest = {0};
  gate_maker_init(&m, &c, f->keep, f->keep);
  for (uint32_t i = 0; i < 4; i++) in[i] = make_input(&m, GATE_LATCH, i);
  const wire inner = make_and_of_two(&m, in[0], wire_not(in[1]));
  const wire outer[3] = {inner, in[2], in[3]};
  const wire all = make_and(&m, outer, 3);
  assert_false(circuit_list_without(&c, all, in[1], &rest, f->keep)); /* its negation is there */
  assert_false(circuit_list_without(&c, wire_not(all), in[2], &rest, f->keep));
  assert_true(circuit_list_without(&c, all, wire_not(in[1]), &rest, f->keep));
  uint64_t *values = arena_zero_array(f->keep, uint64_t, c.gates.count);
  for (uint32_t i = 0; i < 4; i++) values[wire_gate(in[i])] = rng_next(&r);
  circuit_simulate(&c, values);
  uint64_t both = wire_value(values, wire_not(in[1]));
  for (uint32_t i = 0; i < rest.count; i++) both &= wire_value(values, rest.items[i]);
  assert_true(both == wire_value(values, all));
}

/* With the guards put back every move is legal where it was, in all states. */
static void assert_same_moves(const circuit *before, const circuit *guarded, const move_guards *g,
                              rng *r, arena *keep) {
  uint64_t *x = arena_zero_array(keep, uint64_t, before->gates.count);
  uint64_t *y = arena_zero_array(keep, uint64_t, guarded->gates.count);
  for (uint32_t i = 0; i < before->latches.count; i++)
    x[before->latches.items[i].gate] = y[guarded->latches.items[i].gate] = rng_next(r);
  circuit_simulate(before, x);
  circuit_simulate(guarded, y);
  for (uint32_t role = 0; role < before->roles.count; role++) {
    const circuit_role *it = &before->roles.items[role];
    for (uint32_t i = it->first_move; i < it->first_move + it->move_count; i++) {
      const uint64_t guard = g->is_guarded[i] ? wire_value(y, g->guards[role]) : UINT64_MAX;
      assert_true((wire_value(y, guarded->moves.items[i].legal) & guard) ==
                  wire_value(x, before->moves.items[i].legal));
    }
  }
  assert_true(wire_value(x, before->terminal) == wire_value(y, guarded->terminal));
}

static void guarded_moves_are_legal_where_they_were(void **state) {
  rules_fixture *f = *state;
  const char *const games[] = {turns, without_turns};
  rng r = rng_new(4, 0);
  for (uint32_t i = 0; i < 2; i++) {
    const circuit *c = built(f, games[i]);
    circuit guarded;
    move_guards guards;
    circuit_guard_moves(&guarded, &guards, c, f->keep);
    for (uint32_t round = 0; round < 8; round++)
      assert_same_moves(c, &guarded, &guards, &r, f->keep);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(the_turn_is_what_moves_have_in_common),
      rules_test(few_moves_have_no_guard),
      rules_test(the_rest_and_the_guard_are_the_conjunction),
      rules_test(guarded_moves_are_legal_where_they_were),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
