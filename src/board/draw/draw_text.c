#include "board/draw/canvas.h"
#include "board/draw/drawing.h"
#include "board/draw/letters.h"

#include <math.h>

const char *rest_words(const picture *p, const picture_rest *r, arena *keep) {
  const fact_book *b = &p->samples->fluents;
  const shape *s = fact_shape(b, r->fact);
  text words = text_new(keep);
  if (!s->leaf_count || strchr(s->pattern + 1, '(')) return fact_text(b, r->fact);
  text_add_format(&words, "%s:", s->relation);
  for (uint32_t i = 0; i < s->leaf_count; i++)
    text_add_format(&words, " %s", value_text(b, fact_leaf(b, r->fact, i)));
  return text_string(&words);
}

/* ---- what a cell shows ---- */

enum { LABEL_MOST = 8 };

typedef struct text_board {
  const picture *p;
  const picture_board *b;
  uint32_t marks; /* layers without content */
  uint32_t label_width, margin;
  piece_letters letters; /* of grids */
  arena *scratch;
} text_board;

static const char *item_label(text_board *t, const picture_item *i) {
  if (i->is_blank) return ".";
  if (!*i->label && t->marks <= 1) return "#";
  const char *relation = fact_shape(&t->p->samples->fluents, i->fact)->relation;
  return letters_take(&t->letters, *i->label ? i->label : relation);
}

static const char *wall_mark(board_side s) {
  static const char *const marks[] = {"", "^", "_", "[", "]"};
  return marks[s];
}

/* Blanks are left out where something else is there. */
static const char *cell_label(text_board *t, uint32_t cell) {
  text label = text_new(t->scratch);
  const uint32_t from = t->b->items_from[cell], to = t->b->items_from[cell + 1];
  for (uint32_t i = from; i < to; i++) {
    const picture_item *item = &t->b->items.items[i];
    if (item->wall != SIDE_NONE) text_add(&label, wall_mark(item->wall));
    if (item->is_blank) continue;
    if (label.length) text_add_char(&label, ',');
    text_add(&label, item_label(t, item));
  }
  return label.length ? text_string(&label) : ".";
}

static uint32_t count_marks(const text_board *t) {
  uint32_t columns[2 * COLUMN_MAX], count = 0;
  for (uint32_t i = 0; i < t->b->board->layers.count; i++) {
    const board_layer *l = &t->b->board->layers.items[i];
    count += !layer_content(l, &t->p->samples->fluents.shapes.items[l->shape], columns);
  }
  return count;
}

static uint32_t widest_label(text_board *t) {
  uint32_t widest = 1;
  for (uint32_t i = 0; i < t->b->board->cells.count; i++) {
    const uint32_t width = t->b->board->cells.items[i].is_line ? 1 : text_width(cell_label(t, i));
    if (width > widest) widest = width;
  }
  return widest < LABEL_MOST ? widest : LABEL_MOST;
}

/* ---- grids ---- */

static const char *axis_label(const text_board *t, uint32_t axis, uint32_t i) {
  return names_text(&t->p->samples->fluents.values, t->b->board->axes[axis].items[i]);
}

static uint32_t row_margin(const text_board *t) {
  uint32_t widest = 0;
  if (t->b->board->axis_count < 2) return 0;
  for (uint32_t i = 0; i < t->b->board->axes[AXIS_ROW].count; i++) {
    const uint32_t width = text_width(axis_label(t, AXIS_ROW, i));
    if (width > widest) widest = width;
  }
  return widest + 1;
}

static uint32_t pitch(const text_board *t) {
  return t->label_width + (t->b->board->lines == LINES_NONE ? 1 : 2);
}

static uint32_t line_pitch(const text_board *t) { return t->b->board->lines == LINES_NONE ? 1 : 2; }

static uint32_t place_x(const text_board *t, double x) {
  return t->margin + (uint32_t)lround(x * pitch(t) + pitch(t) - t->label_width);
}

/* Rows of hexagons lie closer than their numbers. */
static uint32_t place_y(const text_board *t, double y) {
  const double high = t->b->board->kind == BOARD_HEXAGONS ? y / 0.866 : y;
  return (uint32_t)lround(high * line_pitch(t)) + (t->b->board->lines == LINES_NONE ? 0 : 1);
}

static void write_line_cell(const text_board *t, canvas *c, uint32_t i) {
  const board_cell *cell = &t->b->cells[i];
  const bool is_drawn = t->b->items_from[i + 1] > t->b->items_from[i];
  const bool is_flat = cell->y == cell->y2;
  const double x = fmin(cell->x, cell->x2), y = fmin(cell->y, cell->y2);
  const double shift = t->b->board->lines == LINES_SIDES ? 0.5 : 0;
  const uint32_t at = t->margin + (uint32_t)lround((x + shift) * pitch(t));
  const uint32_t down = (uint32_t)lround((y + shift) * line_pitch(t));
  for (uint32_t k = 1; is_flat && is_drawn && k < pitch(t); k++) canvas_write(c, at + k, down, "-");
  if (!is_flat && is_drawn) canvas_write(c, at, down + 1, "|");
  canvas_write(c, at, down, "+");
  canvas_write(c, is_flat ? at + pitch(t) : at, is_flat ? down : down + 2, "+");
}

