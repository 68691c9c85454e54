/* Terms as keys: two are equal exactly when their keys are, whether they are written in a
   certificate or stand in the tables of a game, and whatever bytes their names have. */
#ifndef TABIA_CERTIFY_TERM_KEY_H
#define TABIA_CERTIFY_TERM_KEY_H

#include "read/tree.h"
#include "rules/term.h"

void node_key(const tree *t, node_id n, text *out);

/* Some terms of a game, to be found by what a certificate writes. */
typedef struct key_index {
  struct keyed_term {
    slice key;
    uint32_t number; /* among those that were added */
  } * items;         /* sorted */
  uint32_t count;
} key_index;

/* `terms` has `count` of them. */
key_index key_index_new(const term_table *table, const term_id *terms, uint32_t count, arena *keep);

/* The number of the term; ID_NONE: it is not among them. */
uint32_t key_index_find(const key_index *index, const tree *t, node_id n, arena *scratch);

#endif
