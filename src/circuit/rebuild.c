#include "circuit/rebuild.h"

#include <string.h>

/* ---- what is needed ---- */

/* An output counts as two gates: what it reads does not become part of a gate. */
enum { READS_OF_OUTPUT = 2 };

static void add_outcomes(wire_vec *to, const circuit_outcome *outcomes, uint32_t count,
                         arena *scratch) {
  for (uint32_t i = 0; i < count; i++) vec_push(scratch, to, outcomes[i].holds);
}

/* What a circuit is for; latches that have become other wires have no next value. */
static wire_vec list_outputs(const circuit *c, const wire *latch_wires, arena *scratch) {
  wire_vec all = {0};
  for (uint32_t i = 0; i < c->latches.count; i++)
    if (!latch_wires || latch_wires[i] == ID_NONE)
      vec_push(scratch, &all, c->latches.items[i].next);
  for (uint32_t i = 0; i < c->moves.count; i++) vec_push(scratch, &all, c->moves.items[i].legal);
  add_outcomes(&all, c->goals.items, c->goals.count, scratch);
  add_outcomes(&all, c->percepts.items, c->percepts.count, scratch);
  for (uint32_t i = 0; i < c->marks.count; i++) vec_push(scratch, &all, c->marks.items[i].holds);
  vec_append(scratch, &all, c->targets.items, c->targets.count);
  vec_push(scratch, &all, c->terminal);
  return all;
}

/* What is read by a gate of a component; those of its own gates are put in the queue. */
static void count_in_component(const circuit_component *component, const wire *read, uint32_t count,
                               uint32_t by, uint32_t *fanout, id_vec *queue, arena *scratch) {
  for (uint32_t i = 0; i < count; i++) {
    const gate_id g = wire_gate(read[i]);
    if (!fanout[g] && g >= component->first) vec_push(scratch, queue, g);
    fanout[g] += by;
  }
}

/* A component has no order: its places are read before their definitions. */
static void count_component(const circuit *c, const circuit_component *component, uint32_t *fanout,
                            arena *scratch) {
  id_vec queue = {0};
  for (gate_id g = component->first; g < component->end; g++)
    if (fanout[g]) vec_push(scratch, &queue, g);
  while (queue.count) {
    const gate_id g = vec_pop(&queue);
    const gate it = c->gates.items[g];
    if (it.kind == GATE_LOOP)
      count_in_component(component, &c->places.items[it.number].definition, 1, READS_OF_OUTPUT,
                         fanout, &queue, scratch);
    else if (it.kind == GATE_AND)
      count_in_component(component, gate_inputs(c, g), it.input_count, 1, fanout, &queue, scratch);
  }
}

uint32_t *circuit_fanout_from(const circuit *c, const wire_vec *outputs, arena *keep) {
  arena *scratch = arena_new();
  uint32_t *fanout = arena_zero_array(keep, uint32_t, c->gates.count);
  uint32_t components = c->components.count;
  for (uint32_t i = 0; i < outputs->count; i++)
    fanout[wire_gate(outputs->items[i])] += READS_OF_OUTPUT;
  for (gate_id g = c->gates.count; g-- > 0;) {
    if (components && c->components.items[components - 1].end == g + 1) {
      const circuit_component *component = &c->components.items[--components];
      count_component(c, component, fanout, scratch);
      g = component->first;
      continue;
    }
    const gate it = c->gates.items[g];
    if (it.kind != GATE_AND || !fanout[g]) continue;
    const wire *inputs = gate_inputs(c, g);
    for (uint32_t i = 0; i < it.input_count; i++) fanout[wire_gate(inputs[i])]++;
  }
  arena_free(scratch);
  return fanout;
}

uint32_t *circuit_fanout(const circuit *c, arena *keep) {
  arena *scratch = arena_new();
  const wire_vec outputs = list_outputs(c, NULL, scratch);
  uint32_t *fanout = circuit_fanout_from(c, &outputs, keep);
  arena_free(scratch);
  return fanout;
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
  for (gate_id g = 0; g < r->in->gates.count; g++) {
    const gate it = r->in->gates.items[g];
    if (it.kind == GATE_MOVE) r->wires[g] = make_input(&r->maker, GATE_MOVE, it.number);
  }
}

