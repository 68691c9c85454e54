/* Checks certificates independently of what made them: the rules are grounded again and turned into
   clauses (ground_clauses.h), or played on machines without circuits (play_state.h).  It shares
   with the provers only the reader, the grounder, the SAT solver and these machines; tests/layers
   enforces that it includes neither `prove` nor `circuit` nor `induct`. */
#ifndef TABIA_CERTIFY_CERTIFY_H
#define TABIA_CERTIFY_CERTIFY_H

#include "base/budget.h"
#include "certify/grammar.h"
#include "rules/program.h"

typedef enum section_result {
  SECTION_ACCEPTED,
  SECTION_REJECTED,
  SECTION_UNCHECKED
} section_result;

typedef struct section_report {
  const section *section;
  section_result result;
  const char *words; /* "accepted: playable is proved, by induction (k 1, 12 facts)" */
} section_report;

typedef struct certificate_report {
  VEC(section_report) sections; /* in the order of the certificate */
  uint32_t accepted, rejected;
  uint32_t unchecked; /* a limit came first, or the checker cannot do it */
} certificate_report;

/* How it is asked whether steps keep facts: as seems best, all together, or each on its own first.
   The answer is the same; tests want both ways. */
typedef enum asking { ASK_AS_SEEMS_BEST, ASK_TOGETHER, ASK_ONE_BY_ONE } asking;

bool certificate_check_asking(certificate_report *r, const certificate *c, const program *p,
                              asking how, arena *keep, budget *b, diag_sink *d);

/* False: the game cannot be grounded or has no role; `d` says why. */
bool certificate_check(certificate_report *r, const certificate *c, const program *p, arena *keep,
                       budget *b, diag_sink *d);

/* How many seconds a section gets, of `left` that are left for it and the other sections that are
   not checked yet, `open` in all; `had`: what it had when it was tried last, or 0.  At first half
   of the time is kept back for those that need more; then each gets its share, or all if its share
   would be no more than it had. */
double section_seconds(double left, uint32_t open, double had);

#endif
