#include "circuit/rebuild.h"

#include <string.h>

/* ---- what is needed ---- */

static void need(bitset needed, id_vec *queue, arena *scratch, wire w) {
  if (bitset_insert(needed, wire_gate(w))) vec_push(scratch, queue, wire_gate(w));
}

static void need_outputs(const circuit *c, bitset needed, id_vec *queue, arena *scratch) {
  for (uint32_t i = 0; i < c->latches.count; i++)
    need(needed, queue, scratch, c->latches.items[i].next);
  for (uint32_t i = 0; i < c->moves.count; i++)
    need(needed, queue, scratch, c->moves.items[i].legal);
  for (uint32_t i = 0; i < c->goals.count; i++)
    need(needed, queue, scratch, c->goals.items[i].holds);
  for (uint32_t i = 0; i < c->percepts.count; i++)
    need(needed, queue, scratch, c->percepts.items[i].holds);
  need(needed, queue, scratch, c->terminal);
}

bitset circuit_needed_gates(const circuit *c, arena *keep) {
  arena *scratch = arena_new();
  const bitset needed = bitset_new(keep, c->gates.count);
  id_vec queue = {0};
  need_outputs(c, needed, &queue, scratch);
  while (queue.count) {
    const gate_id g = vec_pop(&queue);
    const gate it = c->gates.items[g];
    if (it.kind == GATE_LOOP) need(needed, &queue, scratch, c->places.items[it.number].definition);
    if (it.kind != GATE_AND) continue;
    for (uint32_t i = 0; i < it.input_count; i++)
      need(needed, &queue, scratch, gate_inputs(c, g)[i]);
  }
  arena_free(scratch);
  return needed;
}

static void count_fanout(rebuild *r) {
  const circuit *c = r->in;
  r->fanout = arena_zero_array(r->scratch, uint32_t, c->gates.count);
  for (gate_id g = 0; g < c->gates.count; g++) {
    if (c->gates.items[g].kind != GATE_AND || !bitset_has(r->needed, g)) continue;
    for (uint32_t i = 0; i < c->gates.items[g].input_count; i++)
      r->fanout[wire_gate(gate_inputs(c, g)[i])]++;
  }
  for (uint32_t i = 0; i < c->latches.count; i++) r->fanout[wire_gate(c->latches.items[i].next)]++;
  for (uint32_t i = 0; i < c->moves.count; i++) r->fanout[wire_gate(c->moves.items[i].legal)]++;
  for (uint32_t i = 0; i < c->goals.count; i++) r->fanout[wire_gate(c->goals.items[i].holds)]++;
  for (uint32_t i = 0; i < c->percepts.count; i++)
    r->fanout[wire_gate(c->percepts.items[i].holds)]++;
  for (uint32_t i = 0; i < c->places.count; i++)
    r->fanout[wire_gate(c->places.items[i].definition)]++;
  r->fanout[wire_gate(c->terminal)]++;
}

/* ---- inputs ---- */

static void copy_latches(rebuild *r, const wire *latch_wires) {
  for (uint32_t i = 0; i < r->in->latches.count; i++) {
    circuit_latch latch = r->in->latches.items[i];
    const gate_id old = latch.gate;
    if (latch_wires && latch_wires[i] != ID_NONE) {
      r->wires[old] = rebuild_wire(r, latch_wires[i]);
      continue;
    }
    latch.gate = wire_gate(make_input(&r->maker, GATE_LATCH, r->out->latches.count));
    r->wires[old] = wire_of(latch.gate, false);
    vec_push(r->out->keep, &r->out->latches, latch);
  }
}

static void copy_moves(rebuild *r) {
  const circuit *in = r->in;
  for (gate_id g = 0; g < in->gates.count; g++) {
    const gate it = in->gates.items[g];
    if (it.kind == GATE_MOVE) r->wires[g] = make_input(&r->maker, GATE_MOVE, it.number);
    if (it.kind == GATE_MOVE_SET && r->maker.sets)
      r->wires[g] = make_move_choice(&r->maker, move_choice_of(in, wire_of(g, false)));
  }
}

