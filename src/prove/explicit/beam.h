/* Play in one direction: of the random steps from some hundred states the best are kept, and so on.

   A round begins at the start of the game; of each state some steps are tried, and of those to
   states that were not met in the round the best go on, by a score that the owner gives. */
#ifndef TABIA_PROVE_EXPLICIT_BEAM_H
#define TABIA_PROVE_EXPLICIT_BEAM_H

#include "base/rng.h"
#include "prove/methods.h"

/* A step that was tried. */
typedef struct beam_step {
  uint32_t number; /* of its state and joint move */
  uint32_t parent; /* the lane that it was made from */
  uint32_t note;   /* the owner's */
  uint64_t score;  /* the lower the better */
} beam_step;

/* How the states of a level came about, by lane. */
typedef struct beam_level {
  const uint32_t *parents;
  const uint32_t *joints;
} beam_level;

typedef struct beam beam;

typedef struct beam_owner {
  const char *method;
  uint32_t first_note;
  /* Sets note and score of a step to lane `lane` of beam_next(), whose state is given. */
  void (*rate)(void *context, beam *b, beam_step *step, uint32_t lane, const uint8_t *state);
  bool (*goes_on)(void *context);
  void *context;
} beam_owner;

struct beam {
  prove_job *j;
  const lane_stepper *s;
  arena *round; /* the levels */
  rng r;
  beam_owner owner;
  lane_expander now, next;
  uint8_t *states; /* of the lanes */
  uint32_t *notes; /* by lane */
  uint32_t count;  /* lanes in use */
  VEC(beam_level) levels;
  uint32_t *joints;     /* by step */
  uint8_t *next_states; /* by step */
  beam_step *steps;
  uint32_t step_count;
  uint64_t *seen; /* hashes of states of this round, each at one place */
  uint64_t state_count;
};

/* `stream`: each has chances of its own. */
void beam_init(beam *b, prove_job *j, beam_owner owner, uint64_t stream, arena *keep);
void beam_free(beam *b);

/* To the end of the play.  False: there is no step from the start. */
bool beam_run_round(beam *b);

#endif
