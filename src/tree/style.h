/* Ways to search, of which a thinker takes the one that wins: how states are valued, and how many
   are looked at together.  They are chosen for each game by short matches (trial.h). */
#ifndef TABIA_TREE_STYLE_H
#define TABIA_TREE_STYLE_H

#include "tree/tree_search.h"

typedef enum search_style {
  STYLE_PLAYS,  /* random games from new states */
  STYLE_JUDGES, /* what was learned, with a look at all successors */
  STYLE_MIXES,  /* both */
  STYLE_COUNT
} search_style;

extern const char *const style_names[]; /* "plays", ... */

/* The options of a search with what the style says, where they leave it open (zero). */
tree_options style_apply(const tree_options *o, search_style style);
bool style_uses_net(search_style style);

#endif
