/* What tabia-bdd is asked: a game as bits, gates and moves.

   A text of words and numbers, as src/bdd/bdd_text.c writes it:

     tabia-bdd 1
     memory BYTES  depth LEVELS  ends 0|1
     bits B   then the first value of each
     latches L   then for each: how many bits, and for each of these its number and its value when
                 the latch holds; the latch holds if all do
     codes   then for each bit: how many latches set it, and which
     gates G   then for each: c (false) | l LATCH | m MOVE | p PLACE | a COUNT WIRE...
     components C   then for each: first gate, end, how many places, and for each its gate and the
                    wire that defines it
     next   then a wire for each latch
     roles R   then for each how many moves, and for each of these the wires `legal` and `does`
     terminal WIRE
     targets T   then a wire for each
     end

   Gates and wires are those of circuit/circuit.h.  A level may be any number: all is meant by
   4294967295. */
#ifndef TABIA_BUDDY_BDD_QUESTION_H
#define TABIA_BUDDY_BDD_QUESTION_H

#include "base/vec.h"

#include <stdio.h>

typedef struct bdd_cube {
  uint32_t count;
  const uint32_t *bits, *values;
} bdd_cube;

typedef struct bdd_list {
  uint32_t count;
  const uint32_t *items;
} bdd_list;

typedef struct bdd_gate {
  char kind;       /* c, l, m, p or a */
  uint32_t number; /* of the latch, move or place */
  bdd_list inputs; /* wires, of kind a */
} bdd_gate;

typedef struct bdd_component {
  uint32_t first, end; /* gates */
  uint32_t place_count;
  const uint32_t *places, *definitions; /* gates; wires */
} bdd_component;

typedef struct bdd_move {
  uint32_t legal, does; /* wires */
} bdd_move;

typedef struct bdd_role {
  uint32_t first, count; /* moves */
} bdd_role;

typedef struct bdd_question {
  uint64_t memory;
  uint32_t depth;
  bool asks_ends;
  uint32_t bit_count, latch_count, gate_count, component_count, role_count, move_count;
  const uint32_t *start; /* by bit */
  const bdd_cube *latches;
  const bdd_list *codes; /* by bit: latches */
  const bdd_gate *gates;
  const bdd_component *components;
  const uint32_t *next; /* by latch: wires */
  const bdd_role *roles;
  const bdd_move *moves;
  uint32_t terminal;
  bdd_list targets;
} bdd_question;

/* False: it is no question. */
bool bdd_question_read(bdd_question *q, FILE *from, arena *keep);

#endif
