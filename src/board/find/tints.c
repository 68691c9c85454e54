#include "board/find/tints.h"

/* ---- which cell ---- */

/* Which value of a fact names the cell on each axis; false: the mark is not about its cells. */
static bool axes_of_mark(const board *b, const shape *s, const cell_mark *m,
                         uint32_t from[KEY_MAX]) {
  const key *k = &b->layers.items[0].key;
  for (uint32_t axis = 0; axis < k->count; axis++) {
    uint32_t i = 0;
    while (i < m->count && m->arguments[i] != s->columns[k->columns[axis]].leaf) i++;
    if (i == m->count) return false;
    from[axis] = i;
  }
  for (uint32_t i = 0; i < m->count; i++) {
    bool is_used = false;
    for (uint32_t axis = 0; axis < k->count; axis++) is_used |= from[axis] == i;
    if (!is_used) return false;
  }
  return true;
}

static uint32_t cell_of_fact(const board *b, const survey *v, const shape *s, uint32_t fact,
                             const uint32_t from[KEY_MAX]) {
  const key *k = &b->layers.items[0].key;
  value_id values[KEY_MAX] = {NAME_NONE, NAME_NONE, NAME_NONE, NAME_NONE};
  for (uint32_t axis = 0; axis < k->count; axis++) {
    const column *c = &s->columns[k->columns[axis]];
    const value_id whole = static_arg(&v->statics, fact, from[axis]);
    values[axis] = c->form == SPLIT_NONE
                       ? whole
                       : split_find(&v->samples->fluents.values, whole, c->form, c->part);
    if (values[axis] == NAME_NONE) return ID_NONE;
  }
  return board_find(b, values);
}

/* ---- one relation ---- */

static const char *bare_name(const statics *s, name_id relation, arena *keep) {
  const char *name = names_text(&s->relations, relation);
  return arena_copy_text(keep, name, (size_t)(strrchr(name, '/') - name));
}

/* The different cells that the facts are about; none where there is one that they do not name. */
static id_vec cells_of_facts(const board *b, const survey *v, const shape *s, const cell_mark *m,
                             const uint32_t from[KEY_MAX], arena *scratch) {
  id_vec cells = {0};
  bool *is_there = arena_zero_array(scratch, bool, b->cells.count + 1);
  for (uint32_t f = 0; f < v->statics.facts.count; f++) {
    if (v->statics.facts.items[f].relation != m->relation) continue;
    const uint32_t cell = cell_of_fact(b, v, s, f, from);
    if (cell == ID_NONE || is_there[cell]) continue;
    is_there[cell] = true;
    vec_push(scratch, &cells, cell);
  }
  return cells;
}

static uint32_t place_on(const id_vec *axis, value_id v) {
  uint32_t i = 0;
  while (i < axis->count && axis->items[i] != v) i++;
  return i;
}

/* (succ 1 2), (succ 2 3): an order of coordinates rather than cells on a diagonal. */
static bool is_an_order(const board *b, const id_vec *cells) {
  if (b->axis_count != 2 || cells->count < 2) return false;
  const value_id *first = b->cells.items[cells->items[0]].key;
  const uint32_t distance =
      place_on(&b->axes[AXIS_ROW], first[1]) - place_on(&b->axes[AXIS_COLUMN], first[0]);
  for (uint32_t i = 0; i < cells->count; i++) {
    const value_id *k = b->cells.items[cells->items[i]].key;
    if (place_on(&b->axes[AXIS_ROW], k[1]) - place_on(&b->axes[AXIS_COLUMN], k[0]) != distance)
      return false;
  }
  return true;
}

static void add_tints(board *b, const survey *v, const shape *s, const cell_mark *m, arena *keep) {
  uint32_t from[KEY_MAX] = {0};
  if (!axes_of_mark(b, s, m, from)) return;
  arena *scratch = arena_new();
  const id_vec cells = cells_of_facts(b, v, s, m, from, scratch);
  const bool is_small = cells.count * 10 <= b->cells.count * 6 && !is_an_order(b, &cells);
  const char *name = cells.count ? bare_name(&v->statics, m->relation, keep) : NULL;
  for (uint32_t i = 0; i < cells.count && is_small; i++) {
    const board_tint made = {cells.items[i], name};
    if (!board_tint_of(b, made.cell)) vec_push(keep, &b->tints, made);
  }
  arena_free(scratch);
}

/* ---- all of them ---- */

void board_find_tints(board *b, const survey *v, arena *keep) {
  const shape *s = &v->samples->fluents.shapes.items[b->layers.items[0].shape];
  char fluent[128];
  const int length = snprintf(fluent, sizeof fluent, "%s/%u", s->relation, s->leaf_count);
  if (length >= (int)sizeof fluent || b->lines != LINES_NONE || b->kind == BOARD_STACKS ||
      strchr(s->pattern + 1, '('))
    return;
  const name_id of = names_find(&v->statics.relations, fluent, (size_t)length);
  for (uint32_t i = 0; of != NAME_NONE && i < v->statics.marks.count; i++)
    if (v->statics.marks.items[i].fluent == of)
      add_tints(b, v, s, &v->statics.marks.items[i], keep);
}
