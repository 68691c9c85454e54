/* The states of a game, level by level, written to standard output as they are found:

     level DEPTH STATES NODES     how many states are reached in DEPTH steps and not in fewer;
                                  `more` if 2 to the 128 or above
     target T DEPTH MOVE...       the first state in which a target holds, and the moves to it
     states STATES LAYERED        all have been found; 1: every step leads to the next level
     ends STEPS                   every play ends; the longest has so many steps
     cycle RETURNS MOVE...        a play that comes back to the state after so many steps
     stop WORD                    memory: there is no more; depth: no more levels are wanted;
                                  recursion: a recursive rule is too large; question: it is none
*/
#ifndef TABIA_BUDDY_BDD_LEVELS_H
#define TABIA_BUDDY_BDD_LEVELS_H

#include "buddy/bdd_question.h"

void bdd_levels_print(const bdd_question *q, arena *keep);

#endif
