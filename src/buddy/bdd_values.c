#include "buddy/bdd_values.h"

/* Diagrams of more nodes are not kept. */
enum { KEPT_NODES = 500 };

static void give_up(BDD *d) {
  if (*d != BDD_LARGE) bdd_delref(*d);
  *d = BDD_LARGE;
}

static BDD cube_of(const bdd_cube *c) {
  BDD all = bdd_held(bddtrue);
  for (uint32_t i = 0; i < c->count; i++)
    all = bdd_then(
        all, c->values[i] ? bdd_ithvar((int)c->bits[i] * 2) : bdd_nithvar((int)c->bits[i] * 2),
        bddop_and);
  return all;
}

/* The states in which the wire holds, or BDD_LARGE; not held. */
static BDD bdd_wire(const bdd_values *v, uint32_t wire) {
  const BDD gate = v->gates[wire / 2];
  return gate == BDD_LARGE || wire % 2 == 0 ? gate : bdd_not(gate);
}

/* BDD_LARGE when it is large, or an input is. */
static BDD conjunction(const bdd_values *v, const bdd_list *inputs) {
  BDD all = bdd_held(bddtrue);
  for (uint32_t i = 0; i < inputs->count; i++) {
    const uint32_t wire = inputs->items[i];
    const bool is_large = v->gates[wire / 2] == BDD_LARGE;
    if (!is_large) all = bdd_then(all, v->gates[wire / 2], wire % 2 ? bddop_diff : bddop_and);
    if (!is_large && bdd_nodecount(all) <= KEPT_NODES) continue;
    bdd_delref(all);
    return BDD_LARGE;
  }
  return all;
}

static BDD value_of(const bdd_values *v, uint32_t g) {
  const bdd_gate *gate = &v->q->gates[g];
  switch (gate->kind) {
    case 'l': return bdd_held(v->latches[gate->number]);
    case 'm': return v->is_done[gate->number] ? bddtrue : bddfalse;
    case 'a': return conjunction(v, &gate->inputs);
    default: return bddfalse;
  }
}

static void evaluate(bdd_values *v, uint32_t first, uint32_t end, bool only_by_moves) {
  for (uint32_t g = first; g < end; g++) {
    if (v->q->gates[g].kind == 'p' || (only_by_moves && !v->by_moves[g])) continue;
    give_up(&v->gates[g]);
    v->gates[g] = value_of(v, g);
  }
}

/* Fills the places of a component until nothing changes. */
static void close_component(bdd_values *v, const bdd_component *c) {
  for (uint32_t i = 0; i < c->place_count; i++) {
    give_up(&v->gates[c->places[i]]);
    v->gates[c->places[i]] = bddfalse;
  }
  for (bool changes = true; changes;) {
    changes = false;
    evaluate(v, c->first, c->end, false);
    for (uint32_t i = 0; i < c->place_count; i++) {
      BDD *place = &v->gates[c->places[i]];
      const BDD now = bdd_wire(v, c->definitions[i]);
      if (now == *place) continue;
      if (now != BDD_LARGE) bdd_addref(now);
      give_up(place);
      *place = now;
      changes = true;
      v->is_beyond |= now == BDD_LARGE;
    }
    if (v->is_beyond) return;
  }
  for (uint32_t g = c->first; g < c->end; g++) v->is_beyond |= v->gates[g] == BDD_LARGE;
}

static bool component_depends(const bdd_values *v, const bdd_component *c) {
  for (uint32_t g = c->first; g < c->end; g++)
    if (v->by_moves[g]) return true;
  return false;
}

static void evaluate_all(bdd_values *v, bool only_by_moves) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < v->q->component_count; i++) {
    const bdd_component *c = &v->q->components[i];
    evaluate(v, at, c->first, only_by_moves);
    if (!only_by_moves || component_depends(v, c)) close_component(v, c);
    at = c->end;
  }
  evaluate(v, at, v->q->gate_count, only_by_moves);
}

static void find_in_gates(bdd_values *v, uint32_t first, uint32_t end) {
  for (uint32_t g = first; g < end; g++) {
    const bdd_gate *gate = &v->q->gates[g];
    v->by_moves[g] = v->by_moves[g] || gate->kind == 'm';
    for (uint32_t i = 0; i < gate->inputs.count; i++)
      v->by_moves[g] = v->by_moves[g] || v->by_moves[gate->inputs.items[i] / 2];
  }
}

/* Of a component all gates do when one does. */
static void find_gates_by_moves(bdd_values *v) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < v->q->component_count; i++) {
    const bdd_component *c = &v->q->components[i];
    find_in_gates(v, at, c->end);
    if (component_depends(v, c))
      for (uint32_t g = c->first; g < c->end; g++) v->by_moves[g] = true;
    at = c->end;
  }
  find_in_gates(v, at, v->q->gate_count);
}

void bdd_values_init(bdd_values *v, const bdd_question *q, arena *keep) {
  *v = (bdd_values){.q = q, .keep = keep};
  v->latches = arena_new_array(keep, BDD, (size_t)q->latch_count + 1);
  for (uint32_t i = 0; i < q->latch_count; i++) v->latches[i] = cube_of(&q->latches[i]);
  v->gates = arena_new_array(keep, BDD, (size_t)q->gate_count + 1);
  v->by_moves = arena_zero_array(keep, bool, (size_t)q->gate_count + 1);
  v->is_done = arena_zero_array(keep, bool, (size_t)q->move_count + 1);
  for (uint32_t g = 0; g < q->gate_count; g++) v->gates[g] = BDD_LARGE;
  find_gates_by_moves(v);
  evaluate_all(v, false);
}

void bdd_values_do(bdd_values *v, const uint32_t *joint) {
  for (uint32_t r = 0; r < v->q->role_count; r++) v->is_done[joint[r]] = true;
  evaluate_all(v, true);
  for (uint32_t r = 0; r < v->q->role_count; r++) v->is_done[joint[r]] = false;
}

/* ---- cutting sets ---- */

static BDD minus(BDD set, BDD part) {
  const BDD rest = bdd_held(bdd_apply(set, part, bddop_diff));
  bdd_delref(part);
  return rest;
}

BDD bdd_where(const bdd_values *v, BDD set, uint32_t wire) {
  const BDD gate = v->gates[wire / 2];
  if (gate != BDD_LARGE) return bdd_held(bdd_apply(set, gate, wire % 2 ? bddop_diff : bddop_and));
  if (wire % 2) return minus(set, bdd_where(v, set, wire - 1));
  const bdd_list *inputs = &v->q->gates[wire / 2].inputs;
  BDD rest = bdd_held(set);
  for (uint32_t i = 0; i < inputs->count && rest != bddfalse; i++) {
    const BDD next = bdd_where(v, rest, inputs->items[i]);
    bdd_delref(rest);
    rest = next;
  }
  return rest;
}

BDD bdd_where_set(const bdd_values *v, BDD set, uint32_t bit) {
  BDD all = bdd_held(bddfalse);
  for (uint32_t i = 0; i < v->q->codes[bit].count; i++) {
    const BDD part = bdd_where(v, set, v->q->next[v->q->codes[bit].items[i]]);
    all = bdd_then(all, part, bddop_or);
    bdd_delref(part);
  }
  return all;
}