void rebuild_begin(rebuild *r, circuit *out, const circuit *in, const wire *latch_wires,
                   move_sets *sets, arena *keep) {
  *r = (rebuild){.in = in, .out = out, .scratch = arena_new()};
  gate_maker_init(&r->maker, out, sets, keep, r->scratch);
  out->terms = in->terms;
  out->pass_count = in->pass_count;
  memcpy(out->counts, in->counts, sizeof out->counts);
  r->wires = arena_zero_array(r->scratch, wire, in->gates.count);
  r->needed = circuit_needed_gates(in, r->scratch);
  count_fanout(r);
  copy_latches(r, latch_wires);
  copy_moves(r);
}

/* ---- gates ---- */

void rebuild_read_inputs(rebuild *r, gate_id g) {
  r->inputs.count = 0;
  for (uint32_t i = 0; i < r->in->gates.items[g].input_count; i++)
    vec_push(r->scratch, &r->inputs, rebuild_wire(r, gate_inputs(r->in, g)[i]));
}

wire rebuild_copy_gate(rebuild *r, gate_id g, void *context) {
  (void)context;
  rebuild_read_inputs(r, g);
  return make_and(&r->maker, r->inputs.items, r->inputs.count);
}

static void begin_part(rebuild *r, const circuit_part *old) {
  circuit_part part = {.first_place = r->out->places.count, .first = r->out->gates.count};
  for (uint32_t i = 0; i < old->place_count; i++) {
    const circuit_place place = r->in->places.items[old->first_place + i];
    if (!bitset_has(r->needed, place.gate)) continue;
    const circuit_place fresh = {
        .gate = wire_gate(make_input(&r->maker, GATE_LOOP, r->out->places.count)),
        .definition = place.definition}; /* a wire of `in`, until the part is done */
    r->wires[place.gate] = wire_of(fresh.gate, false);
    vec_push(r->out->keep, &r->out->places, fresh);
  }
  part.place_count = r->out->places.count - part.first_place;
  vec_push(r->out->keep, &r->out->parts, part);
}

static void end_part(rebuild *r) {
  circuit_part *part = &vec_last(&r->out->parts);
  for (uint32_t i = 0; i < part->place_count; i++) {
    circuit_place *place = &r->out->places.items[part->first_place + i];
    place->definition = rebuild_wire(r, place->definition);
  }
  part->end = r->out->gates.count;
  if (!part->place_count) r->out->parts.count--;
}

void rebuild_gates(rebuild *r, rebuild_fn *make, void *context) {
  const circuit *in = r->in;
  uint32_t next_part = 0;
  for (gate_id g = 0; g < in->gates.count; g++) {
    const bool has_part = next_part < in->parts.count;
    if (has_part && in->parts.items[next_part].first == g)
      begin_part(r, &in->parts.items[next_part]);
    if (in->gates.items[g].kind == GATE_AND && bitset_has(r->needed, g))
      r->wires[g] = make(r, g, context);
    if (has_part && in->parts.items[next_part].end == g + 1) {
      end_part(r);
      next_part++;
    }
  }
}

/* ---- outputs ---- */

static void copy_outcomes(rebuild *r, circuit_outcome *to, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) to[i].holds = rebuild_wire(r, to[i].holds);
}

void rebuild_end(rebuild *r) {
  const circuit *in = r->in;
  circuit *out = r->out;
  for (uint32_t i = 0; i < out->latches.count; i++)
    out->latches.items[i].next = rebuild_wire(r, out->latches.items[i].next);
  vec_append(out->keep, &out->fluents, in->fluents.items, in->fluents.count);
  for (uint32_t i = 0; i < out->fluents.count; i++)
    out->fluents.items[i].now = rebuild_wire(r, out->fluents.items[i].now);
  vec_append(out->keep, &out->roles, in->roles.items, in->roles.count);
  vec_append(out->keep, &out->moves, in->moves.items, in->moves.count);
  for (uint32_t i = 0; i < out->moves.count; i++) {
    out->moves.items[i].legal = rebuild_wire(r, out->moves.items[i].legal);
    out->moves.items[i].does = rebuild_wire(r, out->moves.items[i].does);
  }
  vec_append(out->keep, &out->goals, in->goals.items, in->goals.count);
  copy_outcomes(r, out->goals.items, out->goals.count);
  vec_append(out->keep, &out->percepts, in->percepts.items, in->percepts.count);
  copy_outcomes(r, out->percepts.items, out->percepts.count);
  out->terminal = rebuild_wire(r, in->terminal);
  arena_free(r->scratch);
}
