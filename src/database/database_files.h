/* The files of a database, in one folder.  Numbers are little-endian.

   head     database_head; by value, a double for each role; the checksum of both
   index    groups of keys (minimal_hash.h)
   values   their values (symbol_column.h), by their numbers in the table of the head
   steps    their steps, likewise; only where there are any

   Each of the last three has its groups one after another, and then for each group its offset and
   the checksum of its bytes (database_entry).  The head has the checksums of these tables.  The
   head is written last and removed first: if there is a head, the other files are complete.
   Checksums are XXH3 of 64 bits. */
#ifndef TABIA_DATABASE_DATABASE_FILES_H
#define TABIA_DATABASE_DATABASE_FILES_H

#include "database/minimal_hash.h"

typedef enum database_column {
  DATABASE_INDEX,
  DATABASE_VALUES,
  DATABASE_STEPS,
  DATABASE_COLUMNS
} database_column;

#define DATABASE_MAGIC "tabiadb1"

/* Values are numbers in 16 bits. */
enum { DATABASE_VALUES_MAX = UINT16_MAX };

typedef struct database_head {
  char magic[8];
  uint64_t fingerprint; /* of what the keys are keys of */
  uint64_t keys, groups;
  uint64_t others; /* what has no key, since it is known without: how many */
  uint32_t roles, value_count;
  uint32_t has_steps;
  uint32_t padding;
  uint64_t bytes[DATABASE_COLUMNS];  /* of the files */
  uint64_t tables[DATABASE_COLUMNS]; /* checksums of their last parts */
} database_head;

typedef struct database_entry {
  uint64_t start, checksum;
} database_entry;

extern const char *const database_file_names[DATABASE_COLUMNS];
#define DATABASE_HEAD_NAME "head"

const char *database_path(const char *folder, const char *name, arena *keep);

#endif
