/* A sampled game: the sizes of relations in a state, and rules that cost too much.

   When a rule looks at very many rows, relations with many facts are restricted to their demand
   (ground/rewrite/rewrite.h), and the sample starts over.  A demand must not make a component
   depend on its own negation that did not before. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_SAMPLE_H
#define TABIA_MACHINE_DATALOG_DATALOG_SAMPLE_H

#include "machine/datalog/datalog_rules.h"

/* Fills r->expected; may rewrite r->dynamic, with more relations behind the others.  False: a limit
   was reached (reported). */
bool dl_sample(dl_rules *r, arena *keep, budget *limits, diag_sink *d);

#endif
