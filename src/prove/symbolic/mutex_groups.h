/* Groups among facts: of two or more fluents at most one holds, or exactly one. */
#ifndef TABIA_PROVE_SYMBOLIC_MUTEX_GROUPS_H
#define TABIA_PROVE_SYMBOLIC_MUTEX_GROUPS_H

#include "induct/facts.h"

/* Those that do not follow from another. */
const fact_set *groups_among(const fact_set *facts, const circuit *c, arena *keep);

/* Adds the groups among `candidates` that do not follow from a group among `known`, each once. */
void groups_add_open(fact_set *open, const fact_set *candidates, const fact_set *known,
                     const circuit *c);

#endif
