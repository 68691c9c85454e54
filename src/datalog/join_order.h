/* The order in which the positive literals of a clause are joined.

   A literal looks rows up by the columns that are bound before it.  How many it finds on average is
   known from the sizes of the tables.  The literal that multiplies the rows least comes next; if
   that order is expected to be costly, all orders are compared. */
#ifndef TABIA_DATALOG_JOIN_ORDER_H
#define TABIA_DATALOG_JOIN_ORDER_H

#include "datalog/flat.h"
#include "datalog/table.h"

#define PLAN_NOTHING UINT32_MAX    /* a join that begins with nothing */
#define PLAN_HEAD (UINT32_MAX - 1) /* one that begins with rows of the head */

typedef struct join_order {
  uint32_t *literals; /* the positive body literals but the given one */
  uint32_t count;
  uint32_t before_given; /* so many of them come before the given rows: nearly always 0 */
} join_order;

/* `given` is a body literal, PLAN_HEAD or PLAN_NOTHING.  From the head all solutions are wanted,
   else one for each head.  Given rows of a body literal come first, unless it has no say in what
   the head is and the other literals have few ways to bind that: then each head that is not known
   yet asks whether some given row fits.  `keep` is not the arena of the tables: it is rewound. */
join_order join_order_find(const flat_program *f, table *tables, const flat_clause *c,
                           uint32_t given, arena *keep);

#endif
