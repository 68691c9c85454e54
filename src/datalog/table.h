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

/* The rows of another table, to be read while that one stays as it is.  It has those indexes that
   are up to date; others are its own. */
table table_view(const table *t, arena *keep);

/* The number of the row, new or old; it is new when the count has grown. */
uint32_t table_insert(table *t, const term_id *row);
uint32_t table_insert_hashed(table *t, const term_id *row, uint64_t hash);
uint32_t table_find(const table *t, const term_id *row); /* or ID_NONE */

/* A row that is there: so its table has cells. */
static inline const term_id *table_row(const table *t, uint32_t row) {
  return t->cells.items + (size_t)row * t->arity;
}

/* An index on these columns, in this order; made when there is none yet.  It covers all rows
   until the next insertion; table_update_index brings it up to date. */
uint32_t table_index_on(table *t, const uint32_t *columns, uint32_t column_count);
void table_update_index(table *t, uint32_t index);

/* Releases the memory of all indexes, if it is much; they are rebuilt when needed. */
void table_drop_indexes(table *t);

/* From now on rows are only read by number, or not even that. */
void table_close(table *t, bool keeps_rows);

/* ---- looking up, where joins spend most of their time ---- */

/* The hash of a row or key: begun with 0, two cells at a time, the first in the low half. */
static inline uint64_t table_hash_add(uint64_t hash, uint64_t cells) {
  hash = (hash ^ cells) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

static inline uint64_t table_hash(const term_id *cells, uint32_t count) {
  uint64_t hash = 0;
  for (; count > 1; cells += 2, count -= 2)
    hash = table_hash_add(hash, cells[0] | (uint64_t)cells[1] << 32);
  return count ? table_hash_add(hash, cells[0]) : hash;
}

/* Whether the slot may hold a row with this hash. */
static inline bool slot_may_be(const row_slots *s, uint32_t slot, uint64_t hash) {
  return ((slot ^ (uint32_t)(hash >> 32)) & ~s->id_mask) == 0;
}

static inline bool table_row_is(const table *t, uint32_t row, const term_id *cells) {
  const term_id *mine = table_row(t, row);
  uint32_t count = t->arity;
  for (; count > 1; mine += 2, cells += 2, count -= 2)
    if ((mine[0] ^ cells[0]) | (mine[1] ^ cells[1])) return false;
  return count == 0 || mine[0] == cells[0];
}

/* The slot of the row, or the empty slot where it would go.  There must be slots. */
static inline uint32_t table_slot_of(const table *t, const term_id *row, uint64_t hash) {
  const row_slots *s = &t->unique;
  uint32_t at = (uint32_t)hash & s->mask;
  for (;; at = (at + 1) & s->mask) {
    const uint32_t slot = s->slots[at];
    if (slot == ID_NONE) return at;
    if (slot_may_be(s, slot, hash) && table_row_is(t, slot & s->id_mask, row)) return at;
  }
}

/* A row with this hash will be looked up soon. */
static inline void table_prefetch(const table *t, uint64_t hash) {
  if (t->unique.slots) __builtin_prefetch(&t->unique.slots[(uint32_t)hash & t->unique.mask], 1);
}

static inline uint32_t table_find_hashed(const table *t, const term_id *row, uint64_t hash) {
  if (t->count == 0) return ID_NONE;
  const uint32_t slot = t->unique.slots[table_slot_of(t, row, hash)];
  return slot == ID_NONE ? ID_NONE : slot & t->unique.id_mask;
}

static inline bool index_has_key(const table *t, const table_index *x, uint32_t row,
                                 const term_id *key) {
  const term_id *cells = table_row(t, row);
  for (uint32_t i = 0; i < x->column_count; i++)
    if (cells[x->columns[i]] != key[i]) return false;
  return true;
}

static inline uint32_t table_lookup_hashed(const table *t, const table_index *x, const term_id *key,
                                           uint64_t hash) {
  const row_slots *s = &x->newest;
  if (!s->slots) return ID_NONE;
  uint32_t at = (uint32_t)hash & s->mask;
  for (;; at = (at + 1) & s->mask) {
    const uint32_t slot = s->slots[at];
    if (slot == ID_NONE) return ID_NONE;
    if (slot_may_be(s, slot, hash) && index_has_key(t, x, slot & s->id_mask, key))
      return slot & s->id_mask;
  }
}

/* ---- estimates ---- */

/* An estimate of how many rows agree with given values in these columns: exact on average where
   an index on them exists, else as if columns were independent.  Where that makes less than one row
   it is taken for one, and in larger tables for a little more: values that a join meets go together
   more often than not, so what looks selective is not to be relied on. */
double table_rows_per_key(table *t, const uint32_t *columns, uint32_t column_count);

#endif
