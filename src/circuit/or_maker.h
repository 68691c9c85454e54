/* Gates for disjunctions of conjunctions: what several of them have in common is asked once. */
#ifndef TABIA_CIRCUIT_OR_MAKER_H
#define TABIA_CIRCUIT_OR_MAKER_H

#include "circuit/gate_maker.h"

/* A conjunction of inputs that are reduced. */
typedef struct or_term {
  uint32_t first, count; /* in or_maker.wires */
  wire key;              /* of the one who factors: the input by which it is grouped */
} or_term;

typedef VEC(or_term) or_term_vec;

typedef struct or_maker {
  gate_maker *maker;
  arena *scratch;
  wire_vec wires; /* of terms; whoever adds some takes them away again */
  /* What follows is nobody else's. */
  wire_vec parts;        /* of the disjunctions under way, the innermost last */
  wire_vec common;       /* likewise: inputs that all terms have */
  VEC(wire_range) alone; /* terms that have nothing in common with others */
  id_vec times;          /* by wire: in how many terms of a group; zero between calls */
  or_term_vec unsorted;
} or_maker;

/* Drops from the terms what these inputs, which ascend, decide: inputs that hold, terms that cannot
   hold.  Returns how many terms are left. */
uint32_t or_reduce(or_maker *f, const wire *plain, uint32_t plain_count, or_term *terms,
                   uint32_t count);

/* The disjunction of the terms; they and their wires are changed. */
wire or_make(or_maker *f, or_term *terms, uint32_t count);

/* Adds wires whose disjunction is that of the terms. */
void or_parts(or_maker *f, or_term *terms, uint32_t count, wire_vec *parts);

#endif
