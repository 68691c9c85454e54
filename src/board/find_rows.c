#include "board/find_rows.h"

#include "board/cells.h"
#include "board/find_grids.h"
#include "board/links.h"

typedef struct row_search {
  layout *l;
  const survey *v;
  const shape_survey *x;
  arena *scratch;
} row_search;

static key key_of(uint32_t a) { return (key){.columns = {a}, .count = 1}; }

static bool is_unique(const row_search *r, key k) { return key_uniqueness(r->v, r->x, k) >= 0.999; }

/* How many cells of a row lie beside each other, if facts such as (line a b c) say that the cells
   are a square; 0: they do not. */
static uint32_t square_width(const row_search *r, key k) {
  const statics *s = &r->v->statics;
  const id_vec *domain = &r->x->columns[k.columns[0]].domain;
  uint32_t lines = 0;
  if (k.count != 1) return 0;
  for (uint32_t f = 0; f < s->facts.count; f++) {
    const uint32_t arity = s->facts.items[f].arity;
    const id_vec args = {.items = s->args.items + s->facts.items[f].args, .count = arity};
    if (arity * arity == domain->count && share_within(&args, domain) >= 0.999) lines++;
    if (lines > 2 * arity && arity > 2) return arity;
  }
  return 0;
}

/* Joins a board with the same cells, or becomes one. */
static void add_row(row_search *r, key k) {
  const candidate c = {.shape = r->x->shape,
                       .key = k,
                       .cells = key_count(r->v, &r->x->facts, k),
                       .has_content = r->x->column_count > k.count};
  if (layout_join(r->l, r->v, &c, r->scratch)) return;
  board *b = layout_add_grid(r->l, r->v, &c, r->scratch);
  b->row_width = square_width(r, k);
  board_place_cells(b, r->scratch);
}

/* A board with one axis, all of whose values are cells. */
static board *add_places(row_search *r, uint32_t column, board_kind kind) {
  const candidate c = {.shape = r->x->shape, .key = key_of(column)};
  board *b = layout_add_grid(r->l, r->v, &c, r->scratch);
  b->kind = kind;
  for (uint32_t i = 0; i < b->axes[0].count; i++)
    board_add_cell(b, &b->axes[0].items[i], r->l->keep);
  return b;
}

/* ---- graphs and rings ---- */

static void add_links(row_search *r, board *b, const link_vec *links, const id_vec *domain) {
  for (uint32_t i = 0; i < links->count; i += 2) {
    const board_link made = {board_find(b, &domain->items[links->items[i]]),
                             board_find(b, &domain->items[links->items[i + 1]])};
    if (made.from != ID_NONE && made.to != ID_NONE) vec_push(r->l->keep, &b->links, made);
  }
}

static bool joins_another(row_search *r, uint32_t column) {
  const candidate c = {
      .shape = r->x->shape, .key = key_of(column), .has_content = r->x->column_count > 1};
  return layout_join(r->l, r->v, &c, r->scratch);
}

/* A number that only one fact has at a time is rather a counter. */
static bool may_be_place(const row_search *r, const column_survey *c) {
  return !c->has_roles_alone && !(c->order.is_numeric && r->x->most_at_once < 2);
}

static bool try_graph(row_search *r) {
  for (uint32_t i = 0; i < r->x->column_count; i++) {
    const column_survey *c = &r->x->columns[i];
    if (!may_be_place(r, c)) continue;
    const link_vec links = find_links(&r->v->statics, &c->domain, r->scratch);
    if (!links.count) continue;
    const candidate joining = {
        .shape = r->x->shape, .key = key_of(i), .has_content = r->x->column_count > 1};
    if (layout_join(r->l, r->v, &joining, r->scratch)) return true;
    board *b = add_places(r, i, BOARD_GRAPH);
    add_links(r, b, &links, &c->domain);
    board_place_cells(b, r->scratch);
    return true;
  }
  return false;
}

static bool try_ring(row_search *r) {
  for (uint32_t i = 0; i < r->x->column_count; i++) {
    const column_survey *c = &r->x->columns[i];
    if (!c->order.is_cycle || c->domain.count < 5 || r->x->most_at_once < 2) continue;
    if (r->x->column_count > 1 && !is_unique(r, key_of(i))) continue;
    if (!joins_another(r, i)) board_place_cells(add_places(r, i, BOARD_RING), r->scratch);
    return true;
  }
  return false;
}

/* ---- stacks ---- */

