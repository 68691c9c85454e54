/* What is to be played: a text of lines, each a word and what belongs to it.  `#` begins a comment.

     games GAME...          may be repeated
     player KIND            one of our own: random, legal, uct, tabia
     player NAME KIND [threads=N] [iterations=N]
     player NAME HOST:PORT
     clocks START PLAY      seconds (15 5)
     grace SECONDS          (1)
     rounds N               (1)
     matches N              at once (1)
     cores N                for each player of our own; 0: they share all (0)
     sprt LOW HIGH          Elo differences between which the test decides (0 50)
     scramble               players see other names
     seed N                 (1)

   In each round every two players meet in every game, and meet again with sides swapped; where a
   game has more than two roles, they take turns over the seats.  A game of one role is played by
   each player alone. */
#ifndef TABIA_GGP_TOURNAMENT_TOURNAMENT_PLAN_H
#define TABIA_GGP_TOURNAMENT_TOURNAMENT_PLAN_H

#include "base/vec.h"
#include "ggp/referee/match_table.h"

typedef struct tournament_plan {
  VEC(const char *) games;
  VEC(match_player) players;
  double start_clock, play_clock, grace;
  double sprt_low, sprt_high;
  uint64_t rounds, matches, cores, seed;
  bool is_scrambled;
} tournament_plan;

/* False: *why says what is wrong, and in which line. */
bool tournament_plan_read(tournament_plan *p, slice words, arena *keep, const char **why);

/* What results depend on beside game, round and players: results under other settings are no
   results of this plan. */
const char *tournament_settings(const tournament_plan *p, arena *keep);

#define NO_PLAYER UINT32_MAX

/* One match.  Its key is made of names, so that a longer plan finds what a shorter one has
   played. */
typedef struct planned_match {
  const char *key;
  const char *game;
  uint32_t round;         /* from 1 */
  uint32_t first, second; /* players; the second is NO_PLAYER where there is one role */
} planned_match;

typedef VEC(planned_match) match_list;

/* `roles`: of each game, without `random`.  Rounds come one after another, so that all pairs
   advance evenly. */
void tournament_schedule(const tournament_plan *p, const uint32_t *roles, arena *keep,
                         match_list *matches);

/* The player at a seat. */
uint32_t planned_player(const planned_match *m, uint32_t seat);

#endif
