/* Steps from cell to cell that facts speak of: (east a b), (step north a b).  A direction is a
   relation, with its other arguments, that leads from each value to at most one other, and to each
   from at most one. */
#ifndef TABIA_BOARD_EVIDENCE_STEPS_H
#define TABIA_BOARD_EVIDENCE_STEPS_H

#include "board/evidence/statics.h"

enum { DIRECTIONS_MOST = 12 };

typedef struct cell_step {
  uint32_t direction, from, to; /* places in the domain */
} cell_step;

typedef struct cell_steps {
  VEC(cell_step) all;
  uint32_t directions;
  const char *words[DIRECTIONS_MOST]; /* what each is called, "north" or "succ/2" */
} cell_steps;

cell_steps steps_between(const statics *s, const names *values, const id_vec *domain, arena *keep);

/* Is every direction the same difference between places? `x` and `y` are by place in the domain. */
bool steps_are_straight(const cell_steps *s, const double *x, const double *y);

#endif
