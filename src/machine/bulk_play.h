/* Random games in bulk: the operations of a machine that plays very many games at once.

   A machine without these operations plays its random games one after another, and all such
   machines play the same games (search/playout.h).  A machine with them draws moves in its own way.
   Callers that want figures of random games use playouts_run, and need not know which kind of
   machine it is.

   Work is divided into parts.  A part is a number of games that are started together; all of them
   are played to their end, so that short games are not favoured.  The result of a part is a
   function of the machine, the seed, the number of the part and the start alone: parts can be
   played by any number of threads in any order. */
#ifndef TABIA_MACHINE_BULK_PLAY_H
#define TABIA_MACHINE_BULK_PLAY_H

#include "base/vec.h"
#include "machine/fault.h"

typedef struct bulk_part {
  uint64_t seed, number;
  uint64_t starts;    /* games */
  uint64_t max_steps; /* after which a game is given up; 0: never */
  const void *start;  /* the position in which its games begin; NULL: that of the game */
  bool counter; /* its random numbers are a function of game and step (lanes/lane_counter.h) */
} bulk_part;

/* The first game of a part that went wrong. */
typedef struct bulk_fault {
  fault_kind kind; /* FAULT_NONE: there is none */
  uint32_t role;
  uint32_t lane;        /* games take turns in lanes, of which a machine has a fixed number */
  uint64_t begun, step; /* steps of the part at which the game began and the fault was met */
} bulk_fault;

/* A goal that games are counted by.  The value is GOAL_NONE for one that is not a number. */
typedef struct bulk_goal {
  uint32_t role;
  int32_t value;
} bulk_goal;

typedef struct bulk_tally {
  arena *keep;
  VEC(uint64_t) lengths; /* by length: games that came to a sound end */
  uint64_t *goals;       /* by goal of the player: games in which it held at their end */
  uint64_t too_long;
  uint64_t faults[FAULT_SEVERAL_GOALS + 1];
  bulk_fault first;
} bulk_tally;

/* What one thread plays with.  Every machine has a struct of its own, which starts with this. */
typedef struct bulk_player {
  const machine *m;
  const bulk_goal *goals;
  uint32_t goal_count;
  const char *trouble; /* why the device on which it plays has failed; NULL: it has not */
} bulk_player;

/* Parts that are played together: they have numbers one after another, and all but the last have as
   many games as the first. */
typedef struct bulk_parts {
  bulk_part first;
  uint64_t count;       /* at least 1 */
  uint64_t last_starts; /* games of the last one */
} bulk_parts;

/* Random games from many positions, each told by itself. */
typedef struct rollout_request {
  const uint64_t *positions; /* one behind another */
  uint64_t games;            /* game i begins in position i / games_each, with stream first + i */
  uint32_t games_each;
  uint64_t seed, first;
  uint64_t max_steps; /* after which a game is given up; 0: never */
  int32_t *goals;     /* by game and role; GOAL_NONE: none or several, or the game came to no end */
} rollout_request;

/* What a player is for. */
typedef struct bulk_job {
  uint32_t number;   /* of the player: below what `players` says, where that is set */
  uint64_t games;    /* that are wanted of all players together; 0: as many as there is time for */
  const void *start; /* as of bulk_part */
} bulk_job;

typedef struct bulk_play_ops {
  uint32_t lanes;
  bool is_by_counter; /* its random games are so always */
  /* How many games a part should have: a function of the game alone.  0: the budget is spent. */
  uint64_t (*part_size)(const machine *m, budget *b);
  /* The player lives in `keep`.  NULL: the budget is spent. */
  bulk_player *(*open)(const machine *m, const bulk_job *job, arena *keep, budget *b);
  /* Plays a part and adds it to the tally.  False: the budget is spent, and what was played of the
     part is not counted. */
  bool (*play)(bulk_player *p, const bulk_part *part, bulk_tally *t, budget *b);
  /* A machine that plays many parts at once says how many it wants in so many seconds, and plays
     them; *faulty is the part of t->first.  False: as play, or there is trouble.  NULL: parts are
     played one by one, by as many threads as are wanted; else there are `players` threads. */
  uint32_t (*players)(const machine *m);
  uint64_t (*parts_at_once)(bulk_player *p, double seconds);
  bool (*play_parts)(bulk_player *p, const bulk_parts *parts, bulk_tally *t, bulk_part *faulty,
                     budget *b);
  /* Plays games from many positions, by counter: game n is that of lane n % LANES of part n /
     LANES, which has the lane for itself from step 0 on.  False: the budget is spent, or *trouble
     says why the device failed; games that have not come to an end have no goals.  NULL: a bundle
     plays them (machine/bundle.h). */
  bool (*play_each)(const machine *m, const rollout_request *r, const char **trouble, budget *b);
  /* Plays the part again and records the moves of one lane, role by role: those of the game under
     way after `steps` steps.  False: the budget is spent. */
  bool (*record)(const machine *m, const bulk_part *part, uint32_t lane, uint64_t steps,
                 id_vec *line, arena *keep, budget *b);
  /* The same for the first game of the lane, until it is over or has `max_steps` steps. */
  bool (*record_first)(const machine *m, const bulk_part *part, uint32_t lane, uint64_t max_steps,
                       id_vec *line, arena *keep, budget *b);
} bulk_play_ops;

#endif
