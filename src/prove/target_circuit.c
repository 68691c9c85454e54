#include "prove/target_circuit.h"

#include "circuit/rebuild.h"

/* ---- which latches matter ---- */

static void need(bitset set, id_vec *queue, arena *scratch, wire w) {
  if (bitset_insert(set, wire_gate(w))) vec_push(scratch, queue, wire_gate(w));
}

static void carry_needs(const circuit *c, bitset set, id_vec *queue, arena *scratch) {
  while (queue->count) {
    const gate_id g = vec_pop(queue);
    const gate it = c->gates.items[g];
    if (it.kind == GATE_LOOP) need(set, queue, scratch, c->places.items[it.number].definition);
    if (it.kind == GATE_LATCH) need(set, queue, scratch, c->latches.items[it.number].next);
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      need(set, queue, scratch, gate_inputs(c, g)[i]);
  }
}

static bool asks_for_goals(const property_vec *properties) {
  for (uint32_t i = 0; i < properties->count; i++) {
    const property_kind kind = properties->items[i].kind;
    if (kind == PROPERTY_GOALS || kind == PROPERTY_WINNABLE || kind == PROPERTY_MONOTONE ||
        kind == PROPERTY_STRONGLY_WINNABLE)
      return true;
  }
  return false;
}

static bool asks_for_marks(const property_vec *properties) {
  return properties->count == 1 && properties->items[0].kind == PROPERTY_DEAD;
}

static void need_claims(const circuit *c, const property_vec *properties, bitset set, id_vec *queue,
                        arena *scratch) {
  for (uint32_t i = 0; i < properties->count; i++) {
    const claim *f = &properties->items[i].claim;
    for (uint32_t k = 0; k < f->steps.count; k++)
      if (f->steps.items[k].op == CLAIM_ATOM)
        need(set, queue, scratch, atom_wire(c, f->steps.items[k].number));
  }
}

/* By latch: ID_NONE when it matters, else the constant that stands for it. */
static wire *find_idle_latches(const circuit *c, const property_vec *properties, arena *scratch) {
  const bitset set = bitset_new(scratch, c->gates.count);
  wire *wires = arena_new_array(scratch, wire, c->latches.count + 1);
  id_vec queue = {0};
  need(set, &queue, scratch, c->terminal);
  for (uint32_t i = 0; i < c->moves.count; i++) need(set, &queue, scratch, c->moves.items[i].legal);
  for (uint32_t i = 0; asks_for_goals(properties) && i < c->goals.count; i++)
    need(set, &queue, scratch, c->goals.items[i].holds);
  for (uint32_t i = 0; asks_for_marks(properties) && i < c->marks.count; i++)
    need(set, &queue, scratch, c->marks.items[i].holds);
  need_claims(c, properties, set, &queue, scratch);
  carry_needs(c, set, &queue, scratch);
  for (uint32_t i = 0; i < c->latches.count; i++)
    wires[i] = bitset_has(set, c->latches.items[i].gate) ? ID_NONE : WIRE_FALSE;
  return wires;
}

/* ---- targets ---- */

typedef struct target_maker {
  rebuild r;
  const grounded *g;
  arena *scratch;
} target_maker;

static wire now(const target_maker *t, wire w) { return rebuild_wire(&t->r, w); }

/* Not terminal, and some role has no legal move. */
static wire make_stuck(target_maker *t) {
  const circuit *c = t->r.in;
  wire_vec stuck = {0};
  for (uint32_t role = 0; role < c->roles.count; role++) {
    const circuit_role *r = &c->roles.items[role];
    wire_vec legal = {0};
    for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++)
      vec_push(t->scratch, &legal, now(t, c->moves.items[i].legal));
    vec_push(t->scratch, &stuck, wire_not(make_or(&t->r.maker, legal.items, legal.count)));
  }
  const wire any = make_or(&t->r.maker, stuck.items, stuck.count);
  return make_and_of_two(&t->r.maker, any, wire_not(now(t, c->terminal)));
}

/* A role has no goal, several, or one out of range. */
static wire make_unjudged(target_maker *t, uint32_t role) {
  const circuit *c = t->r.in;
  gate_maker *m = &t->r.maker;
  wire some = WIRE_FALSE, bad = WIRE_FALSE;
  for (uint32_t i = t->g->goals_of[role]; i < t->g->goals_of[role + 1]; i++) {
    const uint32_t goal = t->g->goals[i];
    const wire holds = now(t, c->goals.items[goal].holds);
    const bool in_range = t->g->goal_values[goal] >= 0 && t->g->goal_values[goal] <= 100;
    const wire wrong = in_range ? make_and_of_two(m, some, holds) : holds;
    bad = make_or(m, (const wire[]){bad, wrong}, 2);
    some = make_or(m, (const wire[]){some, holds}, 2);
  }
  return make_or(m, (const wire[]){bad, wire_not(some)}, 2);
}

static wire make_any_unjudged(target_maker *t) {
  wire_vec bad = {0};
  for (uint32_t role = 0; role < t->r.in->roles.count; role++)
    if (role != t->g->nature) vec_push(t->scratch, &bad, make_unjudged(t, role));
  return make_or(&t->r.maker, bad.items, bad.count);
}

static wire make_misjudged(target_maker *t) {
  return make_and_of_two(&t->r.maker, make_any_unjudged(t), now(t, t->r.in->terminal));
}

