#include "tree/end_watch.h"

/* Steps that an end beside a node may cost; how many nodes there are for one that is looked at
   where it costs more; and how far back it counts. */
enum { WORTH = 1000, RARELY = 16, MEMORY = 1 << 15 };

bool end_watch_wants(end_watch *w) {
  const bool is_worth_it = w->successors <= WORTH * (w->near + 1);
  return is_worth_it || w->turn++ % RARELY == 0;
}

void end_watch_learn(end_watch *w, uint32_t successors, bool is_near) {
  w->successors += successors;
  w->near += is_near;
  if (w->successors < MEMORY) return;
  w->successors /= 2;
  w->near /= 2;
}
