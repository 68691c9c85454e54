/* Proves that general joint moves are impossible.

   The game is grounded and becomes a circuit; without `terminal` and `goal` if these have too many
   ground rules. For each pair of action names of two roles: is there a reachable state (not
   terminal, unless terminal states are included) in which both roles have a legal move with that
   name? Random play answers 'yes' quickly; 'no' is a proof, using more and more facts about all
   reachable states (induct/induct.h). General joint moves with two actions that are never legal
   together leave the covering; those not decided in time stay in. */
#ifndef TABIA_FRAME_PRUNING_H
#define TABIA_FRAME_PRUNING_H

#include "frame/frame.h"
#include "induct/induct.h"

/* Two actions that are never legal together. */
typedef struct impossible_pair {
  uint32_t roles[2];
  uint32_t choices[2]; /* which of the roles' actions */
  const char *reason;  /* the facts that the proof rests on, as text */
} impossible_pair;

typedef struct frame_proof {
  VEC(impossible_pair) pairs;
  const char *facts; /* all that were proved, a line each: together they are inductive */
  uint32_t fact_count;
  uint32_t asked; /* questions about pairs */
  induct_counts counts;
  bool is_complete; /* everything was asked within the limits */
  double seconds;
} frame_proof;

/* The usual time for it, in seconds. */
#define FRAME_PRUNING_SECONDS 10.0

/* Proves what it can within `seconds` and the limits (which are not spent by it).  `f` is
   opened. */
void frame_prove(frame_proof *proof, const frame_translation *f, frame_scope scope, double seconds,
                 arena *keep, budget *limits);

/* For frame_translate. */
frame_pruning frame_pruning_by(const frame_proof *proof);

void frame_proof_print(const frame_proof *proof, const frame_translation *f, notation n, text *out);

#endif