/* Several terms may be worth 100. */
static wire make_won(target_maker *t, uint32_t role) {
  const circuit *c = t->r.in;
  wire_vec ways = {0};
  for (uint32_t i = t->g->goals_of[role]; i < t->g->goals_of[role + 1]; i++)
    if (t->g->goal_values[t->g->goals[i]] == 100)
      vec_push(t->scratch, &ways, now(t, c->goals.items[t->g->goals[i]].holds));
  const wire won = make_or(&t->r.maker, ways.items, ways.count);
  return make_and_of_two(&t->r.maker, won, now(t, c->terminal));
}

static wire make_claim(target_maker *t, const claim *f) {
  const circuit *c = t->r.in;
  wire *atoms = arena_new_array(t->scratch, wire, atoms_count(c));
  for (uint32_t i = 0; i < f->steps.count; i++) {
    const uint32_t atom = f->steps.items[i].number;
    if (f->steps.items[i].op == CLAIM_ATOM) atoms[atom] = now(t, atom_wire(c, atom));
  }
  return claim_make(f, &t->r.maker, atoms, t->scratch);
}

static wire make_target(target_maker *t, const property *p) {
  switch (p->kind) {
    case PROPERTY_PLAYABLE: return make_stuck(t);
    case PROPERTY_GOALS: return make_misjudged(t);
    case PROPERTY_WINNABLE: return make_won(t, p->role);
    case PROPERTY_UNREACHABLE: return make_claim(t, &p->claim);
    case PROPERTY_INVARIANT: return wire_not(make_claim(t, &p->claim));
    default: return WIRE_FALSE;
  }
}

/* ---- extras ---- */

/* Of a role: goal number `goal` or one that is worth as much or more; 050 is worth as much as 50.
 */
static wire make_at_least(target_maker *t, uint32_t role, uint32_t goal) {
  const grounded *g = t->g;
  const int32_t least = g->goal_values[g->goals[goal]];
  wire_vec ways = {0};
  for (uint32_t i = g->goals_of[role]; i < g->goals_of[role + 1]; i++)
    if (g->goal_values[g->goals[i]] >= least)
      vec_push(t->scratch, &ways, now(t, t->r.in->goals.items[g->goals[i]].holds));
  return make_or(&t->r.maker, ways.items, ways.count);
}

static void add_monotone(target_maker *t, wire_vec *out) {
  vec_push(t->scratch, out, make_any_unjudged(t));
  for (uint32_t role = 0; role < t->r.in->roles.count; role++)
    for (uint32_t i = t->g->goals_of[role]; i < t->g->goals_of[role + 1]; i++)
      vec_push(t->scratch, out, role == t->g->nature ? WIRE_FALSE : make_at_least(t, role, i));
}

static void add_extras(target_maker *t, const property_vec *properties, wire_vec *out) {
  for (uint32_t i = 0; i < properties->count; i++) {
    const property *p = &properties->items[i];
    if (p->kind == PROPERTY_STRONGLY_WINNABLE) vec_push(t->scratch, out, make_won(t, p->role));
    if (p->kind == PROPERTY_MONOTONE) add_monotone(t, out);
  }
}

uint32_t *question_extras(const property_vec *properties, const grounded *g, arena *keep) {
  uint32_t *first_of = arena_new_array(keep, uint32_t, properties->count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < properties->count; i++)
    count += property_is_reach(properties->items[i].kind);
  for (uint32_t i = 0; i < properties->count; i++) {
    const property_kind kind = properties->items[i].kind;
    const bool has_some = kind == PROPERTY_MONOTONE || kind == PROPERTY_STRONGLY_WINNABLE;
    first_of[i] = has_some ? count : ID_NONE;
    if (kind == PROPERTY_STRONGLY_WINNABLE) count++;
    if (kind == PROPERTY_MONOTONE) count += 1 + g->goals_of[g->circuit.roles.count];
  }
  return first_of;
}

/* ---- the circuit ---- */

static void put_targets(circuit *out, const wire_vec *targets, bool with_marks) {
  out->goals.count = out->percepts.count = 0;
  if (!with_marks) out->marks.count = 0;
  vec_append(out->keep, &out->targets, targets->items, targets->count);
}

void question_circuit(circuit *out, const grounded *g, const property_vec *properties, bool reduced,
                      arena *keep) {
  arena *scratch = arena_new();
  target_maker t = {.g = g, .scratch = scratch};
  wire_vec targets = {0};
  const wire *idle = reduced ? find_idle_latches(&g->circuit, properties, scratch) : NULL;
  rebuild_begin(&t.r, out, &g->circuit, idle, keep);
  rebuild_gates(&t.r, rebuild_copy_gate, NULL);
  for (uint32_t i = 0; i < properties->count; i++)
    if (property_is_reach(properties->items[i].kind))
      vec_push(scratch, &targets, make_target(&t, &properties->items[i]));
  add_extras(&t, properties, &targets);
  rebuild_end(&t.r);
  put_targets(out, &targets, asks_for_marks(properties));
  arena_free(scratch);
}

uint32_t *question_targets(const property_vec *properties, arena *keep) {
  uint32_t *target_of = arena_new_array(keep, uint32_t, properties->count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < properties->count; i++)
    target_of[i] = property_is_reach(properties->items[i].kind) ? count++ : ID_NONE;
  return target_of;
}
