/* The facts of a relation in one state.

   Rows are kept in the order they came, each once.  Clearing takes time in proportion to the rows,
   not to the capacity, and releases no memory: a workspace uses the same rows for every state.
   Where facts have places (datalog_layout.h) a bit says whether one is there; elsewhere the first
   index, over all columns, does.

   Facts that are maintained from state to state (datalog_counting.h) have a tally: the number of
   their derivations.  It is made when it is first needed.

   An index chains the rows that agree in some columns, newest first.  It is brought up to date
   before it is used (and after a row was taken out, chains are in no order).  Its keys are numbers
   where the columns' values are few, else hashes: then the rows of a chain must be compared with
   the key. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_ROWS_H
#define TABIA_MACHINE_DATALOG_DATALOG_ROWS_H

#include "machine/datalog/datalog_layout.h"

typedef struct dl_index {
  uint32_t *columns;
  uint32_t column_count;
  uint32_t size;    /* keys; 0: they are hashed */
  uint32_t **parts; /* by column of the key: by constant, its part of the key, or DL_ABSENT */
} dl_index;

/* What all copies of a relation have in common. */
typedef struct dl_shape {
  const dl_layout *layout;
  VEC(dl_index) indexes;
} dl_shape;

/* An index over columns in ascending order; made when there is none yet. */
uint32_t dl_index_on(dl_shape *s, const uint32_t *columns, uint32_t column_count, arena *keep);

typedef struct dl_chains {
  uint32_t *first; /* by key, or by hash: the newest row; ID_NONE where there is none */
  uint32_t size;   /* of first; a power of two when hashed */
  uint32_t *older; /* by row: the next older one; as many as the rows have room for */
  uint32_t done;   /* rows that are in */
  bool is_used;    /* since dl_rows_rest */
} dl_chains;

typedef struct dl_rows {
  const dl_shape *shape;
  arena *keep;
  uint32_t arity;
  uint32_t count;
  uint32_t capacity;
  term_id *cells;
  uint32_t *places;  /* by row, where facts have places */
  uint64_t *bits;    /* by place */
  dl_chains *chains; /* by index */
  uint32_t *row_at;  /* by place that is taken: its row; NULL: they are looked for */
  uint64_t *marks;   /* by place: the fact is just coming or going; with row_at */
  uint32_t *tally;   /* by place: twice the ways in which the fact follows, and one if it is in
                        `touched`; or NULL */
  id_vec touched;    /* places whose ways have changed */
} dl_rows;

/* What a way more, or less, adds to a tally. */
#define DL_WAY UINT32_C(2)
#define DL_WAY_LESS (-DL_WAY)

/* The shape must have all its indexes. */
void dl_rows_init(dl_rows *t, const dl_shape *s, arena *keep);
void dl_rows_empty(dl_rows *t);
void dl_rows_grow(dl_rows *t);
void dl_rows_update(dl_rows *t, uint32_t index);

/* Adds a row that is not there.  `place` counts where facts have one. */
static inline void dl_rows_push(dl_rows *t, const term_id *row, uint32_t place) {
  if (t->count == t->capacity) dl_rows_grow(t);
  for (uint32_t i = 0; i < t->arity; i++) t->cells[(size_t)t->count * t->arity + i] = row[i];
  if (t->bits) {
    t->places[t->count] = place;
    t->bits[place / 64] |= UINT64_C(1) << (place % 64);
    if (t->row_at) t->row_at[place] = t->count;
  }
  t->count++;
}

/* Adds a row unless it is there. */
void dl_rows_add(dl_rows *t, const term_id *row);

/* Takes out the row at a place; the last row moves to where it was. */
void dl_rows_remove(dl_rows *t, uint32_t place);

/* Forgets the indexes that were not used since the last call: to keep them right for every row that
   is taken out costs more than to make them anew when they are needed. */
void dl_rows_rest(dl_rows *t);

/* From now on rows are found by their places, which the facts must have. */
void dl_rows_track(dl_rows *t);

/* From now on there is a tally, of an empty relation. */
void dl_rows_count(dl_rows *t);

/* Whether a row is there, for relations whose facts have no places. */
bool dl_rows_have(dl_rows *t, const term_id *row);

/* The rows of `from`, which has the same layout. */
void dl_rows_copy(dl_rows *t, const dl_rows *from);

static inline void dl_rows_clear(dl_rows *t) {
  if (t->count || t->touched.count) dl_rows_empty(t);
}

static inline const term_id *dl_row(const dl_rows *t, uint32_t row) {
  return t->cells + (size_t)row * t->arity;
}

static inline bool dl_has_place(const dl_rows *t, uint32_t place) {
  return t->bits[place / 64] >> (place % 64) & 1;
}

static inline void dl_mark(dl_rows *t, uint32_t place) {
  t->marks[place / 64] ^= UINT64_C(1) << (place % 64);
}

static inline bool dl_is_marked(const dl_rows *t, uint32_t place) {
  return t->marks[place / 64] >> (place % 64) & 1;
}

/* Notes that a fact follows in one way more or less. */
static inline void dl_rows_tally(dl_rows *t, uint32_t place, uint32_t way) {
  if (!(t->tally[place] & 1)) {
    t->tally[place] |= 1;
    vec_push(t->keep, &t->touched, place);
  }
  t->tally[place] += way;
}

/* The newest row with this key, or with its hash. */
uint32_t dl_rows_hashed(const dl_rows *t, uint32_t index, const term_id *key);

#endif
