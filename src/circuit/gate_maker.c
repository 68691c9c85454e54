#include "circuit/gate_maker.h"

#include "base/sort.h"

enum {
  AT_ONCE = 32, /* conjunctions that make_ands looks for at once */
  SHORT = 12    /* as many wires are sorted in the plainest way */
};

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
  m->index.expected = gates;
}

wire make_input(gate_maker *m, gate_kind kind, uint32_t number) {
  return wire_of(add_gate(m, (gate){.kind = kind, .number = number}), false);
}

/* ---- equal conjunctions are one ---- */

wire make_unlike(gate_maker *m, const wire *inputs, uint32_t count) {
  circuit *c = m->c;
  const gate fresh = {.kind = GATE_AND, .number = c->inputs.count, .input_count = count};
  vec_append(c->keep, &c->inputs, inputs, count);
  return wire_of(add_gate(m, fresh), false);
}

void gate_maker_find_all(gate_maker *m) { gate_index_grow(&m->index, m->c, m->scratch); }

static wire intern_and(gate_maker *m, const wire *inputs, uint32_t count, uint64_t hash) {
  circuit *c = m->c;
  uint32_t at;
  gate_index_reserve(&m->index, c, m->scratch);
  const gate_id found = gate_index_find(&m->index, c, inputs, count, hash, &at);
  if (found) return wire_of(found, false);
  const wire made = make_unlike(m, inputs, count);
  gate_index_put(&m->index, at, wire_gate(made), hash);
  return made;
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

void sort_wires(wire *wires, uint32_t count) {
  uint32_t sorted = 1;
  while (sorted < count && wires[sorted - 1] <= wires[sorted]) sorted++;
  if (sorted >= count) return;
  if (count > SHORT) {
    sort_ids(wires, count);
    return;
  }
  for (; sorted < count; sorted++) {
    const wire w = wires[sorted];
    uint32_t to = sorted;
    for (; to && wires[to - 1] > w; to--) wires[to] = wires[to - 1];
    wires[to] = w;
  }
}

bool reduce_inputs(wire *inputs, uint32_t *count) {
  uint32_t kept = 0;
  wire last = WIRE_TRUE;
  sort_wires(inputs, *count);
  for (uint32_t i = 0; i < *count; i++) {
    const wire w = inputs[i];
    if (w == WIRE_FALSE || (kept && w == wire_not(last))) return false;
    if (w == last) continue;
    inputs[kept++] = last = w;
  }
  *count = kept;
  return true;
}

wire make_and(gate_maker *m, const wire *inputs, uint32_t count) {
  m->inputs.count = 0;
  vec_append(m->scratch, &m->inputs, inputs, count);
  if (!reduce_inputs(m->inputs.items, &m->inputs.count)) return WIRE_FALSE;
  if (m->sets) {
    join_sets(m);
    if (m->inputs.count && m->inputs.items[0] == WIRE_FALSE) return WIRE_FALSE;
  }
  if (m->inputs.count == 0) return WIRE_TRUE;
  if (m->inputs.count == 1) return m->inputs.items[0];
  return intern_and(m, m->inputs.items, m->inputs.count,
                    hash_ids(m->inputs.items, m->inputs.count));
}

/* Where in the index each of them will be looked for is asked of memory before any is. */
static void make_some_ands(gate_maker *m, const wire_vec *wires, wire_range *ranges, uint32_t count,
                           wire *made) {
  uint64_t hashes[AT_ONCE];
  for (uint32_t i = 0; i < count; i++) {
    wire *inputs = vec_from(wires, ranges[i].first);
    if (!reduce_inputs(inputs, &ranges[i].count)) {
      made[i] = WIRE_FALSE;
    } else if (ranges[i].count < 2) {
      made[i] = ranges[i].count ? inputs[0] : WIRE_TRUE;
    } else {
      made[i] = ID_NONE;
      hashes[i] = hash_ids(inputs, ranges[i].count);
      gate_index_prefetch(&m->index, hashes[i]);
    }
  }
  for (uint32_t i = 0; i < count; i++)
    if (made[i] == ID_NONE)
      made[i] = intern_and(m, vec_from(wires, ranges[i].first), ranges[i].count, hashes[i]);
}

void make_ands(gate_maker *m, const wire_vec *wires, wire_range *ranges, uint32_t count,
               wire *made) {
  for (uint32_t i = 0; i < count; i += AT_ONCE)
    make_some_ands(m, wires, ranges + i, count - i < AT_ONCE ? count - i : AT_ONCE, made + i);
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
