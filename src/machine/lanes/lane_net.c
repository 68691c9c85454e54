#include "machine/lanes/lane_net.h"

#include "circuit/circuit_sound.h"
#include "machine/lanes/lane_net_build.h"
#include "machine/lanes/lane_reset.h"

#include <assert.h>
#include <string.h>

edge net_edge(net_builder *b, wire w) {
  const gate it = b->c->gates.items[wire_gate(w)];
  if (it.kind == GATE_MOVE && b->edges[wire_gate(w)] == ID_NONE)
    b->edges[wire_gate(w)] = net_move(b, it.number);
  return b->edges[wire_gate(w)] ^ wire_is_negated(w);
}

/* ---- what is needed ---- */

static void need(bitset set, id_vec *queue, arena *scratch, wire w) {
  if (bitset_insert(set, wire_gate(w))) vec_push(scratch, queue, wire_gate(w));
}

/* Carries needs on; through latches to their next values if `with_next`. */
static void need_inputs(net_builder *b, bitset set, id_vec *queue, bool with_next) {
  const circuit *c = b->c;
  while (queue->count) {
    const gate_id g = vec_pop(queue);
    const gate it = c->gates.items[g];
    if (it.kind == GATE_LOOP) need(set, queue, b->scratch, c->places.items[it.number].definition);
    if (it.kind == GATE_LATCH && with_next)
      need(set, queue, b->scratch, c->latches.items[it.number].next);
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      need(set, queue, b->scratch, gate_inputs(c, g)[i]);
  }
}

static void need_legal(net_builder *b, bitset set, id_vec *queue) {
  for (uint32_t i = 0; i < b->c->moves.count; i++)
    need(set, queue, b->scratch, b->c->moves.items[i].legal);
}

static void need_answers(net_builder *b, bitset set, id_vec *queue) {
  const circuit *c = b->c;
  need(set, queue, b->scratch, c->terminal);
  need_legal(b, set, queue);
  for (uint32_t i = 0; i < c->goals.count; i++)
    need(set, queue, b->scratch, c->goals.items[i].holds);
  for (uint32_t i = 0; i < c->targets.count; i++) need(set, queue, b->scratch, c->targets.items[i]);
}

static void find_needs(net_builder *b) {
  const circuit *c = b->c;
  id_vec queue = {0};
  b->lawful = bitset_new(b->scratch, c->gates.count);
  b->still = bitset_new(b->scratch, c->gates.count);
  b->kept = bitset_new(b->scratch, c->gates.count);
  need_legal(b, b->lawful, &queue);
  need_inputs(b, b->lawful, &queue, false);
  need_answers(b, b->still, &queue);
  need_inputs(b, b->still, &queue, false);
  need_answers(b, b->kept, &queue);
  if (b->kind == NET_STEPS) {
    for (uint32_t i = 0; i < c->latches.count; i++)
      need(b->kept, &queue, b->scratch, wire_of(c->latches.items[i].gate, false));
    for (uint32_t i = 0; i < c->percepts.count; i++)
      need(b->kept, &queue, b->scratch, c->percepts.items[i].holds);
    for (uint32_t i = 0; i < c->marks.count; i++)
      need(b->kept, &queue, b->scratch, c->marks.items[i].holds);
  }
  need_inputs(b, b->kept, &queue, true);
}

static void add_latches(net_builder *b) {
  for (uint32_t i = 0; i < b->c->latches.count; i++) {
    const gate_id g = b->c->latches.items[i].gate;
    if (!bitset_has(b->kept, g)) continue;
    b->edges[g] = add_input(b);
    vec_push(b->n->keep, &b->n->latches, i);
  }
}

static void add_places(net_builder *b) {
  for (uint32_t i = 0; i < b->c->places.count; i++) {
    const gate_id g = b->c->places.items[i].gate;
    if (bitset_has(b->kept, g)) b->edges[g] = add_input(b);
  }
}

/* ---- gates ---- */

/* What a conjunction says of moves is one condition; the others are as they are. */
static void make_gate(net_builder *b, gate_id g) {
  const uint32_t count = b->c->gates.items[g].input_count;
  const bool excludes = b->kind != NET_STEPS && gate_moves_count(&b->asked, g) > 1;
  const edge none = excludes ? net_none_of_moves(b, g) : EDGE_TRUE;
  b->inputs.count = 0;
  if (excludes) vec_push(b->scratch, &b->inputs, none);
  for (uint32_t i = 0; i < count; i++) {
    const wire w = gate_inputs(b->c, g)[i];
    if (excludes && gate_moves_is_part(&b->asked, b->c, w)) continue;
    const edge e = net_edge(b, w);
    vec_push(b->scratch, &b->inputs, e);
  }
  if (b->kind != NET_STEPS) net_use_counts(b, &b->inputs);
  b->edges[g] = aig_all(&b->g, b->inputs.items, b->inputs.count);
}

/* False: the budget is spent. */
static bool make_gates(net_builder *b, bitset which) {
  for (gate_id g = 1; g < b->c->gates.count; g++) {
    if (b->c->gates.items[g].kind != GATE_AND || b->edges[g] != ID_NONE || !bitset_has(which, g))
      continue;
    if (budget_is_spent(b->limits)) return false;
    make_gate(b, g);
  }
  return true;
}

static void take_moves(net_builder *b) {
  b->n->first_move = next_slot(b);
  for (uint32_t i = 0; i < b->c->moves.count; i++) {
    const edge e = add_input(b);
    const wire does = b->c->moves.items[i].does;
    const gate it = b->c->gates.items[wire_gate(does)];
    if (it.kind == GATE_MOVE && !wire_is_negated(does)) b->edges[wire_gate(does)] = e;
  }
}

