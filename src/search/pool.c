#include "search/pool.h"

#include "base/recovery.h"

#include <stdatomic.h>

struct pool {
  pthread_t *threads;
  uint32_t thread_count; /* the caller's not among them */
  pthread_mutex_t lock;
  pthread_cond_t begins, ends;
  uint64_t round;   /* grows when there is work */
  uint32_t at_work; /* threads that have not come back from this round */
  bool is_over;
  arena *guard; /* ends the threads */
  /* the work of the round */
  pool_work *work;
  void *context;
  uint32_t count;
  atomic_uint next;
  arena_group *group;   /* of what is made */
  atomic_bool is_short; /* of memory */
};

static void take_items(void *context) {
  pool *p = context;
  for (uint32_t i; (i = atomic_fetch_add(&p->next, 1)) < p->count;) p->work(p->context, i);
}

/* Where there is no memory, no further item is begun. */
static void try_to_take_items(pool *p) {
  if (recovery_try(p->group, take_items, p)) return;
  atomic_store(&p->is_short, true);
  atomic_store(&p->next, p->count);
}

/* Waits for a round after `seen`; false: there will be none. */
static bool wait_for_work(pool *p, uint64_t *seen) {
  pthread_mutex_lock(&p->lock);
  while (p->round == *seen && !p->is_over) pthread_cond_wait(&p->begins, &p->lock);
  *seen = p->round;
  const bool goes_on = !p->is_over;
  pthread_mutex_unlock(&p->lock);
  return goes_on;
}

static void come_back(pool *p) {
  pthread_mutex_lock(&p->lock);
  if (--p->at_work == 0) pthread_cond_signal(&p->ends);
  pthread_mutex_unlock(&p->lock);
}

static void *run_thread(void *context) {
  pool *p = context;
  for (uint64_t seen = 0; wait_for_work(p, &seen);) {
    try_to_take_items(p);
    come_back(p);
  }
  return NULL;
}

static void end_threads(void *context) {
  pool *p = context;
  pthread_mutex_lock(&p->lock);
  p->is_over = true;
  pthread_cond_broadcast(&p->begins);
  pthread_mutex_unlock(&p->lock);
  for (uint32_t i = 0; i < p->thread_count; i++) pthread_join(p->threads[i], NULL);
  pthread_cond_destroy(&p->begins);
  pthread_cond_destroy(&p->ends);
  pthread_mutex_destroy(&p->lock);
}

pool *pool_new(uint32_t threads, arena *keep) {
  pool *p = arena_alloc_zero(keep, sizeof *p);
  p->threads = arena_new_array(keep, pthread_t, threads + (size_t)1);
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->begins, NULL);
  pthread_cond_init(&p->ends, NULL);
  p->guard = arena_guarding(end_threads, p);
  while (p->thread_count + 1 < threads &&
         pthread_create(&p->threads[p->thread_count], NULL, run_thread, p) == 0)
    p->thread_count++;
  return p;
}

void pool_free(pool *p) {
  if (p) arena_free(p->guard);
}

static void begin_round(pool *p, uint32_t count, pool_work *work, void *context) {
  pthread_mutex_lock(&p->lock);
  p->work = work;
  p->context = context;
  p->count = count;
  atomic_store(&p->next, 0);
  atomic_store(&p->is_short, false);
  p->group = recovery_group();
  p->at_work = p->thread_count;
  p->round++;
  pthread_cond_broadcast(&p->begins);
  pthread_mutex_unlock(&p->lock);
}

static void end_round(pool *p) {
  pthread_mutex_lock(&p->lock);
  while (p->at_work) pthread_cond_wait(&p->ends, &p->lock);
  pthread_mutex_unlock(&p->lock);
}

void pool_run(pool *p, uint32_t count, pool_work *work, void *context) {
  if (!p->thread_count || count < 2) {
    for (uint32_t i = 0; i < count; i++) work(context, i);
    return;
  }
  begin_round(p, count, work, context);
  try_to_take_items(p);
  end_round(p);
  if (atomic_load(&p->is_short)) recovery_fail();
}
