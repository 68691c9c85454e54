/* Circuits as text, dot and JSON: small ones, written out. */
#include "circuit/circuit_fixture.h"

#include <jansson.h>

static const char lamp[] =
    "(role r) (init off) (<= (legal r press) (true off)) (<= (legal r wait) (true on))\n"
    "(<= (legal r hit) (true on)) (<= (next on) (does r press)) (<= (next on) (true on))\n"
    "(<= (next off) (true off) (not (does r press))) (<= (next (seen hit)) (does r hit))\n"
    "(<= terminal (true (seen hit))) (<= (goal r 100) (true (seen hit)))\n"
    "(<= (goal r 0) (not (true (seen hit)))) (<= (sees r light) (does r press))\n";

static circuit *built(rules_fixture *f, const char *words) {
  const ground_program g = grounded(f, words, (ground_options){.optimise = true});
  ground_program *kept = arena_alloc(f->keep, sizeof *kept);
  circuit *c = arena_alloc(f->keep, sizeof *c);
  *kept = g;
  assert_true(circuit_build(c, kept, f->keep, NULL, &f->d));
  return c;
}

static const char *printed(rules_fixture *f, const circuit *c, circuit_format format) {
  text out = text_new(f->keep);
  circuit_print(c, format, &out);
  return text_string(&out);
}

static uint32_t times_in(const char *words, const char *part) {
  uint32_t count = 0;
  for (; (words = strstr(words, part)); words += strlen(part)) count++;
  return count;
}

static void assert_has(const char *words, const char *part) {
  if (!strstr(words, part)) fail_msg("no `%s` in\n%s", part, words);
}

/* ---- text ---- */

static void every_output_has_a_line(void **state) {
  rules_fixture *f = *state;
  const char *words = printed(f, built(f, lamp), CIRCUIT_TEXT);
  assert_has(words, "(legal r press) = off\n");
  assert_has(words, "(legal r wait) = ~off\n");
  assert_has(words, "terminal = (seen hit)\n");
  assert_has(words, "(goal r 100) = (seen hit)\n");
  assert_has(words, "(goal r 0) = ~(seen hit)\n");
  assert_has(words, "(sees r light) = (does r press)\n");
  assert_has(words, "(next (seen hit)) = (does r hit)\n");
}

/* `on` is stored as the negation of `off`. */
static void fluents_without_a_latch_are_told(void **state) {
  rules_fixture *f = *state;
  const char *words = printed(f, built(f, lamp), CIRCUIT_TEXT);
  assert_has(words, "on = ~off\n");
  assert_int_equal(times_in(words, "(next on)"), 0);
}

static void gates_and_places_have_numbers(void **state) {
  rules_fixture *f = *state;
  circuit c;
  gate_maker m;
  gate_maker_init(&m, &c, f->keep, f->keep);
  const wire p = make_input(&m, GATE_LOOP, 0), other = make_input(&m, GATE_LOOP, 1);
  const wire both = make_and_of_two(&m, p, wire_not(other));
  const circuit_place places[2] = {{wire_gate(p), wire_not(both)}, {wire_gate(other), WIRE_TRUE}};
  vec_append(f->keep, &c.places, places, 2);
  c.terminal = both;
  assert_string_equal(printed(f, &c, CIRCUIT_TEXT), "p1 := ~g3\n"
                                                    "p2 := true\n"
                                                    "g3 = p1 & ~p2\n"
                                                    "terminal = g3\n");
}

/* ---- dot ---- */

static void dot_draws_every_gate_once(void **state) {
  rules_fixture *f = *state;
  const circuit *c = built(f, lamp);
  const char *words = printed(f, c, CIRCUIT_DOT);
  uint32_t edges = 0;
  for (gate_id g = 0; g < c->gates.count; g++)
    if (c->gates.items[g].kind == GATE_AND) edges += c->gates.items[g].input_count;
  const uint32_t outputs =
      c->moves.count + c->latches.count + 1 + c->goals.count + c->percepts.count;
  assert_int_equal(times_in(words, "[label="), c->gates.count);
  assert_int_equal(times_in(words, "[shape=box]"), outputs);
  assert_int_equal(times_in(words, " -> "), edges + outputs);
  assert_int_equal(strncmp(words, "digraph circuit {\n", 18), 0);
  assert_string_equal(words + strlen(words) - 2, "}\n");
}

static void dot_shows_negation_as_a_dot(void **state) {
  rules_fixture *f = *state;
  const char *words = printed(f, built(f, lamp), CIRCUIT_DOT);
  assert_has(words, "-> \"(goal r 0)\" [arrowhead=odot];\n");
  assert_has(words, "-> \"(goal r 100)\";\n");
}

/* ---- JSON ---- */

static json_t *parsed(rules_fixture *f, const circuit *c) {
  text out = text_new(f->keep);
  json_error_t error;
  circuit_write_json(c, "lamp", &out);
  json_t *all = json_loads(text_string(&out), 0, &error);
  if (!all) fail_msg("line %d: %s", error.line, error.text);
  return all;
}

static size_t size_of(const json_t *all, const char *key) {
  return json_array_size(json_object_get(all, key));
}

static wire wire_under(const json_t *all, const char *key) {
  const json_t *it = json_object_get(all, key);
  return wire_of((gate_id)json_integer_value(json_object_get(it, "gate")),
                 json_is_true(json_object_get(it, "negated")));
}

/* The inputs that are negated, or those that are not, in their order. */
static void assert_inputs(const circuit *c, gate_id g, const json_t *shown, bool negated) {
  size_t count = 0;
  for (uint32_t i = 0; i < c->gates.items[g].input_count; i++) {
    const wire it = gate_inputs(c, g)[i];
    if (wire_is_negated(it) != negated) continue;
    assert_int_equal(json_integer_value(json_array_get(shown, count++)), wire_gate(it));
  }
  assert_int_equal(json_array_size(shown), count);
}

static void json_has_the_whole_circuit(void **state) {
  rules_fixture *f = *state;
  const circuit *c = built(f, lamp);
  json_t *all = parsed(f, c);
  assert_int_equal(size_of(all, "gate_list"), c->gates.count);
  assert_int_equal(size_of(all, "latch_list"), c->latches.count);
  assert_int_equal(size_of(all, "fluent_list"), c->fluents.count);
  assert_int_equal(size_of(all, "move_list"), c->moves.count);
  assert_int_equal(size_of(all, "goal_list"), c->goals.count);
  assert_int_equal(size_of(all, "percept_list"), c->percepts.count);
  assert_int_equal(size_of(all, "passes"), c->pass_count);
  assert_int_equal(wire_under(all, "terminal_wire"), c->terminal);
  for (gate_id g = 0; g < c->gates.count; g++) {
    const json_t *it = json_array_get(json_object_get(all, "gate_list"), g);
    if (c->gates.items[g].kind != GATE_AND) continue;
    assert_inputs(c, g, json_object_get(it, "positive"), false);
    assert_inputs(c, g, json_object_get(it, "negative"), true);
  }
  json_decref(all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(every_output_has_a_line),       rules_test(fluents_without_a_latch_are_told),
      rules_test(gates_and_places_have_numbers), rules_test(dot_draws_every_gate_once),
      rules_test(dot_shows_negation_as_a_dot),   rules_test(json_has_the_whole_circuit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