/* ---- roots ---- */

/* In a stepping net all answers can be read together. */
static lane_phase until(const net_builder *b, lane_phase phase) {
  return b->kind == NET_STEPS ? PHASE_LEGAL : phase;
}

static void add_early_roots(net_builder *b) {
  const circuit *c = b->c;
  b->n->terminal = next_root(b);
  add_root(b, net_edge(b, c->terminal), PHASE_TERMINAL, until(b, PHASE_TERMINAL));
  b->n->goals = next_root(b);
  for (uint32_t i = 0; i < c->goals.count; i++)
    add_root(b, net_edge(b, c->goals.items[i].holds), PHASE_GOALS, until(b, PHASE_GOALS));
  b->n->targets = next_root(b);
  for (uint32_t i = 0; i < c->targets.count; i++)
    add_root(b, net_edge(b, c->targets.items[i]), PHASE_GOALS, until(b, PHASE_GOALS));
  if (b->kind != NET_STEPS) return;
  b->n->legal = next_root(b);
  for (uint32_t i = 0; i < c->moves.count; i++)
    add_root(b, net_edge(b, c->moves.items[i].legal), PHASE_LEGAL, PHASE_LEGAL);
}

/* The next values of latches, or their first where a game begins. */
static void add_latched_roots(net_builder *b) {
  const uint32_t count = b->n->latches.count;
  lane_reset *latches = arena_new_array(b->scratch, lane_reset, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const circuit_latch *l = &b->c->latches.items[b->n->latches.items[i]];
    latches[i] = (lane_reset){net_edge(b, l->next), l->initially};
  }
  lane_reset_all(&b->g, latches, count, b->gone, b->scratch);
  for (uint32_t i = 0; i < count; i++) {
    const lane_root root = {latches[i].next, PHASE_NEXT, PHASE_NEXT, i + 1};
    vec_push(b->scratch, &b->plan.roots, root);
  }
}

static void add_late_roots(net_builder *b) {
  const circuit *c = b->c;
  b->n->next = next_root(b);
  if (b->kind != NET_STEPS) {
    add_latched_roots(b);
  } else {
    for (uint32_t i = 0; i < b->n->latches.count; i++)
      add_root(b, net_edge(b, c->latches.items[b->n->latches.items[i]].next), PHASE_NEXT,
               PHASE_NEXT);
    b->n->percepts = next_root(b);
    for (uint32_t i = 0; i < c->percepts.count; i++)
      add_root(b, net_edge(b, c->percepts.items[i].holds), PHASE_NEXT, PHASE_NEXT);
    b->n->marks = next_root(b);
    for (uint32_t i = 0; i < c->marks.count; i++)
      add_root(b, net_edge(b, c->marks.items[i].holds), PHASE_NEXT, PHASE_NEXT);
  }
  if (b->kind == NET_RECORDS) {
    b->n->does = next_root(b);
    for (uint32_t i = 0; i < c->moves.count; i++)
      add_root(b, net_move(b, i), PHASE_NEXT, PHASE_NEXT);
  }
}

static void list_components(net_builder *b) {
  const circuit *c = b->c;
  b->plan.component_count = c->components.count;
  for (uint32_t component = 0; component < c->components.count; component++)
    for (uint32_t i = 0; i < c->components.items[component].place_count; i++) {
      const circuit_place *place = &c->places.items[c->components.items[component].first_place + i];
      if (!bitset_has(b->kept, place->gate)) continue;
      const lane_plan_place p = {edge_node(b->edges[place->gate]), net_edge(b, place->definition),
                                 component};
      vec_push(b->scratch, &b->plan.places, p);
    }
}

/* ---- all of it ---- */

static void builder_init(net_builder *b) {
  const circuit *c = b->c;
  aig_init(&b->g, b->scratch);
  b->plan = (lane_plan){.g = &b->g};
  b->edges = arena_new_array(b->scratch, edge, c->gates.count);
  memset(b->edges, 0xff, c->gates.count * sizeof *b->edges);
  b->edges[0] = EDGE_FALSE;
  find_needs(b);
  add_latches(b);
  add_places(b);
  if (b->kind != NET_STEPS) gate_moves_find(&b->asked, c, b->kept, b->scratch);
}

/* Terminal and goals come behind the draws, whose counts they may use. */
static bool build_graph(net_builder *b) {
  if (!make_gates(b, b->lawful)) return false;
  if (b->kind != NET_STEPS) net_plan_draws(b);
  if (!make_gates(b, b->still)) return false;
  add_early_roots(b);
  if (b->kind == NET_STEPS)
    take_moves(b);
  else
    net_add_draws(b);
  if (!make_gates(b, b->kept)) return false;
  b->n->gone = next_slot(b);
  b->gone = add_input(b);
  add_late_roots(b);
  list_components(b);
  return true;
}

bool lane_net_build(lane_net *n, const circuit *c, lane_net_kind kind, bool in_runs, arena *keep,
                    budget *limits) {
  arena *scratch = arena_new();
  *n = (lane_net){.keep = keep, .c = c};
  net_builder b = {.n = n, .c = c, .kind = kind, .scratch = scratch, .limits = limits};
  assert(circuit_is_sound(c));
  budget_watch(limits, scratch);
  builder_init(&b);
  bool ok = build_graph(&b);
  if (ok) {
    n->rows = arena_new_array(keep, lane_row, b.plan.roots.count + 1);
    ok = lane_program_build(&n->program, &b.plan, in_runs, n->rows, keep, limits);
  }
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  return ok;
}
