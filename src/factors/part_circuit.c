#include "factors/part_circuit.h"

#include "circuit/gate_maker.h"
#include "factors/factor_reads.h"

typedef struct part_maker {
  part_circuit *p;
  const factors *f;
  const circuit *in;
  const factor_summary *s;
  uint32_t part;
  uint32_t class_count;
  uint32_t *firsts; /* by class: a move of it */
  gate_maker maker;
  bitset needed;       /* gates of `in` */
  wire *wires;         /* by gate of `in` */
  uint32_t *number_of; /* by latch of `in`: its number in the part */
  wire_vec *legal;     /* by class: its conditions, wires of `in` */
  arena *keep, *scratch;
} part_maker;

/* ---- classes ---- */

static bool is_common_part(const part_maker *x) { return x->part == x->f->count; }

static bool is_idle_everywhere(const part_maker *x, uint32_t move) {
  for (uint32_t part = 0; part < x->f->count; part++)
    if (!factor_move_is_idle(x->f, part, 0, move)) return false;
  return true;
}

static uint32_t class_with_legal(const part_maker *x, wire legal) {
  for (uint32_t i = 1; i < x->class_count; i++)
    if (x->in->moves.items[x->firsts[i]].legal == legal) return i;
  return x->class_count;
}

/* What is common: 0 is any move of a part, and those that are idle everywhere differ by when they
   are legal. */
static void class_common(part_maker *x) {
  x->class_count = 1;
  x->firsts[0] = 0;
  x->p->idle = x->f->choices[0] == CHOOSES_ONE_PART ? 0 : CLASS_NONE;
  for (uint32_t m = 0; m < x->in->moves.count; m++) {
    x->p->class_of[m] = 0;
    if (x->f->choices[0] != CHOOSES_ONE_PART || !is_idle_everywhere(x, m)) continue;
    const uint32_t class = class_with_legal(x, x->in->moves.items[m].legal);
    if (class == x->class_count) x->firsts[x->class_count++] = m;
    x->p->class_of[m] = class;
  }
}

static void class_moves(part_maker *x) {
  const uint32_t moves = x->in->moves.count;
  x->p->class_of = arena_new_array(x->keep, uint32_t, moves + (size_t)1);
  x->firsts = arena_new_array(x->scratch, uint32_t, moves + (size_t)2);
  if (is_common_part(x)) {
    class_common(x);
    return;
  }
  x->class_count = factor_class_count(x->f, x->part, 0);
  x->p->idle =
      x->f->choices[0] == CHOOSES_ONE_PART ? factor_idle_class(x->f, x->part, 0) : CLASS_NONE;
  for (uint32_t m = moves; m-- > 0;) {
    x->p->class_of[m] = factor_class(x->f, x->part, m);
    x->firsts[x->p->class_of[m]] = m;
  }
}

/* ---- what is needed ---- */

static void need(part_maker *x, id_vec *queue, wire w) {
  if (bitset_insert(x->needed, wire_gate(w))) vec_push(x->scratch, queue, wire_gate(w));
}

static void need_all(part_maker *x, id_vec *queue) {
  const circuit *c = x->in;
  while (queue->count) {
    const gate_id g = vec_pop(queue);
    const gate it = c->gates.items[g];
    if (it.kind == GATE_LATCH) need(x, queue, c->latches.items[it.number].next);
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      need(x, queue, gate_inputs(c, g)[i]);
  }
}

/* By gate: the part that it reads, or PART_COMMON.  Conditions read one part at most. */
static uint32_t *find_parts_below(const part_maker *x) {
  const circuit *c = x->in;
  uint32_t *below = arena_new_array(x->scratch, uint32_t, c->gates.count);
  for (gate_id g = 0; g < c->gates.count; g++) {
    const gate it = c->gates.items[g];
    below[g] = it.kind == GATE_LATCH ? x->f->part_of[it.number] : PART_COMMON;
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      if (below[g] == PART_COMMON) below[g] = below[wire_gate(gate_inputs(c, g)[i])];
  }
  return below;
}

