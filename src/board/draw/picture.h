/* A state laid out: what stands on which cell, what is left, and which clicks make which move.
   Every fact of the state is on a cell or in the rest.  Text, JSON and SVG are written from it. */
#ifndef TABIA_BOARD_DRAW_PICTURE_H
#define TABIA_BOARD_DRAW_PICTURE_H

#include "board/draw/glyphs.h"

typedef struct picture_item {
  fact_id fact;
  fact_id shown; /* the same, or what was made from it (derived.h) */
  uint32_t cell;
  const char *label; /* the values that stand there, or "" */
  glyph glyph;
  bool is_blank;
  board_side wall; /* what it is instead of a piece */
} picture_item;

/* A line beside a cell. */
typedef struct picture_wall {
  double x, y, x2, y2;
} picture_wall;

typedef struct picture_board {
  const board *board;
  board_cell *cells;       /* with the places that they have in this state */
  VEC(picture_item) items; /* by cell */
  uint32_t *items_from;    /* by cell, and one more */
  VEC(picture_wall) walls;
  double width, height; /* of all cells */
} picture_board;

typedef struct picture_rest {
  fact_id fact;
  rest_kind kind;
} picture_rest;

/* One click of a move: any of these cells. */
typedef struct picture_click {
  uint32_t board;
  id_vec cells;
} picture_click;

typedef struct picture_move {
  uint32_t role;
  move_id move;
  fact_id fact;              /* in the book of moves */
  VEC(picture_click) clicks; /* none: a button */
  bool is_by_effect;
  bool needs_menu; /* another move of the role has the same clicks */
} picture_move;

typedef struct picture {
  const layout *layout;
  samples *samples;
  VEC(picture_board) boards;
  VEC(picture_rest) rest;
  VEC(picture_move) moves;
} picture;

/* `w` may be NULL: then there are no moves. */
void picture_make(picture *p, const layout *l, samples *s, machine_workspace *w,
                  const void *position, arena *keep);

/* The values of a cell's key, as text: "a 1". */
const char *cell_name(const picture *p, const board_cell *c, arena *keep);

#endif
