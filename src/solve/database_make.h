/* The values of all states of a walk as a database.

   Ends are left out: the rules give their values.  Where two roles choose, values are stored from
   the point of view of the role to move, which takes fewer bits. */
#ifndef TABIA_SOLVE_DATABASE_MAKE_H
#define TABIA_SOLVE_DATABASE_MAKE_H

#include "solve/space.h"

/* Writes what a state is worth to each role, and its steps; 0 where there are none at all. */
typedef void state_values_fn(const void *context, state_place p, double *values, uint16_t *steps);

typedef struct state_values {
  state_values_fn *read;
  const void *context;
  bool has_steps;
} state_values;

typedef struct database_size {
  uint64_t keys;     /* states except ends */
  uint64_t bytes[3]; /* of index, values, steps */
} database_size;

/* `choosers` are the roles that choose, where there are two.  False: the budget is spent, or `d`
   says what is wrong, or *reason is set: it cannot be written. */
bool database_make(const char *folder, solve_space *s, const uint32_t *choosers, state_values v,
                   database_size *size, const char **reason, budget *b, diag_sink *d);

#endif
