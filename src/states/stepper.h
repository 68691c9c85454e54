/* States of a question, 512 at a time.

   A packed state is a bit for each latch, in as few bytes as hold them.  A stepper does not change
   after it is made: threads share it, and each brings its bundle. */
#ifndef TABIA_STATES_STEPPER_H
#define TABIA_STATES_STEPPER_H

#include "machine/lanes/lane_code.h"

typedef struct stepper {
  const circuit *c;
  lane_net net;
  lane_code code;
  uint32_t state_bytes;
} stepper;

/* The circuit must outlive it.  Made in `keep`; stepper_free is due besides. */
void stepper_init(stepper *s, const circuit *c, arena *keep);
void stepper_free(stepper *s);

void stepper_start(const stepper *s, uint8_t *state);

/* What one thread works with. */
typedef struct bundle {
  const stepper *s;
  bundle_row *rows;
  bundle_row *terminal; /* one row; after bundle_look */
  bundle_row *targets;  /* by goal of the circuit; after bundle_look */
  uint32_t count;       /* lanes 0 .. count-1 are in use */
} bundle;

void bundle_init(bundle *b, const stepper *s, arena *keep);

/* Puts packed states into the lanes, one behind the other. */
void bundle_load(bundle *b, const uint8_t *states, uint32_t count);

/* Which lanes are terminal or targets, and which moves are legal. */
void bundle_look(bundle *b);

static inline uint64_t bundle_legal(const bundle *b, uint32_t move, uint32_t word) {
  return lane_word(b->rows, b->s->net.rows[b->s->net.legal + move], word);
}

/* A percept of the circuit, after bundle_step. */
static inline uint64_t bundle_percept(const bundle *b, uint32_t percept, uint32_t word) {
  return lane_word(b->rows, b->s->net.rows[b->s->net.percepts + percept], word);
}

/* Makes one step in every lane.  `joints`: for each lane a move of each role, by number in
   circuit.moves.  The states must have been looked at since they were loaded. */
void bundle_step(bundle *b, const uint32_t *joints);

/* As bundle_step, with no move done: for percepts that do not depend on moves. */
void bundle_rest(bundle *b);

/* The states that the step led to, packed. */
void bundle_store(const bundle *b, uint8_t *states);

/* The first lane whose bit is set; ID_NONE: there is none. */
static inline uint32_t row_first_lane(const bundle_row *row) {
  for (uint32_t word = 0; word < ROW_WORDS; word++)
    if (row->words[word]) return word * 64 + (uint32_t)__builtin_ctzll(row->words[word]);
  return ID_NONE;
}

#endif
