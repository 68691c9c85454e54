/* What a tree says about its root. */
#ifndef TABIA_TREE_ROOT_REPORT_H
#define TABIA_TREE_ROOT_REPORT_H

#include "tree/thinker.h"

/* All but the seconds; in `keep`. */
void root_report(thought *t, const tree_search *s, arena *keep);

/* Adds what another tree says about the same root. */
void thought_add(thought *t, const thought *other, uint32_t roles);

#endif
