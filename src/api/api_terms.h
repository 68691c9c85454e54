/* Reads a list of terms in KIF that a caller supplies: fluents of a position, or moves. */
#ifndef TABIA_API_API_TERMS_H
#define TABIA_API_API_TERMS_H

#include "api/api.h"

typedef struct given_term {
  const char *canonical;
  span where;
  bool has_variable;
} given_term;

typedef struct given_terms {
  arena *keep; /* all of it */
  source source;
  diag_sink diags; /* what is wrong with them; others may add to it */
  VEC(given_term) items;
} given_terms;

/* False: the text is not KIF, as the diagnostics say.  Call given_terms_free in both cases. */
bool given_terms_read(given_terms *g, const char *name, const char *words, size_t length);
void given_terms_free(given_terms *g);

/* Adds a diagnostic for each that is no fluent of the rules.  False: there is one. */
bool given_fluents_check(given_terms *g, const program *rules);

#endif
