/* How the facts of each relation are stored while a state is computed.

   A relation whose columns are small is a set of bits, indexed by its codes (`bits`): one array for
   the whole row, and one more for each join pattern in use, in which the known columns choose a
   word and the free ones are its bits.  Others are rows in a hash table or trie of the runtime
   (`rows`).  A relation that is iterated over also has a list of its rows, by which large arrays
   are cleared. */
#ifndef TABIA_COMPILE_PLAN_STORAGE_H
#define TABIA_COMPILE_PLAN_STORAGE_H

#include "compile/plan/invert.h"

typedef enum knowledge_base { KB_DENSE, KB_HASH, KB_TRIE } knowledge_base;

extern const char *const knowledge_base_names[]; /* ended by NULL */

typedef enum store_kind {
  STORE_NOTHING, /* never read: no place but perhaps among legal moves */
  STORE_BITS,
  STORE_ROWS
} store_kind;

typedef struct store {
  store_kind kind;
  uint32_t *low;          /* by column: the first code that has a place */
  uint32_t *size;         /* by column: how many have */
  uint64_t product;       /* of the sizes; UINT64_MAX when that is more */
  VEC(uint64_t) patterns; /* known columns of lookups, not all and not none */
  bool is_scanned;        /* its rows are run through */
  bool is_tested;         /* it is asked for whole rows */
  bool is_large;          /* STORE_BITS: cleared by the list of its rows */
  uint32_t place; /* KIND_STATE: the first word in a position, or (is_sparse) the first id */
  bool is_sparse; /* KIND_STATE, and next(...) like it: a position lists its rows by number */
  uint32_t room;  /* is_sparse: how many rows a position has room for */
  uint32_t word;  /* is_sparse: where its list begins in a position */
} store;

/* What roles can do, or see: numbers in the order of the canonical text. */
typedef struct term_space {
  flat_id *shapes; /* flat relations of `does` or `sees`, in the order of their text */
  uint32_t *first; /* by shape: its first number */
  uint32_t shape_count;
  uint64_t count;
  uint32_t *ranks; /* NULL: as above.  Else the texts of several shapes mix, and a number is the
                      rank of what was said above */
} term_space;

typedef struct storage {
  const inverted *inverted;
  knowledge_base kb;
  store *stores;           /* by flat relation */
  uint32_t position_words; /* of 64 bits: bits of dense states, then sparse ones */
  uint32_t dense_words;
  term_space moves;
  term_space percepts;
  flat_id role; /* the relation role(_), or ID_NONE */
  id_vec roles; /* its terms, in the order of the roles */
} storage;

/* False: there are no roles, or roles with arguments, or too many fluents or moves to be numbered
 * (reported). */
bool storage_plan(storage *s, const inverted *v, knowledge_base kb, arena *keep, budget *limits,
                  diag_sink *d);

/* The order of the values of a column in the text of moves: rank[code - low]. */
uint32_t *storage_ranks(const storage *s, flat_id r, uint32_t column, arena *keep);

/* The trigger takes over bits of a position, and needs no row of its relation. */
bool storage_takes_bits(const storage *s, const trigger *t);

static inline const flat_program *storage_program(const storage *s) {
  return &s->inverted->domains->n->flat;
}

#endif
