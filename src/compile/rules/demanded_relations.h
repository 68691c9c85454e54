/* Restricts relations to the arguments with which they are queried (magic sets;
   ground/rewrite/rewrite.h): for a relation that would have too many facts, a relation of demanded
   arguments is derived. */
#ifndef TABIA_COMPILE_RULES_DEMANDED_RELATIONS_H
#define TABIA_COMPILE_RULES_DEMANDED_RELATIONS_H

#include "compile/rules/evaluation_order.h"

/* Restricts the relations in `wanted` (by flat relation), and those that ask for them where that is
   needed.  `hands_on`: see ground/rewrite/rewrite.h.  False: none can be, or the rules would no
   longer be stratified; then `f` is as before. */
bool restrict_relations(flat_program *f, const bool *wanted, bool hands_on, arena *keep);

#endif
