/* Which constants can stand in each column, and the small numbers they become.

   Columns that share a variable somewhere, or that hold the same arguments under two keywords, form
   a class; the constants of a class are numbered (`codes`), so that a join compares codes. The
   constants of a column are found by running the rules on sets of constants, column by column.
   Numbers come first in a class, by value: a column is then mostly a range of codes. */
#ifndef TABIA_COMPILE_PLAN_DOMAINS_H
#define TABIA_COMPILE_PLAN_DOMAINS_H

#include "compile/plan/normalise.h"

typedef struct value_class {
  term_id *values; /* by code */
  uint32_t count;
} value_class;

typedef struct column_domain {
  uint32_t class_id;
  uint32_t low, high; /* codes in use lie here; low > high: none */
} column_domain;

typedef struct domains {
  const normal_program *n;
  uint32_t *first_column; /* by flat relation */
  column_domain *columns;
  value_class *classes;
  uint32_t class_count;
  bool *can_fire; /* by clause of n->flat */
  id_table codes; /* of (class, term) */
  VEC(uint64_t) code_keys;
  id_vec code_values;
} domains;

void domains_find(domains *d, const normal_program *n, arena *keep, budget *limits);

static inline const column_domain *domain_of(const domains *d, flat_id r, uint32_t column) {
  return &d->columns[d->first_column[r] + column];
}

static inline uint32_t domain_size(const column_domain *c) {
  return c->low > c->high ? 0 : c->high - c->low + 1;
}

/* The code of a constant in a class; ID_NONE when the class does not have it. */
uint32_t domain_code(const domains *d, uint32_t class_id, term_id value);

/* How many rows the relation could have: the product of its columns' sizes; UINT64_MAX when that
   is more. */
uint64_t domain_product(const domains *d, flat_id r);

#endif
