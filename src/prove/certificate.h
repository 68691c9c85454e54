/* Proofs as text, for anybody to check: sections as certify/grammar.h has them.  Groups that were
   found by looking at all states have a section of their own beside the one of those that induction
   proves. */
#ifndef TABIA_PROVE_CERTIFICATE_H
#define TABIA_PROVE_CERTIFICATE_H

#include "prove/finding.h"

/* Adds a section; the finding must have what it takes (finding_has_certificate). */
void certificate_print(const property *p, const finding *f, const circuit *c, text *out);

#endif
