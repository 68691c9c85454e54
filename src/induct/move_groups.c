#include "induct/move_groups.h"

#include <string.h>

/* ---- sets of moves ---- */

static bool is_set(const move_table *t, wire w) {
  return !wire_is_negated(w) && bitset_has(t->sets, wire_gate(w));
}

static bool is_undone_move(const circuit *c, wire w) {
  return wire_is_negated(w) && c->gates.items[wire_gate(w)].kind == GATE_MOVE;
}

static bool says_none_of_moves(const move_table *t, gate_id g) {
  const gate it = t->c->gates.items[g];
  if (it.kind != GATE_AND) return false;
  const wire *inputs = gate_inputs(t->c, g);
  for (uint32_t i = 0; i < it.input_count; i++)
    if (!is_undone_move(t->c, inputs[i]) && !is_set(t, inputs[i])) return false;
  return true;
}

move_table move_table_new(const circuit *c, arena *keep) {
  const move_table t = {.c = c,
                        .read_most = latches_read_most(c),
                        .sets = bitset_new(keep, c->gates.count),
                        .opened = arena_zero_array(keep, uint32_t, c->gates.count + 1),
                        .calls = arena_zero_array(keep, uint32_t, 1)};
  for (gate_id g = 0; g < c->gates.count; g++)
    if (says_none_of_moves(&t, g)) bitset_add(t.sets, g);
  return t;
}

void move_table_inputs(const move_table *t, gate_id g, id_vec *wires, arena *scratch) {
  const uint32_t call = ++*t->calls;
  id_vec to_open = {0};
  vec_push(scratch, &to_open, g);
  while (to_open.count) {
    const gate_id open = vec_pop(&to_open);
    if (t->opened[open] == call) continue; /* sets may have sets in common */
    t->opened[open] = call;
    const wire *inputs = gate_inputs(t->c, open);
    for (uint32_t i = 0; i < t->c->gates.items[open].input_count; i++) {
      if (is_set(t, inputs[i]))
        vec_push(scratch, &to_open, wire_gate(inputs[i]));
      else
        vec_push(scratch, wires, inputs[i]);
    }
  }
}

/* ---- groups ---- */

/* At most so many of the watched latches are read by the queried wires. */
enum { WATCHED_NEAR_MAX = 20 };

/* Groups are split by one set of moves after the other. */
typedef struct split {
  uint32_t size;
  gate_id made_by;  /* the gate by which it was made; or ID_NONE */
  gate_id split_by; /* the last gate that took moves from it; or ID_NONE */
  uint32_t part;    /* the group that they went to */
} split;

typedef struct partition {
  const move_table *t;
  arena *scratch;
  arena *inner;       /* rewound by each gate */
  uint32_t *group_of; /* by move */
  VEC(split) groups;
  bitset seen; /* gates */
  id_vec queue;
  watched_latches watched;
} partition;

static uint32_t new_group(partition *p) {
  const split fresh = {.made_by = ID_NONE, .split_by = ID_NONE};
  vec_push(p->scratch, &p->groups, fresh);
  return p->groups.count - 1;
}

/* The move is one of those that gate `of` does not distinguish. */
static void put_apart(partition *p, uint32_t move, gate_id of) {
  const uint32_t old = p->group_of[move];
  if (p->groups.items[old].made_by == of) return;
  if (p->groups.items[old].split_by != of) {
    const uint32_t part = new_group(p);
    p->groups.items[part].made_by = of;
    p->groups.items[old].split_by = of;
    p->groups.items[old].part = part;
  }
  const uint32_t part = p->groups.items[old].part;
  p->group_of[move] = part;
  p->groups.items[old].size--;
  p->groups.items[part].size++;
}

static void put_alone(partition *p, uint32_t move) {
  const uint32_t old = p->group_of[move];
  if (p->groups.items[old].size == 1) return;
  const uint32_t alone = new_group(p);
  p->groups.items[old].size--;
  p->groups.items[alone].size = 1;
  p->group_of[move] = alone;
}

