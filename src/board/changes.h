/* Which cells of a board change from one state to the next. */
#ifndef TABIA_BOARD_CHANGES_H
#define TABIA_BOARD_CHANGES_H

#include "board/layout.h"

/* Facts that are in the first list but not in the second; both are ascending. */
id_vec facts_lost(const fact_id *first, uint32_t first_count, const fact_id *second,
                  uint32_t second_count, arena *keep);

/* The cell of the board that a fact stands on, by any layer; ID_NONE: it stands on none. */
uint32_t board_cell_of(const board *b, const fact_book *book, fact_id f);

typedef struct step_changes {
  id_vec cells;   /* that change, step by step */
  uint32_t *from; /* by step, and one more */
} step_changes;

step_changes changes_on(const board *b, const samples *s, arena *keep);

bool changes_have(const step_changes *c, uint32_t step, uint32_t cell);

#endif
