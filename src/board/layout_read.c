#include "board/cells.h"
#include "board/layout_text.h"
#include "read/canonical.h"
#include "read/tree.h"

#include <stdarg.h>
#include <stdlib.h>

typedef struct layout_reader {
  layout *l;
  samples *s;
  tree tree;
  source source;
  arena *keep, *scratch;
  layout_fault *fault;
} layout_reader;

static bool fail(layout_reader *r, node_id n, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Always false. */
static bool fail(layout_reader *r, node_id n, const char *format, ...) {
  text words = text_new(r->keep);
  va_list list;
  va_start(list, format);
  text_add_format_list(&words, format, list);
  va_end(list);
  source_index_lines(&r->source, r->scratch);
  r->fault->words = text_string(&words);
  r->fault->line = source_place(&r->source, tree_node(&r->tree, n)->where.start).line;
  return false;
}

/* ---- words ---- */

static const char *words_of(layout_reader *r, node_id n) {
  text words = text_new(r->keep);
  canonical_print(&r->tree, n, r->scratch, &words);
  return text_string(&words);
}

static value_id value_at(layout_reader *r, node_id n) {
  const char *words = words_of(r, n);
  return names_add(&r->s->fluents.values, words, strlen(words));
}

/* The word that a list begins with; NULL: it is no list, or begins with one. */
static const char *head_of(layout_reader *r, node_id n) {
  if (!node_is_list(&r->tree, n) || node_first(n) == node_after(&r->tree, n)) return NULL;
  const node_id first = node_first(n);
  return node_is_list(&r->tree, first) ? NULL : words_of(r, first);
}

static bool is_word(const char *head, const char *word) { return head && strcmp(head, word) == 0; }

static id_vec values_in(layout_reader *r, node_id from, node_id to) {
  id_vec found = {0};
  for (node_id n = from; n != to; n = node_after(&r->tree, n))
    vec_push(r->keep, &found, value_at(r, n));
  return found;
}

static id_vec values_behind(layout_reader *r, node_id list) {
  return values_in(r, node_first(list) + 1, node_after(&r->tree, list));
}

/* ---- patterns ---- */

typedef struct read_pattern {
  shape_id shape;
  const char *words[2 * COLUMN_MAX]; /* by column; "" where there is none */
} read_pattern;

/* The word of one column: a leaf that is split has two, with a + between them. */
static const char *part_of(const char *word, size_t length, const column *c, arena *keep) {
  const char *plus = memchr(word, '+', length);
  const size_t first = plus ? (size_t)(plus - word) : length;
  if (c->form == SPLIT_NONE || c->part == SPLIT_FIRST) return arena_copy_text(keep, word, first);
  return plus ? arena_copy_text(keep, plus + 1, length - first - 1) : "";
}

static void take_word(const shape *s, uint32_t leaf, const char *word, size_t length,
                      read_pattern *p, arena *keep) {
  for (uint32_t i = 0; i < s->column_count; i++)
    if (s->columns[i].leaf == leaf) p->words[i] = part_of(word, length, &s->columns[i], keep);
}

static void take_words(const shape *s, const char *canonical, read_pattern *p, arena *keep) {
  uint32_t leaf = 0;
  for (const char *at = canonical; *at;) {
    const size_t length = canonical_name_length(at);
    if (length && *at == '?' && at[-1] == ' ') take_word(s, leaf++, at + 1, length - 1, p, keep);
    at += length ? length : 1;
  }
}

static const char *without_words(const char *canonical, arena *keep) {
  text bare = text_new(keep);
  for (const char *at = canonical; *at;) {
    const size_t length = canonical_name_length(at);
    const bool is_variable = length && *at == '?' && at > canonical && at[-1] == ' ';
    text_add_bytes(&bare, at, is_variable || !length ? 1 : length);
    at += length ? length : 1;
  }
  return text_string(&bare);
}

static bool read_one_pattern(layout_reader *r, node_id n, const fact_book *b, read_pattern *p) {
  const char *canonical = words_of(r, n);
  const char *bare = without_words(canonical, r->keep);
  *p = (read_pattern){.shape = names_find(&b->patterns, bare, strlen(bare))};
  if (p->shape == NAME_NONE) return fail(r, n, "the game has nothing of the form %s", bare);
  take_words(&b->shapes.items[p->shape], canonical, p, r->keep);
  return true;
}

/* The column with that word; UINT32_MAX: there is none. */
static uint32_t column_called(const read_pattern *p, const char *word) {
  for (uint32_t i = 0; word && i < 2 * COLUMN_MAX; i++)
    if (p->words[i] && strcmp(p->words[i], word) == 0) return i;
  return UINT32_MAX;
}

/* ---- boards ---- */

static bool read_side(layout_reader *r, node_id n, board_side *side) {
  for (*side = SIDE_UP; *side < SIDE_COUNT; ++*side)
    if (is_word(words_of(r, n), board_side_name(*side))) return true;
  return fail(r, n, "a side is up, down, left or right");
}

static bool read_layer(layout_reader *r, node_id n, board *b) {
  read_pattern p;
  board_layer l = {0};
  const node_id pattern = node_first(n) + 1;
  if (pattern == node_after(&r->tree, n)) return fail(r, n, "a layer needs a pattern");
  if (!read_one_pattern(r, pattern, &r->s->fluents, &p)) return false;
  l.shape = p.shape;
  for (uint32_t i = 0; i < b->axis_count; i++) {
    const uint32_t column = column_called(&p, axis_word(b->lines, i));
    const bool may_end = b->lines != LINES_NONE && i >= 2;
    if (column == UINT32_MAX && may_end) break;
    if (column == UINT32_MAX) return fail(r, n, "?%s is missing", axis_word(b->lines, i));
    l.key.columns[l.key.count++] = column;
  }
  const node_id side = node_after(&r->tree, pattern);
  if (side != node_after(&r->tree, n) && !read_side(r, side, &l.wall)) return false;
  vec_push(r->keep, &b->layers, l);
  return true;
}

static bool read_key(layout_reader *r, node_id n, const board *b, value_id *key) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < KEY_MAX; i++) key[i] = NAME_NONE;
  if (!node_is_list(&r->tree, n)) {
    key[count++] = value_at(r, n);
  } else {
    for (node_id k = node_first(n); k != node_after(&r->tree, n) && count < KEY_MAX;
         k = node_after(&r->tree, k))
      key[count++] = value_at(r, k);
  }
  const bool is_short = b->lines != LINES_NONE && count == 2;
  return count == b->axis_count || is_short ||
         fail(r, n, "a cell of this board has %u values", b->axis_count);
}

