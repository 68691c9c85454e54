#include "board/draw/picture.h"

#include "board/cells.h"
#include "board/changes.h"
#include "board/draw/picture_moves.h"
#include "board/draw/picture_stacks.h"
#include "board/evidence/candidates.h"
#include "board/evidence/derived.h"

/* ---- what stands on cells ---- */

typedef struct placing {
  picture *p;
  picture_board *to;
  const id_vec *facts; /* of the state */
  bool *is_placed;     /* by place in that list */
  arena *keep;
} placing;

static bool has_chess_letters(const samples *s, const board_layer *l, uint32_t column) {
  arena *scratch = arena_new();
  const id_vec facts = book_of_shape(&s->fluents, l->shape, scratch);
  const id_vec domain = book_domain(&s->fluents, &facts, column, scratch);
  const bool has = names_are_chess_letters(s, &domain);
  arena_free(scratch);
  return has;
}

static const char *join_values(const samples *s, const value_id *values, uint32_t count,
                               arena *keep) {
  text label = text_new(keep);
  for (uint32_t i = 0; i < count; i++)
    text_add_format(&label, "%s%s", i ? " " : "", names_text(&s->fluents.values, values[i]));
  return text_string(&label);
}

static bool is_blank(const board *b, const value_id *values, uint32_t count) {
  bool all = count > 0;
  for (uint32_t i = 0; i < count; i++) all &= board_is_blank(b, values[i]);
  return all;
}

static void mark_placed(placing *g, fact_id f) {
  for (uint32_t i = 0; i < g->facts->count; i++)
    if (g->facts->items[i] == f) g->is_placed[i] = true;
}

static void add_wall(placing *g, uint32_t cell, board_side side) {
  const board_cell *c = &g->to->cells[cell];
  const double left = side == SIDE_RIGHT ? c->x + 0.5 : c->x - 0.5;
  const double right = side == SIDE_LEFT ? c->x - 0.5 : c->x + 0.5;
  const double top = side == SIDE_DOWN ? c->y + 0.5 : c->y - 0.5;
  const double bottom = side == SIDE_UP ? c->y - 0.5 : c->y + 0.5;
  const picture_wall made = {left, top, right, bottom};
  vec_push(g->keep, &g->to->walls, made);
}

/* Derived facts are shown as the facts that they come from: the first has the looks. */
static void add_item(placing *g, picture_item made) {
  samples *s = g->p->samples;
  fact_id and_from = NAME_NONE;
  if (samples_derivation(s, s->fluents.facts.items[made.fact].shape)) {
    samples_sources(s, g->facts, made.fact, &made.fact, &and_from);
    mark_placed(g, made.fact);
  }
  vec_push(g->keep, &g->to->items, made);
  if (and_from == NAME_NONE) return;
  mark_placed(g, and_from);
  made.fact = and_from;
  made.is_blank = true;
  vec_push(g->keep, &g->to->items, made);
}

static void place_fact(placing *g, const board_layer *l, bool has_letters, fact_id f) {
  const samples *s = g->p->samples;
  const board *b = g->to->board;
  value_id values[2 * COLUMN_MAX];
  const uint32_t count = layer_values(l, &s->fluents, f, values);
  picture_item made = {.fact = f,
                       .shown = f,
                       .cell = key_cell(b, l->key, &s->fluents, f),
                       .label = join_values(s, values, count, g->keep),
                       .is_blank = count ? is_blank(b, values, count)
                                         : is_blank_word(fact_shape(&s->fluents, f)->relation)};
  made.glyph = count ? glyph_of(s, has_letters, values, count, g->keep)
                     : glyph_of_mark(fact_shape(&s->fluents, f)->relation, l == b->layers.items);
  if (l->wall != SIDE_NONE) {
    made.is_blank = true;
    made.wall = l->wall;
    add_wall(g, made.cell, l->wall);
  }
  add_item(g, made);
}

