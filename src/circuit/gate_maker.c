#include "circuit/gate_maker.h"

#include "base/sort.h"

static gate_id add_gate(gate_maker *m, gate g) {
  vec_push(m->c->keep, &m->c->gates, g);
  return m->c->gates.count - 1;
}

void gate_maker_init(gate_maker *m, circuit *c, move_sets *sets, arena *keep, arena *scratch) {
  *c = (circuit){.keep = keep};
  *m = (gate_maker){.c = c, .scratch = scratch, .sets = sets};
  add_gate(m, (gate){.kind = GATE_CONSTANT});
}

void gate_maker_expect(gate_maker *m, uint32_t gates, uint32_t inputs) {
  vec_reserve(m->c->keep, &m->c->gates, gates);
  vec_reserve(m->c->keep, &m->c->inputs, inputs);
  id_table_expect(&m->index, m->scratch, gates);
}

wire make_input(gate_maker *m, gate_kind kind, uint32_t number) {
  return wire_of(add_gate(m, (gate){.kind = kind, .number = number}), false);
}

/* ---- equal conjunctions are one ---- */

static uint64_t hash_of_gate(const void *context, uint32_t id) {
  const circuit *c = context;
  return hash_ids(gate_inputs(c, id), c->gates.items[id].input_count);
}

static bool has_inputs(const circuit *c, gate_id g, const wire *inputs, uint32_t count) {
  const wire *own = gate_inputs(c, g);
  if (c->gates.items[g].input_count != count) return false;
  for (uint32_t i = 0; i < count; i++)
    if (own[i] != inputs[i]) return false;
  return true;
}

static wire intern_and(gate_maker *m, const wire *inputs, uint32_t count) {
  circuit *c = m->c;
  id_table_reserve(&m->index, m->scratch, hash_of_gate, c);
  uint32_t at = id_table_first(&m->index, hash_ids(inputs, count));
  for (; m->index.slots[at] != ID_NONE; at = id_table_next(&m->index, at)) {
    const gate_id g = m->index.slots[at];
    if (has_inputs(c, g, inputs, count)) return wire_of(g, false);
  }
  const gate fresh = {.kind = GATE_AND, .number = c->inputs.count, .input_count = count};
  vec_append(c->keep, &c->inputs, inputs, count);
  const gate_id g = add_gate(m, fresh);
  id_table_put(&m->index, at, g);
  return wire_of(g, false);
}

/* ---- sets of moves ---- */

bool wire_is_move_set(const circuit *c, wire w) {
  return c->gates.items[wire_gate(w)].kind == GATE_MOVE_SET;
}

move_choice move_choice_of(const circuit *c, wire w) {
  return (move_choice){.kind = wire_is_negated(w) ? MOVES_NOT_IN : MOVES_IN,
                       .set = c->gates.items[wire_gate(w)].number};
}

wire make_move_choice(gate_maker *m, move_choice choice) {
  if (choice.kind == MOVES_NONE) return WIRE_FALSE;
  if (choice.kind == MOVES_ALL) return WIRE_TRUE;
  while (m->set_gates.count <= choice.set) vec_push(m->scratch, &m->set_gates, ID_NONE);
  gate_id *g = &m->set_gates.items[choice.set];
  if (*g == ID_NONE) *g = wire_gate(make_input(m, GATE_MOVE_SET, choice.set));
  return wire_of(*g, choice.kind == MOVES_NOT_IN);
}

static uint32_t role_of_set_wire(const gate_maker *m, wire w) {
  return m->sets->sets.items[m->c->gates.items[wire_gate(w)].number].role;
}

/* Takes the sets of a role out of the inputs and gives back what is in all of them. */
static wire join_sets_of_role(gate_maker *m, uint32_t role) {
  uint32_t kept = 0;
  m->choices.count = 0;
  for (uint32_t i = 0; i < m->inputs.count; i++) {
    const wire w = m->inputs.items[i];
    if (wire_is_move_set(m->c, w) && role_of_set_wire(m, w) == role)
      vec_push(m->scratch, &m->choices, move_choice_of(m->c, w));
    else
      m->inputs.items[kept++] = w;
  }
  m->inputs.count = kept;
  return make_move_choice(m, move_sets_all(m->sets, m->choices.items, m->choices.count));
}

static uint32_t count_sets(const gate_maker *m) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->inputs.count; i++)
    count += wire_is_move_set(m->c, m->inputs.items[i]);
  return count;
}

/* At most one set of each role is left. */
static void join_sets(gate_maker *m) {
  if (count_sets(m) < 2) return;
  for (uint32_t role = 0; role < m->sets->role_count; role++) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < m->inputs.count; i++) {
      const wire w = m->inputs.items[i];
      found += wire_is_move_set(m->c, w) && role_of_set_wire(m, w) == role;
    }
    if (found < 2) continue;
    const wire joined = join_sets_of_role(m, role);
    if (joined != WIRE_TRUE) vec_push(m->scratch, &m->inputs, joined);
  }
  sort_ids(m->inputs.items, m->inputs.count);
}

/* ---- conjunctions ---- */

/* Sorts the inputs and drops repeated ones and `true`.  False: two of them exclude each other. */
static bool normalise(wire_vec *v) {
  uint32_t kept = 0;
  sort_ids(v->items, v->count);
  for (uint32_t i = 0; i < v->count; i++) {
    const wire w = v->items[i], last = kept ? v->items[kept - 1] : WIRE_TRUE;
    if (w == WIRE_FALSE || (kept && w == wire_not(last))) return false;
    if (w == WIRE_TRUE || (kept && w == last)) continue;
    v->items[kept++] = w;
  }
  v->count = kept;
  return true;
}

wire make_and(gate_maker *m, const wire *inputs, uint32_t count) {
  m->inputs.count = 0;
  vec_append(m->scratch, &m->inputs, inputs, count);
  if (!normalise(&m->inputs)) return WIRE_FALSE;
  if (m->sets) {
    join_sets(m);
    if (m->inputs.count && m->inputs.items[0] == WIRE_FALSE) return WIRE_FALSE;
  }
  if (m->inputs.count == 0) return WIRE_TRUE;
  if (m->inputs.count == 1) return m->inputs.items[0];
  return intern_and(m, m->inputs.items, m->inputs.count);
}

wire make_or(gate_maker *m, const wire *inputs, uint32_t count) {
  m->negated.count = 0;
  for (uint32_t i = 0; i < count; i++) vec_push(m->scratch, &m->negated, wire_not(inputs[i]));
  return wire_not(make_and(m, m->negated.items, count));
}

wire make_and_of_two(gate_maker *m, wire a, wire b) {
  const wire both[2] = {a, b};
  return make_and(m, both, 2);
}
