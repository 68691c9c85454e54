/* Reads a database: its files are mapped, and every part is checked before it is read (see
   database_files.h).  Any number of threads may use it. */
#ifndef TABIA_DATABASE_DATABASE_H
#define TABIA_DATABASE_DATABASE_H

#include "base/diag.h"
#include "database/database_files.h"

typedef struct mapped_file {
  uint8_t *bytes; /* not to be written to */
  size_t size;
} mapped_file;

typedef struct database {
  arena *guard; /* unmaps the files; NULL: it is not open */
  database_head head;
  const double *values; /* by number, then by role */
  mapped_file files[DATABASE_COLUMNS];
  const database_entry *tables[DATABASE_COLUMNS];
} database;

/* False: there is none, or it is damaged or of something else, and `d` says so.  Call
   database_close in any case.  `keep` is what values live in. */
bool database_open(database *b, const char *folder, uint64_t fingerprint, arena *keep,
                   diag_sink *d);
void database_close(database *b);

typedef enum database_answer {
  DATABASE_FOUND,
  DATABASE_NOT_THERE, /* only of what has no key; most of that gets some value all the same */
  DATABASE_DAMAGED
} database_answer;

/* The number of its value in the table; its steps, where there are any and somebody asks. */
database_answer database_find(const database *b, hash_key key, uint16_t *value, uint16_t *steps);

#endif
