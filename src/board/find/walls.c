#include "board/find/walls.h"

#include "board/cells.h"

/* ---- words ---- */

static bool has_word(const char *text, const char *const *words) {
  for (; *words; words++)
    if (strstr(text, *words)) return true;
  return false;
}

static bool speaks_of_walls(const char *text) {
  static const char *const words[] = {"wall", "block", "barrier", "fence", NULL};
  return has_word(text, words);
}

typedef struct word_side {
  bool is_vertical, is_up_or_right;
} word_side;

/* False: the name has no side, or several. */
static bool side_in(const char *text, word_side *s) {
  static const char *const words[][4] = {{"south", "below", "bottom", NULL},
                                         {"north", "above", "top", NULL},
                                         {"west", "left", NULL, NULL},
                                         {"east", "right", NULL, NULL}};
  uint32_t found = 0;
  for (uint32_t i = 0; i < 4; i++) {
    if (!has_word(text, words[i])) continue;
    *s = (word_side){i < 2, i % 2 == 1};
    found++;
  }
  return found == 1;
}

/* ---- which way a side lies ---- */

/* The border needs no wall of its own: the side of a cell is that of the end at which none is. */
typedef struct end_counts {
  uint32_t first, last;
} end_counts;

static void count_end(end_counts *e, const id_vec *axis, value_id v) {
  e->first += v == axis->items[0];
  e->last += v == axis->items[axis->count - 1];
}

/* Does `up` or `right` lead to later values? */
static bool leads_on(const end_counts *e, bool is_up_or_right) {
  if (e->first && !e->last) return true;
  if (e->last && !e->first) return false;
  return is_up_or_right;
}

static board_side side_of(const board *b, word_side w, bool leads_to_later) {
  if (!w.is_vertical) return leads_to_later ? SIDE_RIGHT : SIDE_LEFT;
  return leads_to_later == b->rows_up ? SIDE_UP : SIDE_DOWN;
}

/* ---- facts of states ---- */

/* Facts that are there all the time; pieces may be called blockers. */
static bool never_changes(const survey *v, const shape_survey *x) {
  const uint32_t first = x->seen_from[1];
  for (uint32_t i = 1; i < v->samples->states.count; i++) {
    const uint32_t from = x->seen_from[i], count = x->seen_from[i + 1] - from;
    if (count != first) return false;
    if (count && memcmp(x->seen.items, x->seen.items + from, count * sizeof(fact_id)) != 0)
      return false;
  }
  return first > 0;
}

static bool is_wall_layer(const board *b, const survey *v, const board_layer *l, word_side *w) {
  const shape_survey *x = &v->shapes.items[l->shape];
  const char *name = v->samples->fluents.shapes.items[l->shape].relation;
  return l != b->layers.items && x->column_count == 2 && speaks_of_walls(name) &&
         side_in(name, w) && never_changes(v, x);
}

static bool layer_leads_on(const board *b, const survey *v, const board_layer *l, word_side w) {
  const shape_survey *x = &v->shapes.items[l->shape];
  const uint32_t axis = w.is_vertical ? AXIS_ROW : AXIS_COLUMN;
  end_counts e = {0};
  for (uint32_t i = 0; i < x->seen_from[1]; i++)
    count_end(&e, &b->axes[axis],
              fact_value(&v->samples->fluents, x->seen.items[i], l->key.columns[axis]));
  return leads_on(&e, w.is_up_or_right);
}

/* Up is where walls on the upper side say it is. */
static void turn_up(board *b, word_side w, bool leads_to_later) {
  if (w.is_vertical) b->rows_up = leads_to_later == w.is_up_or_right;
}

/* ---- facts of the rules ---- */

/* The cell that two arguments name, in the order of the first layer's own. */
static uint32_t cell_named(const board *b, const statics *s, uint32_t fact, uint32_t from) {
  const key *k = &b->layers.items[0].key;
  const bool is_swapped = k->columns[AXIS_COLUMN] > k->columns[AXIS_ROW];
  const value_id key[KEY_MAX] = {static_arg(s, fact, from + (is_swapped ? 1 : 0)),
                                 static_arg(s, fact, from + (is_swapped ? 0 : 1)), NAME_NONE,
                                 NAME_NONE};
  return board_find(b, key);
}

/* The side of the first on which the second lies; SIDE_NONE: they are no neighbours. */
static board_side side_towards(const board_cell *a, const board_cell *b) {
  const double x = b->x - a->x, y = b->y - a->y;
  if (x * x + y * y != 1) return SIDE_NONE;
  if (x != 0) return x > 0 ? SIDE_RIGHT : SIDE_LEFT;
  return y > 0 ? SIDE_DOWN : SIDE_UP;
}

static void add_wall(board *b, uint32_t cell, board_side side, arena *keep) {
  const board_wall made = {cell, side};
  if (cell != ID_NONE && side != SIDE_NONE) vec_push(keep, &b->walls, made);
}

static void add_walls_of(board *b, const statics *s, uint32_t fact, arena *keep) {
  const char *name = names_text(&s->relations, s->facts.items[fact].relation);
  const uint32_t arity = s->facts.items[fact].arity;
  word_side w;
  if (!speaks_of_walls(name)) return;
  const uint32_t cell = arity == 2 || arity == 4 ? cell_named(b, s, fact, 0) : ID_NONE;
  if (cell == ID_NONE) return;
  if (arity == 2 && side_in(name, &w)) add_wall(b, cell, side_of(b, w, w.is_up_or_right), keep);
  const uint32_t other = arity == 4 ? cell_named(b, s, fact, 2) : ID_NONE;
  if (other != ID_NONE)
    add_wall(b, cell, side_towards(&b->cells.items[cell], &b->cells.items[other]), keep);
}

/* ---- all of them ---- */

static bool find_wall_layers(board *b, const survey *v) {
  word_side w;
  bool has_walls = false;
  for (uint32_t i = 0; i < b->layers.count; i++)
    if (is_wall_layer(b, v, &b->layers.items[i], &w))
      turn_up(b, w, layer_leads_on(b, v, &b->layers.items[i], w));
  for (uint32_t i = 0; i < b->layers.count; i++) {
    board_layer *l = &b->layers.items[i];
    if (!is_wall_layer(b, v, l, &w)) continue;
    l->wall = side_of(b, w, layer_leads_on(b, v, l, w));
    has_walls = true;
  }
  return has_walls;
}

void board_find_walls(board *b, const survey *v, arena *keep) {
  if (b->axis_count != 2 || b->lines != LINES_NONE || b->kind != BOARD_GRID || b->row_width) return;
  if (find_wall_layers(b, v)) {
    board_place_cells(b, keep);
    board_sort_cells(b, keep);
    return;
  }
  for (uint32_t f = 0; f < v->statics.facts.count; f++) add_walls_of(b, &v->statics, f, keep);
}
