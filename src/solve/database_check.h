/* Compares the values of a database with those of successors, along random plays on a machine that
   shares nothing with the solver. */
#ifndef TABIA_SOLVE_DATABASE_CHECK_H
#define TABIA_SOLVE_DATABASE_CHECK_H

#include "solve/solved_game.h"

typedef struct database_check_options {
  uint64_t positions; /* to be checked, at least */
  uint64_t seed;
} database_check_options;

typedef struct database_check_result {
  uint64_t positions, followers; /* that were asked for */
  uint64_t wrong;
  const char *first_wrong; /* what and where; or NULL */
} database_check_result;

/* `judge` plays.  False: the budget is spent, or `d` says what is wrong with the judge. */
bool database_check(const solved_game *g, const machine *judge, database_check_options o,
                    database_check_result *r, arena *keep, budget *b, diag_sink *d);

#endif
