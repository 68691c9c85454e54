/* Reports rules that cannot be compiled, and the machines that accept them. */
#ifndef TABIA_COMPILE_DECLINE_H
#define TABIA_COMPILE_DECLINE_H

#include "datalog/flat.h"

/* Reports E840 with a printf-style message. */
void compile_decline(diag_sink *d, span where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The rule that a clause comes from. */
span flat_clause_span(const flat_program *f, const flat_clause *c);

/* The first rule that gives or reads facts of a relation. */
span flat_relation_span(const flat_program *f, flat_id relation);

#endif
