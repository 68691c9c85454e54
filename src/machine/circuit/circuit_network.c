#include "machine/circuit/circuit_network.h"

#include "base/bitset.h"
#include "machine/circuit/circuit_network_sound.h"

#include <assert.h>
#include <string.h>

/* ---- layers ---- */

typedef struct layerer {
  const circuit *c;
  arena *scratch;
  uint8_t *layer; /* by gate: the first layer that needs it; LAYERS: none */
  id_vec queue;
} layerer;

static void need(layerer *l, wire w, network_layer layer) {
  if (l->layer[wire_gate(w)] <= layer) return;
  l->layer[wire_gate(w)] = (uint8_t)layer;
  vec_push(l->scratch, &l->queue, wire_gate(w));
}

static void need_all(layerer *l, network_layer layer) {
  const circuit *c = l->c;
  while (l->queue.count) {
    const gate_id g = vec_pop(&l->queue);
    const gate it = c->gates.items[g];
    if (it.kind == GATE_LOOP) need(l, c->places.items[it.number].definition, layer);
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      need(l, gate_inputs(c, g)[i], layer);
  }
}

/* A component is in one layer as a whole, and what it needs is there as early.  What it needs comes
   before it: from the last component to the first, each is looked at once. */
static void level_components(layerer *l) {
  for (uint32_t i = l->c->components.count; i-- > 0;) {
    const circuit_component *component = &l->c->components.items[i];
    uint8_t first = LAYERS;
    for (gate_id g = component->first; g < component->end; g++)
      if (l->layer[g] < first) first = l->layer[g];
    for (gate_id g = component->first; g < component->end; g++)
      if (l->layer[g] < LAYERS) need(l, wire_of(g, false), first);
    need_all(l, first);
  }
}

static uint8_t *find_layers(const circuit *c, const wire *guards, arena *scratch) {
  layerer l = {
      .c = c, .scratch = scratch, .layer = arena_new_array(scratch, uint8_t, c->gates.count)};
  memset(l.layer, LAYERS, c->gates.count);
  need(&l, c->terminal, LAYER_LEGAL);
  for (uint32_t role = 0; role < c->roles.count; role++) need(&l, guards[role], LAYER_LEGAL);
  for (uint32_t i = 0; i < c->moves.count; i++) need(&l, c->moves.items[i].legal, LAYER_LEGAL);
  need_all(&l, LAYER_LEGAL);
  for (uint32_t i = 0; i < c->latches.count; i++) need(&l, c->latches.items[i].next, LAYER_NEXT);
  need_all(&l, LAYER_NEXT);
  for (uint32_t i = 0; i < c->goals.count; i++) need(&l, c->goals.items[i].holds, LAYER_GOALS);
  need_all(&l, LAYER_GOALS);
  for (uint32_t i = 0; i < c->percepts.count; i++)
    need(&l, c->percepts.items[i].holds, LAYER_PERCEPTS);
  need_all(&l, LAYER_PERCEPTS);
  level_components(&l);
  return l.layer;
}

/* Inputs are always there, in the first layer. */
static bool is_in_layer(const circuit *c, const uint8_t *layer, gate_id g, network_layer which) {
  const gate_kind kind = c->gates.items[g].kind;
  if (kind == GATE_LATCH || kind == GATE_MOVE) return which == LAYER_LEGAL;
  return kind != GATE_CONSTANT && layer[g] == which;
}

static void number_nodes(network *n, const uint8_t *layer) {
  const circuit *c = n->c;
  memset(n->node_of, 0xff, c->gates.count * sizeof *n->node_of);
  for (network_layer which = LAYER_LEGAL; which < LAYERS; which++) {
    for (gate_id g = 0; g < c->gates.count; g++) {
      if (!is_in_layer(c, layer, g, which)) continue;
      n->node_of[g] = n->node_count;
      n->gate_of[n->node_count++] = g;
    }
    n->layer_end[which] = n->node_count;
  }
}

