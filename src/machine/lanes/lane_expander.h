/* From states to the states that can follow, 512 at a time. */
#ifndef TABIA_MACHINE_LANES_LANE_EXPANDER_H
#define TABIA_MACHINE_LANES_LANE_EXPANDER_H

#include "base/rng.h"
#include "machine/lanes/lane_steps.h"

/* Steps that were made. */
typedef struct lane_successors {
  uint32_t count;
  const uint32_t *lanes;  /* by step: the lane of the state it begins with */
  const uint32_t *joints; /* by step: a move of each role, by number in circuit.moves */
  const uint8_t *states;  /* where they lead */
} lane_successors;

/* False: go no further. */
typedef bool lane_successors_fn(void *context, const lane_successors *batch);

/* What one thread works with. */
typedef struct lane_expander {
  const lane_stepper *s;
  arena *keep;
  /* Choices of the user; all are false at first. */
  bool ignores_terminal; /* play on in terminal states, where there are moves */
  bool needs_no_goals;   /* look.goals and look.targets are not read ... */
  bool needs_step_goals; /* ... while those of `step` are read, of the states before the steps */
  bool keeps_states;     /* steps lead to states as they are, whatever the stepper's symmetries */
  const uint8_t *from;   /* the states that were looked at */
  lane_steps look;       /* they and what was seen */
  lane_steps step;
  bundle_row *open; /* one row: lanes in which the game goes on and every role has a move */
  id_vec legal;     /* moves, by role and then by lane */
  uint32_t *starts; /* where those of a role and a lane begin; role * LANES + lane */
  uint32_t *ends;
  uint32_t *lanes, *joints; /* of the steps to be made */
  uint8_t *before, *after;
  uint32_t count;
} lane_expander;

void lane_expander_init(lane_expander *e, const lane_stepper *s, arena *keep);

/* Looks at up to LANES states, which must stay where they are until they are expanded. */
void lane_expander_look(lane_expander *e, const void *states, uint32_t count);

/* The game goes on there, and every role has a move. */
static inline bool lane_expander_is_open(const lane_expander *e, uint32_t lane) {
  return e->open->words[lane / 64] >> lane % 64 & 1;
}

/* The first role that has no move in a state; the number of roles: all have. */
uint32_t lane_expander_stuck(const lane_expander *e, uint32_t lane);

/* Draws a joint move for a lane, uniformly; in a lane that is not open some move of each role. */
void lane_expander_choose(const lane_expander *e, uint32_t lane, rng *r, uint32_t *joint);

/* Makes every legal step from them, in the order of the states and of their joint moves: the last
   role's move changes fastest.  False: `visit` has returned false. */
bool lane_expander_make_steps(lane_expander *e, lane_successors_fn *visit, void *context);

#endif
