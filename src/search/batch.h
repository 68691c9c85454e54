/* Any number of states of one machine, in blocks of 512 that threads share (machine/bundle.h).

   Every call is about all lanes.  Results do not depend on the number of threads. */
#ifndef TABIA_SEARCH_BATCH_H
#define TABIA_SEARCH_BATCH_H

#include "machine/bundle.h"

typedef struct batch batch;

/* How an answer lies in memory; include/tabia.h says more. */
typedef enum batch_layout {
  BATCH_BITS,   /* by lane: words of 64 bits */
  BATCH_BYTES,  /* by lane: a byte, 0 or 1, for each number */
  BATCH_FLOATS, /* by lane: a float likewise */
  BATCH_PLANES  /* by number: words of 64 lanes */
} batch_layout;

/* At least one lane and one thread; all lanes are at the start of the game.  NULL: the budget, of
   which each thread has a share, was spent before the machine was ready. */
batch *batch_new(const machine *m, uint32_t lanes, uint32_t threads, const budget *limits);
void batch_free(batch *b); /* NULL is allowed */

/* A workspace with trouble, if there is one; or any other. */
const machine_workspace *batch_workspace(const batch *b);

/* ---- states ---- */

/* `which`: a lane each; NULL: all of them.  Position i is that of lane i. */
void batch_reset(batch *b, const bool *which);
void batch_put(batch *b, const void *positions, const bool *which);
void batch_store(batch *b, void *positions);

/* Uses the first `count` lanes from now on, for these positions. */
void batch_load(batch *b, const void *positions, uint32_t count);
uint32_t batch_lanes(const batch *b); /* in use */

/* ---- parts ---- */

/* Calls `work` for each block, which is a batch of its own there, by the threads of the batch; lane
   i of it is lane first + i.  All calls may be made about a part, but batch_load and batch_free. */
typedef void batch_part_work(void *context, batch *part, uint32_t first);
void batch_each(batch *b, batch_part_work *work, void *context);

/* ---- questions ---- */

/* How many numbers an answer is about; 0: the machine does not know. */
uint32_t batch_width(const machine *m, bundle_answer what, uint32_t role);

/* Bytes of an answer for so many lanes. */
size_t batch_answer_size(const machine *m, uint32_t lanes, bundle_answer what, uint32_t role,
                         batch_layout layout);
void batch_read(batch *b, bundle_answer what, uint32_t role, batch_layout layout, void *out);
uint32_t batch_terminal(batch *b, bool *terminal); /* how many are; `terminal` may be NULL */
void batch_goals(batch *b, uint32_t role, int32_t *values);
void batch_list_legal(batch *b, uint32_t role, move_id *moves, uint32_t capacity, uint32_t *counts);

/* ---- moves ---- */

void batch_draw(batch *b, uint64_t seed, uint64_t stream, move_id *joints);

/* Returns how many lanes had an illegal move; `illegal`, which may be NULL, is set for these. */
uint32_t batch_step(batch *b, const move_id *joints, bool *illegal);

/* Random games from every lane: int32_t[lanes][games.each][roles], as bundle_play says. */
void batch_play(batch *b, const bundle_games *games, int32_t *goals);

#endif
