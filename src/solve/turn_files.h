/* The values of ranks in files (states/checkpoint.h), so that solving resumes where it was stopped.

   In a game in which every step leads to the next level, a value is written once; in any other all
   of them are written each time, since they change.  After a resume, finished tasks are skipped,
   and so are states whose value is known. */
#ifndef TABIA_SOLVE_TURN_FILES_H
#define TABIA_SOLVE_TURN_FILES_H

#include "solve/turns.h"

typedef struct turn_files {
  arena *keep;
  checkpoint *c;
  const turn_values *v;
  uint32_t number;          /* of the hero */
  uint32_t task;            /* that was under way when the files were written */
  bool is_done;             /* all of this hero was in files */
  piece_vec unsaved;        /* known since the last time */
  value_columns columns[2]; /* by hero */
} turn_files;

/* Reads what there is of the hero, into all[number].  False: a rank cannot. */
bool turn_files_begin(turn_files *f, turn_values *all, uint32_t number, arena *keep);

/* NULL is allowed in all of these: nothing is kept then. */
bool turn_files_is_done(const turn_files *f);
uint32_t turn_files_task(const turn_files *f);
void turn_files_note(turn_files *f, uint32_t level, uint32_t first, uint32_t count);

/* All ranks together, while `task` is under way; when the hero is done.  False: a rank cannot. */
bool turn_files_save(turn_files *f, uint32_t task);
bool turn_files_end(turn_files *f);

#endif
