/* Facts as rows of numbers.

   A table holds each row once, in the order of insertion, so that `rows before n` is an older
   state of the table.  An index finds the rows that agree with given values in some columns,
   newest first. */
#ifndef TABIA_DATALOG_TABLE_H
#define TABIA_DATALOG_TABLE_H

#include "base/hash.h"
#include "rules/term.h"

/* A hash table of rows.  A slot has the number of a row in its low bits and in the others bits of
   its hash, so that most rows with another key are passed over without a look at their cells. */
typedef struct row_slots {
  uint32_t *slots;  /* ID_NONE where empty */
  uint32_t mask;    /* slots - 1 */
  uint32_t id_mask; /* the low bits; more than any row in here */
} row_slots;

typedef struct table_index {
  uint32_t *columns;
  uint32_t column_count;
  term_id *key;        /* room for one */
  uint32_t key_count;  /* different keys met */
  row_slots newest;    /* the newest row of each key */
  VEC(uint32_t) older; /* by row: the next older row with the same key */
} table_index;

typedef struct table {
  arena *keep;
  uint32_t arity;
  uint32_t count; /* rows */
  VEC(term_id) cells;
  row_slots unique;
  VEC(table_index) indexes;
  uint32_t *distinct;      /* by column: how many different values, when last measured */
  uint32_t measured_count; /* rows at that time */
} table;

void table_init(table *t, uint32_t arity, arena *keep);

/* The number of the row, new or old; it is new when the count has grown. */
uint32_t table_insert(table *t, const term_id *row);
uint32_t table_find(const table *t, const term_id *row); /* or ID_NONE */

static inline const term_id *table_row(const table *t, uint32_t row) {
  return vec_from(&t->cells, (size_t)row * t->arity);
}

static inline bool table_row_is(const table *t, uint32_t row, const term_id *cells) {
  const term_id *mine = table_row(t, row);
  for (uint32_t i = 0; i < t->arity; i++)
    if (mine[i] != cells[i]) return false;
  return true;
}

/* An index on these columns, in this order; made when there is none yet.  It covers all rows
   until the next insertion; table_update_index brings it up to date. */
uint32_t table_index_on(table *t, const uint32_t *columns, uint32_t column_count);
void table_update_index(table *t, uint32_t index);

/* Gives the memory of all indexes back, where it is much; they are made anew when asked for. */
void table_drop_indexes(table *t);

/* From now on rows are only read by number, or not even that. */
void table_close(table *t, bool keeps_rows);

/* The newest row with this key, or ID_NONE. */
uint32_t table_lookup(const table *t, uint32_t index, const term_id *key);

static inline uint32_t table_older(const table *t, uint32_t index, uint32_t row) {
  return t->indexes.items[index].older.items[row];
}

/* An estimate of how many rows agree with given values in these columns: exact on average where
   an index on them exists, else as if columns were independent.  Where that makes less than one row
   it is taken for one, and in larger tables for a little more: values that a join meets go together
   more often than not, so what looks selective is not to be relied on. */
double table_rows_per_key(table *t, const uint32_t *columns, uint32_t column_count);

#endif
