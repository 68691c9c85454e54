/* A group of a database: from keys with values to the bytes of its columns.  The same keys give the
   same bytes in whatever order they come. */
#ifndef TABIA_DATABASE_DATABASE_GROUP_H
#define TABIA_DATABASE_DATABASE_GROUP_H

#include "database/database_files.h"

typedef struct database_record {
  hash_key key;
  uint16_t value, steps;
} database_record;

typedef struct database_group {
  byte_vec columns[DATABASE_COLUMNS]; /* each of a multiple of eight bytes */
} database_group;

/* Makes a group of all records, and sorts them.  False: two keys are the same. */
bool database_group_build(database_group *g, database_record *records, uint32_t count,
                          uint64_t groups, bool has_steps, arena *keep);

#endif
