#include "board/layout.h"

const char *board_kind_name(board_kind k) {
  static const char *const names[] = {"grid", "hexagons", "ring", "graph", "places", "stacks"};
  return names[k];
}

const char *rest_kind_name(rest_kind k) {
  static const char *const names[] = {"fact", "turn", "counter", "score"};
  return names[k];
}

const char *board_side_name(board_side s) {
  static const char *const names[] = {"none", "up", "down", "left", "right"};
  return names[s];
}

static uint64_t hash_of_cell(const void *context, uint32_t cell) {
  const board *b = context;
  return hash_ids(b->cells.items[cell].key, b->axis_count);
}

static bool has_key(const board *b, uint32_t cell, const value_id *key) {
  return memcmp(b->cells.items[cell].key, key, b->axis_count * sizeof *key) == 0;
}

static uint32_t slot_of(const board *b, const value_id *key) {
  uint32_t at = id_table_first(&b->index, hash_ids(key, b->axis_count));
  while (b->index.slots[at] != ID_NONE && !has_key(b, b->index.slots[at], key))
    at = id_table_next(&b->index, at);
  return at;
}

uint32_t board_find(const board *b, const value_id *key) {
  return b->index.slots ? b->index.slots[slot_of(b, key)] : ID_NONE;
}

void board_add_cell(board *b, const value_id *key, arena *keep) {
  board_cell made = {.key = {NAME_NONE, NAME_NONE, NAME_NONE, NAME_NONE}};
  id_table_reserve(&b->index, keep, hash_of_cell, b);
  const uint32_t at = slot_of(b, key);
  if (b->index.slots[at] != ID_NONE) return;
  memcpy(made.key, key, b->axis_count * sizeof *key);
  vec_push(keep, &b->cells, made);
  id_table_put(&b->index, at, b->cells.count - 1);
}

uint32_t key_cell(const board *b, key k, const fact_book *book, fact_id f) {
  value_id values[KEY_MAX] = {NAME_NONE, NAME_NONE, NAME_NONE, NAME_NONE};
  if (k.count > b->axis_count) return ID_NONE;
  for (uint32_t i = 0; i < k.count; i++) {
    values[i] = fact_value(book, f, k.columns[i]);
    if (values[i] == NAME_NONE) return ID_NONE;
  }
  return board_find(b, values);
}

bool board_has_cells_at(const board *b, uint32_t axis, value_id v) {
  for (uint32_t i = 0; i < b->cells.count; i++)
    if (!b->cells.items[i].is_line && b->cells.items[i].key[axis] == v) return true;
  return false;
}

const char *board_tint_of(const board *b, uint32_t cell) {
  for (uint32_t i = 0; i < b->tints.count; i++)
    if (b->tints.items[i].cell == cell) return b->tints.items[i].name;
  return NULL;
}

bool board_is_blank(const board *b, value_id v) {
  for (uint32_t i = 0; i < b->blanks.count; i++)
    if (b->blanks.items[i] == v) return true;
  return false;
}

static bool key_has(key k, uint32_t column) {
  for (uint32_t i = 0; i < k.count; i++)
    if (k.columns[i] == column) return true;
  return false;
}

uint32_t layer_content(const board_layer *l, const shape *s, uint32_t *columns) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->column_count; i++)
    if (!key_has(l->key, i)) columns[count++] = i;
  return count;
}

uint32_t layer_values(const board_layer *l, const fact_book *book, fact_id f, value_id *values) {
  uint32_t columns[2 * COLUMN_MAX];
  const uint32_t count = layer_content(l, fact_shape(book, f), columns);
  for (uint32_t i = 0; i < count; i++) {
    values[i] = fact_value(book, f, columns[i]);
    if (values[i] == NAME_NONE) values[i] = fact_leaf(book, f, 0);
  }
  return count;
}