static void need_conditions(part_maker *x, id_vec *queue) {
  const uint32_t *below = find_parts_below(x);
  x->legal = arena_zero_array(x->scratch, wire_vec, x->class_count + (size_t)1);
  for (uint32_t i = 0; i < x->class_count; i++) {
    wire_vec all = {0};
    if (i == x->p->idle) continue;
    factor_list_conjuncts(x->in, x->in->moves.items[x->firsts[i]].legal, &all, x->scratch);
    for (uint32_t n = 0; n < all.count; n++) {
      const uint32_t part = below[wire_gate(all.items[n])];
      if (part != PART_COMMON && part != x->part) continue; /* it counts there */
      vec_push(x->scratch, &x->legal[i], all.items[n]);
      need(x, queue, all.items[n]);
    }
  }
}

static void need_features(part_maker *x, id_vec *queue) {
  const uint32_t part = is_common_part(x) ? PART_COMMON : x->part;
  for (uint32_t i = 0; i < x->s->features.count; i++) {
    const factor_feature *f = &x->s->features.items[i];
    if (f->part != part) continue;
    vec_push(x->keep, &x->p->features, i);
    for (uint32_t n = 0; n < f->count; n++) need(x, queue, x->s->wires.items[f->first + n]);
  }
}

static void find_needed(part_maker *x) {
  id_vec queue = {0};
  x->needed = bitset_new(x->scratch, x->in->gates.count);
  need(x, &queue, WIRE_FALSE);
  for (uint32_t i = 0; i < x->in->latches.count; i++)
    if (x->f->part_of[i] == x->part) need(x, &queue, wire_of(x->in->latches.items[i].gate, false));
  need_conditions(x, &queue);
  need_features(x, &queue);
  need_all(x, &queue);
}

/* ---- the circuit ---- */

static wire made(const part_maker *x, wire w) {
  return x->wires[wire_gate(w)] ^ wire_is_negated(w);
}

static void make_latches(part_maker *x) {
  circuit *c = &x->p->c;
  for (uint32_t i = 0; i < x->in->latches.count; i++) {
    circuit_latch latch = x->in->latches.items[i];
    const gate_id old = latch.gate;
    if (!bitset_has(x->needed, old)) continue;
    x->wires[old] = make_input(&x->maker, GATE_LATCH, c->latches.count);
    latch.gate = wire_gate(x->wires[old]);
    const circuit_fluent fluent = {.term = x->in->fluents.items[latch.fluent].term,
                                   .now = x->wires[old]};
    latch.fluent = c->fluents.count;
    vec_push(x->keep, &c->fluents, fluent);
    vec_push(x->keep, &c->latches, latch);
    x->number_of[i] = c->latches.count - 1;
  }
}

/* One role, whose moves are the classes. */
static void make_moves(part_maker *x) {
  circuit *c = &x->p->c;
  const circuit_role role = {.term = x->in->roles.items[0].term, .move_count = x->class_count};
  vec_push(x->keep, &c->roles, role);
  for (uint32_t i = 0; i < x->class_count; i++) {
    wire does = WIRE_TRUE;
    if (x->class_count == 2 && i == 1)
      does = wire_not(c->moves.items[0].does);
    else if (x->class_count > 1)
      does = make_input(&x->maker, GATE_MOVE, i);
    const circuit_move move = {.term = x->in->moves.items[x->firsts[i]].term, .does = does};
    vec_push(x->keep, &c->moves, move);
  }
}

/* Of the moves of a class, one is made; the others never are. */
static wire move_wire(const part_maker *x, uint32_t move) {
  const uint32_t class = x->p->class_of[move];
  if (is_common_part(x) || x->firsts[class] != move) return WIRE_FALSE;
  return x->p->c.moves.items[class].does;
}

static void make_gates(part_maker *x) {
  wire_vec inputs = {0};
  for (gate_id g = 0; g < x->in->gates.count; g++) {
    const gate it = x->in->gates.items[g];
    if (!bitset_has(x->needed, g)) continue;
    if (it.kind == GATE_CONSTANT) x->wires[g] = WIRE_FALSE;
    if (it.kind == GATE_MOVE) x->wires[g] = move_wire(x, it.number);
    if (it.kind != GATE_AND) continue;
    inputs.count = 0;
    for (uint32_t i = 0; i < it.input_count; i++)
      vec_push(x->scratch, &inputs, made(x, gate_inputs(x->in, g)[i]));
    x->wires[g] = make_and(&x->maker, inputs.items, inputs.count);
  }
}

