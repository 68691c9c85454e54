/* An exchange between threads that delays and reorders messages at random, refuses some for a
   while, and can fail. */
#ifndef TABIA_SOLVE_RANK_FIXTURE_H
#define TABIA_SOLVE_RANK_FIXTURE_H

#include "base/rng.h"
#include "states/rank_messages.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { THREAD_RANKS_MAX = 8, THREAD_MESSAGES_MAX = 1 << 16 };

typedef struct thread_message {
  void *bytes;
  size_t length;
} thread_message;

typedef struct thread_box {
  thread_message items[THREAD_MESSAGES_MAX];
  uint32_t count;
} thread_box;

typedef struct thread_net {
  pthread_mutex_t lock;
  pthread_barrier_t barrier;
  thread_box boxes[THREAD_RANKS_MAX];
  uint32_t size;
  uint64_t fails_after; /* so many messages, all fail; 0: none does */
  uint64_t messages;
  bool is_wild; /* delays, reorders, refuses */
} thread_net;

typedef struct thread_rank {
  thread_net *net;
  uint32_t rank;
  rng random;
} thread_rank;

static inline bool net_has_failed(const thread_net *n) {
  return n->fails_after && n->messages > n->fails_after;
}

static inline int thread_send(void *context, uint32_t to, const void *bytes, size_t length) {
  thread_rank *t = context;
  thread_net *n = t->net;
  int result = 0;
  if (n->is_wild && rng_below(&t->random, 4) == 0) return 0;
  pthread_mutex_lock(&n->lock);
  thread_box *box = &n->boxes[to];
  n->messages++;
  if (net_has_failed(n))
    result = -1;
  else if (box->count < THREAD_MESSAGES_MAX) {
    void *copy = malloc(length);
    memcpy(copy, bytes, length);
    box->items[box->count++] = (thread_message){copy, length};
    result = 1;
  }
  pthread_mutex_unlock(&n->lock);
  return result;
}

/* The first message, or any where things are wild. */
static inline long thread_receive(void *context, void *bytes, size_t capacity, bool wait) {
  thread_rank *t = context;
  thread_net *n = t->net;
  long length = 0;
  if (wait) nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
  if (n->is_wild && rng_below(&t->random, 3) == 0) return 0;
  pthread_mutex_lock(&n->lock);
  thread_box *box = &n->boxes[t->rank];
  if (net_has_failed(n)) length = -1;
  if (!length && box->count) {
    const uint32_t i = n->is_wild ? rng_below(&t->random, box->count) : 0;
    const thread_message m = box->items[i];
    memmove(box->items + i, box->items + i + 1, (--box->count - i) * sizeof m);
    length = m.length <= capacity ? (long)m.length : -1;
    if (length > 0) memcpy(bytes, m.bytes, m.length);
    free(m.bytes);
  }
  pthread_mutex_unlock(&n->lock);
  return length;
}

static inline bool thread_barrier(void *context) {
  thread_rank *t = context;
  pthread_barrier_wait(&t->net->barrier);
  return true;
}

static inline thread_net *thread_net_new(uint32_t size, bool is_wild) {
  thread_net *n = calloc(1, sizeof *n);
  n->size = size;
  n->is_wild = is_wild;
  pthread_mutex_init(&n->lock, NULL);
  pthread_barrier_init(&n->barrier, NULL, size);
  return n;
}

static inline void thread_net_free(thread_net *n) {
  for (uint32_t r = 0; r < n->size; r++)
    for (uint32_t i = 0; i < n->boxes[r].count; i++) free(n->boxes[r].items[i].bytes);
  pthread_barrier_destroy(&n->barrier);
  pthread_mutex_destroy(&n->lock);
  free(n);
}

static inline exchange thread_exchange(thread_rank *t) {
  return (exchange){.context = t,
                    .rank = t->rank,
                    .size = t->net->size,
                    .send = thread_send,
                    .receive = thread_receive,
                    .barrier = thread_barrier};
}

/* A thread for each rank: `work` on its item of an array.  False: not all could be made. */
static inline bool run_in_threads(const thread_net *n, void *items, size_t item_size,
                                  void *(*work)(void *)) {
  pthread_t threads[THREAD_RANKS_MAX];
  uint32_t count = 0;
  while (count < n->size &&
         pthread_create(&threads[count], NULL, work, (char *)items + count * item_size) == 0)
    count++;
  for (uint32_t i = 0; i < count; i++) pthread_join(threads[i], NULL);
  return count == n->size;
}

#endif
