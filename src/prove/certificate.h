/* Proofs as text, for anybody to check.

   A certificate has a section for each property:

     (property playable)
     (k 1)
     (exactly-one (control x) (control o))
     (at-least-one (not (cell 1 1 x)) (cell 2 2 b))
     ...

   It claims that the facts listed hold at the start; that where they hold and a step is made they
   hold again; and that, where they hold, the states that would decide the property the other way
   are not to be found (k is 0), or not after k steps in states that do not either.

   That every play ends is shown by measures (measure.h) that fall at least every k steps:

     (property terminates)
     (k 1)
     (measure (2 (step 1)) (1 (step 2)))

   Other sections have in place of that a line of play that decides the property (line ...), for one
   that can be repeated for ever with (returns-to N); or (steps N), the property holds in all states
   of all plays, and they have at most N steps; or (exhaustive), the same of all reachable states,
   with the length of the longest play if ends are asked for, (longest N).  Facts that are listed
   there hold in every reachable state; groups that were found that way have a section of their own
   beside the one of those that induction proves. */
#ifndef TABIA_PROVE_CERTIFICATE_H
#define TABIA_PROVE_CERTIFICATE_H

#include "prove/finding.h"

/* Adds a section; the finding must have what it takes (finding_has_certificate). */
void certificate_print(const property *p, const finding *f, const circuit *c, text *out);

#endif
