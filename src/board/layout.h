/* How a game is drawn, as data: which facts stand on which cells of which boards, where the cells
   lie, and which clicks make which moves.  It is found from the rules (find_layout.h), written to
   files and read from them (layout_text.h), and drawn together with a state (picture.h).

   A board has cells.  A cell has a key of one to four values, one from each axis: column, row, and
   where boards lie side by side, the outer column and row. */
#ifndef TABIA_BOARD_LAYOUT_H
#define TABIA_BOARD_LAYOUT_H

#include "board/evidence/key_evidence.h"

typedef enum board_kind {
  BOARD_GRID,     /* columns and rows; or one row */
  BOARD_HEXAGONS, /* the same, skewed */
  BOARD_RING,
  BOARD_GRAPH,
  BOARD_PLACES, /* a few places that hold many things */
  BOARD_STACKS, /* things that stand on each other */
  BOARD_KIND_COUNT
} board_kind;

const char *board_kind_name(board_kind k);

enum { AXIS_COLUMN, AXIS_ROW, AXIS_OUTER_COLUMN, AXIS_OUTER_ROW };

/* Boards can have lines, which are cells too.  Their keys are longer than those of other cells,
   which have NAME_NONE where the others have more. */
typedef enum board_lines {
  LINES_NONE,
  LINES_SIDES, /* column, row, and a word that tells the side: the one towards the first row, if it
                  is board.upper, else the one towards the first column */
  LINES_JOIN   /* column and row of both ends */
} board_lines;

/* On the page. */
typedef enum board_side {
  SIDE_NONE,
  SIDE_UP,
  SIDE_DOWN,
  SIDE_LEFT,
  SIDE_RIGHT,
  SIDE_COUNT
} board_side;

const char *board_side_name(board_side s);

/* Facts with this shape stand on the cells that the key names. */
typedef struct board_layer {
  shape_id shape;
  key key;         /* columns of the shape, by axis */
  board_side wall; /* each fact is a wall on that side of its cell */
} board_layer;

/* A wall that no fact of a state mentions. */
typedef struct board_wall {
  uint32_t cell;
  board_side side;
} board_wall;

typedef struct board_cell {
  value_id key[KEY_MAX];
  bool is_line;
  double x, y;   /* of its middle, where a line begins; cells are 1 wide, y grows downwards */
  double x2, y2; /* where a line ends */
} board_cell;

typedef struct board_link {
  uint32_t from, to; /* cells */
} board_link;

/* Static facts about a cell. */
typedef struct board_tint {
  uint32_t cell;
  const char *name; /* the relation */
} board_tint;

typedef struct board {
  board_kind kind;
  uint32_t axis_count;
  id_vec axes[KEY_MAX];
  bool rows_up; /* the first row is the lowest */
  board_lines lines;
  value_id upper;
  uint32_t row_width; /* where cells have no row, so many lie side by side; 0: as is fitting */
  int skew;           /* BOARD_HEXAGONS: as in hexagons.h; 0 where has_places */
  bool has_places;    /* cells lie where each says, whatever its key is */
  bool is_certain;    /* proved: no cell holds two facts of the first layer */
  id_vec blanks;
  VEC(board_layer) layers;
  VEC(board_cell) cells;
  VEC(board_link) links;
  VEC(board_wall) walls;
  VEC(board_tint) tints; /* a cell has one at most */
  id_table index;        /* of cells by key */
} board;

/* The kinds of facts that are on no board. */
typedef enum rest_kind {
  REST_FACT,
  REST_TURN,
  REST_COUNTER,
  REST_SCORE,
  REST_KIND_COUNT
} rest_kind;

const char *rest_kind_name(rest_kind k);

/* A step of a move: a click on the cell that these columns of the move name; where there is one
   column alone on a board of more axes, on any cell of that column (or row). */
typedef struct click_step {
  uint32_t board;
  key key;
  uint32_t axis; /* of the one column, where there is only one */
} click_step;

enum { CLICKS_MAX = 3 };

typedef struct click_rule {
  shape_id move;
  uint32_t count; /* 0: by what the move changes */
  click_step steps[CLICKS_MAX];
} click_rule;

typedef struct layout {
  arena *keep;
  VEC(board) boards;
  VEC(rest_kind) rest;    /* by shape of fluents */
  VEC(click_rule) clicks; /* by shape of moves */
} layout;

/* ---- cells ---- */

/* The cell with this key, of axis_count values; ID_NONE: there is none. */
uint32_t board_find(const board *b, const value_id *key);

/* Adds a cell, if it is not there; board_place_cells (cells.h) gives it its place. */
void board_add_cell(board *b, const value_id *key, arena *keep);

/* The cell that these columns of a fact name; ID_NONE: there is none. */
uint32_t key_cell(const board *b, key k, const fact_book *book, fact_id f);

/* Is there a cell, other than a line, with that value on the axis? */
bool board_has_cells_at(const board *b, uint32_t axis, value_id v);

/* A static fact about the cell; NULL: none. */
const char *board_tint_of(const board *b, uint32_t cell);

bool board_is_blank(const board *b, value_id v);

/* Columns of the shape that are no part of the key: what stands there.  Returns how many. */
uint32_t layer_content(const board_layer *l, const shape *s, uint32_t *columns);

/* The values in these columns of a fact: what stands on its cell.  Returns how many. */
uint32_t layer_values(const board_layer *l, const fact_book *book, fact_id f, value_id *values);

#endif
