/* Up to 512 states at once on a stepper: from states to answers and successors.

   Load states; run phases in any order, and read their rows; give moves; run PHASE_NEXT; then read
   the next states, or make them the states (lane_steps_latch). */
#ifndef TABIA_MACHINE_LANES_LANE_STEPS_H
#define TABIA_MACHINE_LANES_LANE_STEPS_H

#include "machine/lanes/lane_stepper.h"

typedef struct lane_steps {
  const lane_stepper *s;
  bundle_row *rows;
  bundle_row *terminal; /* one row; after lane_steps_look */
  bundle_row *goals;    /* by goal of the circuit; after lane_steps_look */
  bundle_row *targets;  /* by target of the circuit; after lane_steps_look */
  uint32_t count;       /* lanes 0 .. count-1 are in use */
  uint32_t done;        /* phases whose rows are there: bits */
} lane_steps;

void lane_steps_init(lane_steps *b, const lane_stepper *s, arena *keep);

/* States are stored contiguously. */
void lane_steps_load(lane_steps *b, const void *states, uint32_t count);

/* Puts other states into some of the lanes that are in use: state i is for lane i. */
void lane_steps_put(lane_steps *b, const void *states, const bundle_row *lanes);

/* The first state of the game into some of the lanes. */
void lane_steps_reset(lane_steps *b, const bundle_row *lanes);

/* Runs a phase and those before it that it needs.  Rows of the phases before PHASE_NEXT can be read
   until that is run, or the states change; where goals are asked behind legal moves, the rows of
   these are gone. */
void lane_steps_run(lane_steps *b, lane_phase phase);

/* Runs the phases before PHASE_NEXT, and keeps copies of terminal and, if they are wanted, of goals
   and targets. */
void lane_steps_look(lane_steps *b, bool with_goals);

/* A bit for each lane; the phase of the root must have been run. */
static inline uint64_t lane_steps_word(const lane_steps *b, uint32_t root, uint32_t word) {
  return lane_word(b->rows, b->s->net.rows[root], word);
}

static inline bool lane_steps_bit(const lane_steps *b, uint32_t root, uint32_t lane) {
  return lane_steps_word(b, root, lane / 64) >> lane % 64 & 1;
}

/* A move of the circuit, after PHASE_LEGAL. */
static inline uint64_t lane_steps_legal(const lane_steps *b, uint32_t move, uint32_t word) {
  return lane_steps_word(b, b->s->net.legal + move, word);
}

/* A percept of the circuit, after PHASE_NEXT. */
static inline uint64_t lane_steps_percept(const lane_steps *b, uint32_t percept, uint32_t word) {
  return lane_steps_word(b, b->s->net.percepts + percept, word);
}

/* A mark of the circuit, after PHASE_NEXT. */
static inline uint64_t lane_steps_mark(const lane_steps *b, uint32_t mark, uint32_t word) {
  return lane_steps_word(b, b->s->net.marks + mark, word);
}

/* Joint moves are stored contiguously: a move of each role, by number in circuit.moves. */
void lane_steps_set_moves(lane_steps *b, const uint32_t *joints);

/* No role makes a move: for marks that do not depend on moves. */
void lane_steps_set_no_moves(lane_steps *b);

/* Sets the moves and runs PHASE_NEXT. */
void lane_steps_step(lane_steps *b, const uint32_t *joints);

/* The states that the step led to. */
void lane_steps_store_next(const lane_steps *b, void *states);

/* The states that are loaded. */
void lane_steps_store(const lane_steps *b, void *states);

/* Where a lane is in the set, the next state becomes its state. */
void lane_steps_latch(lane_steps *b, const bundle_row *lanes);

#endif
