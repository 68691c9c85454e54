#include "induct/unroll.h"

#include <assert.h>
#include <stdlib.h>

/* Of the conditions under which a move is legal those count that so few gates decide, and no more
   than so many. */
enum { SMALL_GATES_MAX = 100, PARTS_MAX = 200 };

typedef struct task {
  gate_id gate;
  uint32_t time;
} task;

/* One moment. */
typedef struct moment {
  sat_literal *literals; /* by gate; 0: not made yet */
  sat_literal *moves;    /* by move or group: it is done; 0: its role has not been asked for */
} moment;

struct unrolling {
  arena *keep;
  arena *scratch; /* rewound by each function that uses it */
  const circuit *c;
  sat_solver *s;
  budget *limits;
  bool from_start;
  const move_groups *groups; /* NULL: moves are done one by one */
  bool is_wholly_legal;
  sat_literal truth; /* a literal that holds */
  VEC(moment) moments;
  VEC(task) pending; /* gates to make, the last one first */
  VEC(task) to_tie;  /* moves and places that were made and are not yet tied to what they mean */
};

unrolling *unroll_new(const circuit *c, bool from_start, budget *limits) {
  arena *keep = arena_new();
  unrolling *u = arena_alloc_zero(keep, sizeof *u);
  *u = (unrolling){.keep = keep,
                   .scratch = arena_new(),
                   .c = c,
                   .s = sat_new(limits, keep),
                   .limits = limits,
                   .from_start = from_start};
  u->truth = sat_variable(u->s);
  sat_add_1(u->s, u->truth);
  return u;
}

void unroll_free(unrolling *u) {
  if (!u) return;
  sat_free(u->s);
  arena_free(u->scratch);
  arena_free(u->keep);
}

void unroll_by_groups(unrolling *u, const move_groups *groups, bool wholly) {
  u->groups = groups;
  u->is_wholly_legal = wholly;
}

sat_solver *unroll_solver(const unrolling *u) { return u->s; }

const circuit *unroll_circuit(const unrolling *u) { return u->c; }

uint32_t unroll_times(const unrolling *u) { return u->moments.count; }

static moment *moment_at(unrolling *u, uint32_t time) {
  while (u->moments.count <= time) {
    const moment fresh = {arena_zero_array(u->keep, sat_literal, u->c->gates.count),
                          arena_zero_array(u->keep, sat_literal, u->c->moves.count + 1)};
    vec_push(u->keep, &u->moments, fresh);
  }
  return &u->moments.items[time];
}

/* The literal of a wire whose gate has been made; 0: it has not. */
static sat_literal made(unrolling *u, wire w, uint32_t time) {
  const sat_literal l = moment_at(u, time)->literals[wire_gate(w)];
  return wire_is_negated(w) ? -l : l;
}

static void set_literal(unrolling *u, task t, sat_literal l) {
  moment_at(u, t.time)->literals[t.gate] = l;
}

/* ---- gates ---- */

static void ask_for(unrolling *u, gate_id g, uint32_t time) {
  const task t = {g, time};
  vec_push(u->keep, &u->pending, t);
}

/* With groups sets of moves are opened: groups are larger than the sets that others are made of. */
static id_vec inputs_of(unrolling *u, gate_id g) {
  id_vec wires = {0};
  if (u->groups)
    move_table_inputs(u->groups->table, g, &wires, u->scratch);
  else
    vec_append(u->scratch, &wires, gate_inputs(u->c, g), u->c->gates.items[g].input_count);
  return wires;
}

/* True when all inputs have been made; else asks for them. */
static bool inputs_are_made(unrolling *u, task t, const id_vec *inputs) {
  bool all = true;
  for (uint32_t i = 0; i < inputs->count; i++) {
    if (made(u, inputs->items[i], t.time)) continue;
    ask_for(u, wire_gate(inputs->items[i]), t.time);
    all = false;
  }
  return all;
}

static int compare_literals(const void *left, const void *right) {
  const sat_literal a = *(const sat_literal *)left, b = *(const sat_literal *)right;
  return a < b ? -1 : a > b;
}

static uint32_t without_repeats(sat_literal *all, uint32_t count) {
  uint32_t kept = 0;
  qsort(all, count, sizeof *all, compare_literals);
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 || all[i] != all[i - 1]) all[kept++] = all[i];
  return kept;
}

/* False: its inputs have to be made first. */
static bool make_and_gate(unrolling *u, task t) {
  const arena_mark mark = arena_save(u->scratch);
  const id_vec inputs = inputs_of(u, t.gate);
  const bool is_ready = inputs_are_made(u, t, &inputs);
  if (is_ready) {
    sat_literal *all = arena_new_array(u->scratch, sat_literal, inputs.count);
    for (uint32_t i = 0; i < inputs.count; i++) all[i] = made(u, inputs.items[i], t.time);
    const uint32_t count = u->groups ? without_repeats(all, inputs.count) : inputs.count;
    set_literal(u, t, sat_conjunction(u->s, all, count));
  }
  arena_restore(u->scratch, mark);
  return is_ready;
}

