/* Random games from many positions at once, each with a stream of random numbers of its own.

   A game is a function of the net, its position, the seed and its stream: the lane that plays it,
   and the other games, change nothing.  So each lane has its own generator: xoroshiro128++ by
   Blackman and Vigna, with a row for each bit of its state.  If a word has enough bits for the
   draws of several steps (a period), it is used for all of them, and games begin with a period.

   Lanes whose game is over wait until loading new games costs less than their waiting has. */
#ifndef TABIA_MACHINE_LANES_LANE_ROLLOUTS_H
#define TABIA_MACHINE_LANES_LANE_ROLLOUTS_H

#include "machine/bulk_play.h"
#include "machine/circuit_game.h"
#include "machine/lanes/lane_code.h"
#include "machine/transpose.h"

/* For one thread; the net must be one that plays. */
lane_rollouts *lane_rollouts_new(const grounded *g, const lane_net *net, const lane_code *code,
                                 arena *keep);

/* False: the budget is spent; games that have not come to an end have no goals. */
bool lane_rollouts_play(lane_rollouts *x, const rollout_request *r, budget *b);

/* ---- what the engines see ---- */

enum { GENERATOR_ROWS = 128, RANDOM_ROWS = 64 };

struct lane_rollouts {
  bundle_row generators[2][GENERATOR_ROWS]; /* 64 rows for each of the two words of a state; ... */
  bool turn;                                /* ... which of them are the states: they take turns */
  bundle_row random[RANDOM_ROWS];           /* a word of each, if it is for several steps */
  bundle_row active;                        /* lanes with a game that goes on */
  bundle_row ended;    /* lanes whose game has ended, and its goals are in ... */
  bundle_row *results; /* ... these, in the order of `goals` */
  const lane_net *net;
  const lane_code *code;
  bundle_row *rows;
  VEC(row_copy) copies;  /* next values that are not in the slots of their latches yet */
  const lane_row *goals; /* in the order of g->goals */
  uint32_t goal_count;
  uint32_t period; /* steps for which a word is used; 0: draws take words of their own */
  uint64_t step;
  /* of lane_rollouts.c alone */
  const grounded *g;
  const transposer *transposer;
  const lane_row *in_order; /* row i is i: for results */
  const rollout_request *request;
  uint64_t key;          /* made of its seed */
  uint32_t next_place;   /* the position of the next game, from which ... */
  uint32_t begun_there;  /* ... so many have begun */
  uint64_t next_game;    /* not begun */
  uint64_t game[LANES];  /* by lane */
  uint32_t place[LANES]; /* by lane: the number of the position in which it began ... */
  uint64_t begun[LANES]; /* ... and at which step */
  uint64_t next_cut;     /* no game is too long before this step */
  uint64_t waited; /* what waiting lanes have cost since games were begun last, in operations */
};

/* Draws again in one lane, if its draw was biased. */
void lane_rollouts_redraw(lane_rollouts *x, const lane_draw *d, uint32_t lane);

#endif
