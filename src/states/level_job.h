/* A walk over several ranks as a job of its own, which may be kept in files.

     ranks *r = ranks_join(others, keep);
     bool ok = level_job_begin(&x, stepper, r, wish, kind, keep, d) && ... level_walk_run(&x.w, ...);
     ok = level_job_end(&x, ok);
     ranks_free(r); */
#ifndef TABIA_STATES_LEVEL_JOB_H
#define TABIA_STATES_LEVEL_JOB_H

#include "states/level_walk.h"

/* What a job is for: files of one are none of another. */
typedef enum level_job_kind { JOB_COUNTS_STATES = 1, JOB_PROVES } level_job_kind;

typedef struct level_job {
  ranks *r;
  checkpoint files;
  level_walk w;
  bool has_files, is_begun;
  uint64_t resumed; /* checksum of the head of the files that it goes on from; 0: of none */
  bool has_failed;  /* after the end: some rank did not come to it */
} level_job;

/* NULL: this one alone, as a rank that may keep its work in files. */
ranks *ranks_join(const exchange *others, arena *keep);

/* Goes on with what the files have, if there are any.  False: `d` says why, here or on another
   rank. Call level_job_end in any case. */
bool level_job_begin(level_job *x, const lane_stepper *s, ranks *r, checkpoint_wish wish,
                     level_job_kind kind, arena *keep, diag_sink *d);

/* `ok`: all went well here; else all ranks stop.  The files are removed where all came to the end.
   The states are gone, while counts are still there.  False: some rank did not come to the end. */
bool level_job_end(level_job *x, bool ok);

#endif
