#include "board/cells.h"

#include "board/graph_places.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* ---- which there are ---- */

static bool has_values_on_axes(const board *b, const value_id *key, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = 0;
    while (at < b->axes[i].count && b->axes[i].items[at] != key[i]) at++;
    if (at == b->axes[i].count) return false;
  }
  return true;
}

static void add_cell_of(board *b, const fact_book *book, fact_id f, key k, arena *keep) {
  value_id values[KEY_MAX] = {NAME_NONE, NAME_NONE, NAME_NONE, NAME_NONE};
  for (uint32_t i = 0; i < k.count; i++) {
    values[i] = fact_value(book, f, k.columns[i]);
    if (values[i] == NAME_NONE) return;
  }
  if (has_values_on_axes(b, values, k.count)) board_add_cell(b, values, keep);
}

static bool are_always_the_same(const survey *v, const shape_survey *x, key k, uint32_t all) {
  const samples *s = v->samples;
  const uint32_t *from = x->seen_from;
  const uint32_t first = from[1];
  id_vec seen = x->seen;
  if (s->states.count < 10 || first < 4 || key_count(v, &seen, k) == all) return false;
  seen.count = first;
  const uint32_t cells = key_count(v, &seen, k);
  if (key_count(v, &x->seen, k) != cells) return false;
  for (uint32_t i = 0; i < s->states.count; i++)
    if (from[i + 1] - from[i] < cells) return false;
  return true;
}

/* A cell that was not seen may exist all the same. */
static void add_whole_grid(board *b, arena *keep) {
  for (uint32_t i = 0; i < b->axes[AXIS_COLUMN].count; i++)
    for (uint32_t k = 0; k < b->axes[AXIS_ROW].count; k++) {
      const value_id key[KEY_MAX] = {b->axes[AXIS_COLUMN].items[i], b->axes[AXIS_ROW].items[k],
                                     NAME_NONE, NAME_NONE};
      board_add_cell(b, key, keep);
    }
}

void board_add_cells_of(board *b, const survey *v, const board_layer *l, arena *keep) {
  const shape_survey *x = &v->shapes.items[l->shape];
  const fact_book *book = &v->samples->fluents;
  id_vec facts = x->facts;
  if (are_always_the_same(v, x, l->key, key_count(v, &x->facts, l->key))) facts = x->seen;
  for (uint32_t i = 0; i < facts.count; i++) add_cell_of(b, book, facts.items[i], l->key, keep);
  const bool is_known = v->samples->has_bases || facts.items == x->seen.items;
  if (!is_known && b->axis_count == 2 && b->lines == LINES_NONE) add_whole_grid(b, keep);
}

/* ---- lines ---- */

static bool has_line(const board *b, uint32_t axis, value_id value, bool is_upper) {
  for (uint32_t i = 0; i < b->cells.count; i++) {
    const value_id *key = b->cells.items[i].key;
    if (key[axis] == value && key[2] != NAME_NONE && (key[2] == b->upper) == is_upper) return true;
  }
  return false;
}

/* A box has an upper side in its column and a left one in its row. */
static void add_boxes(board *b, arena *keep) {
  for (uint32_t i = 0; i < b->axes[AXIS_COLUMN].count; i++)
    for (uint32_t k = 0; k < b->axes[AXIS_ROW].count; k++) {
      const value_id key[KEY_MAX] = {b->axes[AXIS_COLUMN].items[i], b->axes[AXIS_ROW].items[k],
                                     NAME_NONE, NAME_NONE};
      if (has_line(b, AXIS_COLUMN, key[0], true) && has_line(b, AXIS_ROW, key[1], false))
        board_add_cell(b, key, keep);
    }
}

static void add_dots(board *b, arena *keep) {
  for (uint32_t i = 0, count = b->cells.count; i < count; i++)
    for (uint32_t end = 0; end < 4; end += 2) {
      const value_id *line = b->cells.items[i].key;
      const value_id key[KEY_MAX] = {line[end], line[end + 1], NAME_NONE, NAME_NONE};
      if (key[0] != NAME_NONE) board_add_cell(b, key, keep);
    }
}

void board_add_cells_of_lines(board *b, arena *keep) {
  if (b->lines == LINES_SIDES) add_boxes(b, keep);
  if (b->lines == LINES_JOIN) add_dots(b, keep);
}

/* ---- where they lie ---- */

static double index_on(const board *b, uint32_t axis, value_id v) {
  uint32_t i = 0;
  while (i < b->axes[axis].count && b->axes[axis].items[i] != v) i++;
  return i;
}

static double row_of(const board *b, value_id v) {
  const double at = index_on(b, AXIS_ROW, v);
  return b->rows_up ? b->axes[AXIS_ROW].count - 1 - at : at;
}

/* Few boards lie side by side, others in a square. */
static uint32_t outer_width(uint32_t count) {
  return count < 4 ? count : (uint32_t)ceil(sqrt(count));
}

static void place_outer(const board *b, value_id v, double *x, double *y) {
  const uint32_t at = (uint32_t)index_on(b, 2, v), width = outer_width(b->axes[2].count);
  *x += at % width * (b->axes[AXIS_COLUMN].count + 0.6);
  *y += at / width * (b->axes[AXIS_ROW].count + 0.6);
}

