/* The strength of players, from the results of matches.

   Ratings are those of Bradley and Terry on the scale of Elo, a draw being half a win, their mean
   zero.  Each two players who have met are given one draw beforehand, so that a rating is finite
   even where one has won all.  Error bars are for 95 %.

   The test of a pair is sequential: with LLR at 2.94 the stronger hypothesis is accepted, at -2.94
   the weaker one, each wrong in one of twenty cases. */
#ifndef TABIA_GGP_TOURNAMENT_STANDINGS_H
#define TABIA_GGP_TOURNAMENT_STANDINGS_H

#include "base/vec.h"
#include "ggp/tournament/tournament_store.h"

typedef struct player_standing {
  const char *name;
  uint32_t matches, wins, draws, losses; /* against others */
  uint32_t alone;                        /* matches of one role */
  uint32_t errors;
  double goals; /* sum over all matches */
  double elo, elo_error;
} player_standing;

typedef struct pair_standing {
  uint32_t first, second;       /* players */
  uint32_t wins, draws, losses; /* of the first */
} pair_standing;

typedef struct standings {
  arena *keep;
  VEC(player_standing) players;
  VEC(pair_standing) pairs;
  uint32_t aborted; /* matches that are not counted */
} standings;

#define SPRT_BOUND 2.94

standings standings_new(arena *keep);
/* For tournament_store_each. */
void standings_add(void *standings, const match_row *row);
/* Computes the ratings, and orders players by them. */
void standings_rate(standings *s);

/* The log-likelihood ratio of the score of a pair for an Elo difference of `high` against `low`. */
double pair_llr(const pair_standing *p, double low, double high);
const char *pair_verdict(double llr); /* "stronger", "not stronger", "open" */

#endif
