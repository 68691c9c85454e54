/* Writes a database: groups in their order, then the head.  A missing folder is made; an existing
   database is removed when writing begins. */
#ifndef TABIA_DATABASE_DATABASE_WRITER_H
#define TABIA_DATABASE_DATABASE_WRITER_H

#include "base/diag.h"
#include "base/whole_file.h"
#include "database/database_group.h"

typedef struct database_writer {
  arena *keep;
  const char *folder;
  database_head head;
  whole_file files[DATABASE_COLUMNS];
  bool is_open[DATABASE_COLUMNS];
  VEC(database_entry) tables[DATABASE_COLUMNS];
  uint64_t at[DATABASE_COLUMNS];
  bool has_failed;
  diag_sink *diags;
} database_writer;

/* Can the folder be made, or is it there, writable and not used for something else? Ask before much
   work could be lost.  False: `d` says why. */
bool database_can_be_written(const char *folder, diag_sink *d);

/* What `head` has to hold: fingerprint, keys, groups, others, roles, value_count, has_steps.  The
   writer must not be moved.  False: `d` says why.  Call database_writer_end in any case. */
bool database_writer_begin(database_writer *w, const char *folder, const database_head *head,
                           arena *keep, diag_sink *d);

/* The next group: the bytes of each column, as many as database_group.h says. */
bool database_writer_add(database_writer *w, const uint8_t *const *bytes, const size_t *sizes);

/* With the table of values.  False: there is no database now, and `d` says why, unless it is not
   `is_complete`. */
bool database_writer_end(database_writer *w, const double *values, bool is_complete);

#endif
