/* What a player keeps while it plays a part: shared by lane_player.c and the engines alone. */
#ifndef TABIA_MACHINE_LANES_LANE_PLAY_STATE_H
#define TABIA_MACHINE_LANES_LANE_PLAY_STATE_H

#include "base/rng.h"
#include "machine/lanes/lane_counter.h"
#include "machine/lanes/lane_player.h"

struct lane_player {
  /* Lanes whose games began at the same step; there is room for one more than can be. */
  bundle_row cohorts[LANES + 1];
  uint64_t begun[LANES + 1];
  uint32_t cohort_count;
  bundle_row counted;  /* lanes whose game is one of the part's */
  bundle_row given_up; /* lanes whose game was given up in the last step */
  bundle_row gone;     /* lanes whose game is over: the step is made in vain and a game begins */
  lane_random random;
  rng redraws; /* for the lanes whose draw was doubtful */
  uint64_t started, step;
  uint64_t left[COUNTER_WORDS]; /* with counters: games that a word of lanes has to start */
  const bulk_part *part;
  bulk_tally *tally;
  uint32_t target;  /* of the circuit, that is sought; without g */
  lane_meeting met; /* where it was met in the part */
  /* Sums of the part, one for each word of a row: by goal of the circuit, and by length. */
  bundle_row *goal_sums;
  bundle_row *length_sums;
  uint64_t length_count, length_room; /* lengths that occur at most; for which there is room */
  /* what does not change */
  const grounded *g; /* whose goals are counted; NULL: the player seeks targets */
  const lane_net *net;
  const lane_code *code;
  arena *keep;
  bundle_row *rows;
  VEC(row_copy) copies; /* next values that are not in the slots of their latches yet */
  id_vec flips; /* slots of latches that games of the part do not begin with as the rules do */
};

/* Before the first step of a part. */
void lane_player_begin(lane_player *p, const bulk_part *part, bulk_tally *t);

/* The budget is spent.  The steps of large games are so long that the clock is looked at each
   time. */
bool lane_player_is_late(const lane_player *p, budget *b);

/* Makes room for games of a length that is longer than all before. */
void lane_player_add_lengths(lane_player *p, uint64_t length);

/* Notes a fault of the lowest of some lanes, if it is the first of the part. */
void lane_player_note_fault(lane_player *p, const bundle_row *lanes, fault_kind kind,
                            uint32_t role);

/* Notes the lowest of the lanes in which the target was met, if it is the first of the part. */
void lane_player_note_target(lane_player *p, const bundle_row *lanes);

/* Draws again in one lane, if its draw was biased. */
void lane_player_redraw(lane_player *p, const lane_draw *d, uint32_t lane);

#endif
