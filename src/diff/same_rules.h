/* Are the rules themselves the same, up to their order, layout, variables and the map of names?
   Then the games are the same. */
#ifndef TABIA_DIFF_SAME_RULES_H
#define TABIA_DIFF_SAME_RULES_H

#include "diff/side_by_side.h"

bool rules_are_the_same(const diff_question *q);

#endif
