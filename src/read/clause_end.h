/* How the clauses of an infix text end: with a full stop, or only with their line.

   A whole text may be written without stops.  But where clauses otherwise have one, or where the
   next line is indented, a comma was forgotten, and half a rule has become a fact. */
#ifndef TABIA_READ_CLAUSE_END_H
#define TABIA_READ_CLAUSE_END_H

#include "base/diag.h"

/* A clause that ends with its line. */
typedef struct loose_end {
  uint32_t at; /* behind its last token */
  span next;   /* the first token of the next clause */
  bool next_is_indented;
} loose_end;

typedef struct clause_ends {
  uint32_t stops; /* clauses with a full stop */
  VEC(loose_end) loose;
  bool is_open;  /* the last clause ends with the text, without a stop: */
  uint32_t last; /* behind its last token */
} clause_ends;

/* Warns of the loose ends that were hardly meant. */
void clause_ends_report(const clause_ends *e, diag_sink *d);

#endif
