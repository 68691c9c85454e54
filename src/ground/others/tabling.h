/* What the writer and the reader of the tabled program agree on; only for tabling*.c. */
#ifndef TABIA_GROUND_OTHERS_TABLING_H
#define TABIA_GROUND_OTHERS_TABLING_H

#include "base/bitset.h"
#include "ground/others/number_names.h"

/* Whether the literal is a part of s(R), the ground rule that an instance is printed for. */
bool literal_is_printed(const coded_relations *r, const literal *l);

/* The variables of s(R); their values are printed in the order of their numbers. */
bitset printed_variables(const coded_relations *r, const clause *c, arena *scratch);

#endif
