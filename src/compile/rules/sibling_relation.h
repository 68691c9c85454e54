/* A relation made beside another, with the same columns. */
#ifndef TABIA_COMPILE_RULES_SIBLING_RELATION_H
#define TABIA_COMPILE_RULES_SIBLING_RELATION_H

#include "datalog/flat.h"

/* Adds it.  Its name is NAME#SUFFIX, with more # where there is such a name.  It has no clauses
   yet. */
flat_id sibling_relation_add(flat_program *f, flat_id of, const char *suffix, arena *keep);

#endif
