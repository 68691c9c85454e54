/* Straight-line programs for a bundle of games, one bit each.

   A slot holds a row: one bit for each lane.  An operation reads three slots and writes one; what
   it computes is a truth table (machine/lanes/truth_tables.h).  Operations are in phases, which run
   one after another:

     terminal   has the game ended?
     goals      run only when some lane has
     legal      which moves are there; in play also how many, and which number is drawn
     next       the next state

   Rows that a phase leaves for a later one stay where they are.  Recursive components are loops:
   their operations are repeated until the places no longer change. */
#ifndef TABIA_MACHINE_LANES_LANE_PROGRAM_H
#define TABIA_MACHINE_LANES_LANE_PROGRAM_H

#include "base/budget.h"
#include "machine/bundle_row.h"
#include "machine/lanes/truth_tables.h"

typedef enum lane_phase {
  PHASE_TERMINAL,
  PHASE_GOALS,
  PHASE_LEGAL,
  PHASE_NEXT,
  LANE_PHASES
} lane_phase;

/* A stretch is a number of operations without the boundary of a phase or a loop. */
typedef struct lane_op {
  slot_id in[TABLE_INPUTS];
  slot_id out;
  uint8_t table;
  bool is_local; /* it is read only within its stretch, and need not reach its slot */
} lane_op;

/* A place of a recursive component. */
typedef struct lane_place {
  slot_id place, definition;
  bool negated; /* the place is the negation of that slot */
} lane_place;

typedef struct lane_loop {
  lane_phase phase;
  uint32_t first, end; /* operations; none where the definitions are rows from before */
  uint32_t first_place, place_count;
} lane_loop;

typedef VEC(lane_place) lane_place_vec;
typedef VEC(lane_loop) lane_loop_vec;

typedef struct lane_program {
  arena *keep;
  VEC(lane_op) ops;
  uint32_t phase_end[LANE_PHASES];
  lane_loop_vec loops; /* in the order of their operations */
  lane_place_vec places;
  uint32_t slot_count;
} lane_program;

/* ---- making one ---- */

/* A row to be computed. */
typedef struct lane_root {
  edge e;
  lane_phase phase; /* in which it is asked for first */
  lane_phase until; /* the last phase after which it may be read */
  slot_id home;     /* an input's slot where it should go, if that is not read any more then; or
                       SLOT_FALSE: anywhere */
} lane_root;

/* A place of a recursive component; its node is an input, too. */
typedef struct lane_plan_place {
  uint32_t node;
  edge definition;
  uint32_t component;
} lane_plan_place;

/* An input row has its slot from the start: input i of `inputs` is slot i + 1. */
typedef struct lane_plan {
  const aig *g;
  VEC(uint32_t) inputs; /* nodes */
  VEC(lane_root) roots;
  VEC(lane_plan_place) places; /* in the order of their components */
  uint32_t component_count;    /* components depend on earlier ones alone */
} lane_plan;

/* rows[i] is where root i is found.  `in_runs`: operations of one kind are brought together, for
   an interpreter.  False: the budget is spent. */
bool lane_program_build(lane_program *p, const lane_plan *plan, bool in_runs, lane_row *rows,
                        arena *keep, budget *limits);

#endif
