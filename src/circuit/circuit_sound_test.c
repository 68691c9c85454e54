/* A circuit with one thing broken is noticed, and is sound again once that is mended. */
#include "circuit/circuit_sound.h"

#include "circuit/circuit_fixture.h"

/* With a recursive component, which needs a place. */
static const char game[] =
    "(role r) (role s) (legal r a) (legal r b) (legal r c) (legal s d) (<= (legal s e) (true p))\n"
    "(init p) (<= (next p) (does r a)) (<= (next q) (true p) (not (true q)) (does s e))\n"
    "(<= (next t) (does r c) (true q)) (<= (sees r x) (does r b))\n"
    "(<= u (true p)) (<= u v (true q)) (<= v u (true t)) (<= v (true q) (true t))\n"
    "(<= (goal r 1) v) (<= (goal r 0) (not u)) (<= terminal (true q) (true t) v)";

static circuit *built(rules_fixture *f) {
  circuit_stages *s = staged(f, game, optimised);
  return &s->rules;
}

static gate_id first_and(const circuit *c) {
  gate_id g = 0;
  while (c->gates.items[g].kind != GATE_AND) g++;
  return g;
}

static void every_pass_makes_sound_circuits(void **state) {
  const circuit_stages *s = staged(*state, game, optimised);
  assert_true(s->rules.components.count > 0);
  assert_true(circuit_is_sound(&s->rules));
  assert_true(circuit_is_sound(&s->merged));
  assert_true(circuit_is_sound(&s->shared));
}

static void assert_noticed(const circuit *c, uint32_t *number, uint32_t wrong) {
  const uint32_t right = *number;
  *number = wrong;
  assert_false(circuit_is_sound(c));
  *number = right;
  assert_true(circuit_is_sound(c));
}

static void gates_that_read_what_comes_later(void **state) {
  circuit *c = built(*state);
  const gate_id g = first_and(c);
  gate *it = &c->gates.items[g];
  assert_noticed(c, &c->inputs.items[it->number], wire_of(g, false));
  assert_noticed(c, &c->inputs.items[it->number], wire_of(c->gates.count, true));
  assert_noticed(c, &it->number, c->inputs.count - 1);
  assert_noticed(c, &it->input_count, 1);
}

static void inputs_that_do_not_know_their_gates(void **state) {
  circuit *c = built(*state);
  assert_noticed(c, &c->latches.items[0].gate, c->latches.items[1].gate);
  assert_noticed(c, &c->gates.items[c->latches.items[0].gate].number, c->latches.count);
  assert_noticed(c, &c->latches.items[0].fluent, c->fluents.count);
  assert_noticed(c, &c->fluents.items[0].now, wire_of(first_and(c), false));
  assert_noticed(c, &c->moves.items[0].does, wire_of(first_and(c), false));
}

static void outputs_that_are_no_wires(void **state) {
  circuit *c = built(*state);
  const wire end = wire_of(c->gates.count, false);
  assert_noticed(c, &c->latches.items[1].next, end);
  assert_noticed(c, &c->moves.items[0].legal, end);
  assert_noticed(c, &c->goals.items[0].holds, end);
  assert_noticed(c, &c->goals.items[0].role, c->roles.count);
  assert_noticed(c, &c->percepts.items[0].holds, end);
  vec_push(c->keep, &c->marks, (circuit_mark){0});
  assert_noticed(c, &c->marks.items[0].holds, end);
  vec_push(c->keep, &c->targets, WIRE_TRUE);
  assert_noticed(c, &c->targets.items[0], end);
  assert_noticed(c, &c->terminal, end);
  assert_noticed(c, &c->roles.items[1].first_move, 0);
}

static void places_outside_of_their_component(void **state) {
  circuit *c = built(*state);
  circuit_component *component = &c->components.items[0];
  circuit_place *place = &c->places.items[component->first_place];
  assert_noticed(c, &component->end, c->gates.count + 1);
  assert_noticed(c, &component->first, place->gate + 1);
  assert_noticed(c, &component->place_count, 0);
  assert_noticed(c, &component->first_place, c->places.count);
  assert_noticed(c, &place->definition, wire_of(component->end, false));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(every_pass_makes_sound_circuits),     rules_test(gates_that_read_what_comes_later),
      rules_test(inputs_that_do_not_know_their_gates), rules_test(outputs_that_are_no_wires),
      rules_test(places_outside_of_their_component),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