static bool read_cells(layout_reader *r, node_id n, board *b) {
  value_id key[KEY_MAX];
  for (node_id k = node_first(n) + 1; k != node_after(&r->tree, n); k = node_after(&r->tree, k)) {
    if (!read_key(r, k, b, key)) return false;
    board_add_cell(b, key, r->keep);
  }
  return true;
}

static bool read_links(layout_reader *r, node_id n, board *b) {
  for (node_id k = node_first(n) + 1; k != node_after(&r->tree, n); k = node_after(&r->tree, k)) {
    const id_vec ends = node_is_list(&r->tree, k)
                            ? values_in(r, node_first(k), node_after(&r->tree, k))
                            : (id_vec){0};
    if (ends.count != 2) return fail(r, k, "a link joins two cells");
    const board_link made = {board_find(b, &ends.items[0]), board_find(b, &ends.items[1])};
    if (made.from == ID_NONE || made.to == ID_NONE) return fail(r, k, "there is no such cell");
    vec_push(r->keep, &b->links, made);
  }
  return true;
}

/* (wall up (1 2)) or (tint goal (1 2)): the word and the cell. */
static bool read_word_and_cell(layout_reader *r, node_id n, const board *b, node_id *word,
                               uint32_t *cell) {
  value_id key[KEY_MAX];
  if (node_element_count(&r->tree, n) != 3) return fail(r, n, "a word and a cell are needed");
  *word = node_first(n) + 1;
  if (!read_key(r, node_after(&r->tree, *word), b, key)) return false;
  *cell = board_find(b, key);
  return *cell != ID_NONE || fail(r, n, "there is no such cell");
}

