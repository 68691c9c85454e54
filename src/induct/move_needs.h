/* What moves need: latches that hold, or do not, whenever a move is legal. */
#ifndef TABIA_INDUCT_MOVE_NEEDS_H
#define TABIA_INDUCT_MOVE_NEEDS_H

#include "circuit/circuit.h"

/* Some latches of which a question wants to know whether moves need them. */
enum { WATCHED_MAX = 32 };

typedef struct watched_latches {
  uint32_t count;
  gate_id gates[WATCHED_MAX];
} watched_latches;

/* Does nothing when there is no room. */
void watch_latch(watched_latches *w, gate_id latch);

/* The latches that most gates read, such as whose turn it is. */
watched_latches latches_read_most(const circuit *c);

/* A set of watched latches that hold, and of watched latches that do not. */
typedef uint64_t latch_needs;

/* By move. */
const latch_needs *move_needs_find(const circuit *c, const watched_latches *w, arena *keep);

/* The wires that hold when all that is needed does; at most 2 * WATCHED_MAX. */
uint32_t needed_wires(const watched_latches *w, latch_needs needs, wire *wires);

#endif
