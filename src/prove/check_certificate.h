/* Checks certificates (certificate.h) with nothing of what made them: the rules are grounded anew
   and turned into clauses by ground_clauses.h. */
#ifndef TABIA_PROVE_CHECK_CERTIFICATE_H
#define TABIA_PROVE_CHECK_CERTIFICATE_H

#include "base/budget.h"
#include "rules/program.h"

typedef struct certificate_report {
  uint32_t accepted, rejected; /* sections */
  uint32_t unchecked;          /* sections for which a limit came first */
  text words;                  /* a line for each */
} certificate_report;

/* False: the certificate cannot be read or the game cannot be grounded or has no role; `d` says
 * why. */
bool certificate_check(certificate_report *r, const source *certificate, const program *p,
                       arena *keep, budget *b, diag_sink *d);

#endif
