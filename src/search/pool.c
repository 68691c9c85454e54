#include "search/pool.h"

#include "base/recovery.h"

#include <stdatomic.h>

/* How often a thread looks for something before it sleeps: some tens of microseconds, which is more
   than lies between two calls of a loop, and less than it takes to be woken twice. */
enum { LOOKS = 2000, CACHE_LINE = 64 };

/* The items that a thread takes first, so that it finds in its cache what it had there in the last
   round; then it takes from others.  The next one is in the lower half, the end in the upper. */
typedef struct share {
  _Alignas(CACHE_LINE) atomic_uint_fast64_t left;
} share;

/* Work of a round is written before its shares and read behind a claim: it stays as it is until
   all items are done.  So a thread that wakes too late finds nothing to claim, or helps with the
   next round. */
struct pool {
  pthread_t *threads;
  uint32_t thread_count; /* the caller's not among them */
  share *shares;         /* of the caller, and of each thread */
  atomic_uint numbers;   /* of threads that were started */
  pthread_mutex_t lock;
  pthread_cond_t begins, ends;
  atomic_uint sleepers; /* threads that wait for `begins` */
  atomic_bool caller_sleeps;
  atomic_bool is_over;
  arena *guard; /* ends the threads */
  /* the work of the round */
  pool_work *work;
  void *context;
  uint32_t count;
  arena_group *group;                              /* of what is made */
  account *account;                                /* to which that is charged */
  atomic_bool is_short;                            /* of memory */
  _Alignas(CACHE_LINE) atomic_uint_fast64_t round; /* grows when there is work */
  _Alignas(CACHE_LINE) atomic_uint done;           /* items of the round */
};

static void breathe(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#elif defined __aarch64__
  __asm__ volatile("yield");
#endif
}

/* ---- items ---- */

static uint32_t members(const pool *p) { return p->thread_count + 1; }

/* Takes an item of a share.  False: there is none left. */
static bool claim(share *s, uint32_t *item) {
  uint_fast64_t left = atomic_load(&s->left);
  while ((uint32_t)left < left >> 32)
    if (atomic_compare_exchange_weak(&s->left, &left, left + 1)) {
      *item = (uint32_t)left;
      return true;
    }
  return false;
}

typedef struct taken {
  const pool *p;
  uint32_t item;
} taken;

static void work_on(void *context) {
  const taken *t = context;
  t->p->work(t->p->context, t->item);
}

static void end_item(pool *p) {
  const uint32_t count = p->count;
  if (atomic_fetch_add(&p->done, 1) + 1 < count || !atomic_load(&p->caller_sleeps)) return;
  pthread_mutex_lock(&p->lock);
  pthread_cond_signal(&p->ends);
  pthread_mutex_unlock(&p->lock);
}

/* If there is no memory, no further item is processed. */
static void take_items(pool *p, uint32_t member) {
  for (uint32_t i = 0; i < members(p); i++)
    for (taken t = {.p = p}; claim(&p->shares[(member + i) % members(p)], &t.item);) {
      if (!atomic_load(&p->is_short) && !recovery_try_for(p->account, p->group, work_on, &t))
        atomic_store(&p->is_short, true);
      end_item(p);
    }
}

/* ---- threads ---- */

static bool is_due(pool *p, uint64_t seen) {
  return atomic_load(&p->round) != seen || atomic_load(&p->is_over);
}

/* Waits for a round after `seen`; false: there will be none. */
static bool wait_for_work(pool *p, uint64_t *seen) {
  for (uint32_t i = 0; i < LOOKS && !is_due(p, *seen); i++) breathe();
  if (!is_due(p, *seen)) {
    pthread_mutex_lock(&p->lock);
    atomic_fetch_add(&p->sleepers, 1);
    while (!is_due(p, *seen)) pthread_cond_wait(&p->begins, &p->lock);
    atomic_fetch_sub(&p->sleepers, 1);
    pthread_mutex_unlock(&p->lock);
  }
  *seen = atomic_load(&p->round);
  return !atomic_load(&p->is_over);
}

static void *run_thread(void *context) {
  pool *p = context;
  const uint32_t member = atomic_fetch_add(&p->numbers, 1) + 1;
  for (uint64_t seen = 0; wait_for_work(p, &seen);) take_items(p, member);
  return NULL;
}

static void wake_sleepers(pool *p) {
  if (!atomic_load(&p->sleepers)) return;
  pthread_mutex_lock(&p->lock);
  pthread_cond_broadcast(&p->begins);
  pthread_mutex_unlock(&p->lock);
}

static void end_threads(void *context) {
  pool *p = context;
  atomic_store(&p->is_over, true);
  wake_sleepers(p);
  for (uint32_t i = 0; i < p->thread_count; i++) pthread_join(p->threads[i], NULL);
  pthread_cond_destroy(&p->begins);
  pthread_cond_destroy(&p->ends);
  pthread_mutex_destroy(&p->lock);
}

/* Memory that begins with a line of the cache. */
static void *alloc_lines(arena *keep, size_t size) {
  char *bytes = arena_alloc_zero(keep, size + CACHE_LINE);
  return bytes + (-(uintptr_t)bytes & (CACHE_LINE - 1));
}

pool *pool_new(uint32_t threads, arena *keep) {
  pool *p = alloc_lines(keep, sizeof *p);
  p->threads = arena_new_array(keep, pthread_t, threads + (size_t)1);
  p->shares = alloc_lines(keep, (threads + (size_t)1) * sizeof *p->shares);
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

/* ---- rounds ---- */

static void begin_round(pool *p, uint32_t count, pool_work *work, void *context) {
  p->work = work;
  p->context = context;
  p->count = count;
  p->group = recovery_group();
  p->account = recovery_account();
  atomic_store(&p->is_short, false);
  atomic_store(&p->done, 0);
  for (uint64_t i = 0; i < members(p); i++) {
    const uint64_t first = i * count / members(p), end = (i + 1) * count / members(p);
    atomic_store(&p->shares[i].left, end << 32 | first);
  }
  atomic_fetch_add(&p->round, 1);
  wake_sleepers(p);
}

static bool is_done(pool *p) { return atomic_load(&p->done) == p->count; }

static void end_round(pool *p) {
  for (uint32_t i = 0; i < LOOKS && !is_done(p); i++) breathe();
  if (is_done(p)) return;
  pthread_mutex_lock(&p->lock);
  atomic_store(&p->caller_sleeps, true);
  while (!is_done(p)) pthread_cond_wait(&p->ends, &p->lock);
  atomic_store(&p->caller_sleeps, false);
  pthread_mutex_unlock(&p->lock);
}

void pool_run(pool *p, uint32_t count, pool_work *work, void *context) {
  if (count < 2 || !p->thread_count) {
    for (uint32_t i = 0; i < count; i++) work(context, i);
    return;
  }
  begin_round(p, count, work, context);
  take_items(p, 0);
  end_round(p);
  if (atomic_load(&p->is_short)) recovery_fail();
}
