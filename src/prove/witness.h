/* Lines of play, played again on machine `reference` before anybody hears of them. */
#ifndef TABIA_PROVE_WITNESS_H
#define TABIA_PROVE_WITNESS_H

#include "machine/state_view.h"
#include "prove/finding.h"

typedef struct witness_judge {
  const circuit *c; /* of the game: names of moves and fluents */
  machine *m;       /* machine `reference` */
  machine_workspace *w;
  arena *scratch;
  const void *position; /* where the line has led */
} witness_judge;

/* False: machine `reference` cannot be opened, and `d` says why.  Close it in both cases. */
bool witness_judge_open(witness_judge *j, const circuit *c, const program *p, budget *b,
                        diag_sink *d);
void witness_judge_close(witness_judge *j);

/* Does the line of the verdict show what it is meant to show?  When a line that is to be repeated
   for ever does not come back to the very same state, its round is played a few more times and
   added to the line.  `reason`, in `keep`, says what is wrong, or who cannot move. */
bool witness_judge_agrees(witness_judge *j, const property *p, finding *v, arena *keep);

/* Can the line be played? */
bool witness_judge_plays(witness_judge *j, const id_vec *line);

/* Is this a state that decides the property?  Not asked of `terminates`. */
bool witness_judge_sees(witness_judge *j, const state_view *v, const property *p,
                        const char **reason, arena *keep);

#endif
