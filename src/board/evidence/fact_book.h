/* Fluents and moves, taken apart: a pattern, and the constants in it.

   `(cell (at 1 2) x)` has the pattern `(cell (at ? ?) ?)` and the values 1, 2, x.  All facts with
   one pattern are a shape, and value i of each stands in its column i.  A constant that names two
   coordinates at once, such as a1 or c_3_4, may be split (split.h): then it fills two columns. */
#ifndef TABIA_BOARD_EVIDENCE_FACT_BOOK_H
#define TABIA_BOARD_EVIDENCE_FACT_BOOK_H

#include "board/evidence/split.h"

typedef name_id value_id;
typedef uint32_t shape_id;
typedef uint32_t fact_id;

/* Longer terms are looked at as a whole: they have no columns. */
enum { COLUMN_MAX = 8, SHAPE_MAX = 1024 };

#define SHAPE_NONE UINT32_MAX

/* Where a column comes from. */
typedef struct column {
  uint32_t leaf; /* which constant of the term */
  split_form form;
  split_part part; /* of none where the form is SPLIT_NONE */
} column;

typedef struct shape {
  const char *pattern;
  const char *relation; /* the outermost name */
  uint32_t leaf_count;
  uint32_t column_count;
  column columns[2 * COLUMN_MAX];
} shape;

typedef struct book_fact {
  shape_id shape;
  uint32_t leaves; /* where its constants start in fact_book.leaves */
} book_fact;

typedef struct fact_book {
  arena *keep;
  names values;   /* of all constants, shared by books of one game */
  names *shared;  /* &values, or those of another book */
  names patterns; /* by shape */
  names texts;    /* by fact: canonical KIF */
  VEC(shape) shapes;
  VEC(book_fact) facts;
  VEC(value_id) leaves;
} fact_book;

/* `shared`: the names of another book; NULL: names of its own. */
void book_init(fact_book *b, names *shared, arena *keep);
fact_id book_add(fact_book *b, const char *canonical);

static inline const shape *fact_shape(const fact_book *b, fact_id f) {
  return &b->shapes.items[b->facts.items[f].shape];
}
static inline const char *fact_text(const fact_book *b, fact_id f) {
  return names_text(&b->texts, f);
}
static inline const char *value_text(const fact_book *b, value_id v) {
  return names_text(b->shared, v);
}
static inline value_id fact_leaf(const fact_book *b, fact_id f, uint32_t leaf) {
  return b->leaves.items[b->facts.items[f].leaves + leaf];
}

/* NAME_NONE: the constant cannot be split. */
value_id fact_value(const fact_book *b, fact_id f, uint32_t column);

/* The constants of a leaf fill two columns from now on. */
void book_split(fact_book *b, shape_id s, uint32_t leaf, split_form form);

/* The facts of a shape, in the order of their numbers. */
id_vec book_of_shape(const fact_book *b, shape_id s, arena *keep);

/* The different values of a column in these facts, in the order in which they first come. */
id_vec book_domain(const fact_book *b, const id_vec *facts, uint32_t column, arena *keep);

#endif
