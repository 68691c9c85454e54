#include "base/recovery.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

/* The last point that was set.  It is of its thread alone, and nothing when no call is under way.
 */
static _Thread_local recovery *current;

/* The reason for the last jump to it, for the message. */
static _Thread_local bool was_for_limit;

void recovery_enter(recovery *r, arena_group *group) {
  r->own = (arena_group){0};
  r->group = group ? group : &r->own;
  r->outer = current;
  r->lock = NULL;
  r->account = recovery_account();
  r->holds_account = false;
  current = r;
}

void recovery_leave(recovery *r) {
  assert(current == r && !r->lock);
  current = r->outer;
  if (r->group == &r->own) arena_group_move(&r->own, NULL);
  if (r->holds_account) account_let_go(r->account);
}

void recovery_charge(account *a) {
  assert(current);
  if (current->holds_account) account_let_go(current->account);
  account_forget_refusal(a);
  current->account = a;
  current->holds_account = true;
}

account *recovery_account(void) { return current ? current->account : NULL; }

bool recovery_was_for_limit(void) { return was_for_limit; }

/* What is given back is given back here, while everything that it refers to is still there. */
static _Noreturn void go_back(bool is_for_limit) {
  recovery *r = current;
  if (!r) __builtin_trap(); /* a way in that sets no point is a fault of ours */
  was_for_limit = is_for_limit;
  current = r->outer;
  if (r->lock) pthread_mutex_unlock(r->lock);
  arena_group_free(r->group);
  if (r->holds_account) account_let_go(r->account);
  longjmp(r->here, 1);
}

/* A thread that worked for this one may have been refused. */
void recovery_fail(void) { go_back(account_has_refused(recovery_account())); }

void *recovery_memory(account *a, void *old, size_t size, size_t more) {
  if (!account_take(a, more)) go_back(true);
  const bool is_refused = memory_is_refused && memory_is_refused(size);
  void *memory = is_refused ? NULL : realloc(old, size);
  if (memory) return memory;
  account_give_back(a, more);
  recovery_fail();
}

bool recovery_try(arena_group *group, recovery_work *work, void *context) {
  return recovery_try_for(recovery_account(), group, work, context);
}

bool recovery_try_for(account *a, arena_group *group, recovery_work *work, void *context) {
  recovery r;
  arena_group made = {0};
  recovery_enter(&r, &made);
  r.account = a;
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
