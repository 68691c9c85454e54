#include "board/evidence/edges.h"

#include <stdlib.h>

/* ---- lines ---- */

static bool are_alike(const shape_survey *x, uint32_t a, uint32_t b) {
  return column_is_coordinate(&x->columns[a]) && column_is_coordinate(&x->columns[b]) &&
         share_within(&x->columns[a].domain, &x->columns[b].order.items) >= 0.6;
}

static int distance(const survey *v, const shape_survey *x, fact_id f, uint32_t a, uint32_t b) {
  const fact_book *book = &v->samples->fluents;
  const ordering *o = x->columns[a].order.items.count >= x->columns[b].order.items.count
                          ? &x->columns[a].order
                          : &x->columns[b].order;
  return abs((int)ordering_find(o, fact_value(book, f, a)) -
             (int)ordering_find(o, fact_value(book, f, b)));
}

static bool are_neighbours(const survey *v, const shape_survey *x, uint32_t from) {
  uint32_t near = 0;
  for (uint32_t i = 0; i < x->facts.count; i++) {
    const int across = distance(v, x, x->facts.items[i], from, from + 2);
    const int up = distance(v, x, x->facts.items[i], from + 1, from + 3);
    near += across <= 1 && up <= 1 && across + up > 0;
  }
  return near * 10 >= x->facts.count * 9;
}

bool edges_in_shape(const survey *v, shape_id s, candidate *c) {
  const shape_survey *x = &v->shapes.items[s];
  for (uint32_t at = 0; at + 4 <= x->column_count; at++) {
    if (!are_alike(x, at, at + 2) || !are_alike(x, at + 1, at + 3) || x->facts.count < 4 ||
        !are_neighbours(v, x, at))
      continue;
    *c = (candidate){.shape = s,
                     .key = {.columns = {at, at + 1, at + 2, at + 3}, .count = 4},
                     .lines = LINES_JOIN,
                     .score = SCORE_BOARD,
                     .has_content = x->column_count > 4};
    c->cells = key_count(v, &x->facts, c->key);
    return true;
  }
  return false;
}

/* ---- sides ---- */

/* How many values a column has among facts with `value` in the column `by`. */
static uint32_t extent(const survey *v, const shape_survey *x, uint32_t by, value_id value,
                       uint32_t column) {
  const fact_book *b = &v->samples->fluents;
  arena *scratch = arena_new();
  id_vec some = {0};
  for (uint32_t i = 0; i < x->facts.count; i++)
    if (fact_value(b, x->facts.items[i], by) == value) vec_push(scratch, &some, x->facts.items[i]);
  const uint32_t count = book_domain(b, &some, column, scratch).count;
  arena_free(scratch);
  return count;
}

static bool is_side(const survey *v, const shape_survey *x, uint32_t by, uint32_t column,
                    uint32_t row, value_id *upper) {
  const id_vec *d = &x->columns[by].domain;
  if (d->count != 2) return false;
  const value_id a = d->items[0], b = d->items[1];
  const int across = (int)extent(v, x, by, a, column) - (int)extent(v, x, by, b, column);
  const int up = (int)extent(v, x, by, a, row) - (int)extent(v, x, by, b, row);
  *upper = up > 0 ? a : b; /* more rows of upper sides than of cells */
  return across * up == -1;
}

static bool consider_side(const survey *v, const shape_survey *x, uint32_t by, uint32_t column,
                          uint32_t row, candidate *c) {
  value_id upper;
  if (by == column || by == row || !is_side(v, x, by, column, row, &upper)) return false;
  *c = (candidate){.shape = x->shape,
                   .key = {.columns = {column, row, by}, .count = 3},
                   .lines = LINES_SIDES,
                   .upper = upper,
                   .score = SCORE_BOARD,
                   .has_content = x->column_count > 3};
  c->cells = key_count(v, &x->facts, c->key);
  return true;
}

bool sides_in_shape(const survey *v, shape_id s, candidate *c) {
  const shape_survey *x = &v->shapes.items[s];
  for (uint32_t at = 0; at + 1 < x->column_count; at++) {
    if (!column_is_coordinate(&x->columns[at]) || !column_is_coordinate(&x->columns[at + 1]))
      continue;
    for (uint32_t by = 0; by < x->column_count; by++)
      if (consider_side(v, x, by, at, at + 1, c)) return true;
  }
  return false;
}
