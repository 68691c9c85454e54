#include "factors/factor_reads.h"

#include "circuit/simulate.h"

#include <string.h>

/* ---- moves ---- */

uint32_t *factor_move_roles(const circuit *c, arena *keep) {
  uint32_t *roles = arena_new_array(keep, uint32_t, c->moves.count + (size_t)1);
  for (uint32_t role = 0; role < c->roles.count; role++) {
    const circuit_role *r = &c->roles.items[role];
    for (uint32_t i = 0; i < r->move_count; i++) roles[r->first_move + i] = role;
  }
  return roles;
}

static uint32_t one_of(uint32_t a, uint32_t b) {
  if (a == ROLE_OF_NONE || a == b) return b;
  return b == ROLE_OF_NONE ? a : ROLE_OF_MANY;
}

static void find_roles(factor_reads *x, arena *keep) {
  const circuit *c = x->c;
  const uint32_t *role_of = factor_move_roles(c, keep);
  for (gate_id g = 0; g < c->gates.count; g++) {
    const gate it = c->gates.items[g];
    x->roles[g] = it.kind == GATE_MOVE ? role_of[it.number] : ROLE_OF_NONE;
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      x->roles[g] = one_of(x->roles[g], x->roles[wire_gate(gate_inputs(c, g)[i])]);
  }
}

void factor_try_moves(const circuit *c, uint32_t role, uint32_t first, uint64_t *values) {
  const circuit_role *r = &c->roles.items[role];
  memset(values, 0, c->gates.count * sizeof *values);
  for (uint32_t m = r->first_move; m < r->first_move + r->move_count; m++) {
    const wire does = c->moves.items[m].does;
    if (wire_is_constant(does) || wire_is_negated(does)) continue;
    if (m >= first && m - first < 64) values[wire_gate(does)] = UINT64_C(1) << (m - first);
  }
  circuit_simulate(c, values);
}

/* ---- latches ---- */

static void need(bitset set, id_vec *queue, arena *scratch, wire w) {
  if (bitset_insert(set, wire_gate(w))) vec_push(scratch, queue, wire_gate(w));
}

static void need_outputs(const circuit *c, bitset set, id_vec *queue, arena *scratch) {
  need(set, queue, scratch, c->terminal);
  for (uint32_t i = 0; i < c->moves.count; i++) need(set, queue, scratch, c->moves.items[i].legal);
  for (uint32_t i = 0; i < c->goals.count; i++) need(set, queue, scratch, c->goals.items[i].holds);
  for (uint32_t i = 0; i < c->percepts.count; i++)
    need(set, queue, scratch, c->percepts.items[i].holds);
  for (uint32_t i = 0; i < c->marks.count; i++) need(set, queue, scratch, c->marks.items[i].holds);
  for (uint32_t i = 0; i < c->targets.count; i++) need(set, queue, scratch, c->targets.items[i]);
}

static void find_unread(factor_reads *x, arena *scratch) {
  const circuit *c = x->c;
  const bitset set = bitset_new(scratch, c->gates.count);
  id_vec queue = {0};
  need_outputs(c, set, &queue, scratch);
  while (queue.count) {
    const gate_id g = vec_pop(&queue);
    const gate it = c->gates.items[g];
    if (it.kind == GATE_LATCH) need(set, &queue, scratch, c->latches.items[it.number].next);
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      need(set, &queue, scratch, gate_inputs(c, g)[i]);
  }
  for (uint32_t i = 0; i < c->latches.count; i++)
    if (!bitset_has(set, c->latches.items[i].gate)) bitset_add(x->is_unread, i);
}

static bool reads_any(const circuit *c, bitset set, gate_id g) {
  const gate it = c->gates.items[g];
  for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
    if (bitset_has(set, wire_gate(gate_inputs(c, g)[i]))) return true;
  return false;
}

static void find_states(factor_reads *x) {
  const circuit *c = x->c;
  for (gate_id g = 0; g < c->gates.count; g++)
    if (c->gates.items[g].kind == GATE_LATCH || reads_any(c, x->states, g))
      bitset_add(x->states, g);
}

/* Latches that are not common any more, and what reads them. */
static bool spread_own(factor_reads *x) {
  const circuit *c = x->c;
  bool is_new = false;
  for (gate_id g = 0; g < c->gates.count; g++) {
    const gate it = c->gates.items[g];
    const bool is_own =
        it.kind == GATE_LATCH ? !bitset_has(x->is_common, it.number) : reads_any(c, x->own, g);
    if (is_own) bitset_add(x->own, g);
  }
  for (uint32_t i = 0; i < c->latches.count; i++) {
    if (!bitset_has(x->is_common, i)) continue;
    if (!bitset_has(x->own, wire_gate(c->latches.items[i].next))) continue;
    bitset_remove(x->is_common, i);
    is_new = true;
  }
  return is_new;
}

static void find_common(factor_reads *x) {
  const circuit *c = x->c;
  for (uint32_t i = 0; i < c->latches.count; i++)
    if (x->roles[wire_gate(c->latches.items[i].next)] == ROLE_OF_NONE) bitset_add(x->is_common, i);
  while (spread_own(x)) continue;
}

void factor_reads_find(factor_reads *x, const circuit *c, arena *keep) {
  *x = (factor_reads){.c = c,
                      .roles = arena_new_array(keep, uint32_t, c->gates.count),
                      .states = bitset_new(keep, c->gates.count),
                      .own = bitset_new(keep, c->gates.count),
                      .is_unread = bitset_new(keep, c->latches.count),
                      .is_common = bitset_new(keep, c->latches.count)};
  find_roles(x, keep);
  find_unread(x, keep);
  find_states(x);
  find_common(x);
}

/* ---- conjunctions ---- */

void factor_list_conjuncts(const circuit *c, wire w, wire_vec *out, arena *keep) {
  wire_vec open = {0};
  vec_push(keep, &open, w);
  while (open.count) {
    const wire next = vec_pop(&open);
    const gate it = c->gates.items[wire_gate(next)];
    if (it.kind == GATE_AND && !wire_is_negated(next))
      vec_append(keep, &open, gate_inputs(c, wire_gate(next)), it.input_count);
    else if (next != WIRE_TRUE)
      vec_push(keep, out, next);
  }
}
