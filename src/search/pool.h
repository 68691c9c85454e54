/* Threads that wait for work: for many short pieces of it, one call after another. */
#ifndef TABIA_SEARCH_POOL_H
#define TABIA_SEARCH_POOL_H

#include "base/arena.h"

typedef struct pool pool;

typedef void pool_work(void *context, uint32_t item);

/* `threads` counts the caller's; threads that cannot be started are left out.  The pool lives in
   `keep`; pool_free, which ends the threads, is due before that goes. */
pool *pool_new(uint32_t threads, arena *keep);
void pool_free(pool *p); /* NULL is allowed */

/* Calls `work` for the items 0 .. count-1, by whichever threads are free, the caller's among them,
   and comes back when all are done, or fails where there is no memory for one. */
void pool_run(pool *p, uint32_t count, pool_work *work, void *context);

#endif
