#include "board/find/find_rows.h"

#include "board/cells.h"
#include "board/evidence/derived.h"
#include "board/evidence/lattice.h"
#include "board/evidence/links.h"
#include "board/find/find_grids.h"

typedef struct row_search {
  layout *l;
  const survey *v;
  const shape_survey *x;
  arena *scratch;
} row_search;

static key key_of(uint32_t a) { return (key){.columns = {a}, .count = 1}; }

static bool is_unique(const row_search *r, key k) { return key_uniqueness(r->v, r->x, k) >= 0.999; }

/* Joins a board with the same cells, or becomes one. */
static void add_row(row_search *r, key k) {
  const candidate c = {.shape = r->x->shape,
                       .key = k,
                       .cells = key_count(r->v, &r->x->facts, k),
                       .has_content = r->x->column_count > k.count};
  if (layout_join(r->l, r->v, &c, r->scratch)) return;
  layout_add_grid(r->l, r->v, &c, r->scratch);
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
    if (joins_another(r, i)) return true;
    board *b = add_places(r, i, BOARD_GRAPH);
    add_links(r, b, &links, &c->domain);
    board_place_cells(b, r->scratch);
    return true;
  }
  return false;
}

/* ---- lattices ---- */

static void place_on_lattice(board *b, const lattice *l, const id_vec *domain) {
  b->has_places = true;
  for (uint32_t i = 0; i < domain->count; i++) {
    const uint32_t cell = board_find(b, &domain->items[i]);
    if (cell == ID_NONE) continue;
    b->cells.items[cell].x = l->x[i];
    b->cells.items[cell].y = l->y[i];
  }
}

static bool try_lattice(row_search *r) {
  lattice found;
  for (uint32_t i = 0; i < r->x->column_count; i++) {
    const column_survey *c = &r->x->columns[i];
    if (!may_be_place(r, c) || !lattice_find(&found, &r->v->statics, &r->v->samples->fluents.values,
                                             &c->domain, r->scratch))
      continue;
    if (joins_another(r, i)) return true;
    board *b = add_places(r, i, found.is_of_hexagons ? BOARD_HEXAGONS : BOARD_GRID);
    place_on_lattice(b, &found, &c->domain);
    board_sort_cells(b, r->l->keep);
    return true;
  }
  return false;
}

/* ---- rings ---- */

/* Are there facts of another shape that name the same values? */
static bool is_shared(const row_search *r, const id_vec *domain) {
  for (uint32_t i = 0; i < r->v->shapes.count; i++) {
    const shape_survey *x = &r->v->shapes.items[i];
    for (uint32_t k = 0; x != r->x && k < x->column_count; k++)
      if (share_within(domain, &x->columns[k].domain) >= 0.999) return true;
  }
  return false;
}

static bool may_be_ring(const row_search *r, uint32_t column) {
  const column_survey *c = &r->x->columns[column];
  return !c->has_roles_alone && (r->x->column_count == 1 || is_unique(r, key_of(column)));
}

/* What only one fact names at a time is rather a counter, unless other things are there, too. */
static bool is_crowded(const row_search *r, uint32_t column, bool may_share) {
  const id_vec *domain = &r->x->columns[column].domain;
  return (domain->count >= 5 && r->x->most_at_once >= 2) || (may_share && is_shared(r, domain));
}

static bool try_circle(row_search *r, bool may_share) {
  for (uint32_t i = 0; i < r->x->column_count; i++) {
    if (!may_be_ring(r, i) || !is_crowded(r, i, may_share)) continue;
    const id_vec circle = find_circle(&r->v->statics, &r->x->columns[i].domain, r->scratch);
    if (!circle.count) continue;
    if (joins_another(r, i)) return true;
    board *b = add_places(r, i, BOARD_RING);
    memcpy(b->axes[0].items, circle.items, circle.count * sizeof *circle.items);
    board_place_cells(b, r->scratch);
    return true;
  }
  return false;
}

static bool try_ring(row_search *r) { return try_circle(r, false); }
static bool try_shared_ring(row_search *r) { return try_circle(r, true); }

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

/* ---- things on places that others have ---- */

static bool has_named_cells(const board *b) {
  return b->kind == BOARD_RING || b->kind == BOARD_GRAPH || (b->has_places && b->axis_count == 1);
}

/* (gold a), where a is a cell of a ring: one value or another may mean that it is elsewhere. */
static bool try_onto(row_search *r) {
  for (uint32_t i = 0; i < r->x->column_count; i++) {
    const id_vec *domain = &r->x->columns[i].domain;
    for (uint32_t n = 0; n < r->l->boards.count && domain->count >= 3; n++) {
      const board *b = &r->l->boards.items[n];
      if (has_named_cells(b) && share_within(domain, &b->axes[0]) >= 0.8 &&
          share_within(&b->axes[0], domain) >= 0.5 && joins_another(r, i))
        return true;
    }
  }
  return false;
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
    if (!has_content && (c->order.quality < 1 || x->most_at_once < 2)) continue;
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

/* Several squares: by the cell, which facts put in lines, and by the square. */
static bool try_squares(row_search *r) {
  const shape_survey *x = r->x;
  if (x->column_count < 2) return false;
  for (uint32_t a = 0; a < x->column_count; a++)
    for (uint32_t b = 0; b < x->column_count; b++) {
      const key k = {.columns = {a, b}, .count = 2};
      if (a == b || !square_width(&r->v->statics, &x->columns[a].domain) ||
          x->columns[b].domain.count < 2 || x->columns[b].domain.count > PLACES_MOST ||
          is_unique(r, key_of(a)) || !is_unique(r, k))
        continue;
      add_row(r, k);
      return true;
    }
  return false;
}

/* A fact that was a list: by the places in it. */
static bool try_list(row_search *r) {
  const derivation *d = samples_derivation(r->v->samples, r->x->shape);
  if (!d || d->second != SHAPE_NONE) return false;
  add_row(r, key_of(0));
  return true;
}

enum { ROWS_MOST = 12 };

typedef bool try_shape(row_search *r);

static bool try_linked(row_search *r) {
  return try_list(r) || try_squares(r) || try_lattice(r) || try_graph(r) || try_ring(r) ||
         try_stacks(r);
}
static bool try_others(row_search *r) {
  return try_onto(r) || try_shared_ring(r) || try_places(r) || try_row(r) || try_rows(r);
}

static void try_shapes(layout *l, const survey *v, bool *is_drawn, try_shape *try, arena *scratch) {
  for (uint32_t i = 0; i < v->shapes.count && l->boards.count < ROWS_MOST; i++) {
    row_search r = {l, v, &v->shapes.items[i], scratch};
    if (is_drawn[i] || !r.x->seen.count || !r.x->column_count) continue;
    is_drawn[i] = try(&r);
  }
}

/* Boards joined by facts first: others may be layers of them. */
void find_rows(layout *l, const survey *v, bool *is_drawn, arena *scratch) {
  try_shapes(l, v, is_drawn, try_linked, scratch);
  try_shapes(l, v, is_drawn, try_others, scratch);
}
