/* The steps of a batch of games as lists of instructions (gpu_step.h), with states, actions and
   answers in rows of the batch.

   `advance` makes the joint moves that are given, in games that are not over and where all of them
   are legal.  `judge` evaluates the new states, or those that were put there: it starts games
   again, if that is wanted, and writes all answers. */
#ifndef TABIA_MACHINE_GPU_GPU_BATCH_STEP_H
#define TABIA_MACHINE_GPU_GPU_BATCH_STEP_H

#include "machine/gpu/gpu_step.h"

/* What becomes of games that have ended. */
typedef enum batch_ending {
  BATCH_STAYS,     /* they stay where they are */
  BATCH_SAME_STEP, /* the step that ends a game also starts the next one */
  BATCH_NEXT_STEP  /* the next step only starts the next game */
} batch_ending;

/* Rows of a batch: the first one of each kind. */
typedef struct batch_rows {
  uint32_t states;      /* latches, then percepts of the last step */
  uint32_t next;        /* the same as `advance` leaves it to `judge` */
  uint32_t over;        /* lanes in which nothing is played: the state is terminal */
  uint32_t was_over;    /* likewise before the step; all where a state was put */
  uint32_t terminal;    /* of the states before games begin anew */
  uint32_t ended;       /* by the last step */
  uint32_t illegal;     /* the action was not legal */
  uint32_t nothing;     /* no lanes, ever */
  uint32_t several;     /* by role: it has more than one legal move */
  uint32_t any;         /* by role: it has one */
  uint32_t goals;       /* by goal of the circuit, of the states before games begin anew */
  uint32_t legal;       /* by move of the circuit */
  uint32_t actions;     /* binary numbers of moves of a role */
  uint32_t action_bits; /* of each role */
  uint32_t count;       /* all rows */
} batch_rows;

/* Option 0 of `advance`: actions are those of the role that has a choice, others make their only
   move. */
enum { BATCH_OPTIONS = 1 };

batch_rows batch_rows_of(const circuit *c);

/* The net is one that steps; it must outlive the steps, as the rows must.  `first_legal`: moves of
   the circuit that are legal where games begin. */
void batch_advance_make(gpu_step *s, const grounded *g, const lane_net *net, const batch_rows *rows,
                        batch_ending ending, arena *keep);
void batch_judge_make(gpu_step *s, const grounded *g, const lane_net *net, const batch_rows *rows,
                      batch_ending ending, bitset first_legal, arena *keep);

#endif