static void write_cell(text_board *t, canvas *c, uint32_t i) {
  char cut[LABEL_MOST * 4 + 1];
  if (t->b->board->cells.items[i].is_line) {
    write_line_cell(t, c, i);
    return;
  }
  const char *label = cell_label(t, i);
  if (t->b->board->lines == LINES_JOIN) return;
  uint32_t length = 0;
  for (uint32_t k = 0; k < t->label_width && label[length]; k++) do
      length++;
    while ((label[length] & 0xc0) == 0x80);
  snprintf(cut, sizeof cut, "%.*s", (int)(length < sizeof cut ? length : sizeof cut - 1), label);
  canvas_write(c, place_x(t, t->b->cells[i].x), place_y(t, t->b->cells[i].y), cut);
}

static double row_place(const board *b, uint32_t i) {
  return b->rows_up ? b->axes[AXIS_ROW].count - 1 - i : i;
}

static void write_labels(const text_board *t, canvas *c, uint32_t height) {
  const board *b = t->b->board;
  for (uint32_t i = 0; b->axis_count > 1 && i < b->axes[AXIS_ROW].count; i++) {
    if (!board_has_cells_at(b, AXIS_ROW, b->axes[AXIS_ROW].items[i])) continue;
    canvas_write(c, 0, place_y(t, row_place(b, i) * (b->kind == BOARD_HEXAGONS ? 0.866 : 1)),
                 axis_label(t, AXIS_ROW, i));
  }
  if (b->axis_count == 1 && t->b->height > 1) return;
  for (uint32_t i = 0; i < b->axes[AXIS_COLUMN].count; i++) {
    char cut[LABEL_MOST + 1];
    if (!board_has_cells_at(b, AXIS_COLUMN, b->axes[AXIS_COLUMN].items[i])) continue;
    snprintf(cut, sizeof cut, "%.*s", (int)pitch(t) - 1, axis_label(t, AXIS_COLUMN, i));
    canvas_write(c, place_x(t, i), height - 1, cut);
  }
}

static void write_grid(text_board *t, text *out) {
  t->letters = letters_find(t->p, t->b, t->marks > 1, t->scratch);
  t->label_width = widest_label(t);
  t->margin = row_margin(t);
  const uint32_t width = t->margin + (uint32_t)((t->b->width + 1) * pitch(t)) + LABEL_MOST;
  const double rows = t->b->board->kind == BOARD_HEXAGONS ? t->b->height / 0.8 : t->b->height;
  const uint32_t height = (uint32_t)ceil(rows) * line_pitch(t) + line_pitch(t);
  canvas *c = canvas_new(width, height, t->scratch);
  for (uint32_t i = 0; i < t->b->board->cells.count; i++) write_cell(t, c, i);
  write_labels(t, c, height);
  canvas_print(c, out);
  letters_write_key(&t->letters, t->p, out);
}

/* ---- the others ---- */

static void write_list(text_board *t, text *out) {
  for (uint32_t i = 0; i < t->b->board->cells.count; i++)
    text_add_format(out, "%s: %s\n", cell_name(t->p, &t->b->cells[i], t->scratch),
                    cell_label(t, i));
}

static bool is_listed(const board *b) {
  return b->kind == BOARD_RING || b->kind == BOARD_GRAPH || b->kind == BOARD_PLACES ||
         b->kind == BOARD_STACKS;
}

static void write_board(const picture *p, const picture_board *b, arena *scratch, text *out) {
  text_board t = {.p = p, .b = b, .scratch = scratch};
  t.marks = count_marks(&t);
  if (p->boards.count > 1)
    text_add_format(out, "%s\n",
                    p->samples->fluents.shapes.items[b->board->layers.items[0].shape].relation);
  if (is_listed(b->board))
    write_list(&t, out);
  else
    write_grid(&t, out);
}

void picture_write_text(const picture *p, text *out) {
  arena *scratch = arena_new();
  for (uint32_t i = 0; i < p->boards.count; i++) {
    if (i) text_add_char(out, '\n');
    write_board(p, &p->boards.items[i], scratch, out);
  }
  if (p->rest.count && p->boards.count) text_add_char(out, '\n');
  for (uint32_t i = 0; i < p->rest.count; i++)
    text_add_format(out, "%s\n", rest_words(p, &p->rest.items[i], scratch));
  arena_free(scratch);
}
