/* The different values of a game's states, each a number for each role; a state is stored as the
   index of its value.  Indices are in ascending order of values, so that they do not depend on the
   order in which states were found. */
#ifndef TABIA_SOLVE_VALUE_TABLE_H
#define TABIA_SOLVE_VALUE_TABLE_H

#include "base/hash.h"
#include "base/vec.h"

typedef struct value_table {
  arena *keep;
  uint32_t roles;
  VEC(double) items; /* value after value, by role */
  id_table places;
} value_table;

void value_table_init(value_table *t, uint32_t roles, arena *keep);
uint32_t value_table_count(const value_table *t);

static inline const double *value_table_at(const value_table *t, uint32_t place) {
  return t->items.items + (size_t)place * t->roles;
}

/* Its place, at the end where it is new. */
uint32_t value_table_add(value_table *t, const double *values);

/* The place of one that is there. */
uint32_t value_table_place(const value_table *t, const double *values);

/* Also adds each value with these two roles exchanged. */
void value_table_close_under_swap(value_table *t, uint32_t a, uint32_t b);

/* Sorts the values in ascending order. */
void value_table_sort(value_table *t);

#endif