static void number_components(network *n, arena *keep) {
  const circuit *c = n->c;
  n->component_of = arena_new_array(keep, uint32_t, n->node_count + 1);
  memset(n->component_of, 0xff, n->node_count * sizeof *n->component_of);
  for (uint32_t i = 0; i < c->components.count; i++) {
    const circuit_component *from = &c->components.items[i];
    network_component component = {
        .first = ID_NONE, .first_place = from->first_place, .place_count = from->place_count};
    for (gate_id g = from->first; g < from->end; g++) {
      const network_node node = n->node_of[g];
      if (node == ID_NONE) continue;
      if (component.first == ID_NONE) component.first = node;
      component.end = node + 1;
      n->component_of[node] = n->components.count;
    }
    if (component.first != ID_NONE) vec_push(keep, &n->components, component);
  }
}

/* ---- readers ---- */

/* list_readers runs twice with this: first to count the readers of each node, then to list them. */
typedef struct reader_list {
  network *n;
  uint32_t *filled; /* by node */
} reader_list;

static void add_reader(reader_list *l, wire from, uint32_t target) {
  if (wire_is_constant(from)) return;
  const network_node node = l->n->node_of[wire_gate(from)];
  if (l->n->readers) l->n->readers[l->filled[node]] = target << 1 | wire_is_negated(from);
  l->filled[node]++;
}

static uint32_t output_bit(const network *n, uint32_t word, uint32_t number) {
  return n->node_count + n->components.count + word * 64 + number;
}

static void list_readers(reader_list *l) {
  const network *n = l->n;
  const circuit *c = n->c;
  for (network_node node = 0; node < n->node_count; node++) {
    const gate it = c->gates.items[n->gate_of[node]];
    const uint32_t component = n->component_of[node];
    const uint32_t target = component == ID_NONE ? node : n->node_count + component;
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      add_reader(l, gate_inputs(c, n->gate_of[node])[i], target);
  }
  for (uint32_t component = 0; component < n->components.count; component++)
    for (uint32_t i = 0; i < n->components.items[component].place_count; i++) {
      const circuit_place *place = &c->places.items[n->components.items[component].first_place + i];
      if (n->node_of[place->gate] != ID_NONE)
        add_reader(l, place->definition, n->node_count + component);
    }
  for (uint32_t i = 0; i < c->latches.count; i++)
    add_reader(l, c->latches.items[i].next, output_bit(n, n->next_word, i));
  for (uint32_t role = 0; role < c->roles.count; role++)
    for (uint32_t i = 0; i < c->roles.items[role].move_count; i++)
      add_reader(l, c->moves.items[c->roles.items[role].first_move + i].legal,
                 output_bit(n, n->legal_word[role], i));
}

static void connect_readers(network *n, arena *keep, arena *scratch) {
  reader_list l = {n, arena_zero_array(scratch, uint32_t, n->node_count + 1)};
  list_readers(&l);
  n->readers_of = arena_new_array(keep, uint32_t, n->node_count + 1);
  uint32_t total = 0;
  for (network_node node = 0; node < n->node_count; node++) {
    n->readers_of[node] = total;
    total += l.filled[node];
    l.filled[node] = n->readers_of[node];
  }
  n->readers_of[n->node_count] = total;
  n->readers = arena_new_array(keep, reader, total + 1);
  list_readers(&l);
}

static void place_outputs(network *n, arena *keep) {
  const circuit *c = n->c;
  n->legal_word = arena_new_array(keep, uint32_t, c->roles.count + 1);
  n->word_count = (c->latches.count + 63) / 64;
  for (uint32_t role = 0; role < c->roles.count; role++) {
    n->legal_word[role] = n->word_count;
    n->word_count += (c->roles.items[role].move_count + 63) / 64;
  }
}

