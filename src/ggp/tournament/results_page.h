/* The results of a tournament for people and for other programs: text, a page, CSV. */
#ifndef TABIA_GGP_TOURNAMENT_RESULTS_PAGE_H
#define TABIA_GGP_TOURNAMENT_RESULTS_PAGE_H

#include "ggp/tournament/standings.h"
#include "ggp/tournament/tournament_plan.h"

typedef struct results {
  const tournament_plan *plan;
  const standings *standings;
  tournament_store *store;
  const char *title;
  uint32_t planned, played; /* matches */
} results;

void results_add_text(text *out, const results *r);
void results_add_page(text *out, const results *r); /* HTML, without scripts */
void results_add_csv(text *out, const results *r);  /* a line for each match */

#endif
