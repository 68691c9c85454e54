/* From states to the states that can follow, 512 at a time. */
#ifndef TABIA_STATES_STEP_MAKER_H
#define TABIA_STATES_STEP_MAKER_H

#include "base/rng.h"
#include "states/stepper.h"

/* Steps that were made. */
typedef struct step_batch {
  uint32_t count;
  const uint32_t *lanes;  /* by step: the lane of the state it begins with */
  const uint32_t *joints; /* by step: a move of each role, by number in circuit.moves */
  const uint8_t *states;  /* where they lead */
} step_batch;

/* False: go no further. */
typedef bool step_fn(void *context, const step_batch *batch);

/* What one thread works with. */
typedef struct step_maker {
  const stepper *s;
  arena *keep;
  const uint8_t *from; /* the states that were looked at */
  bundle look;         /* they and what was seen */
  bundle step;
  bundle_row *open; /* one row: lanes in which the game goes on and every role has a move */
  id_vec legal;     /* moves, by role and then by lane */
  uint32_t *starts; /* where those of a role and a lane begin; role * LANES + lane */
  uint32_t *ends;
  uint32_t *lanes, *joints; /* of the steps to be made */
  uint8_t *before, *after;
  uint32_t count;
} step_maker;

void step_maker_init(step_maker *e, const stepper *s, arena *keep);

/* Looks at up to LANES states, which must stay where they are until they are expanded. */
void steps_look(step_maker *e, const uint8_t *states, uint32_t count);

/* The game goes on there, and every role has a move. */
static inline bool steps_is_open(const step_maker *e, uint32_t lane) {
  return e->open->words[lane / 64] >> lane % 64 & 1;
}

/* Draws a joint move for a lane, uniformly; in a lane that is not open some move of each role. */
void steps_choose(const step_maker *e, uint32_t lane, rng *r, uint32_t *joint);

/* Makes every legal step from them.  False: `visit` wished to stop. */
bool steps_make(step_maker *e, step_fn *visit, void *context);

#endif