void network_build(network *n, const circuit *c, const wire *guards, arena *keep) {
  arena *scratch = arena_new();
  *n = (network){.c = c,
                 .node_of = arena_new_array(keep, network_node, c->gates.count),
                 .gate_of = arena_new_array(keep, gate_id, c->gates.count)};
  number_nodes(n, find_layers(c, guards, scratch));
  number_components(n, keep);
  place_outputs(n, keep);
  connect_readers(n, keep, scratch);
  arena_free(scratch);
  assert(network_is_sound(n));
}

/* ---- changes ---- */

static void mark(uint64_t *dirty, network_node node) {
  dirty[node / 64] |= UINT64_C(1) << node % 64;
}

/* A reader that is no conjunction. */
static void tell_other(const network *n, network_state *s, uint32_t target) {
  const uint32_t component = target - n->node_count;
  if (component < n->components.count) {
    mark(s->dirty, n->components.items[component].first);
    return;
  }
  const uint32_t bit = component - n->components.count;
  s->outputs[bit / 64] ^= UINT64_C(1) << bit % 64;
}

/* Notifies the readers of a node that it has changed.  A conjunction is looked at again when it had
   all its inputs, or has them now.  This is the innermost loop: what it needs is in locals, since
   the compiler must take it that `missing` may be anything. */
static void tell_readers(const network *n, network_state *s, network_node node) {
  const uint32_t holds = s->holds[node], node_count = n->node_count;
  const reader *at = n->readers + n->readers_of[node];
  const reader *const end = n->readers + n->readers_of[node + 1];
  uint32_t *const missing = s->missing;
  uint64_t *const dirty = s->dirty;
  for (; at < end; at++) {
    const uint32_t target = *at >> 1;
    if (target >= node_count) {
      tell_other(n, s, target);
      continue;
    }
    const uint32_t before = missing[target];
    const uint32_t after = before + (holds == (*at & 1) ? 1 : UINT32_MAX);
    missing[target] = after;
    if (!before || !after) mark(dirty, target);
  }
}

void network_flip(const network *n, network_state *s, network_node input) {
  assert(input < n->node_count && n->c->gates.items[n->gate_of[input]].kind != GATE_AND);
  s->holds[input] ^= 1;
  tell_readers(n, s, input);
}

/* ---- recursive components ---- */

static bool conjunction_holds(const network *n, const network_state *s, gate_id g) {
  const wire *inputs = gate_inputs(n->c, g);
  for (uint32_t i = 0; i < n->c->gates.items[g].input_count; i++)
    if (!network_wire(n, s, inputs[i])) return false;
  return true;
}

static bool settle_places(const network *n, network_state *s, const network_component *component) {
  bool changed = false;
  for (uint32_t i = 0; i < component->place_count; i++) {
    const circuit_place *place = &n->c->places.items[component->first_place + i];
    const network_node node = n->node_of[place->gate];
    if (node == ID_NONE) continue;
    const bool value = network_wire(n, s, place->definition);
    changed |= value != s->holds[node];
    s->holds[node] = value;
  }
  return changed;
}

static void evaluate_component(const network *n, network_state *s,
                               const network_component *component) {
  for (network_node node = component->first; node < component->end; node++) s->holds[node] = 0;
  do
    for (network_node node = component->first; node < component->end; node++)
      if (n->c->gates.items[n->gate_of[node]].kind == GATE_AND)
        s->holds[node] = conjunction_holds(n, s, n->gate_of[node]);
  while (settle_places(n, s, component));
}

/* Readers inside of the component have been evaluated: they are not to be looked at again. */
static void update_component(const network *n, network_state *s,
                             const network_component *component) {
  memcpy(s->old, s->holds + component->first, component->end - component->first);
  evaluate_component(n, s, component);
  for (network_node node = component->first; node < component->end; node++)
    if (s->holds[node] != s->old[node - component->first]) tell_readers(n, s, node);
  s->dirty[component->first / 64] &= ~(UINT64_C(1) << component->first % 64);
}

