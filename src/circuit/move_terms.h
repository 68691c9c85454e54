/* The rules of an atom that depends on moves, as conjunctions of wires and of one set of moves of
   each role.  Those that differ in what one role does alone are one. */
#ifndef TABIA_CIRCUIT_MOVE_TERMS_H
#define TABIA_CIRCUIT_MOVE_TERMS_H

#include "circuit/gate_maker.h"
#include "circuit/move_sets.h"

/* A set of moves as a number: WIRE_TRUE, WIRE_FALSE, or this plus twice the set, plus one when it
   is 'none of the set'.  Wires are smaller: memory ends before there are as many. */
#define SET_VALUE (UINT32_C(1) << 30)

typedef struct move_term {
  uint32_t first, count; /* conditions besides moves, reduced, in move_terms.wires */
  uint32_t sets;         /* in move_terms.values: one set of each role */
  uint32_t joined;       /* in move_terms.joined: the last that was joined to it, or ID_NONE */
  uint64_t hash;         /* of the conditions besides moves */
} move_term;

/* The set of a term that was joined to another. */
typedef struct joined_set {
  uint32_t value;
  uint32_t next; /* as move_term.joined */
} joined_set;

typedef struct move_terms {
  arena *scratch;
  const wire_vec *wires;
  move_sets *sets;
  uint32_t role_count;
  VEC(move_term) all;
  id_vec values;
  /* What follows is nobody else's. */
  VEC(joined_set) joined;
  VEC(move_choice) choices;
  id_vec slots; /* terms by hash, plus one; 0: none */
} move_terms;

uint32_t set_value_of(move_choice choice);
move_choice set_value_choice(uint32_t value);

void move_terms_clear(move_terms *t);

/* Adds a conjunction of wires and sets of moves, whose values are given.  False: it never holds,
   and is not added. */
bool move_terms_add(move_terms *t, wire_range conditions, const uint32_t *values, uint32_t count);

void move_terms_join(move_terms *t);

#endif
