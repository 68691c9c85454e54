/* Which relations keep the column and the row of one thing apart, and which keep a whole row in one
   fact: what follows from them is added to what is known of the game (derived.h). */
#ifndef TABIA_BOARD_EVIDENCE_JOINS_H
#define TABIA_BOARD_EVIDENCE_JOINS_H

#include "board/evidence/survey.h"

/* Shapes that are made are surveyed by who calls it, from the old count of shapes on. */
void find_joins(survey *v);
void find_lists(survey *v);

#endif
