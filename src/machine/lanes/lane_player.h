/* Random games, a bundle at a time.

   Work is cut into parts.  A part is a number of games that are started; all of them are played to
   their end, so that short games are not favoured.  A part is a function of the net, the seed,
   the number of the part and the start alone. */
#ifndef TABIA_MACHINE_LANES_LANE_PLAYER_H
#define TABIA_MACHINE_LANES_LANE_PLAYER_H

#include "machine/circuit_game.h"
#include "machine/lanes/lane_code.h"

typedef struct lane_part {
  uint64_t seed, number;
  uint64_t starts;       /* games */
  uint64_t max_steps;    /* after which a game is given up; 0: never */
  const uint64_t *start; /* the position in which its games begin; NULL: that of the game */
  bool counter;          /* its random numbers are those of lane_counter.h */
} lane_part;

/* A game that went wrong. */
typedef struct lane_fault {
  enum { LANE_SOUND, LANE_STUCK, LANE_NO_GOAL, LANE_SEVERAL_GOALS } kind;
  uint32_t role;
  uint32_t lane;
  uint64_t begun, step; /* steps of the part at which the game began and the fault was met */
} lane_fault;

typedef struct lane_tally {
  arena *keep;
  VEC(uint64_t) lengths; /* by length: games that came to a sound end */
  uint64_t *goals;       /* by goal of the circuit: games in which it held at their end */
  uint64_t too_long;
  uint64_t faults[LANE_SEVERAL_GOALS + 1];
  lane_fault first; /* of the part */
} lane_tally;

lane_player *lane_player_new(const grounded *g, const lane_net *net, const lane_code *code,
                             arena *keep);
void lane_tally_init(lane_tally *t, const grounded *g, arena *keep);

/* Plays a part and adds it to the tally.  False: the budget is spent, and what was played of the
   part is not counted. */
bool lane_player_play(lane_player *p, const lane_part *part, lane_tally *t, budget *b);

/* Plays the part again, on a net that records, and returns the moves of one lane: those of the
   game that is under way after `steps` steps, role by role.  False: the budget is spent. */
bool lane_player_record(lane_player *p, const lane_part *part, uint32_t lane, uint64_t steps,
                        id_vec *line, arena *keep, budget *b);

/* The same for the first game of a lane, until it is over or has that many steps.  False: the
   budget is spent. */
bool lane_player_record_first(lane_player *p, const lane_part *part, uint32_t lane,
                              uint64_t max_steps, id_vec *line, arena *keep, budget *b);

#endif