static bool read_wall(layout_reader *r, node_id n, board *b) {
  board_wall made;
  node_id word;
  if (!read_word_and_cell(r, n, b, &word, &made.cell) || !read_side(r, word, &made.side))
    return false;
  vec_push(r->keep, &b->walls, made);
  return true;
}

static bool read_tint(layout_reader *r, node_id n, board *b) {
  board_tint made;
  node_id word;
  if (!read_word_and_cell(r, n, b, &word, &made.cell)) return false;
  const char *name = words_of(r, word);
  made.name = arena_copy_text(r->keep, name, strlen(name));
  vec_push(r->keep, &b->tints, made);
  return true;
}

/* The key of a cell, then x and y of its middle. */
static bool read_place(layout_reader *r, node_id n, board *b) {
  const id_vec words = node_is_list(&r->tree, n)
                           ? values_in(r, node_first(n), node_after(&r->tree, n))
                           : (id_vec){0};
  if (words.count != b->axis_count + 2) return fail(r, n, "a place is a cell and two numbers");
  const uint32_t cell = board_find(b, words.items);
  if (cell == ID_NONE) return fail(r, n, "there is no such cell");
  const names *values = &r->s->fluents.values;
  b->cells.items[cell].x = strtod(names_text(values, words.items[b->axis_count]), NULL);
  b->cells.items[cell].y = strtod(names_text(values, words.items[b->axis_count + 1]), NULL);
  return true;
}

static bool read_places(layout_reader *r, node_id n, board *b) {
  b->has_places = true;
  for (node_id k = node_first(n) + 1; k != node_after(&r->tree, n); k = node_after(&r->tree, k))
    if (!read_place(r, k, b)) return false;
  return true;
}

/* Every combination of values of the axes. */
static void add_all_cells(layout_reader *r, board *b) {
  uint64_t all = 1;
  for (uint32_t i = 0; i < b->axis_count; i++) all *= b->axes[i].count;
  for (uint64_t n = 0; n < all && n < SAMPLE_FACTS; n++) {
    value_id key[KEY_MAX] = {NAME_NONE, NAME_NONE, NAME_NONE, NAME_NONE};
    uint64_t left = n;
    for (uint32_t i = 0; i < b->axis_count; i++) {
      key[i] = b->axes[i].items[left % b->axes[i].count];
      left /= b->axes[i].count;
    }
    board_add_cell(b, key, r->keep);
  }
}

/* The size of the board, before the pieces on it. */
static bool read_form(layout_reader *r, node_id n, board *b) {
  static const char *const axes[] = {"columns", "rows", "outer-columns", "outer-rows"};
  const char *head = head_of(r, n);
  if (!head) return fail(r, n, "a part of a board is a list that begins with a word");
  for (uint32_t i = 0; i < KEY_MAX; i++)
    if (is_word(head, axes[i])) b->axes[i] = values_behind(r, n);
  if (is_word(head, "rows-up")) b->rows_up = true;
  if (is_word(head, "row-width") && node_first(n) + 1 != node_after(&r->tree, n))
    b->row_width = (uint32_t)(strtoul(words_of(r, node_first(n) + 1), NULL, 10) & 0xffff);
  if (is_word(head, "blank")) b->blanks = values_behind(r, n);
  if (is_word(head, "lines")) b->lines = LINES_JOIN;
  if (is_word(head, "skew")) b->skew = is_word(words_of(r, node_first(n) + 1), "falling") ? -1 : 1;
  if (is_word(head, "sides") && node_first(n) + 1 != node_after(&r->tree, n)) {
    b->lines = LINES_SIDES;
    b->upper = value_at(r, node_first(n) + 1);
  }
  return true;
}

