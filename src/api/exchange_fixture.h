/* An exchange in which nobody is told anything: of one process, or of several that cannot meet. */
#ifndef TABIA_API_EXCHANGE_FIXTURE_H
#define TABIA_API_EXCHANGE_FIXTURE_H

#include "tabia.h"

static inline int send_nothing(void *context, uint32_t to, const void *bytes, size_t length) {
  (void)context, (void)to, (void)bytes, (void)length;
  return -1;
}

static inline long receive_nothing(void *context, void *bytes, size_t capacity, bool wait) {
  (void)context, (void)bytes, (void)capacity, (void)wait;
  return 0;
}

static inline bool wait_for_nobody(void *context) {
  if (context) ++*(int *)context;
  return true;
}

/* `barriers` is counted up where all wait; or NULL. */
static inline tabia_exchange exchange_of_size(uint32_t size, int *barriers) {
  return (tabia_exchange){.context = barriers,
                          .size = size,
                          .send = send_nothing,
                          .receive = receive_nothing,
                          .barrier = wait_for_nobody};
}

#endif