static void reach(partition *p, wire w) {
  if (bitset_insert(p->seen, wire_gate(w))) vec_push(p->scratch, &p->queue, wire_gate(w));
}

/* Moves that a gate wants not to be done are one to it; one that it wants to be done is not. */
static void split_by_gate(partition *p, gate_id g) {
  const circuit *c = p->t->c;
  const arena_mark mark = arena_save(p->inner);
  id_vec inputs = {0};
  move_table_inputs(p->t, g, &inputs, p->inner);
  for (uint32_t i = 0; i < inputs.count; i++) {
    const gate input = c->gates.items[wire_gate(inputs.items[i])];
    if (input.kind != GATE_MOVE)
      reach(p, inputs.items[i]);
    else if (wire_is_negated(inputs.items[i]))
      put_apart(p, input.number, g);
    else
      put_alone(p, input.number);
  }
  arena_restore(p->inner, mark);
}

static void split_by_wires(partition *p, const wire *wires, uint32_t count) {
  const circuit *c = p->t->c;
  for (uint32_t i = 0; i < count; i++) reach(p, wires[i]);
  for (uint32_t i = 0; i < p->queue.count; i++) {
    const gate_id g = p->queue.items[i];
    const gate it = c->gates.items[g];
    if (it.kind == GATE_LATCH && p->watched.count < WATCHED_NEAR_MAX) watch_latch(&p->watched, g);
    if (it.kind == GATE_MOVE) put_alone(p, it.number);
    if (it.kind == GATE_LOOP) reach(p, c->places.items[it.number].definition);
    if (it.kind == GATE_AND) split_by_gate(p, g);
  }
}

/* Numbers the groups that have moves, those of a role one after the other. */
static move_groups number_groups(const partition *p, arena *keep) {
  const circuit *c = p->t->c;
  uint32_t *group_of = arena_new_array(keep, uint32_t, c->moves.count + 1);
  uint32_t *first_group = arena_new_array(keep, uint32_t, c->roles.count + 1);
  uint32_t *numbers = arena_new_array(p->scratch, uint32_t, p->groups.count + 1);
  const latch_needs *needs = move_needs_find(c, &p->watched, p->scratch);
  VEC(move_group) all = {0};
  memset(numbers, 0xff, p->groups.count * sizeof *numbers);
  for (uint32_t r = 0; r < c->roles.count; r++) {
    const circuit_role *role = &c->roles.items[r];
    first_group[r] = all.count;
    for (uint32_t m = role->first_move; m < role->first_move + role->move_count; m++) {
      uint32_t *number = &numbers[p->group_of[m]];
      if (*number == ID_NONE) {
        *number = all.count;
        vec_push(keep, &all, ((move_group){.example = m, .needs = needs[m]}));
      }
      group_of[m] = *number;
      all.items[*number].size++;
      all.items[*number].needs &= needs[m];
    }
  }
  first_group[c->roles.count] = all.count;
  return (move_groups){group_of, first_group, all.items, p->watched, p->t};
}

move_groups move_groups_find(const move_table *t, const wire *wires, uint32_t count, arena *keep) {
  const circuit *c = t->c;
  arena *scratch = arena_new();
  partition p = {.t = t,
                 .scratch = scratch,
                 .inner = arena_new(),
                 .group_of = arena_new_array(scratch, uint32_t, c->moves.count + 1),
                 .seen = bitset_new(scratch, c->gates.count)};
  for (uint32_t r = 0; r < c->roles.count; r++) {
    const circuit_role *role = &c->roles.items[r];
    const uint32_t group = new_group(&p);
    p.groups.items[group].size = role->move_count;
    for (uint32_t m = 0; m < role->move_count; m++) p.group_of[role->first_move + m] = group;
  }
  split_by_wires(&p, wires, count);
  for (uint32_t i = 0; i < t->read_most.count; i++) watch_latch(&p.watched, t->read_most.gates[i]);
  const move_groups found = number_groups(&p, keep);
  arena_free(p.inner);
  arena_free(scratch);
  return found;
}
