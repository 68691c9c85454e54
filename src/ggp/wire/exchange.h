/* One message to each of several players at once, and their replies, all before one deadline.

   Whatever a player does (answers byte by byte, floods, never closes, hangs up), the exchange ends
   at the deadline, and no reply depends on another. */
#ifndef TABIA_GGP_WIRE_EXCHANGE_H
#define TABIA_GGP_WIRE_EXCHANGE_H

#include "ggp/wire/tcp.h"

#include <signal.h>

enum { REPLY_MAX = 1 << 20 }; /* bytes of a reply, its head included */

typedef enum exchange_outcome {
  EXCHANGE_REPLY,
  EXCHANGE_LATE,
  EXCHANGE_FAILED /* refused, reset, closed early, or no HTTP; `why` says which */
} exchange_outcome;

typedef struct exchange {
  const tcp_address *to;
  const char *receiver; /* a name for the header of the request */
  const char *message;
  exchange_outcome outcome;
  slice reply;     /* the body */
  const char *why; /* it failed */
  double seconds;  /* from the request to the reply */
} exchange;

/* `deadline` is a time of clock_now(); all ends early when *stop is not 0 (late then). */
void exchange_all(exchange *list, uint32_t count, double deadline,
                  const volatile sig_atomic_t *stop, arena *keep);

#endif
