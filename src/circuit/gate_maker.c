#include "circuit/gate_maker.h"

#include "base/sort.h"

#include <string.h>

enum {
  AT_ONCE = 32, /* conjunctions that make_ands looks for at once */
  SHORT = 12,   /* as many wires are sorted in the plainest way */
  MANY = 64,    /* as many are sorted as bits, if they fit into DENSE_WORDS */
  DENSE_WORDS = 512
};

static gate_id add_gate(gate_maker *m, gate g) {
  vec_push(m->c->keep, &m->c->gates, g);
  return m->c->gates.count - 1;
}

void gate_maker_init(gate_maker *m, circuit *c, arena *keep, arena *scratch) {
  *c = (circuit){.keep = keep};
  *m = (gate_maker){.c = c, .scratch = scratch};
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

wire make_written(gate_maker *m, uint32_t count) {
  circuit *c = m->c;
  const gate fresh = {.kind = GATE_AND, .number = c->inputs.count, .input_count = count};
  c->inputs.count += count;
  return wire_of(add_gate(m, fresh), false);
}

wire make_unlike(gate_maker *m, const wire *inputs, uint32_t count) {
  circuit *c = m->c;
  vec_reserve(c->keep, &c->inputs, count);
  memcpy(c->inputs.items + c->inputs.count, inputs, count * sizeof *inputs);
  return make_written(m, count);
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

/* Sorts many wires that lie close together, each once.  False: they do not. */
static bool sort_dense(wire *wires, uint32_t *count) {
  uint64_t bits[DENSE_WORDS];
  wire least = UINT32_MAX, most = 0;
  for (uint32_t i = 0; i < *count; i++) {
    if (wires[i] < least) least = wires[i];
    if (wires[i] > most) most = wires[i];
  }
  const uint32_t words = (most - least) / 64 + 1;
  if (words > DENSE_WORDS || words > *count * 2) return false;
  memset(bits, 0, words * sizeof *bits);
  for (uint32_t i = 0; i < *count; i++)
    bits[(wires[i] - least) / 64] |= UINT64_C(1) << (wires[i] - least) % 64;
  *count = 0;
  for (uint32_t i = 0; i < words; i++)
    for (uint64_t left = bits[i]; left; left &= left - 1)
      wires[(*count)++] = least + i * 64 + (uint32_t)__builtin_ctzll(left);
  return true;
}

bool reduce_inputs(wire *inputs, uint32_t *count) {
  uint32_t kept = 0;
  wire last = WIRE_TRUE;
  if (*count < MANY || !sort_dense(inputs, count)) sort_wires(inputs, *count);
  for (uint32_t i = 0; i < *count; i++) {
    const wire w = inputs[i];
    if (w == WIRE_FALSE || (kept && w == wire_not(last))) return false;
    if (w == last) continue;
    inputs[kept++] = last = w;
  }
  *count = kept;
  return true;
}

uint64_t expect_reduced(const gate_maker *m, const wire *inputs, uint32_t count) {
  if (count < 2) return 0;
  const uint64_t hash = hash_ids(inputs, count);
  gate_index_prefetch(&m->index, hash);
  return hash;
}

wire make_expected(gate_maker *m, const wire *inputs, uint32_t count, uint64_t hash) {
  if (count == 0) return WIRE_TRUE;
  if (count == 1) return inputs[0];
  return intern_and(m, inputs, count, hash);
}

wire make_reduced(gate_maker *m, const wire *inputs, uint32_t count) {
  return make_expected(m, inputs, count, count < 2 ? 0 : hash_ids(inputs, count));
}

static wire make_of_inputs(gate_maker *m) {
  if (!reduce_inputs(m->inputs.items, &m->inputs.count)) return WIRE_FALSE;
  return make_reduced(m, m->inputs.items, m->inputs.count);
}

wire make_and(gate_maker *m, const wire *inputs, uint32_t count) {
  m->inputs.count = 0;
  vec_append(m->scratch, &m->inputs, inputs, count);
  return make_of_inputs(m);
}

wire make_or(gate_maker *m, const wire *inputs, uint32_t count) {
  m->inputs.count = 0;
  vec_reserve(m->scratch, &m->inputs, count);
  for (uint32_t i = 0; i < count; i++) m->inputs.items[i] = wire_not(inputs[i]);
  m->inputs.count = count;
  return wire_not(make_of_inputs(m));
}

wire make_and_of_two(gate_maker *m, wire a, wire b) {
  if (a > b) return make_and_of_two(m, b, a);
  if (a == WIRE_FALSE || a == wire_not(b)) return WIRE_FALSE;
  if (a == WIRE_TRUE || a == b) return b;
  const wire both[2] = {a, b};
  return make_reduced(m, both, 2);
}

/* Prefetches the slots of the index in which they will be looked up. */
static void make_some_ands(gate_maker *m, const wire_vec *wires, const wire_range *ranges,
                           uint32_t count, wire *made) {
  uint64_t hashes[AT_ONCE];
  for (uint32_t i = 0; i < count; i++)
    hashes[i] = expect_reduced(m, vec_from(wires, ranges[i].first), ranges[i].count);
  for (uint32_t i = 0; i < count; i++)
    made[i] = make_expected(m, vec_from(wires, ranges[i].first), ranges[i].count, hashes[i]);
}

void make_ands(gate_maker *m, const wire_vec *wires, const wire_range *ranges, uint32_t count,
               wire *made) {
  for (uint32_t i = 0; i < count; i += AT_ONCE)
    make_some_ands(m, wires, ranges + i, count - i < AT_ONCE ? count - i : AT_ONCE, made + i);
}
