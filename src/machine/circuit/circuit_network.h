/* A circuit laid out for one state at a time.

   Nodes are the gates of a circuit in another order: those that legal and terminal need, then what
   next needs besides, then goals, then percepts.  Each node knows who reads it, so that a change is
   carried on only to where it matters.  A conjunction counts its inputs that do not hold; a
   recursive component is one unit that is evaluated anew when something outside of it changes. */
#ifndef TABIA_MACHINE_CIRCUIT_CIRCUIT_NETWORK_H
#define TABIA_MACHINE_CIRCUIT_CIRCUIT_NETWORK_H

#include "circuit/circuit.h"

typedef uint32_t network_node;

typedef enum network_layer {
  LAYER_LEGAL,
  LAYER_NEXT,
  LAYER_GOALS,
  LAYER_PERCEPTS,
  LAYERS
} network_layer;

/* A reader of a node, times two, plus one if it reads the negation: a conjunction, or behind those
   a recursive component, or behind those an output bit. */
typedef uint32_t reader;

typedef struct network_component {
  network_node first, end;
  uint32_t first_place, place_count; /* in the circuit */
} network_component;

typedef struct network {
  const circuit *c;
  uint32_t node_count;
  network_node *node_of; /* by gate; ID_NONE: not needed */
  gate_id *gate_of;      /* by node */
  uint32_t *readers_of;  /* readers_of[n] .. readers_of[n+1]-1 in `readers` */
  reader *readers;
  uint32_t *component_of; /* by node; ID_NONE: in none */
  VEC(network_component) components;
  network_node layer_end[LAYERS];
  uint32_t next_word;   /* output words: next values by latch ... */
  uint32_t *legal_word; /* ... then legal moves, by role ... */
  uint32_t word_count;
} network;

/* What changes: one for each thread. */
typedef struct network_state {
  uint8_t *holds;    /* by node */
  uint32_t *missing; /* by node that is in no component: inputs that do not hold */
  uint64_t *dirty;   /* nodes to look at again */
  uint64_t *outputs;
  uint8_t *old; /* of a recursive component, while it is evaluated anew */
} network_state;

/* `guards`: a wire for each role that is needed besides the outputs of the circuit. */
void network_build(network *n, const circuit *c, const wire *guards, arena *keep);

/* All values anew; inputs are latches (a bit for each) and one move of each role. */
void network_state_init(network_state *s, const network *n, const uint64_t *latches,
                        const uint32_t *moves, arena *keep);

/* Changes an input; nothing else changes until network_update. */
void network_flip(const network *n, network_state *s, network_node input);

/* Brings all nodes up to and including a layer up to date. */
void network_update(const network *n, network_state *s, network_layer last);

static inline bool network_wire(const network *n, const network_state *s, wire w) {
  if (wire_is_constant(w)) return w == WIRE_TRUE;
  return s->holds[n->node_of[wire_gate(w)]] != wire_is_negated(w);
}

#endif