/* When all cells are there. */
static bool comes_last(const char *head) {
  return is_word(head, "links") || is_word(head, "places") || is_word(head, "wall") ||
         is_word(head, "tint");
}

static bool read_content(layout_reader *r, node_id n, board *b) {
  static const char *const known[] = {
      "columns", "rows",  "outer-columns", "outer-rows", "rows-up", "row-width",
      "blank",   "lines", "skew",          "sides",      NULL};
  const char *head = head_of(r, n);
  if (is_word(head, "layer")) return read_layer(r, n, b);
  if (is_word(head, "cells")) return read_cells(r, n, b);
  if (comes_last(head)) return true;
  for (uint32_t i = 0; known[i]; i++)
    if (is_word(head, known[i])) return true;
  return fail(r, n, "a board has no part `%s`", head);
}

static bool read_kind(layout_reader *r, node_id n, board *b) {
  const node_id first = node_first(n) + 1;
  const char *word = first == node_after(&r->tree, n) ? "" : words_of(r, first);
  for (b->kind = 0; b->kind < BOARD_KIND_COUNT; b->kind++)
    if (is_word(word, board_kind_name(b->kind))) return true;
  return fail(r, n, "there is no kind of board `%s`", word);
}

typedef bool read_part(layout_reader *r, node_id n, board *b);

static bool read_parts(layout_reader *r, node_id n, board *b, read_part *read) {
  for (node_id k = node_first(n) + 2; k != node_after(&r->tree, n); k = node_after(&r->tree, k))
    if (!read(r, k, b)) return false;
  return true;
}

static bool count_axes(layout_reader *r, node_id n, board *b) {
  while (b->axis_count < KEY_MAX && b->axes[b->axis_count].count) b->axis_count++;
  if (!b->axis_count) return fail(r, n, "a board needs columns");
  if (b->lines == LINES_NONE) return true;
  if (b->axis_count != 2) return fail(r, n, "a board with lines has columns and rows");
  b->axis_count = b->lines == LINES_SIDES ? 3 : 4;
  return true;
}

static bool read_last_part(layout_reader *r, node_id n, board *b) {
  const char *head = head_of(r, n);
  if (is_word(head, "links")) return read_links(r, n, b);
  if (is_word(head, "wall")) return read_wall(r, n, b);
  return !is_word(head, "tint") || read_tint(r, n, b);
}

static bool read_place_part(layout_reader *r, node_id n, board *b) {
  return !is_word(head_of(r, n), "places") || read_places(r, n, b);
}

static bool read_board(layout_reader *r, node_id n) {
  board b = {0};
  if (!read_kind(r, n, &b) || !read_parts(r, n, &b, read_form) || !count_axes(r, n, &b) ||
      !read_parts(r, n, &b, read_content))
    return false;
  if (!b.layers.count) return fail(r, n, "a board needs a layer");
  if (!b.cells.count && b.lines == LINES_NONE) add_all_cells(r, &b);
  if (!read_parts(r, n, &b, read_place_part)) return false;
  board_place_cells(&b, r->scratch);
  if (b.kind == BOARD_GRID || b.kind == BOARD_HEXAGONS) board_sort_cells(&b, r->keep);
  if (!read_parts(r, n, &b, read_last_part)) return false;
  if (b.links.count) board_place_cells(&b, r->scratch);
  vec_push(r->keep, &r->l->boards, b);
  return true;
}

/* ---- the rest, and clicks ---- */

static bool read_rest(layout_reader *r, node_id n) {
  read_pattern p;
  if (node_element_count(&r->tree, n) != 3) return fail(r, n, "(rest KIND PATTERN)");
  const node_id kind = node_first(n) + 1, pattern = node_after(&r->tree, kind);
  if (!read_one_pattern(r, pattern, &r->s->fluents, &p)) return false;
  for (rest_kind k = 0; k < REST_KIND_COUNT; k++)
    if (is_word(words_of(r, kind), rest_kind_name(k))) {
      r->l->rest.items[p.shape] = k;
      return true;
    }
  return fail(r, n, "there is no kind of facts `%s`", words_of(r, kind));
}

