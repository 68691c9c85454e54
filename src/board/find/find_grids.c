#include "board/find/find_grids.h"

#include "board/cells.h"
#include "board/evidence/links.h"
#include "board/find/blanks.h"
#include "board/find/crop.h"
#include "board/find/orientation.h"

#include <stdlib.h>

/* ---- a board ---- */

static key oriented(key k, board_lines lines, bool is_swapped) {
  key made = k;
  if (!is_swapped || k.count < 2) return k;
  made.columns[0] = k.columns[1];
  made.columns[1] = k.columns[0];
  if (lines == LINES_JOIN) {
    made.columns[2] = k.columns[3];
    made.columns[3] = k.columns[2];
  }
  return made;
}

static id_vec copy_of(const id_vec *from, arena *keep) {
  id_vec made = {0};
  vec_append(keep, &made, from->items, from->count);
  return made;
}

/* Both ends of lines are on the same axes. */
static void add_values(id_vec *axis, const id_vec *more, arena *keep) {
  for (uint32_t i = 0; i < more->count; i++) {
    const id_vec one = {.items = more->items + i, .count = 1};
    if (share_within(&one, axis) == 0) vec_push(keep, axis, more->items[i]);
  }
}

static void set_axes(board *b, const shape_survey *x, key k, arena *keep) {
  b->axis_count = k.count;
  for (uint32_t i = 0; i < k.count; i++)
    b->axes[i] = copy_of(&x->columns[k.columns[i]].order.items, keep);
  for (uint32_t i = 0; i < 2 && b->lines == LINES_JOIN; i++) {
    add_values(&b->axes[i], &b->axes[i + 2], keep);
    b->axes[i + 2] = b->axes[i];
  }
}

board *layout_add_grid(layout *l, const survey *v, const candidate *c, arena *scratch) {
  const shape_survey *x = &v->shapes.items[c->shape];
  board b = {.lines = c->lines, .upper = c->upper};
  b.blanks = find_blanks(v, c, l->keep);
  orientation o = {0};
  if (c->key.count > 1) o = orient(v, c, &b.blanks);
  b.rows_up = o.rows_up;
  b.skew = v->statics.hexagon_skew;
  if (b.skew && c->key.count == 2) b.kind = BOARD_HEXAGONS;
  const board_layer layer = {.shape = c->shape, .key = oriented(c->key, c->lines, o.is_swapped)};
  vec_push(l->keep, &b.layers, layer);
  set_axes(&b, x, layer.key, l->keep);
  board_crop(&b, v, &layer);
  if (b.axis_count <= 2 && b.lines == LINES_NONE)
    b.row_width = square_width(&v->statics, &x->columns[layer.key.columns[0]].domain);
  board_add_cells_of(&b, v, &layer, l->keep);
  board_add_cells_of_lines(&b, l->keep);
  board_place_cells(&b, scratch);
  board_sort_cells(&b, l->keep);
  vec_push(l->keep, &l->boards, b);
  return &vec_last(&l->boards);
}

/* ---- layers ---- */

/* Do the candidate's columns, in this order, have the values of the board's axes? */
static bool fits(const board *b, const shape_survey *x, key k) {
  for (uint32_t i = 0; i < k.count; i++)
    if (share_within(&x->columns[k.columns[i]].domain, &b->axes[i]) < 0.8) return false;
  return true;
}

static bool has_hints(const shape_survey *x, key k, axis_hint first) {
  return k.count > 1 && x->columns[k.columns[0]].hint == first && x->columns[k.columns[1]].hint &&
         x->columns[k.columns[1]].hint != first;
}

/* In the order of the board's first layer, unless the names of variables say otherwise. */
static bool find_order(const board *b, const survey *v, const candidate *c, key *k) {
  const shape_survey *x = &v->shapes.items[c->shape];
  const shape_survey *first = &v->shapes.items[b->layers.items[0].shape];
  const key *main = &b->layers.items[0].key;
  bool is_swapped = main->count > 1 && main->columns[0] > main->columns[1];
  if (c->key.count > 1 && has_hints(first, *main, HINT_COLUMN))
    is_swapped =
        (is_swapped || has_hints(x, c->key, HINT_ROW)) && !has_hints(x, c->key, HINT_COLUMN);
  for (uint32_t i = 0; i < 2; i++, is_swapped = !is_swapped) {
    *k = oriented(c->key, c->lines, is_swapped);
    if (fits(b, x, *k)) return true;
  }
  return false;
}

static bool can_share(const board *b, const candidate *c) {
  if (c->lines != LINES_NONE) return false;
  return b->lines == LINES_NONE ? b->axis_count == c->key.count : c->key.count == 2;
}

