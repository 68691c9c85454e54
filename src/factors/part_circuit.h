/* A part as a circuit of its own: it is played alone, with classes as moves and features as
   targets.

   Common latches that it reads are in it, too.  `terminal` holds where the part alone ends the
   game. What is common is a part as well, the last one: its moves are those that are idle
   everywhere. */
#ifndef TABIA_FACTORS_PART_CIRCUIT_H
#define TABIA_FACTORS_PART_CIRCUIT_H

#include "factors/factor_summary.h"
#include "factors/factors.h"

/* A part of a game of one role. */
typedef struct part_circuit {
  circuit c;
  uint32_t *class_of; /* by move of the game: a move of `c` */
  uint32_t idle;      /* the move that is none here; CLASS_NONE: there is none */
  id_vec features;    /* those that are targets, by their numbers in the summary */
} part_circuit;

/* The game has one role.  `part` may be f->count: what is common.  The first output of the summary
   is `terminal`. */
void part_circuit_make(part_circuit *p, const factors *f, uint32_t part, const factor_summary *s,
                       arena *keep);

#endif
