#include "prove/symbolic/pdr_lift.h"

#include "circuit/simulate.h"

void lifter_init(lifter *l, const circuit *c, arena *keep) {
  *l = (lifter){.c = c,
                .keep = keep,
                .marked = bitset_new(keep, c->gates.count),
                .values = arena_zero_array(keep, uint64_t, c->gates.count + 1),
                .component_of = arena_new_array(keep, uint32_t, c->gates.count + 1)};
  for (gate_id g = 0; g < c->gates.count; g++) l->component_of[g] = ID_NONE;
  for (uint32_t i = 0; i < c->components.count; i++)
    for (gate_id g = c->components.items[i].first; g < c->components.items[i].end; g++)
      l->component_of[g] = i;
}

static void set_joint(lifter *l, const uint32_t *joint) {
  const circuit *c = l->c;
  for (uint32_t i = 0; i < c->moves.count; i++) {
    const wire does = c->moves.items[i].does;
    if (!wire_is_constant(does)) l->values[wire_gate(does)] = 0;
  }
  for (uint32_t role = 0; joint && role < c->roles.count; role++) {
    const wire does = c->moves.items[joint[role]].does;
    if (!wire_is_constant(does) && !wire_is_negated(does)) l->values[wire_gate(does)] = 1;
  }
}

void lifter_evaluate(lifter *l, const bool *state, const uint32_t *joint) {
  for (uint32_t i = 0; i < l->c->latches.count; i++)
    l->values[l->c->latches.items[i].gate] = state[i];
  set_joint(l, joint);
  circuit_simulate(l->c, l->values);
  bitset_clear(l->marked);
}

bool lifter_value(const lifter *l, wire w) { return wire_value(l->values, w) & 1; }

static void mark(lifter *l, wire w) {
  if (bitset_insert(l->marked, wire_gate(w))) vec_push(l->keep, &l->queue, wire_gate(w));
}

/* A conjunction that holds needs all its inputs; one that does not needs one that does not hold,
   best of all one that is needed already. */
static void justify_and(lifter *l, gate_id g) {
  const wire *inputs = gate_inputs(l->c, g);
  const uint32_t count = l->c->gates.items[g].input_count;
  uint32_t best = ID_NONE;
  for (uint32_t i = 0; i < count; i++) {
    if (l->values[g] & 1)
      mark(l, inputs[i]);
    else if (!lifter_value(l, inputs[i]) &&
             (best == ID_NONE || bitset_has(l->marked, wire_gate(inputs[i]))))
      best = i;
  }
  if (best != ID_NONE) mark(l, inputs[best]);
}

/* Of a recursive component all that goes into it is needed. */
static void justify_component(lifter *l, const circuit_component *component) {
  for (gate_id g = component->first; g < component->end; g++) {
    if (l->c->gates.items[g].kind != GATE_AND) continue;
    bitset_add(l->marked, g);
    for (uint32_t i = 0; i < l->c->gates.items[g].input_count; i++)
      mark(l, gate_inputs(l->c, g)[i]);
  }
  for (uint32_t i = 0; i < component->place_count; i++)
    mark(l, l->c->places.items[component->first_place + i].definition);
}

void lifter_justify(lifter *l, wire w) {
  mark(l, w);
  while (l->queue.count) {
    const gate_id g = vec_pop(&l->queue);
    const gate_kind kind = l->c->gates.items[g].kind;
    if (kind == GATE_LOOP)
      justify_component(l, &l->c->components.items[l->component_of[g]]);
    else if (kind == GATE_AND && l->component_of[g] != ID_NONE)
      justify_component(l, &l->c->components.items[l->component_of[g]]);
    else if (kind == GATE_AND)
      justify_and(l, g);
  }
}
