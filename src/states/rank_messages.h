/* Several processes that work on one job, each with the states that it owns.

   The user supplies the functions that carry bytes from one rank to another (exchange).  Messages
   may be late and come in any order.

   Work is cut into phases.  In a phase of a channel, ranks post records to each other; these travel
   in large messages while the work goes on, and are handed to the channel's function as they come.
   ranks_finish waits until every record of the phase has been handed over: each rank sends each
   other the number of its messages.  Messages that come early wait for their phase.

   Channels are independent, so that questions can be answered during a phase of questions.

   | message | from | to | what answers |
   | --- | --- | --- | --- |
   | data | any | any | nothing |
   | end: how many data messages there were in this phase, and whether others are to hurry | each | each | nothing; all ends end the phase |
   | stop | a rank that cannot continue | each | all stop | */
#ifndef TABIA_STATES_RANK_MESSAGES_H
#define TABIA_STATES_RANK_MESSAGES_H

#include "base/vec.h"

/* No message is larger. */
enum { RANK_MESSAGE_MAX = 1 << 18 };

/* One function is called at a time, from one thread. */
typedef struct exchange {
  void *context;
  uint32_t rank, size;
  /* Copies the bytes and returns at once.  1: they will be sent; 0: the queue is full; -1: it
     failed. */
  int (*send)(void *context, uint32_t to, const void *bytes, size_t length);
  /* Receives a message of any rank and returns its length; 0: there is none, after a short wait if
     `wait` is true; -1: it failed. */
  long (*receive)(void *context, void *bytes, size_t capacity, bool wait);
  bool (*barrier)(void *context); /* false: it failed */
} exchange;

/* One rank by itself. */
exchange exchange_alone(void);

typedef enum rank_channel { RANK_ASK, RANK_ANSWER, RANK_SUM, RANK_CHANNELS } rank_channel;

/* Takes the records of a message, one behind another. */
typedef void rank_taker(void *context, uint32_t from, const uint8_t *bytes, size_t size);

typedef struct ranks ranks;

ranks *ranks_new(const exchange *e, arena *keep);
void ranks_free(ranks *r);
uint32_t ranks_rank(const ranks *r);
uint32_t ranks_size(const ranks *r);
bool ranks_have_failed(const ranks *r); /* or one has stopped: no call has an effect any more */

/* Waits for all ranks.  False: failed. */
bool ranks_meet(ranks *r);

/* This rank cannot continue: all stop. */
void ranks_stop(ranks *r);

/* Begins a phase.  All ranks begin the phases of a channel in the same order. */
void ranks_begin(ranks *r, rank_channel c, rank_taker *take, void *context);

/* Sends a record, which is not split, to any rank, this one included. */
void ranks_post(ranks *r, rank_channel c, uint32_t to, const void *record, size_t size);

/* The same to every rank, this one included. */
void ranks_post_all(ranks *r, rank_channel c, const void *record, size_t size);

/* Hands over the messages that have come. */
void ranks_poll(ranks *r);

/* This rank ends the phase early, for lack of memory: others should, too. */
void ranks_hurry(ranks *r, rank_channel c);
bool ranks_are_hurried(const ranks *r, rank_channel c);

/* Ends the phase.  False: failed. */
bool ranks_finish(ranks *r, rank_channel c);

/* Replaces each number by its sum over all ranks; at most 4096.  False: failed. */
bool ranks_sum(ranks *r, uint64_t *numbers, uint32_t count);

#endif
