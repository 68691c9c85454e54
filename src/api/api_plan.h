/* Puzzles: a game of one role without chance is won by a plan, and plans are what the provers find
   (the property `winnable`). */
#ifndef TABIA_API_API_PLAN_H
#define TABIA_API_API_PLAN_H

#include "api/api.h"

typedef struct play_plan {
  arena *keep;
  unsigned char *positions; /* in which the moves are made, one behind another */
  move_id *moves;
  uint32_t length; /* 0: there is no plan */
} play_plan;

play_plan plan_new(void);
void plan_free(play_plan *p);

/* Is the game one for plans? */
bool plan_is_for(const tabia_machine *m);

/* Limits of a part of a call: so many seconds (above 0), else those of the caller.  NULL: no
   memory. */
tabia_limits *api_part_of_limits(double seconds, const tabia_limits *limits);

/* Looks for a plan from a position that leads to 100, for so many seconds.  False: none was found,
   and what was there is kept. */
bool plan_find(play_plan *p, const tabia_machine *m, const void *position, double seconds,
               const tabia_limits *limits);

/* The step of the plan at which the position is; the length of the plan: at none. */
uint32_t plan_place(const play_plan *p, const tabia_machine *m, const void *position);

#endif
