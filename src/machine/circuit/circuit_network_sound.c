#include "machine/circuit/circuit_network_sound.h"

/* ---- nodes ---- */

static const gate *gate_at(const network *n, network_node node) {
  return &n->c->gates.items[n->gate_of[node]];
}

/* A gate knows its node, and that knows the gate. */
static bool numbers_are_sound(const network *n) {
  uint32_t count = 0;
  for (gate_id g = 0; g < n->c->gates.count; g++) {
    const network_node node = n->node_of[g];
    if (node == ID_NONE) continue;
    if (node >= n->node_count || n->gate_of[node] != g ||
        n->c->gates.items[g].kind == GATE_CONSTANT)
      return false;
    count++;
  }
  return count == n->node_count;
}

/* Within a layer, nodes are in the order of their gates. */
static bool layers_are_sound(const network *n) {
  network_node first = 0;
  for (uint32_t i = 0; i < LAYERS; i++) {
    if (n->layer_end[i] < first || n->layer_end[i] > n->node_count) return false;
    for (network_node node = first + 1; node < n->layer_end[i]; node++)
      if (n->gate_of[node - 1] >= n->gate_of[node]) return false;
    first = n->layer_end[i];
  }
  return first == n->node_count;
}

/* The inputs of a conjunction are nodes before it, in its layer or an earlier one. */
static bool inputs_are_sound(const network *n) {
  for (network_node node = 0; node < n->node_count; node++) {
    if (gate_at(n, node)->kind != GATE_AND) continue;
    const wire *inputs = gate_inputs(n->c, n->gate_of[node]);
    for (uint32_t i = 0; i < gate_at(n, node)->input_count; i++)
      if (!wire_is_constant(inputs[i]) && n->node_of[wire_gate(inputs[i])] >= node) return false;
  }
  return true;
}

/* ---- components ---- */

static uint32_t layer_of(const network *n, network_node node) {
  uint32_t layer = 0;
  while (n->layer_end[layer] <= node) layer++;
  return layer;
}

/* Its nodes are contiguous, and in one layer. */
static bool component_is_sound(const network *n, uint32_t i) {
  const network_component *it = &n->components.items[i];
  if (it->first >= it->end || it->end > n->node_count ||
      (uint64_t)it->first_place + it->place_count > n->c->places.count ||
      layer_of(n, it->first) != layer_of(n, it->end - 1))
    return false;
  for (network_node node = it->first; node < it->end; node++)
    if (n->component_of[node] != i) return false;
  return true;
}

static bool components_are_sound(const network *n) {
  uint64_t inside = 0, marked = 0;
  for (uint32_t i = 0; i < n->components.count; i++) {
    if (!component_is_sound(n, i)) return false;
    inside += n->components.items[i].end - n->components.items[i].first;
  }
  for (network_node node = 0; node < n->node_count; node++)
    marked += n->component_of[node] != ID_NONE;
  return inside == marked;
}

/* ---- readers ---- */

/* A conjunction comes after what it reads; a component may read itself. */
static bool reader_is_sound(const network *n, network_node node, uint32_t target) {
  if (target < n->node_count)
    return target > node && gate_at(n, target)->kind == GATE_AND &&
           n->component_of[target] == ID_NONE;
  target -= n->node_count;
  if (target < n->components.count) return node < n->components.items[target].end;
  return target - n->components.count < (uint64_t)n->word_count * 64;
}

static uint64_t wires_read(const wire *wires, uint32_t count) {
  uint64_t read = 0;
  for (uint32_t i = 0; i < count; i++) read += !wire_is_constant(wires[i]);
  return read;
}

/* As many as there are inputs of nodes, definitions of places, next values and legal moves. */
static uint64_t readers_expected(const network *n) {
  const circuit *c = n->c;
  uint64_t count = 0;
  for (network_node node = 0; node < n->node_count; node++)
    if (gate_at(n, node)->kind == GATE_AND)
      count += wires_read(gate_inputs(c, n->gate_of[node]), gate_at(n, node)->input_count);
  for (uint32_t i = 0; i < c->places.count; i++)
    if (n->node_of[c->places.items[i].gate] != ID_NONE)
      count += wires_read(&c->places.items[i].definition, 1);
  for (uint32_t i = 0; i < c->latches.count; i++) count += wires_read(&c->latches.items[i].next, 1);
  for (uint32_t i = 0; i < c->moves.count; i++) count += wires_read(&c->moves.items[i].legal, 1);
  return count;
}

/* The readers of each node follow those of the node before it. */
static bool offsets_are_sound(const network *n) {
  if (n->readers_of[0] != 0) return false;
  for (network_node node = 0; node < n->node_count; node++)
    if (n->readers_of[node] > n->readers_of[node + 1]) return false;
  return n->readers_of[n->node_count] == readers_expected(n);
}

static bool readers_are_sound(const network *n) {
  if (!offsets_are_sound(n)) return false;
  for (network_node node = 0; node < n->node_count; node++)
    for (uint32_t i = n->readers_of[node]; i < n->readers_of[node + 1]; i++)
      if (!reader_is_sound(n, node, n->readers[i] >> 1)) return false;
  return true;
}

/* Bits of outputs: next values by latch, then legal moves by role. */
static bool words_are_sound(const network *n) {
  uint32_t word = n->next_word + (n->c->latches.count + 63) / 64;
  for (uint32_t role = 0; role < n->c->roles.count; role++) {
    if (n->legal_word[role] != word) return false;
    word += (n->c->roles.items[role].move_count + 63) / 64;
  }
  return n->next_word == 0 && word == n->word_count;
}

bool network_is_sound(const network *n) {
  return numbers_are_sound(n) && layers_are_sound(n) && inputs_are_sound(n) &&
         components_are_sound(n) && words_are_sound(n) && readers_are_sound(n);
}