/* Facts of a layer that name a cell. */
static void place_layer(placing *g, const board_layer *l) {
  const samples *s = g->p->samples;
  uint32_t columns[2 * COLUMN_MAX];
  const uint32_t count = layer_content(l, &s->fluents.shapes.items[l->shape], columns);
  const bool has_letters = count && has_chess_letters(s, l, columns[count - 1]);
  for (uint32_t i = 0; i < g->facts->count; i++) {
    const fact_id f = g->facts->items[i];
    if (g->is_placed[i] || s->fluents.facts.items[f].shape != l->shape) continue;
    if (key_cell(g->to->board, l->key, &s->fluents, f) == ID_NONE) continue;
    place_fact(g, l, has_letters, f);
    g->is_placed[i] = true;
  }
}

/* Stable: facts of the first layer stay first. */
static void sort_items(picture_board *b, arena *keep) {
  const uint32_t cells = b->board->cells.count;
  picture_item *sorted = arena_new_array(keep, picture_item, b->items.count + 1);
  b->items_from = arena_zero_array(keep, uint32_t, cells + 2);
  for (uint32_t i = 0; i < b->items.count; i++) b->items_from[b->items.items[i].cell + 2]++;
  for (uint32_t i = 2; i < cells + 2; i++) b->items_from[i] += b->items_from[i - 1];
  for (uint32_t i = 0; i < b->items.count; i++)
    sorted[b->items_from[b->items.items[i].cell + 1]++] = b->items.items[i];
  b->items.items = sorted;
}

static void place_board(picture *p, const board *b, const id_vec *facts, bool *is_placed,
                        arena *keep) {
  picture_board made = {.board = b};
  placing g = {p, &made, facts, is_placed, keep};
  made.cells = arena_new_array(keep, board_cell, b->cells.count + 1);
  if (b->cells.count) memcpy(made.cells, b->cells.items, b->cells.count * sizeof *made.cells);
  for (uint32_t i = 0; i < b->walls.count; i++)
    add_wall(&g, b->walls.items[i].cell, b->walls.items[i].side);
  for (uint32_t i = 0; i < b->layers.count; i++) place_layer(&g, &b->layers.items[i]);
  sort_items(&made, keep);
  board_extent(b, &made.width, &made.height);
  if (b->kind == BOARD_STACKS) picture_stack(&made, p->samples, keep);
  vec_push(keep, &p->boards, made);
}

/* ---- all of it ---- */

static rest_kind kind_of(const picture *p, fact_id f) {
  const shape_id s = p->samples->fluents.facts.items[f].shape;
  return s < p->layout->rest.count ? p->layout->rest.items[s] : REST_FACT;
}

/* Whose turn it is first, then counters and scores, then the others. */
static void place_rest(picture *p, const id_vec *facts, const bool *is_placed, arena *keep) {
  static const rest_kind order[] = {REST_TURN, REST_COUNTER, REST_SCORE, REST_FACT};
  for (uint32_t k = 0; k < sizeof order / sizeof *order; k++)
    for (uint32_t i = 0; i < facts->count; i++) {
      const picture_rest made = {facts->items[i], order[k]};
      const shape_id shape = p->samples->fluents.facts.items[facts->items[i]].shape;
      if (is_placed[i] || samples_derivation(p->samples, shape)) continue;
      if (kind_of(p, facts->items[i]) == order[k]) vec_push(keep, &p->rest, made);
    }
}

void picture_make(picture *p, const layout *l, samples *s, machine_workspace *w,
                  const void *position, arena *keep) {
  *p = (picture){.layout = l, .samples = s};
  const id_vec facts = samples_read(s, position, keep);
  bool *is_placed = arena_zero_array(keep, bool, facts.count + 1);
  for (uint32_t i = 0; i < l->boards.count; i++)
    place_board(p, &l->boards.items[i], &facts, is_placed, keep);
  place_rest(p, &facts, is_placed, keep);
  if (w) picture_add_moves(p, w, position, &facts, keep);
}

const char *cell_name(const picture *p, const board_cell *c, arena *keep) {
  text name = text_new(keep);
  for (uint32_t i = 0; i < KEY_MAX && c->key[i] != NAME_NONE; i++)
    text_add_format(&name, "%s%s", i ? " " : "",
                    names_text(&p->samples->fluents.values, c->key[i]));
  return text_string(&name);
}
