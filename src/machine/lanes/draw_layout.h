/* How the rows of a draw (lane_draw.h) are laid out: each is in a group, and in a column of it.

   Gates mostly ask whether one of a set of rows is chosen: 'a move from this square', 'a move to
   that square'.  If a set is a whole group or a whole column this costs nothing, so the layout is
   made for the sets that gates ask for. */
#ifndef TABIA_MACHINE_LANES_DRAW_LAYOUT_H
#define TABIA_MACHINE_LANES_DRAW_LAYOUT_H

#include "base/vec.h"

typedef struct draw_layout {
  uint32_t row_count, group_count, column_count;
  uint32_t *group, *column; /* by row; no two rows have both in common */
  uint32_t *column_size;    /* by column: how many rows it has */
  uint32_t *first;          /* by group, and one more: its rows are rows[first[g]] .. */
  uint32_t *rows;           /* by group, and by column in it */
} draw_layout;

/* The name of a row: any words (0: none).  Rows with some words in common may make a group. */
enum { DRAW_WORDS = 6 };

typedef struct draw_name {
  uint32_t words[DRAW_WORDS];
} draw_name;

/* Sets of rows that are asked for. */
typedef struct draw_sets {
  id_vec ends; /* by set: where its rows end, which begin where those of the set before end */
  id_vec rows;
} draw_sets;

/* Groups of rows, one after another. */
draw_layout draw_layout_in_groups(uint32_t row_count, uint32_t group_size, arena *keep);

/* The layout that is estimated to take the fewest operations. */
draw_layout draw_layout_find(uint32_t row_count, const draw_name *names, const draw_sets *sets,
                             arena *keep);

/* ---- sets by layout ---- */

/* Takes sets of rows to pieces: whole groups, whole columns, and single rows. */
typedef struct draw_splitter {
  const draw_layout *l;
  arena *keep;
  uint32_t *in_group, *in_column; /* scratch, zero between calls */
  id_vec groups, columns, rows;   /* of the last set */
} draw_splitter;

void draw_splitter_init(draw_splitter *s, const draw_layout *l, arena *keep);

/* Returns how many pieces there are. */
uint32_t draw_split(draw_splitter *s, const uint32_t *rows, uint32_t count);

#endif