/* Makes room for about as many gates as are needed. */
static void expect_needed(rebuild *r) {
  uint32_t gates = 0, inputs = 0;
  for (gate_id g = 0; g < r->in->gates.count; g++) {
    const gate it = r->in->gates.items[g];
    if (it.kind != GATE_AND || !r->fanout[g]) continue;
    gates++;
    inputs += it.input_count;
  }
  gate_maker_expect(&r->maker, gates, inputs);
}

void rebuild_begin_for(rebuild *r, circuit *out, const circuit *in, const wire *latch_wires,
                       const wire_vec *outputs, arena *keep) {
  *r = (rebuild){.in = in, .out = out, .scratch = arena_new()};
  gate_maker_init(&r->maker, out, keep, r->scratch);
  out->terms = in->terms;
  out->pass_count = in->pass_count;
  memcpy(out->counts, in->counts, sizeof out->counts);
  r->wires = arena_zero_array(r->scratch, wire, in->gates.count);
  r->fanout = circuit_fanout_from(in, outputs, r->scratch);
  expect_needed(r);
  copy_latches(r, latch_wires);
  copy_moves(r);
}

void rebuild_begin(rebuild *r, circuit *out, const circuit *in, const wire *latch_wires,
                   arena *keep) {
  arena *scratch = arena_new();
  const wire_vec outputs = list_outputs(in, latch_wires, scratch);
  rebuild_begin_for(r, out, in, latch_wires, &outputs, keep);
  arena_free(scratch);
}

/* ---- gates ---- */

void rebuild_read_inputs(rebuild *r, gate_id g) {
  const wire *old = gate_inputs(r->in, g);
  const uint32_t count = r->in->gates.items[g].input_count;
  r->inputs.count = 0;
  vec_reserve(r->scratch, &r->inputs, count);
  for (uint32_t i = 0; i < count; i++) r->inputs.items[i] = rebuild_wire(r, old[i]);
  r->inputs.count = count;
}

wire rebuild_copy_gate(rebuild *r, gate_id g, void *context) {
  (void)context;
  rebuild_read_inputs(r, g);
  return make_and(&r->maker, r->inputs.items, r->inputs.count);
}

static void begin_component(rebuild *r, const circuit_component *old) {
  circuit_component component = {.first_place = r->out->places.count, .first = r->out->gates.count};
  for (uint32_t i = 0; i < old->place_count; i++) {
    const circuit_place place = r->in->places.items[old->first_place + i];
    if (!r->fanout[place.gate]) continue;
    const circuit_place fresh = {
        .gate = wire_gate(make_input(&r->maker, GATE_LOOP, r->out->places.count)),
        .definition = place.definition}; /* a wire of `in`, until the component is done */
    r->wires[place.gate] = wire_of(fresh.gate, false);
    vec_push(r->out->keep, &r->out->places, fresh);
  }
  component.place_count = r->out->places.count - component.first_place;
  vec_push(r->out->keep, &r->out->components, component);
}

static void end_component(rebuild *r) {
  circuit_component *component = &vec_last(&r->out->components);
  for (uint32_t i = 0; i < component->place_count; i++) {
    circuit_place *place = &r->out->places.items[component->first_place + i];
    place->definition = rebuild_wire(r, place->definition);
  }
  component->end = r->out->gates.count;
  if (!component->place_count) r->out->components.count--;
}

void rebuild_gates(rebuild *r, rebuild_fn *make, void *context) {
  const circuit *in = r->in;
  uint32_t next_component = 0;
  for (gate_id g = 0; g < in->gates.count && !budget_is_spent(r->limits); g++) {
    const bool has_component = next_component < in->components.count;
    if (has_component && in->components.items[next_component].first == g)
      begin_component(r, &in->components.items[next_component]);
    if (in->gates.items[g].kind == GATE_AND && r->fanout[g]) r->wires[g] = make(r, g, context);
    if (has_component && in->components.items[next_component].end == g + 1) {
      end_component(r);
      next_component++;
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
  vec_append(out->keep, &out->marks, in->marks.items, in->marks.count);
  for (uint32_t i = 0; i < out->marks.count; i++)
    out->marks.items[i].holds = rebuild_wire(r, out->marks.items[i].holds);
  vec_append(out->keep, &out->targets, in->targets.items, in->targets.count);
  for (uint32_t i = 0; i < out->targets.count; i++)
    out->targets.items[i] = rebuild_wire(r, out->targets.items[i]);
  out->terminal = rebuild_wire(r, in->terminal);
  rebuild_free(r);
}

void rebuild_free(rebuild *r) { arena_free(r->scratch); }
