/* The same work in several threads at once. */
#ifndef TABIA_SEARCH_TEAM_H
#define TABIA_SEARCH_TEAM_H

#include <stddef.h>
#include <stdint.h>

typedef void team_work(void *worker);

/* Calls `work` for each of `count` workers of `size` bytes, which lie one behind another, and waits
   for all.  The first works in the caller's thread; one for which no thread can be started is left
   out, so work is what workers take, and not what they are given.  Where there is no memory for one
   of them, it fails when all are done. */
void team_run(void *workers, size_t size, uint32_t count, team_work *work);

#endif
