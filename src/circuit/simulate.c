#include "circuit/simulate.h"

static uint64_t conjunction(const circuit *c, const uint64_t *values, gate_id g) {
  const wire *inputs = gate_inputs(c, g);
  uint64_t all = UINT64_MAX;
  for (uint32_t i = 0; i < c->gates.items[g].input_count && all; i++)
    all &= wire_value(values, inputs[i]);
  return all;
}

/* `needed` may be NULL here and below: all are. */
static void evaluate_gates(const circuit *c, const uint32_t *needed, uint64_t *values,
                           gate_id first, gate_id end) {
  for (gate_id g = first; g < end; g++)
    if ((!needed || needed[g]) && c->gates.items[g].kind == GATE_AND)
      values[g] = conjunction(c, values, g);
}

static bool settle_places(const circuit *c, const circuit_component *component, uint64_t *values) {
  bool changed = false;
  for (uint32_t i = 0; i < component->place_count; i++) {
    const circuit_place *place = &c->places.items[component->first_place + i];
    const uint64_t value = wire_value(values, place->definition);
    changed |= values[place->gate] != value;
    values[place->gate] = value;
  }
  return changed;
}

static void evaluate_component(const circuit *c, const circuit_component *component,
                               const uint32_t *needed, uint64_t *values) {
  for (uint32_t i = 0; i < component->place_count; i++)
    values[c->places.items[component->first_place + i].gate] = 0;
  do evaluate_gates(c, needed, values, component->first, component->end);
  while (settle_places(c, component, values));
}

void circuit_simulate_some(const circuit *c, const uint32_t *needed, uint64_t *values) {
  values[0] = 0;
  gate_id done = 0;
  for (uint32_t i = 0; i < c->components.count; i++) {
    evaluate_gates(c, needed, values, done, c->components.items[i].first);
    evaluate_component(c, &c->components.items[i], needed, values);
    done = c->components.items[i].end;
  }
  evaluate_gates(c, needed, values, done, c->gates.count);
}

void circuit_simulate(const circuit *c, uint64_t *values) {
  circuit_simulate_some(c, NULL, values);
}
