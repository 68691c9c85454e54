/* The values of a coordinate in their order, with a quality: how sure that order is.

     3    numbers, letters one after another, a name with a number behind it, number words, or a
          chain of facts such as (succ a b) (succ b c)
     2    such a chain that leaves some values out, or numbers among which there are a few words
     1.5  left, middle, right
     1    numbers far apart, such as 0, 25, 100: rather points than places
     0    no order is known: values are sorted by their text */
#ifndef TABIA_BOARD_EVIDENCE_ORDER_H
#define TABIA_BOARD_EVIDENCE_ORDER_H

#include "board/evidence/statics.h"

typedef struct ordering {
  id_vec items; /* gaps between numbers are filled */
  double quality;
  bool is_cycle; /* facts lead from each value to the next, and from the last to the first */
  bool is_numeric, has_letters;
} ordering;

/* Values at which an order may be trusted as a coordinate. */
static inline bool ordering_is_coordinate(const ordering *o) {
  return o->quality >= 1.5 && o->items.count >= 2;
}

ordering order_values(names *n, const statics *s, const id_vec *values, arena *keep);

uint32_t ordering_find(const ordering *o, value_id v); /* its place; items.count: it has none */

#endif
