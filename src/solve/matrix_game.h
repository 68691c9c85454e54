/* Matrix games: what the player of the rows can guarantee by a mixed strategy, whatever column is
   chosen.

   The strategy comes from the simplex method on floating-point numbers; what it guarantees is then
   computed from the strategy itself, so that the answer is a true lower bound whatever rounding
   did. */
#ifndef TABIA_SOLVE_MATRIX_GAME_H
#define TABIA_SOLVE_MATRIX_GAME_H

#include "base/budget.h"

typedef struct matrix_game {
  uint32_t rows, columns;
  const double *items; /* row after row: the value for the player of the rows */
} matrix_game;

/* The guarantee; `shares`, by row, are the probabilities.  If the budget is spent, the strategy is
   not the best one. */
double matrix_game_solve(const matrix_game *g, double *shares, arena *scratch, budget *b);

#endif
