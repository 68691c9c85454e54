/* The files from which a job of several ranks resumes after it was stopped, on any number of ranks.

   | file | what | written |
   | --- | --- | --- |
   | `level-L.R-of-N` | the states of level L that rank R of N has (level_run.h) | when the level is whole |
   | `run-K.R-of-N` | a part of the level that is being made, and the span of the level before that was expanded for it | at intervals, and when memory is short |
   | `values-K.R-of-N` | values of states (value_file.h) | at intervals |
   | `head` | which of these count | by the first rank, when all ranks have written theirs |

   Each file appears whole or not at all and has a checksum; the head comes last, so that what it
   names is there.  Files that it does not name are removed. */
#ifndef TABIA_STATES_CHECKPOINT_H
#define TABIA_STATES_CHECKPOINT_H

#include "states/level_run.h"
#include "states/rank_messages.h"

typedef struct checkpoint_head {
  char magic[8];
  uint64_t question; /* which game, and which job */
  uint32_t size;     /* ranks; 0: there is nothing yet */
  uint32_t level_count;
  uint32_t first_run, end_run;       /* of the level that is being made */
  uint32_t first_values, end_values; /* later ones are newer */
  uint32_t is_layered, is_complete;  /* the walk */
  uint32_t hero, task;               /* how far the solving is (solve/turns.h) */
  uint64_t sum;                      /* checksum of all this, with 0 here */
} checkpoint_head;

typedef struct checkpoint {
  arena *keep;
  const char *folder;
  ranks *r;
  uint32_t state_bytes;
  double every, last; /* seconds; when the last one was made */
  checkpoint_head head;
  diag_sink *diags;
} checkpoint;

typedef enum checkpoint_kind {
  CHECKPOINT_LEVEL,
  CHECKPOINT_RUN,
  CHECKPOINT_VALUES,
  CHECKPOINT_KINDS
} checkpoint_kind;

static const double CHECKPOINT_USUAL = 60; /* seconds */

/* Where a job of ranks keeps its checkpoints; folder NULL: nowhere. */
typedef struct checkpoint_wish {
  const char *folder;
  double every; /* seconds; 0: CHECKPOINT_USUAL */
} checkpoint_wish;

/* Makes the folder where it is missing, reads the head and turns the files into those of this
   number of ranks.  False: `d` of some rank says why. */
bool checkpoint_open(checkpoint *c, checkpoint_wish wish, uint64_t question, uint32_t state_bytes,
                     ranks *r, arena *keep, diag_sink *d);

bool checkpoint_is_due(const checkpoint *c); /* false for NULL */

/* The name of a file of this rank; its label. */
const char *checkpoint_path(const checkpoint *c, checkpoint_kind kind, uint32_t number);
run_label checkpoint_label(const checkpoint *c, uint32_t level, uint32_t run);

/* From now on `next` is the head, if all ranks have done their part.  False: one has not. */
bool checkpoint_commit(checkpoint *c, const checkpoint_head *next, bool is_done);

/* Removes all files: the job is done. */
void checkpoint_remove(checkpoint *c);

/* ---- for checkpoint_adopt.c ---- */

const char *checkpoint_path_of(const checkpoint *c, checkpoint_kind kind, uint32_t number,
                               uint32_t rank, uint32_t size);

/* Writes what this rank has of the files of another number of ranks. */
bool checkpoint_adopt(checkpoint *c, checkpoint_head *next);

#endif
