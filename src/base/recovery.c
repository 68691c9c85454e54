#include "base/recovery.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

/* The last point that was set.  It is of its thread alone, and nothing when no call is under way.
 */
static _Thread_local recovery *current;

void recovery_enter(recovery *r, arena_group *group) {
  r->own = (arena_group){0};
  r->group = group ? group : &r->own;
  r->outer = current;
  r->lock = NULL;
  current = r;
}

void recovery_leave(recovery *r) {
  assert(current == r && !r->lock);
  current = r->outer;
  if (r->group == &r->own) arena_group_move(&r->own, NULL);
}

/* What is given back is given back here, while everything that it refers to is still there. */
void recovery_fail(void) {
  recovery *r = current;
  if (!r) __builtin_trap(); /* a way in that sets no point is a fault of ours */
  current = r->outer;
  if (r->lock) pthread_mutex_unlock(r->lock);
  arena_group_free(r->group);
  longjmp(r->here, 1);
}

void *recovery_memory(void *old, size_t size) {
  const bool is_refused = memory_is_refused && memory_is_refused(size);
  void *memory = is_refused ? NULL : realloc(old, size);
  if (!memory) recovery_fail();
  return memory;
}

bool recovery_try(arena_group *group, recovery_work *work, void *context) {
  recovery r;
  arena_group made = {0};
  recovery_enter(&r, &made);
  if (setjmp(r.here) != 0) return false;
  work(context);
  recovery_leave(&r);
  arena_group_move(&made, group);
  return true;
}

arena_group *recovery_group(void) { return current ? current->group : NULL; }

void recovery_lock(pthread_mutex_t *lock) {
  pthread_mutex_lock(lock);
  assert(!current || !current->lock);
  if (current) current->lock = lock;
}

void recovery_unlock(pthread_mutex_t *lock) {
  assert(!current || current->lock == lock);
  if (current) current->lock = NULL;
  pthread_mutex_unlock(lock);
}

void close_guarded(void *file) {
  if (*(const int *)file >= 0) close(*(const int *)file);
}
