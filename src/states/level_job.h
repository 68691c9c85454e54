/* A walk over several ranks as a job of its own, with checkpoints if they are asked for.

     ranks *r = ranks_join(others, keep);
     bool ok = level_job_begin(&x, stepper, r, wish, kind, keep, d) && ... level_walk_run(&x.w, ...);
     ok = level_job_end(&x, ok);
     ranks_free(r); */
#ifndef TABIA_STATES_LEVEL_JOB_H
#define TABIA_STATES_LEVEL_JOB_H

#include "states/level_walk.h"

/* The purpose of a job; one kind does not resume from files of another. */
typedef enum level_job_kind { JOB_COUNTS_STATES = 1, JOB_PROVES } level_job_kind;

typedef struct level_job {
  ranks *r;
  checkpoint files;
  level_walk w;
  bool has_files, is_begun;
  uint64_t resumed; /* checksum of the head of the files that it resumes from; 0: it did not */
  bool has_failed;  /* after the end: some rank has not finished */
} level_job;

/* NULL: this process alone, as a rank that can have checkpoints. */
ranks *ranks_join(const exchange *others, arena *keep);

/* Resumes from the files, if there are any.  False: `d` says why, here or on another rank.  Call
   level_job_end in any case. */
bool level_job_begin(level_job *x, const lane_stepper *s, ranks *r, checkpoint_wish wish,
                     level_job_kind kind, arena *keep, diag_sink *d);

/* `ok`: all went well here; else all ranks stop.  The files are removed if all ranks have finished.
   Releases the states; counts remain.  False: some rank has not finished. */
bool level_job_end(level_job *x, bool ok);

#endif
