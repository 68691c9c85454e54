/* What tabia-bdd is asked, as the text that it reads (buddy/bdd_question.h has its form). */
#ifndef TABIA_BDD_BDD_TEXT_H
#define TABIA_BDD_BDD_TEXT_H

#include "bdd/bdd_encoding.h"

typedef struct bdd_wish {
  uint64_t bytes; /* of memory */
  uint32_t depth; /* levels; UINT32_MAX: all */
  bool asks_ends; /* does every play end? */
} bdd_wish;

void bdd_write_question(const circuit *c, const bdd_encoding *e, bdd_wish wish, text *out);

#endif