/* False: what it was a step before has to be made first. */
static bool make_latch(unrolling *u, task t) {
  const circuit_latch *latch = &u->c->latches.items[u->c->gates.items[t.gate].number];
  if (t.time == 0) {
    const sat_literal start = latch->initially ? u->truth : -u->truth;
    set_literal(u, t, u->from_start ? start : sat_variable(u->s));
    return true;
  }
  const sat_literal before = made(u, latch->next, t.time - 1);
  if (!before) {
    ask_for(u, wire_gate(latch->next), t.time - 1);
    return false;
  }
  set_literal(u, t, before);
  return true;
}

static void make_place(unrolling *u, task t) {
  set_literal(u, t, sat_variable(u->s));
  vec_push(u->keep, &u->to_tie, t);
}

static const circuit_role *role_of_move(const circuit *c, uint32_t move) {
  const circuit_role *r = c->roles.items;
  while (move - r->first_move >= r->move_count) r++;
  return r;
}

/* Exactly one of these is done: a chain, in which `before` holds when one of those so far is. */
static void make_moves(unrolling *u, sat_literal *moves, uint32_t count) {
  sat_literal before = moves[0] = sat_variable(u->s);
  for (uint32_t i = 1; i < count; i++) {
    const sat_literal does = moves[i] = sat_variable(u->s);
    const sat_literal any = sat_variable(u->s);
    sat_add_2(u->s, -does, -before);
    sat_add_2(u->s, -does, any);
    sat_add_2(u->s, -before, any);
    sat_add_3(u->s, -any, before, does);
    before = any;
  }
  sat_add_1(u->s, before);
}

/* The groups of a role, each to be tied by its example. */
static void make_groups(unrolling *u, const circuit_role *r, uint32_t time) {
  const uint32_t role = (uint32_t)(r - u->c->roles.items);
  const uint32_t first = u->groups->first_group[role], end = u->groups->first_group[role + 1];
  sat_literal *groups = moment_at(u, time)->moves;
  if (groups[first]) return;
  make_moves(u, groups + first, end - first);
  for (uint32_t i = first; i < end; i++) {
    const wire does = u->c->moves.items[u->groups->all[i].example].does;
    const task t = {wire_gate(does), time};
    set_literal(u, t, groups[i]);
    vec_push(u->keep, &u->to_tie, t);
  }
}

/* A role's two moves are one gate, and are not chained. */
static void make_move(unrolling *u, task t) {
  const uint32_t move = u->c->gates.items[t.gate].number;
  const circuit_role *r = role_of_move(u->c, move);
  sat_literal *moves = moment_at(u, t.time)->moves;
  if (r->move_count > 2 && u->groups) {
    make_groups(u, r, t.time);
    set_literal(u, t, moves[u->groups->group_of[move]]);
    return;
  }
  if (r->move_count > 2 && !moves[r->first_move])
    make_moves(u, moves + r->first_move, r->move_count);
  set_literal(u, t, r->move_count > 2 ? moves[move] : sat_variable(u->s));
  vec_push(u->keep, &u->to_tie, t);
}

/* True when the gate is made.  When time is up it is left free, which allows too much and so
   proves nothing wrong. */
static bool make_gate(unrolling *u, task t) {
  if (budget_is_spent(u->limits)) {
    set_literal(u, t, sat_variable(u->s));
    return true;
  }
  switch (u->c->gates.items[t.gate].kind) {
    case GATE_CONSTANT: set_literal(u, t, -u->truth); return true;
    case GATE_LATCH: return make_latch(u, t);
    case GATE_MOVE: make_move(u, t); return true;
    case GATE_LOOP: make_place(u, t); return true;
    case GATE_AND: return make_and_gate(u, t);
  }
  return true;
}

static void make_pending(unrolling *u) {
  while (u->pending.count) {
    const task t = vec_last(&u->pending);
    if (moment_at(u, t.time)->literals[t.gate] || make_gate(u, t)) u->pending.count--;
  }
}

static sat_literal literal_of(unrolling *u, wire w, uint32_t time) {
  if (!made(u, w, time)) {
    ask_for(u, wire_gate(w), time);
    make_pending(u);
  }
  return made(u, w, time);
}

/* ---- what moves and places mean ---- */

static void imply(unrolling *u, sat_literal does, wire condition, uint32_t time) {
  sat_add_2(u->s, -does, literal_of(u, condition, time));
}