static wire make_conjunction(part_maker *x, const wire *wires, uint32_t count) {
  wire_vec inputs = {0};
  for (uint32_t i = 0; i < count; i++) vec_push(x->scratch, &inputs, made(x, wires[i]));
  return inputs.count ? make_and(&x->maker, inputs.items, inputs.count) : WIRE_TRUE;
}

/* The target of a feature; ID_NONE: it is not of this part. */
static wire target_of(const part_maker *x, uint32_t feature) {
  for (uint32_t i = 0; i < x->p->features.count; i++)
    if (x->p->features.items[i] == feature) return x->p->c.targets.items[i];
  return ID_NONE;
}

/* What `terminal` is a disjunction of, as negated literals: those of the conjunction that it
   negates, and of conjunctions in that. */
static id_vec list_ends(const part_maker *x) {
  const summary_literal end = x->s->outputs.items[0];
  id_vec ends = {0}, open = {0};
  if (!(end & 2)) vec_push(x->scratch, &ends, end ^ 1);
  if ((end & 3) == 3) vec_push(x->scratch, &open, end >> 2);
  while (open.count) {
    const summary_gate g = x->s->gates.items[vec_pop(&open)];
    for (uint32_t i = 0; i < g.count; i++) {
      const summary_literal l = x->s->inputs.items[g.first + i];
      if ((l & 3) == 2)
        vec_push(x->scratch, &open, l >> 2);
      else
        vec_push(x->scratch, &ends, l);
    }
  }
  return ends;
}

/* The part alone ends the game where one of its features does. */
static wire make_terminal(part_maker *x) {
  const id_vec ends = list_ends(x);
  wire_vec any = {0};
  for (uint32_t i = 0; i < ends.count; i++) {
    const summary_literal l = ends.items[i];
    const wire target = l & 2 ? ID_NONE : target_of(x, l >> 2);
    if (target != ID_NONE) vec_push(x->scratch, &any, target ^ (l & 1) ^ 1);
  }
  return any.count ? make_or(&x->maker, any.items, any.count) : WIRE_FALSE;
}

static void make_outputs(part_maker *x) {
  circuit *c = &x->p->c;
  for (uint32_t i = 0; i < x->in->latches.count; i++)
    if (x->number_of[i] != ID_NONE)
      c->latches.items[x->number_of[i]].next = made(x, x->in->latches.items[i].next);
  for (uint32_t i = 0; i < x->class_count; i++)
    c->moves.items[i].legal = make_conjunction(x, x->legal[i].items, x->legal[i].count);
  for (uint32_t i = 0; i < x->p->features.count; i++) {
    const factor_feature *f = &x->s->features.items[x->p->features.items[i]];
    const wire target = make_conjunction(x, vec_from(&x->s->wires, f->first), f->count);
    vec_push(x->keep, &c->targets, target);
  }
  c->terminal = make_terminal(x);
}

void part_circuit_make(part_circuit *p, const factors *f, uint32_t part, const factor_summary *s,
                       arena *keep) {
  *p = (part_circuit){.idle = CLASS_NONE};
  part_maker x = {.p = p, .f = f, .in = f->c, .s = s, .part = part, .keep = keep};
  x.scratch = arena_new();
  x.wires = arena_zero_array(x.scratch, wire, f->c->gates.count);
  x.number_of = arena_new_array(x.scratch, uint32_t, f->c->latches.count + (size_t)1);
  for (uint32_t i = 0; i < f->c->latches.count; i++) x.number_of[i] = ID_NONE;
  class_moves(&x);
  find_needed(&x);
  gate_maker_init(&x.maker, &p->c, keep, x.scratch);
  p->c.terms = f->c->terms;
  make_latches(&x);
  make_moves(&x);
  make_gates(&x);
  make_outputs(&x);
  arena_free(x.scratch);
}
