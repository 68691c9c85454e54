/* What states say about keys: columns of a shape whose values together name a cell. */
#ifndef TABIA_BOARD_EVIDENCE_KEY_EVIDENCE_H
#define TABIA_BOARD_EVIDENCE_KEY_EVIDENCE_H

#include "board/evidence/survey.h"

enum { KEY_MAX = 4 };

typedef struct key {
  uint32_t columns[KEY_MAX];
  uint32_t count;
} key;

/* The share of facts, over all states, that the key alone names: 1 where no two facts of a state
   have the same key. */
double key_uniqueness(const survey *v, const shape_survey *x, key k);

/* The mean share of all keys that are there in a state; 1: every cell is filled in every state. */
double key_fill(const survey *v, const shape_survey *x, key k);

/* How many different keys these facts have. */
uint32_t key_count(const survey *v, const id_vec *facts, key k);

#endif
