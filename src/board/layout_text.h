/* Layouts as text, to be kept in a file, corrected by hand and used again.  docs/boards.md has the
   form; it is KIF:

     (board grid
       (columns a b c)
       (rows 1 2 3)
       (rows-up)
       (layer (cell ?column ?row ?_))
       (blank b))
     (rest turn (control ?_))
     (click 1 (mark ?column1 ?row1)) */
#ifndef TABIA_BOARD_LAYOUT_TEXT_H
#define TABIA_BOARD_LAYOUT_TEXT_H

#include "board/layout.h"

void layout_write(const layout *l, const samples *s, text *out);

typedef struct layout_fault {
  const char *words;
  uint32_t line; /* from 1 */
} layout_fault;

/* Shapes that the text does not speak of are facts of the rest, or moves without clicks.  False:
   `fault` says what is wrong. */
bool layout_read(layout *l, samples *s, const char *words, size_t length, arena *keep,
                 layout_fault *fault);

/* The name of an axis in patterns; NULL: the axis is out of range. */
const char *axis_word(board_lines lines, uint32_t axis);

#endif
