/* Sorts terms that were made from rows of flat relations by their text.

   Terms of one relation differ only in their constants, so once these are sorted, rows are compared
   by numbers; texts are compared only between terms of different relations. */
#ifndef TABIA_GROUND_TEXT_ORDER_H
#define TABIA_GROUND_TEXT_ORDER_H

#include "datalog/flat.h"
#include "datalog/table.h"

typedef struct text_items {
  const flat_program *f;
  const table *tables;      /* by flat relation */
  const flat_id *relations; /* their rows, one after another, are the items */
  uint32_t relation_count;
  const term_id *terms;   /* by item */
  const uint32_t *before; /* by item: a number that counts before the text; or NULL */
  uint32_t count;         /* of items */
} text_items;

/* The items in their order. */
uint32_t *text_order(const text_items *x, arena *scratch);

#endif
