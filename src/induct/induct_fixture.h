/* For tests of what is proved of circuits. */
#ifndef TABIA_INDUCT_INDUCT_FIXTURE_H
#define TABIA_INDUCT_INDUCT_FIXTURE_H

#include "ground/ground_fixture.h"
#include "induct/plain_circuit.h"

static inline void build_circuit(rules_fixture *f, const char *words, ground_program *g,
                                 circuit *c) {
  *g = grounded(f, words, optimised);
  assert_true(induct_build_circuit(c, g, f->keep, NULL, &f->d));
}

static inline uint32_t fluent_number(rules_fixture *f, const circuit *c, const char *words) {
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    text one = text_new(f->keep);
    term_print(c->terms, c->fluents.items[i].term, NOTATION_KIF, NULL, &one);
    if (strcmp(text_string(&one), words) == 0) return i;
  }
  fail_msg("no fluent %s", words);
  return 0;
}

#endif