/* Squares by the first axis, side by side by the second. */
static void place_in_square(const board *b, const value_id *key, double *x, double *y) {
  const uint32_t at = (uint32_t)index_on(b, AXIS_COLUMN, key[AXIS_COLUMN]);
  *x = at % b->row_width + index_on(b, AXIS_ROW, key[AXIS_ROW]) * (b->row_width + 0.6);
  *y = at / b->row_width;
}

static void place_on_grid(const board *b, const value_id *key, double *x, double *y) {
  if (b->row_width && b->axis_count == 2) {
    place_in_square(b, key, x, y);
    return;
  }
  *x = index_on(b, AXIS_COLUMN, key[AXIS_COLUMN]);
  *y = b->axis_count > 1 ? row_of(b, key[AXIS_ROW]) : 0;
  if (b->lines != LINES_NONE) return;
  if (b->axis_count == 3) place_outer(b, key[2], x, y);
  if (b->axis_count > 3) *x += index_on(b, 2, key[2]) * (b->axes[AXIS_COLUMN].count + 0.6);
  if (b->axis_count > 3) *y += index_on(b, 3, key[3]) * (b->axes[AXIS_ROW].count + 0.6);
}

/* Rows of hexagons lie closer, each half a cell beside the one before. */
static void skew(const board *b, board_cell *c) {
  const double at = index_on(b, AXIS_ROW, c->key[AXIS_ROW]);
  const double shift = b->skew < 0 ? at : b->axes[AXIS_ROW].count - 1 - at;
  c->x += shift / 2;
  c->y *= 0.866;
}

static void place_side(const board *b, board_cell *c) {
  const bool is_upper = c->key[2] == b->upper;
  const double towards = b->rows_up ? 0.5 : -0.5;
  const double x = c->x, y = c->y;
  c->x = x - 0.5;
  c->y = is_upper ? y + towards : y - 0.5;
  c->x2 = is_upper ? x + 0.5 : x - 0.5;
  c->y2 = is_upper ? y + towards : y + 0.5;
}

static void place_line(const board *b, board_cell *c) {
  c->is_line = true;
  if (b->lines == LINES_SIDES)
    place_side(b, c);
  else
    place_on_grid(b, c->key + 2, &c->x2, &c->y2);
}

static void place_cell(const board *b, board_cell *c) {
  place_on_grid(b, c->key, &c->x, &c->y);
  if (b->kind == BOARD_HEXAGONS) skew(b, c);
  if (b->lines != LINES_NONE && c->key[2] != NAME_NONE) place_line(b, c);
}

/* Clockwise from above. */
static void place_on_ring(board *b) {
  const uint32_t count = b->axes[AXIS_COLUMN].count;
  const double turn = 2 * 3.14159265358979, radius = fmax(1, count * 1.15 / turn);
  for (uint32_t i = 0; i < b->cells.count; i++) {
    board_cell *c = &b->cells.items[i];
    const double angle = turn * index_on(b, AXIS_COLUMN, c->key[0]) / count;
    c->x = radius + radius * sin(angle);
    c->y = radius - radius * cos(angle);
  }
}

/* A long row is broken into several. */
enum { ROW_MOST = 20 };

static uint32_t fitting_width(uint32_t count) {
  const uint32_t rows = (count + ROW_MOST - 1) / ROW_MOST;
  return (count + rows - 1) / rows;
}

static void break_row(board *b) {
  const uint32_t count = b->axes[AXIS_COLUMN].count;
  if (b->axis_count != 1 || !count) return;
  const uint32_t width = b->row_width ? b->row_width : fitting_width(count);
  for (uint32_t i = 0; i < b->cells.count; i++) {
    board_cell *c = &b->cells.items[i];
    const uint32_t at = (uint32_t)c->x;
    c->x = at % width;
    c->y = at / width;
  }
}

void board_place_cells(board *b, arena *scratch) {
  if (b->has_places) return;
  if (b->kind == BOARD_RING) {
    place_on_ring(b);
    return;
  }
  for (uint32_t i = 0; i < b->cells.count; i++) place_cell(b, &b->cells.items[i]);
  if (b->kind == BOARD_GRAPH)
    graph_place(b, scratch);
  else
    break_row(b);
}

static int compare_places(const void *a, const void *b) {
  const board_cell *x = a, *y = b;
  if (x->y != y->y) return x->y < y->y ? -1 : 1;
  if (x->x != y->x) return x->x < y->x ? -1 : 1;
  return memcmp(x->key, y->key, sizeof x->key);
}

void board_sort_cells(board *b, arena *keep) {
  const board_cell *sorted = b->cells.items;
  const uint32_t count = b->cells.count;
  assert(!b->links.count);
  if (!count) return;
  qsort(b->cells.items, count, sizeof *b->cells.items, compare_places);
  b->cells.count = 0;
  id_table_clear(&b->index);
  for (uint32_t i = 0; i < count; i++) {
    const board_cell cell = sorted[i];
    board_add_cell(b, cell.key, keep);
    b->cells.items[i] = cell;
  }
}

void board_extent(const board *b, double *width, double *height) {
  *width = *height = 1;
  for (uint32_t i = 0; i < b->cells.count; i++) {
    const board_cell *c = &b->cells.items[i];
    *width = fmax(*width, fmax(c->x, c->is_line ? c->x2 : 0) + 1);
    *height = fmax(*height, fmax(c->y, c->is_line ? c->y2 : 0) + 1);
  }
}
