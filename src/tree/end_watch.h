/* Whether a look at all successors of a node is worth its time where random games judge.

   It finds ends of the game, of which a win in one is the best, and costs a step for each
   successor.  So it is made of every node as long as enough nodes have an end beside them, and else
   of a few, in case that changes. */
#ifndef TABIA_TREE_END_WATCH_H
#define TABIA_TREE_END_WATCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct end_watch {
  uint64_t successors; /* that were looked at, the last ones above all */
  uint64_t near;       /* nodes with an end among them */
  uint32_t turn;
} end_watch;

bool end_watch_wants(end_watch *w); /* the next node */
void end_watch_learn(end_watch *w, uint32_t successors, bool is_near);

#endif