static const char *numbered(const char *word, uint32_t number, arena *keep) {
  text words = text_new(keep);
  text_add_format(&words, "%s%u", word ? word : "", number);
  return text_string(&words);
}

/* A whole key, or one column or row. */
static bool read_click_step(layout_reader *r, node_id n, const read_pattern *p, uint32_t number,
                            click_step *c) {
  const board *b = &r->l->boards.items[c->board];
  uint32_t found[KEY_MAX], count = 0;
  for (uint32_t i = 0; i < b->axis_count; i++) {
    found[i] = column_called(p, numbered(axis_word(b->lines, i), number, r->keep));
    if (found[i] == UINT32_MAX) continue;
    if (count == i) c->key.columns[i] = found[i];
    c->axis = i;
    count++;
  }
  c->key.count = count;
  if (count == 1 && b->axis_count > 1) c->key.columns[0] = found[c->axis];
  const bool is_whole = count == b->axis_count || (b->lines != LINES_NONE && count == 2);
  return count == 1 || is_whole ||
         fail(r, n, "click %u needs ?%s, as a whole key", number,
              numbered(axis_word(b->lines, 0), number, r->keep));
}

static bool read_click(layout_reader *r, node_id n) {
  click_rule made = {0};
  read_pattern p;
  const uint32_t count = node_element_count(&r->tree, n);
  node_id k = node_first(n) + 1;
  if (count < 3 || count > 2 + CLICKS_MAX) return fail(r, n, "(click BOARD... PATTERN)");
  for (; made.count + 2 < count; k = node_after(&r->tree, k), made.count++) {
    const unsigned long number = strtoul(words_of(r, k), NULL, 10);
    if (!number || number > r->l->boards.count) return fail(r, k, "there is no board %lu", number);
    made.steps[made.count].board = (uint32_t)number - 1;
  }
  if (!read_one_pattern(r, k, &r->s->moves, &p)) return false;
  made.move = p.shape;
  for (uint32_t i = 0; i < made.count; i++)
    if (!read_click_step(r, n, &p, i + 1, &made.steps[i])) return false;
  vec_push(r->keep, &r->l->clicks, made);
  return true;
}

/* ---- all of it ---- */

static bool read_top(layout_reader *r, node_id n) {
  const char *head = head_of(r, n);
  if (is_word(head, "board")) return read_board(r, n);
  if (is_word(head, "rest")) return read_rest(r, n);
  if (is_word(head, "click")) return read_click(r, n);
  return fail(r, n, "a layout has boards, rest and clicks");
}

static bool read_tree(layout_reader *r) {
  diag_sink d;
  diag_sink_init(&d, r->scratch);
  if (tree_read_as(&r->tree, &r->source, NOTATION_KIF, symbols_new(r->scratch), r->scratch, &d))
    return true;
  source_index_lines(&r->source, r->scratch);
  r->fault->words = "this is not KIF";
  r->fault->line = d.all.count ? source_place(&r->source, d.all.items[0].where.start).line : 1;
  return false;
}

bool layout_read(layout *l, samples *s, const char *words, size_t length, arena *keep,
                 layout_fault *fault) {
  arena *scratch = arena_new();
  layout_reader r = {.l = l, .s = s, .keep = keep, .scratch = scratch, .fault = fault};
  r.source = source_of("layout", arena_copy_text(scratch, words, length), (uint32_t)length);
  *l = (layout){.keep = keep};
  for (shape_id i = 0; i < s->fluents.shapes.count; i++) vec_push(keep, &l->rest, REST_FACT);
  bool ok = read_tree(&r);
  for (node_id n = 0; ok && n != r.tree.nodes.count; n = node_after(&r.tree, n))
    ok = read_top(&r, n);
  arena_free(scratch);
  return ok;
}
