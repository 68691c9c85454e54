/* All states of an independent part (factors/), and their kinds (bisimulation).

   States are of one kind if the same features hold in them, and their successors are of the same
   kinds: one by the idle move, some by the others, whatever these are called.  So a play from one
   of them can be followed from the other, step by step, with the same ends and goals. */
#ifndef TABIA_SOLVE_PART_GRAPH_H
#define TABIA_SOLVE_PART_GRAPH_H

#include "factors/part_circuit.h"
#include "states/walk.h"

typedef struct part_step {
  uint32_t move; /* of the part's circuit */
  uint32_t to;   /* a state */
} part_step;

typedef struct part_graph {
  uint32_t feature_count;
  uint32_t state_count, start;
  uint32_t *first, *count; /* by state: its steps; none where the part ends the game */
  VEC(part_step) steps;
  uint8_t *features; /* by state, by feature: 0 or 1 */
  bool *is_end;      /* by state: the part ends the game there */
  uint32_t idle;     /* the idle move, or CLASS_NONE */
  /* Kinds of states. */
  uint32_t kind_count;
  uint32_t *kind_of;  /* by state */
  uint32_t *state_of; /* by kind: one of its states */
  uint32_t
      *idle_kinds; /* by kind: what follows when nothing is done there; ID_NONE: it cannot be */
  uint32_t *kinds_from; /* by kind: kinds[kinds_from[k]] .. kinds[kinds_from[k+1]-1] ... */
  id_vec kinds;         /* ... are the others that can follow */
} part_graph;

/* False: the budget is spent, or there are more states than allowed (0: no limit).  The graph is
   made in `keep`. */
bool part_graph_make(part_graph *g, const part_circuit *p, uint32_t threads, uint64_t max_states,
                     arena *keep, budget *b, diag_sink *d);

/* The step of a move; NULL: it is not legal there. */
const part_step *part_graph_step(const part_graph *g, uint32_t state, uint32_t move);

#endif
