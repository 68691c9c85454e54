/* Proofs as text, for anybody to check.

   A certificate has a section for each property:

     (property playable)
     (k 1)
     (exactly-one (control x) (control o))
     (at-least-one (not (cell 1 1 x)) (cell 2 2 b))
     ...

   It claims that the facts listed hold at the start; that where they hold and a step is made they
   hold again; and that, where they hold, the states that would decide the property the other way
   are not to be found (k is 0), or not after k steps in states that do not either. */
#ifndef TABIA_PROVE_CERTIFICATE_H
#define TABIA_PROVE_CERTIFICATE_H

#include "prove/finding.h"

/* Adds a section; the finding must have a certificate. */
void certificate_print(const property *p, const finding *f, const circuit *c, text *out);

#endif
