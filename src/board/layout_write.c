#include "board/layout_text.h"

const char *axis_word(board_lines lines, uint32_t axis) {
  static const char *const words[][KEY_MAX] = {
      [LINES_NONE] = {"column", "row", "outer-column", "outer-row"},
      [LINES_SIDES] = {"column", "row", "side", NULL},
      [LINES_JOIN] = {"column", "row", "end-column", "end-row"}};
  return axis < KEY_MAX ? words[lines][axis] : NULL;
}

/* ---- patterns ---- */

/* Names for the columns of a shape; NULL for those that have none, which are written as ?_. */
typedef struct column_words {
  const char *of[2 * COLUMN_MAX];
} column_words;

/* A constant that fills two columns has both names: ?column+row. */
static void add_leaf(const shape *s, uint32_t leaf, const column_words *w, text *out) {
  bool is_first = true;
  text_add_char(out, '?');
  for (uint32_t i = 0; i < s->column_count; i++) {
    if (s->columns[i].leaf != leaf) continue;
    text_add_format(out, "%s%s", is_first ? "" : "+", w->of[i] ? w->of[i] : "_");
    is_first = false;
  }
}

static void add_pattern(const shape *s, const column_words *w, text *out) {
  uint32_t leaf = 0;
  for (const char *at = s->pattern; *at; at++)
    if (*at == '?' && at > s->pattern && at[-1] == ' ')
      add_leaf(s, leaf++, w, out);
    else
      text_add_char(out, *at);
}

static const shape *shape_at(const fact_book *b, shape_id s) { return &b->shapes.items[s]; }

/* ---- boards ---- */

static void add_values(const samples *s, const value_id *values, uint32_t count, text *out) {
  for (uint32_t i = 0; i < count && values[i] != NAME_NONE; i++)
    text_add_format(out, "%s%s", i ? " " : "", names_text(&s->fluents.values, values[i]));
}

static void add_list(const samples *s, const char *word, const id_vec *values, text *out) {
  text_add_format(out, "\n  (%s ", word);
  add_values(s, values->items, values->count, out);
  text_add_char(out, ')');
}

/* Every combination of values of the axes. */
static bool has_all_cells(const board *b) {
  uint64_t all = 1;
  for (uint32_t i = 0; i < b->axis_count; i++) all *= b->axes[i].count;
  return b->lines == LINES_NONE && b->cells.count == all;
}

static void add_cells(const samples *s, const board *b, text *out) {
  if (has_all_cells(b)) return;
  text_add(out, "\n  (cells");
  for (uint32_t i = 0; i < b->cells.count; i++) {
    text_add_format(out, "%s(", i % 12 ? " " : "\n    ");
    add_values(s, b->cells.items[i].key, b->axis_count, out);
    text_add_char(out, ')');
  }
  text_add_char(out, ')');
}

static void add_places(const samples *s, const board *b, text *out) {
  if (!b->has_places) return;
  text_add(out, "\n  (places");
  for (uint32_t i = 0; i < b->cells.count; i++) {
    const board_cell *c = &b->cells.items[i];
    text_add_format(out, "%s(", i % 6 ? " " : "\n    ");
    add_values(s, c->key, b->axis_count, out);
    text_add_format(out, " %g %g)", c->x, c->y);
  }
  text_add_char(out, ')');
}

static void add_links(const samples *s, const board *b, text *out) {
  if (!b->links.count) return;
  text_add(out, "\n  (links");
  for (uint32_t i = 0; i < b->links.count; i++) {
    const value_id ends[] = {b->cells.items[b->links.items[i].from].key[0],
                             b->cells.items[b->links.items[i].to].key[0]};
    text_add_format(out, "%s(", i % 12 ? " " : "\n    ");
    add_values(s, ends, 2, out);
    text_add_char(out, ')');
  }
  text_add_char(out, ')');
}

static void add_layer(const samples *s, const board *b, const board_layer *l, text *out) {
  column_words w = {{NULL}};
  for (uint32_t i = 0; i < l->key.count; i++) w.of[l->key.columns[i]] = axis_word(b->lines, i);
  text_add(out, "\n  (layer ");
  add_pattern(shape_at(&s->fluents, l->shape), &w, out);
  if (l->wall != SIDE_NONE) text_add_format(out, " %s", board_side_name(l->wall));
  text_add_char(out, ')');
}