/* Do so few gates decide the wire? */
static bool is_small(const unrolling *u, wire w, arena *scratch) {
  const circuit *c = u->c;
  const arena_mark mark = arena_save(scratch);
  id_vec gates = {0};
  vec_push(scratch, &gates, wire_gate(w));
  bool is_plain = true;
  for (uint32_t i = 0; i < gates.count && gates.count <= SMALL_GATES_MAX && is_plain; i++) {
    const gate it = c->gates.items[gates.items[i]];
    is_plain = it.kind != GATE_LOOP && it.input_count <= SMALL_GATES_MAX;
    for (uint32_t k = 0; it.kind == GATE_AND && is_plain && k < it.input_count; k++)
      vec_push(scratch, &gates, wire_gate(gate_inputs(c, gates.items[i])[k]));
  }
  is_plain &= gates.count <= SMALL_GATES_MAX;
  arena_restore(scratch, mark);
  return is_plain;
}

static void imply_small_parts(unrolling *u, sat_literal does, wire condition, uint32_t time) {
  arena *scratch = arena_new();
  VEC(wire) parts = {0};
  vec_push(scratch, &parts, condition);
  for (uint32_t i = 0; i < parts.count && i < PARTS_MAX; i++) {
    const wire w = parts.items[i];
    const gate it = u->c->gates.items[wire_gate(w)];
    if (is_small(u, w, scratch))
      imply(u, does, w, time);
    else if (it.kind == GATE_AND && !wire_is_negated(w))
      vec_append(scratch, &parts, gate_inputs(u->c, wire_gate(w)), it.input_count);
  }
  arena_free(scratch);
}

static void tie_group(unrolling *u, task t) {
  const uint32_t move = u->c->gates.items[t.gate].number;
  const move_group *g = &u->groups->all[u->groups->group_of[move]];
  const sat_literal does = moment_at(u, t.time)->literals[t.gate];
  wire needed[2 * WATCHED_MAX];
  const uint32_t count = needed_wires(&u->groups->watched, g->needs, needed);
  for (uint32_t i = 0; i < count; i++) imply(u, does, needed[i], t.time);
  if (g->size == 1)
    (u->is_wholly_legal ? imply : imply_small_parts)(u, does, u->c->moves.items[move].legal,
                                                     t.time);
}

/* The move is legal if it is done. */
static void require_legal(unrolling *u, const circuit_move *m, uint32_t time) {
  imply(u, made(u, m->does, time), m->legal, time);
}

static void tie_move(unrolling *u, task t) {
  const uint32_t move = u->c->gates.items[t.gate].number;
  const circuit_role *r = role_of_move(u->c, move);
  if (r->move_count > 2 && u->groups)
    tie_group(u, t);
  else if (r->move_count > 2)
    require_legal(u, &u->c->moves.items[move], t.time);
  else
    for (uint32_t i = 0; i < r->move_count; i++)
      require_legal(u, &u->c->moves.items[r->first_move + i], t.time);
}

static void tie_place(unrolling *u, task t) {
  const circuit_place *place = &u->c->places.items[u->c->gates.items[t.gate].number];
  const sat_literal defined = literal_of(u, place->definition, t.time);
  const sat_literal l = moment_at(u, t.time)->literals[t.gate];
  sat_add_2(u->s, -l, defined);
  sat_add_2(u->s, l, -defined);
}

sat_literal unroll_wire(unrolling *u, wire w, uint32_t time) {
  const sat_literal l = literal_of(u, w, time);
  while (u->to_tie.count) {
    const task t = vec_pop(&u->to_tie);
    if (u->c->gates.items[t.gate].kind == GATE_MOVE) tie_move(u, t);
    if (u->c->gates.items[t.gate].kind == GATE_LOOP) tie_place(u, t);
  }
  return l;
}

bool unroll_has(const unrolling *u, wire w, uint32_t time) {
  return time < u->moments.count && u->moments.items[time].literals[wire_gate(w)];
}

/* ---- steps ---- */

void unroll_require_open(unrolling *u, uint32_t time) {
  sat_add_1(u->s, -unroll_wire(u, u->c->terminal, time));
}

static void require_move(unrolling *u, const circuit_role *r, uint32_t time) {
  if (r->move_count == 0) sat_add_1(u->s, -u->truth);
  if (r->move_count == 1)
    sat_add_1(u->s, unroll_wire(u, u->c->moves.items[r->first_move].legal, time));
  for (uint32_t i = 0; i < r->move_count; i++)
    unroll_wire(u, u->c->moves.items[r->first_move + i].does, time);
}

void unroll_require_moves(unrolling *u, uint32_t time) {
  for (uint32_t r = 0; r < u->c->roles.count; r++) require_move(u, &u->c->roles.items[r], time);
}

void unroll_require_step(unrolling *u, uint32_t time) {
  unroll_require_open(u, time);
  unroll_require_moves(u, time);
}

sat_literal unroll_any(unrolling *u, const sat_literal *all, uint32_t count) {
  const arena_mark mark = arena_save(u->scratch);
  sat_literal *none = arena_new_array(u->scratch, sat_literal, count + 1);
  for (uint32_t i = 0; i < count; i++) none[i] = -all[i];
  const sat_literal l = -sat_conjunction(u->s, none, count);
  arena_restore(u->scratch, mark);
  return l;
}
