/* What happens when there is no memory left: the system has none, or the account to which the call
   is charged, which is its memory limit (account.h).

   Every way into the library sets a recovery point, and so does every thread that it starts.  When
   an allocation fails, all arenas made since the last point are released, newest first, and
   execution continues there, as from a setjmp:

     recovery r;
     recovery_enter(&r, NULL);
     if (setjmp(r.here) == 0) {
       status = work();
       recovery_leave(&r);
     } else {
       status = TABIA_LIMIT;
     }

   So frames in between may hold nothing but arenas.  Any other resource (a file, a solver, a
   thread) is attached to an arena: see arena_guarding.  Objects older than the point stay as they
   were at the moment of the failure: growing arrays, terms and tables of ids are consistent then,
   and an object that could be inconsistent is discarded with the group of arenas that it is made
   of. */
#ifndef TABIA_BASE_RECOVERY_H
#define TABIA_BASE_RECOVERY_H

#include "base/account.h"
#include "base/arena.h"

#include <pthread.h>
#include <setjmp.h>

typedef struct recovery {
  jmp_buf here;
  arena_group *group; /* of the arenas that are made now */
  arena_group own;    /* it, unless another was given */
  struct recovery *outer;
  pthread_mutex_t *lock; /* that is held now; or NULL */
  account *account;      /* of the arenas that are made now: the outer point's, or its own */
  bool holds_account;
} recovery;

/* Arenas that are made from now on belong to the group: all of it is given back by a failure.
   NULL: to one of its own, whose arenas belong to nobody once the point is left. */
void recovery_enter(recovery *r, arena_group *group);
void recovery_leave(recovery *r);

/* Arenas that are made from now on are charged to the account, until the last point is left.  The
   caller's hold goes over to the point. */
void recovery_charge(account *a);
account *recovery_account(void); /* of the last point of this thread; or NULL */

/* There is no memory: goes on at the last point of this thread. */
_Noreturn void recovery_fail(void);

/* The last failure of this thread was for a memory limit, and not for the system. */
bool recovery_was_for_limit(void);

/* Like realloc, but never returns NULL; `more` bytes are charged to the account. */
void *recovery_memory(account *a, void *old, size_t size, size_t more);

/* Work with a point of its own, in any thread.  False: there was no memory, and what was made by it
   is given back; else that belongs to the group. */
typedef void recovery_work(void *context);
bool recovery_try(arena_group *group, recovery_work *work, void *context);

/* The same in a thread that works for another, charged to the account of that one. */
bool recovery_try_for(account *a, arena_group *group, recovery_work *work, void *context);

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