static void add_key(const samples *s, const board *b, uint32_t cell, text *out) {
  text_add_char(out, '(');
  add_values(s, b->cells.items[cell].key, b->axis_count, out);
  text_add_char(out, ')');
}

static void add_walls(const samples *s, const board *b, text *out) {
  for (uint32_t i = 0; i < b->walls.count; i++) {
    text_add_format(out, "\n  (wall %s ", board_side_name(b->walls.items[i].side));
    add_key(s, b, b->walls.items[i].cell, out);
    text_add_char(out, ')');
  }
}

static void add_tints(const samples *s, const board *b, text *out) {
  for (uint32_t i = 0; i < b->tints.count; i++) {
    text_add_format(out, "\n  (tint %s ", b->tints.items[i].name);
    add_key(s, b, b->tints.items[i].cell, out);
    text_add_char(out, ')');
  }
}

static void add_axes(const samples *s, const board *b, text *out) {
  static const char *const words[] = {"columns", "rows", "outer-columns", "outer-rows"};
  const uint32_t count = b->lines == LINES_NONE ? b->axis_count : 2;
  for (uint32_t i = 0; i < count; i++) add_list(s, words[i], &b->axes[i], out);
}

static void add_board(const samples *s, const board *b, text *out) {
  text_add_format(out, "(board %s", board_kind_name(b->kind));
  add_axes(s, b, out);
  if (b->rows_up) text_add(out, "\n  (rows-up)");
  if (b->row_width) text_add_format(out, "\n  (row-width %u)", b->row_width);
  if (b->kind == BOARD_HEXAGONS && !b->has_places)
    text_add_format(out, "\n  (skew %s)", b->skew < 0 ? "falling" : "rising");
  if (b->lines == LINES_SIDES)
    text_add_format(out, "\n  (sides %s)", names_text(&s->fluents.values, b->upper));
  if (b->lines == LINES_JOIN) text_add(out, "\n  (lines)");
  for (uint32_t i = 0; i < b->layers.count; i++) add_layer(s, b, &b->layers.items[i], out);
  if (b->blanks.count) add_list(s, "blank", &b->blanks, out);
  add_cells(s, b, out);
  add_places(s, b, out);
  add_links(s, b, out);
  add_walls(s, b, out);
  add_tints(s, b, out);
  text_add(out, ")\n");
}

/* ---- the rest, and clicks ---- */

static void add_rest(const layout *l, const samples *s, text *out) {
  const column_words none = {{NULL}};
  for (shape_id i = 0; i < l->rest.count; i++) {
    if (l->rest.items[i] == REST_FACT) continue;
    text_add_format(out, "(rest %s ", rest_kind_name(l->rest.items[i]));
    add_pattern(shape_at(&s->fluents, i), &none, out);
    text_add(out, ")\n");
  }
}

static const char *click_word(const layout *l, const click_step *c, uint32_t number, uint32_t i,
                              arena *keep) {
  const board *b = &l->boards.items[c->board];
  text word = text_new(keep);
  const bool is_line = c->key.count == 1 && b->axis_count > 1;
  text_add_format(&word, "%s%u", axis_word(b->lines, is_line ? c->axis : i), number + 1);
  return text_string(&word);
}

static void add_click(const layout *l, const samples *s, const click_rule *r, text *out) {
  arena *scratch = arena_new();
  column_words w = {{NULL}};
  text_add(out, "(click");
  for (uint32_t n = 0; n < r->count; n++) {
    const click_step *c = &r->steps[n];
    text_add_format(out, " %u", c->board + 1);
    for (uint32_t i = 0; i < c->key.count; i++)
      w.of[c->key.columns[i]] = click_word(l, c, n, i, scratch);
  }
  text_add_char(out, ' ');
  add_pattern(shape_at(&s->moves, r->move), &w, out);
  text_add(out, ")\n");
  arena_free(scratch);
}

void layout_write(const layout *l, const samples *s, text *out) {
  for (uint32_t i = 0; i < l->boards.count; i++) add_board(s, &l->boards.items[i], out);
  add_rest(l, s, out);
  for (uint32_t i = 0; i < l->clicks.count; i++)
    if (l->clicks.items[i].count) add_click(l, s, &l->clicks.items[i], out);
}
