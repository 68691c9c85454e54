/* Chooses the moves of one role in one match: a machine, what the role knows of the position, and a
   way to choose.  A mind belongs to one thread.  When memory runs out, it is released with the
   other arenas made since the thread's recovery point.

     random  any legal move
     legal   the first legal move
     uct     a plain tree search, as a yardstick
     tabia   our best search */
#ifndef TABIA_GGP_PLAYER_MIND_H
#define TABIA_GGP_PLAYER_MIND_H

#include "ggp/player/tracker.h"

typedef enum mind_kind { MIND_RANDOM, MIND_LEGAL, MIND_UCT, MIND_TABIA } mind_kind;

extern const char *const mind_names[]; /* ended by NULL */

typedef struct mind_options {
  mind_kind kind;
  uint32_t threads;    /* of a search; 0: one */
  uint64_t bytes;      /* of a search; 0: its default */
  uint64_t iterations; /* of a search, at most, for each move; 0: as time allows */
  uint64_t seed;
  /* A folder with the values of all states of some game, looked up where it is the one that is
     played; or NULL. */
  const char *database;
} mind_options;

typedef struct mind mind;

/* Opens a machine of that kind for the rules.  NULL: it cannot be opened within the limits, or
   there is no such role; the log says why. */
mind *mind_open(const mind_options *o, const tabia_rules *rules, const char *machine,
                const char *role, const tabia_limits *limits, tabia_messages *log);
void mind_close(mind *m);

const char *mind_machine(const mind *m); /* which one it has */
bool mind_searches(const mind *m);       /* or else it knows its move at once */

/* Prepares for the game, for at most `seconds`. */
void mind_learn(mind *m, double seconds, const tabia_limits *limits);

/* Follows a step.  False: it does not fit the game, and no moves are known any more. */
bool mind_follow(mind *m, const match_step *step);

/* A legal move at once; NULL: there is none. */
const char *mind_any_move(mind *m, arena *keep);
bool mind_has_choice(mind *m);

/* The move to make, after at most `seconds`, or as soon as the limits are cancelled.  `note` gets
   value, iterations and depth, for the log. */
const char *mind_choose(mind *m, double seconds, const tabia_limits *limits, text *note,
                        arena *keep);
/* Thinks in the time of others, until the limits are cancelled. */
void mind_ponder(mind *m, const tabia_limits *limits);

/* Called now and then during a search with the best move so far. */
typedef void mind_listener(void *context, const char *move);
void mind_set_listener(mind *m, mind_listener *tell, void *context);

#endif