static void update_node(const network *n, network_state *s, network_node node) {
  if (n->component_of[node] != ID_NONE) {
    update_component(n, s, &n->components.items[n->component_of[node]]);
  } else if (s->holds[node] != !s->missing[node]) {
    s->holds[node] ^= 1;
    tell_readers(n, s, node);
  }
}

void network_update(const network *n, network_state *s, network_layer last) {
  const uint32_t end = n->layer_end[last], last_word = (end + 63) / 64;
  uint64_t *const dirty = s->dirty;
  for (uint32_t word = 0; word < last_word; word++)
    while (dirty[word]) {
      const network_node node = word * 64 + (uint32_t)__builtin_ctzll(dirty[word]);
      if (node >= end) return;
      dirty[word] &= dirty[word] - 1;
      update_node(n, s, node);
    }
}

/* ---- from nothing ---- */

static void set_inputs(const network *n, network_state *s, const uint64_t *latches,
                       const uint32_t *moves) {
  const circuit *c = n->c;
  for (uint32_t i = 0; i < c->latches.count; i++)
    s->holds[n->node_of[c->latches.items[i].gate]] = latches[i / 64] >> i % 64 & 1;
  for (uint32_t role = 0; role < c->roles.count; role++)
    for (uint32_t i = 0; i < c->roles.items[role].move_count; i++) {
      const wire does = c->moves.items[c->roles.items[role].first_move + i].does;
      const gate it = c->gates.items[wire_gate(does)];
      if (it.kind == GATE_MOVE && !wire_is_negated(does))
        s->holds[n->node_of[wire_gate(does)]] = i == moves[role];
    }
}

static void set_output(network_state *s, uint32_t word, uint32_t bit, bool value) {
  if (value) s->outputs[word + bit / 64] |= UINT64_C(1) << bit % 64;
}

static void set_outputs(const network *n, network_state *s) {
  const circuit *c = n->c;
  for (uint32_t i = 0; i < c->latches.count; i++)
    set_output(s, n->next_word, i, network_wire(n, s, c->latches.items[i].next));
  for (uint32_t role = 0; role < c->roles.count; role++)
    for (uint32_t i = 0; i < c->roles.items[role].move_count; i++)
      set_output(s, n->legal_word[role], i,
                 network_wire(n, s, c->moves.items[c->roles.items[role].first_move + i].legal));
}

static void count_missing(const network *n, network_state *s) {
  const circuit *c = n->c;
  for (network_node node = 0; node < n->node_count; node++) {
    const gate_id g = n->gate_of[node];
    for (uint32_t i = 0; c->gates.items[g].kind == GATE_AND && i < c->gates.items[g].input_count;
         i++)
      s->missing[node] += !network_wire(n, s, gate_inputs(c, g)[i]);
  }
}

void network_state_init(network_state *s, const network *n, const uint64_t *latches,
                        const uint32_t *moves, arena *keep) {
  assert(network_is_sound(n));
  s->holds = arena_zero_array(keep, uint8_t, n->node_count + 1);
  s->missing = arena_zero_array(keep, uint32_t, n->node_count + 1);
  s->dirty = arena_zero_array(keep, uint64_t, n->node_count / 64 + 1);
  s->outputs = arena_zero_array(keep, uint64_t, n->word_count + 1);
  s->old = arena_zero_array(keep, uint8_t, n->node_count + 1);
  set_inputs(n, s, latches, moves);
  for (network_node node = 0; node < n->node_count; node++) {
    const uint32_t component = n->component_of[node];
    if (component != ID_NONE) {
      if (n->components.items[component].first == node)
        evaluate_component(n, s, &n->components.items[component]);
    } else if (n->c->gates.items[n->gate_of[node]].kind == GATE_AND) {
      s->holds[node] = conjunction_holds(n, s, n->gate_of[node]);
    }
  }
  count_missing(n, s);
  set_outputs(n, s);
}