/* (on a b): each thing stands on at most one other, and nearly none on itself. */
static bool try_stacks(row_search *r) {
  const shape_survey *x = r->x;
  const fact_book *b = &r->v->samples->fluents;
  if (x->column_count != 2 || x->columns[0].domain.count < 3 ||
      share_within(&x->columns[0].domain, &x->columns[1].domain) < 0.6)
    return false;
  for (uint32_t i = 0; i < x->facts.count; i++)
    if (fact_value(b, x->facts.items[i], 0) == fact_value(b, x->facts.items[i], 1)) return false;
  if (!is_unique(r, key_of(0)) || key_uniqueness(r->v, x, key_of(1)) < 0.4) return false;
  board *made = add_places(r, 0, BOARD_STACKS);
  for (uint32_t i = 0; i < x->columns[1].domain.count; i++) {
    const value_id *thing = &x->columns[1].domain.items[i];
    if (board_find(made, thing) == ID_NONE) vec_push(r->l->keep, &made->axes[0], *thing);
    board_add_cell(made, thing, r->l->keep);
  }
  return true;
}

/* ---- places ---- */

static bool speaks_of_places(const char *relation) {
  static const char *const words[] = {"at",   "in",       "on",   "loc",   "location", "position",
                                      "side", "location", "bank", "where", "inside",   NULL};
  for (uint32_t i = 0; words[i]; i++)
    if (strcmp(relation, words[i]) == 0) return true;
  return false;
}

enum { PLACES_MOST = 12 };

/* (at wolf near): each thing is always somewhere, at one of a few places. */
static bool try_places(row_search *r) {
  const shape_survey *x = r->x;
  if (x->column_count != 2 || x->columns[0].domain.count < 2) return false;
  const column_survey *place = &x->columns[1];
  const bool is_place = speaks_of_places(r->v->samples->fluents.shapes.items[x->shape].relation) ||
                        (column_is_coordinate(place) && !place->order.is_numeric);
  if (!is_place || place->order.is_numeric || place->has_roles_alone || place->domain.count < 2 ||
      place->domain.count > PLACES_MOST)
    return false;
  if (!is_unique(r, key_of(0)) || key_fill(r->v, x, key_of(0)) < 0.7) return false;
  board_place_cells(add_places(r, 1, BOARD_PLACES), r->scratch);
  return true;
}

/* ---- rows ---- */

enum { ROW_CELLS_MOST = 100 };

static bool try_row(row_search *r) {
  const shape_survey *x = r->x;
  for (uint32_t i = 0; i < x->column_count; i++) {
    const column_survey *c = &x->columns[i];
    const bool has_content = x->column_count > 1;
    if (c->domain.count < 3 || c->domain.count > ROW_CELLS_MOST || c->has_roles_alone) continue;
    if (!has_content && (!column_is_coordinate(c) || x->most_at_once < 2)) continue;
    if (has_content && (!is_unique(r, key_of(i)) || key_fill(r->v, x, key_of(i)) < 0.6)) continue;
    add_row(r, key_of(i));
    return true;
  }
  return false;
}

/* Columns by the coordinate that is in order, rows by the other. */
static bool try_rows(row_search *r) {
  const shape_survey *x = r->x;
  for (uint32_t a = 0; a < x->column_count; a++)
    for (uint32_t b = 0; b < x->column_count; b++) {
      const key k = {.columns = {a, b}, .count = 2};
      if (a == b || !column_is_coordinate(&x->columns[a]) || x->column_count < 3 ||
          x->columns[b].domain.count > PLACES_MOST || x->columns[a].domain.count > ROW_CELLS_MOST)
        continue;
      if (!is_unique(r, k) || key_fill(r->v, x, k) < 0.6) continue;
      add_row(r, k);
      return true;
    }
  return false;
}

enum { ROWS_MOST = 12 };

typedef bool try_shape(row_search *r);

static bool try_linked(row_search *r) { return try_graph(r) || try_ring(r) || try_stacks(r); }
static bool try_others(row_search *r) { return try_places(r) || try_row(r) || try_rows(r); }

static void try_shapes(layout *l, const survey *v, bool *is_drawn, try_shape *try, arena *scratch) {
  for (uint32_t i = 0; i < v->shapes.count && l->boards.count < ROWS_MOST; i++) {
    row_search r = {l, v, &v->shapes.items[i], scratch};
    if (is_drawn[i] || !r.x->seen.count || !r.x->column_count) continue;
    is_drawn[i] = try(&r);
  }
}

/* What facts join first: others may lie on it. */
void find_rows(layout *l, const survey *v, bool *is_drawn, arena *scratch) {
  try_shapes(l, v, is_drawn, try_linked, scratch);
  try_shapes(l, v, is_drawn, try_others, scratch);
}