/* Marks the cells on which a layer of the board has a fact with content, in one state. */
static void mark_cells(const board *b, const survey *v, uint32_t state, bool *is_taken) {
  const fact_book *book = &v->samples->fluents;
  memset(is_taken, 0, b->cells.count);
  for (uint32_t l = 0; l < b->layers.count; l++) {
    const board_layer *layer = &b->layers.items[l];
    const shape_survey *x = &v->shapes.items[layer->shape];
    uint32_t content[2 * COLUMN_MAX];
    if (!layer_content(layer, &book->shapes.items[layer->shape], content)) continue;
    for (uint32_t i = x->seen_from[state]; i < x->seen_from[state + 1]; i++) {
      const fact_id f = x->seen.items[i];
      const uint32_t cell = key_cell(b, layer->key, book, f);
      if (cell != ID_NONE && !board_is_blank(b, fact_value(book, f, content[0])))
        is_taken[cell] = true;
    }
  }
}

/* Would two things with content stand on one cell in more than a fifth of the cases? */
static bool collides(const board *b, const survey *v, const candidate *c, key k, arena *scratch) {
  const shape_survey *x = &v->shapes.items[c->shape];
  bool *is_taken = arena_new_array(scratch, bool, b->cells.count + 1);
  uint32_t hits = 0;
  if (!c->has_content) return false;
  for (uint32_t state = 0; state < v->samples->states.count; state++) {
    mark_cells(b, v, state, is_taken);
    for (uint32_t i = x->seen_from[state]; i < x->seen_from[state + 1]; i++) {
      const uint32_t cell = key_cell(b, k, &v->samples->fluents, x->seen.items[i]);
      hits += cell != ID_NONE && is_taken[cell];
    }
  }
  return hits * 5 > x->seen.count;
}

static void add_blanks(board *b, const survey *v, const board_layer *layer, arena *keep) {
  const candidate c = {.shape = layer->shape, .key = layer->key};
  const id_vec blanks = find_blanks(v, &c, keep);
  for (uint32_t i = 0; i < blanks.count; i++)
    if (!board_is_blank(b, blanks.items[i])) vec_push(keep, &b->blanks, blanks.items[i]);
}

static bool join_one(layout *l, board *b, const survey *v, const candidate *c, arena *scratch) {
  board_layer layer = {.shape = c->shape};
  if (!can_share(b, c) || !find_order(b, v, c, &layer.key)) return false;
  const bool has_room = b->kind == BOARD_RING || b->kind == BOARD_GRAPH;
  if (!has_room && collides(b, v, c, layer.key, scratch)) return false;
  vec_push(l->keep, &b->layers, layer);
  add_blanks(b, v, &layer, l->keep);
  board_add_cells_of(b, v, &layer, l->keep);
  board_place_cells(b, scratch);
  if (!b->links.count) board_sort_cells(b, l->keep);
  return true;
}

bool layout_join(layout *l, const survey *v, const candidate *c, arena *scratch) {
  for (uint32_t i = 0; i < l->boards.count; i++)
    if (join_one(l, &l->boards.items[i], v, c, scratch)) return true;
  return false;
}

/* ---- all shapes ---- */

/* The largest board first, then the surest. */
static int compare_candidates(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  const bool is_board = x->score >= SCORE_BOARD, is_other = y->score >= SCORE_BOARD;
  if (is_board != is_other) return is_board ? -1 : 1;
  if (x->cells != y->cells) return x->cells > y->cells ? -1 : 1;
  if (x->score != y->score) return x->score > y->score ? -1 : 1;
  return x->shape < y->shape ? -1 : 1;
}

enum { GRIDS_MOST = 8 };

/* Marks on cells of a board that is there, however few they are. */
static bool join_marks(layout *l, const survey *v, shape_id s, arena *scratch) {
  const shape_survey *x = &v->shapes.items[s];
  const candidate c = {.shape = s, .key = {.columns = {0, 1}, .count = 2}};
  if (x->column_count != 2 || x->most_at_once < 2 || !column_is_coordinate(&x->columns[0]) ||
      !column_is_coordinate(&x->columns[1]))
    return false;
  return layout_join(l, v, &c, scratch);
}

void find_grids(layout *l, const survey *v, bool *is_drawn, arena *scratch) {
  const uint32_t count = v->shapes.count;
  candidate *all = arena_new_array(scratch, candidate, count + 1);
  for (uint32_t i = 0; i < count; i++) all[i] = candidate_of(v, i);
  if (count) qsort(all, count, sizeof *all, compare_candidates);
  for (uint32_t i = 0; i < count && all[i].score >= SCORE_LAYER; i++) {
    const candidate *c = &all[i];
    is_drawn[c->shape] = layout_join(l, v, c, scratch);
    if (is_drawn[c->shape] || c->score < SCORE_BOARD || l->boards.count >= GRIDS_MOST) continue;
    layout_add_grid(l, v, c, scratch);
    is_drawn[c->shape] = true;
  }
  for (shape_id s = 0; s < count && l->boards.count; s++)
    if (!is_drawn[s]) is_drawn[s] = join_marks(l, v, s, scratch);
}
