/* What happens when the system has no memory left.

   Every way into the library sets a recovery point, and so does every thread that it starts.  When
   an allocation fails, all arenas that were made since the last point are given back, newest first,
   and the work goes on there, as from a setjmp:

     recovery r;
     recovery_enter(&r, NULL);
     if (setjmp(r.here) == 0) {
       status = work();
       recovery_leave(&r);
     } else {
       status = TABIA_LIMIT;
     }

   So frames in between may hold nothing but arenas.  Whatever else has to be given back (a file, a
   solver, a thread) hangs on an arena: see arena_guarding.  What is older than the point stays as
   it was at the moment of the failure: arrays that grow, terms and tables of ids are whole then,
   and what could be left half done is thrown away with the group of arenas that it is made of. */
#ifndef TABIA_BASE_RECOVERY_H
#define TABIA_BASE_RECOVERY_H

#include "base/arena.h"

#include <pthread.h>
#include <setjmp.h>

typedef struct recovery {
  jmp_buf here;
  arena_group *group; /* of the arenas that are made now */
  arena_group own;    /* it, unless another was given */
  struct recovery *outer;
  pthread_mutex_t *lock; /* that is held now; or NULL */
} recovery;

/* Arenas that are made from now on belong to the group: all of it is given back by a failure.
   NULL: to one of its own, whose arenas belong to nobody once the point is left. */
void recovery_enter(recovery *r, arena_group *group);
void recovery_leave(recovery *r);

/* There is no memory: goes on at the last point of this thread. */
_Noreturn void recovery_fail(void);

/* As realloc, but it does not come back without memory. */
void *recovery_memory(void *old, size_t size);

/* Work with a point of its own, in any thread.  False: there was no memory, and what was made by it
   is given back; else that belongs to the group. */
typedef void recovery_work(void *context);
bool recovery_try(arena_group *group, recovery_work *work, void *context);

/* The group of the last point of this thread; NULL: there is no point. */
arena_group *recovery_group(void);

/* A lock that is given back by a failure, too; one at a time. */
void recovery_lock(pthread_mutex_t *lock);
void recovery_unlock(pthread_mutex_t *lock);

/* For arena_guarding: closes the descriptor at `file`, if there is one. */
void close_guarded(void *file);

/* Defined by tests alone, to say which allocations fail. */
bool memory_is_refused(size_t bytes) __attribute__((weak));

#endif
