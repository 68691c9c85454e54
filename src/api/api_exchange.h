/* How messages are exchanged, in the words of the library. */
#ifndef TABIA_API_API_EXCHANGE_H
#define TABIA_API_API_EXCHANGE_H

#include "api/api.h"
#include "states/rank_messages.h"

static_assert((int)TABIA_MESSAGE_MAX == (int)RANK_MESSAGE_MAX, "one size of messages");

static inline exchange api_exchange(const tabia_exchange *e) {
  return (exchange){.context = e->context,
                    .rank = e->rank,
                    .size = e->size,
                    .send = e->send,
                    .receive = e->receive,
                    .barrier = e->barrier};
}

#endif
