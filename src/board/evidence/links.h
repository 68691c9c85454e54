/* Facts that join the values of a column to a graph: (joins hall kitchen). */
#ifndef TABIA_BOARD_EVIDENCE_LINKS_H
#define TABIA_BOARD_EVIDENCE_LINKS_H

#include "board/evidence/survey.h"

typedef VEC(uint32_t) link_vec; /* pairs of places in the domain */

/* The links of the relation that joins the most of these values, each once whichever way it is
   written; none where no relation joins nearly all of them, or one joins them in a chain. */
link_vec find_links(const statics *s, const id_vec *domain, arena *keep);

/* How many cells lie beside each other, if facts such as (line a b c) say that the values are a
   square; 0: they do not. */
uint32_t square_width(const statics *s, const id_vec *domain);

/* The values in the order in which facts lead around a circle, whichever way they are written; none
   where no relation does so. */
id_vec find_circle(const statics *s, const id_vec *domain, arena *keep);

#endif
