#include "circuit/circuit_sound.h"

/* ---- gates ---- */

static bool has_wire(const circuit *c, wire w) { return wire_gate(w) < c->gates.count; }

static bool is_of_kind(const circuit *c, gate_id g, gate_kind kind) {
  return g < c->gates.count && c->gates.items[g].kind == kind;
}

/* At least two inputs, all of them from before. */
static bool and_is_sound(const circuit *c, gate_id g) {
  const gate it = c->gates.items[g];
  if (it.input_count < 2 || (uint64_t)it.number + it.input_count > c->inputs.count) return false;
  for (uint32_t i = 0; i < it.input_count; i++)
    if (wire_gate(gate_inputs(c, g)[i]) >= g) return false;
  return true;
}

/* A latch and a place know their gate, and that knows them. */
static bool gate_is_sound(const circuit *c, gate_id g) {
  const uint32_t number = c->gates.items[g].number;
  switch (c->gates.items[g].kind) {
    case GATE_CONSTANT: return g == 0;
    case GATE_LATCH: return number < c->latches.count && c->latches.items[number].gate == g;
    case GATE_MOVE: return number < c->moves.count;
    case GATE_LOOP: return number < c->places.count && c->places.items[number].gate == g;
    case GATE_AND: return and_is_sound(c, g);
  }
  return false;
}

static bool gates_are_sound(const circuit *c) {
  if (!is_of_kind(c, 0, GATE_CONSTANT)) return false;
  for (gate_id g = 0; g < c->gates.count; g++)
    if (!gate_is_sound(c, g)) return false;
  return true;
}

/* ---- states and moves ---- */

static bool latches_are_sound(const circuit *c) {
  for (uint32_t i = 0; i < c->latches.count; i++) {
    const circuit_latch *l = &c->latches.items[i];
    if (l->fluent >= c->fluents.count || !is_of_kind(c, l->gate, GATE_LATCH) ||
        c->gates.items[l->gate].number != i || !has_wire(c, l->next))
      return false;
  }
  return true;
}

static bool is_constant_or(const circuit *c, wire w, gate_kind kind) {
  return wire_is_constant(w) || is_of_kind(c, wire_gate(w), kind);
}

static bool fluents_are_sound(const circuit *c) {
  for (uint32_t i = 0; i < c->fluents.count; i++)
    if (!is_constant_or(c, c->fluents.items[i].now, GATE_LATCH)) return false;
  return true;
}

static bool moves_are_sound(const circuit *c) {
  for (uint32_t i = 0; i < c->moves.count; i++) {
    const circuit_move *m = &c->moves.items[i];
    if (!has_wire(c, m->legal) || !is_constant_or(c, m->does, GATE_MOVE)) return false;
  }
  return true;
}

/* Each move is one of exactly one role.  Where a role without moves begins says nothing. */
static bool roles_are_sound(const circuit *c) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < c->roles.count; i++) {
    const circuit_role *r = &c->roles.items[i];
    if (r->move_count == 0) continue;
    if (r->first_move != next || r->move_count > c->moves.count - next) return false;
    next += r->move_count;
  }
  return next == c->moves.count;
}

static bool outcomes_are_sound(const circuit *c, const circuit_outcome *outcomes, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (outcomes[i].role >= c->roles.count || !has_wire(c, outcomes[i].holds)) return false;
  return true;
}

static bool marks_are_sound(const circuit *c) {
  for (uint32_t i = 0; i < c->marks.count; i++)
    if (!has_wire(c, c->marks.items[i].holds)) return false;
  return true;
}

static bool targets_are_sound(const circuit *c) {
  for (uint32_t i = 0; i < c->targets.count; i++)
    if (!has_wire(c, c->targets.items[i])) return false;
  return true;
}

/* ---- recursion ---- */

/* The places are among the gates of their component, and defined there or before. */
static bool component_is_sound(const circuit *c, const circuit_component *component) {
  if (component->first >= component->end || component->end > c->gates.count ||
      component->place_count == 0 ||
      (uint64_t)component->first_place + component->place_count > c->places.count)
    return false;
  for (uint32_t i = 0; i < component->place_count; i++) {
    const circuit_place *p = &c->places.items[component->first_place + i];
    if (p->gate < component->first || p->gate >= component->end ||
        !is_of_kind(c, p->gate, GATE_LOOP) || wire_gate(p->definition) >= component->end)
      return false;
  }
  return true;
}

/* Parts do not overlap. */
static bool components_are_sound(const circuit *c) {
  for (uint32_t i = 0; i < c->components.count; i++)
    if (!component_is_sound(c, &c->components.items[i]) ||
        (i && c->components.items[i - 1].end > c->components.items[i].first))
      return false;
  return true;
}

bool circuit_is_sound(const circuit *c) {
  return gates_are_sound(c) && latches_are_sound(c) && fluents_are_sound(c) && moves_are_sound(c) &&
         roles_are_sound(c) && components_are_sound(c) &&
         outcomes_are_sound(c, c->goals.items, c->goals.count) &&
         outcomes_are_sound(c, c->percepts.items, c->percepts.count) && marks_are_sound(c) &&
         targets_are_sound(c) && has_wire(c, c->terminal);
}
