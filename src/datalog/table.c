#include "datalog/table.h"

#include "base/bitset.h"

#include <assert.h>
#include <string.h>

void table_init(table *t, uint32_t arity, arena *keep) {
  *t = (table){.keep = keep, .arity = arity};
}

static uint64_t hash_of_row(const void *context, uint32_t row) {
  const table *t = context;
  return hash_ids(table_row(t, row), t->arity);
}

/* Where in the slots the row stands, or would. */
static inline uint32_t slot_of_row(const table *t, const term_id *row) {
  uint32_t at = id_table_first(&t->unique, hash_ids(row, t->arity));
  for (;; at = id_table_next(&t->unique, at)) {
    const uint32_t id = t->unique.slots[at];
    if (id == ID_NONE || table_row_is(t, id, row)) return at;
  }
}

uint32_t table_insert(table *t, const term_id *row) {
  if (((uint64_t)t->unique.count + 1) * 8 > ((uint64_t)t->unique.mask + 1) * 5 || !t->unique.slots)
    id_table_reserve(&t->unique, t->keep, hash_of_row, t);
  const uint32_t at = slot_of_row(t, row);
  if (t->unique.slots[at] != ID_NONE) return t->unique.slots[at];
  id_table_put(&t->unique, at, t->count);
  if (t->cells.capacity - t->cells.count <= t->arity) /* a row without cells has an address, too */
    vec_reserve(t->keep, &t->cells, t->arity + 1);
  for (uint32_t i = 0; i < t->arity; i++) t->cells.items[t->cells.count++] = row[i];
  return t->count++;
}

uint32_t table_find(const table *t, const term_id *row) {
  return t->count ? t->unique.slots[slot_of_row(t, row)] : ID_NONE;
}

/* ---- indexes ---- */

static uint64_t key_hash_of_row(const table *t, const table_index *x, uint32_t row) {
  const term_id *cells = table_row(t, row);
  for (uint32_t i = 0; i < x->column_count; i++) x->key[i] = cells[x->columns[i]];
  return hash_ids(x->key, x->column_count);
}

static bool same_key(const table *t, const table_index *x, uint32_t a, uint32_t b) {
  const term_id *left = table_row(t, a);
  const term_id *right = table_row(t, b);
  for (uint32_t i = 0; i < x->column_count; i++)
    if (left[x->columns[i]] != right[x->columns[i]]) return false;
  return true;
}

static bool row_has_key(const table *t, const table_index *x, uint32_t row, const term_id *key) {
  const term_id *cells = table_row(t, row);
  for (uint32_t i = 0; i < x->column_count; i++)
    if (cells[x->columns[i]] != key[i]) return false;
  return true;
}

static void resize_index(table *t, table_index *x, uint32_t slots) {
  uint32_t *old = x->slots;
  const uint32_t old_slots = old ? x->mask + 1 : 0;
  x->slots = arena_new_array(t->keep, uint32_t, slots);
  x->mask = slots - 1;
  memset(x->slots, 0xff, slots * sizeof *x->slots);
  for (uint32_t i = 0; i < old_slots; i++) {
    if (old[i] == ID_NONE) continue;
    uint32_t at = (uint32_t)key_hash_of_row(t, x, old[i]) & x->mask;
    while (x->slots[at] != ID_NONE) at = (at + 1) & x->mask;
    x->slots[at] = old[i];
  }
  arena_release(t->keep, old, old_slots * sizeof *old);
}

static void add_to_index(table *t, table_index *x, uint32_t row) {
  if (!x->slots || ((uint64_t)x->key_count + 1) * 2 > (uint64_t)x->mask + 1)
    resize_index(t, x, x->slots ? (x->mask + 1) * 2 : 16);
  uint32_t at = (uint32_t)key_hash_of_row(t, x, row) & x->mask;
  while (x->slots[at] != ID_NONE && !same_key(t, x, x->slots[at], row)) at = (at + 1) & x->mask;
  x->key_count += x->slots[at] == ID_NONE;
  vec_push(t->keep, &x->older, x->slots[at]);
  x->slots[at] = row;
}

void table_update_index(table *t, uint32_t index) {
  table_index *x = &t->indexes.items[index];
  for (uint32_t row = x->older.count; row < t->count; row++) add_to_index(t, x, row);
}

static bool is_on(const table_index *x, const uint32_t *columns, uint32_t column_count) {
  return x->column_count == column_count &&
         memcmp(x->columns, columns, column_count * sizeof *columns) == 0;
}

/* ID_NONE when there is none. */
static uint32_t find_index(const table *t, const uint32_t *columns, uint32_t column_count) {
  for (uint32_t i = 0; i < t->indexes.count; i++)
    if (is_on(&t->indexes.items[i], columns, column_count)) return i;
  return ID_NONE;
}

uint32_t table_index_on(table *t, const uint32_t *columns, uint32_t column_count) {
  assert(column_count > 0);
  uint32_t index = find_index(t, columns, column_count);
  if (index == ID_NONE) {
    table_index fresh = {.column_count = column_count,
                         .columns = arena_new_array(t->keep, uint32_t, column_count),
                         .key = arena_new_array(t->keep, term_id, column_count)};
    memcpy(fresh.columns, columns, column_count * sizeof *columns);
    vec_push(t->keep, &t->indexes, fresh);
    index = t->indexes.count - 1;
  }
  table_update_index(t, index);
  return index;
}

void table_drop_indexes(table *t) {
  for (uint32_t i = 0; i < t->indexes.count; i++) {
    table_index *x = &t->indexes.items[i];
    if (x->slots) arena_release(t->keep, x->slots, ((size_t)x->mask + 1) * sizeof *x->slots);
    arena_release(t->keep, x->older.items, x->older.capacity * sizeof *x->older.items);
  }
  t->indexes.count = 0;
}

void table_close(table *t, bool keeps_rows) {
  table_drop_indexes(t);
  if (!keeps_rows) {
    arena_release(t->keep, t->cells.items, t->cells.capacity * sizeof *t->cells.items);
    t->cells.items = NULL;
  }
  if (t->unique.slots)
    arena_release(t->keep, t->unique.slots, ((size_t)t->unique.mask + 1) * sizeof *t->unique.slots);
  t->unique = (id_table){0};
}

uint32_t table_lookup(const table *t, uint32_t index, const term_id *key) {
  const table_index *x = &t->indexes.items[index];
  if (!x->slots) return ID_NONE;
  uint32_t at = (uint32_t)hash_ids(key, x->column_count) & x->mask;
  for (;; at = (at + 1) & x->mask) {
    const uint32_t row = x->slots[at];
    if (row == ID_NONE || row_has_key(t, x, row, key)) return row;
  }
}

/* ---- estimates ---- */

static uint32_t count_distinct(const table *t, uint32_t column, arena *scratch) {
  term_id largest = 0;
  for (uint32_t row = 0; row < t->count; row++)
    if (table_row(t, row)[column] > largest) largest = table_row(t, row)[column];
  const bitset seen = bitset_new(scratch, largest + 1);
  uint32_t distinct = 0;
  for (uint32_t row = 0; row < t->count; row++)
    distinct += bitset_insert(seen, table_row(t, row)[column]);
  return distinct;
}

static void measure(table *t) {
  if (t->distinct && t->count <= (uint64_t)t->measured_count * 2) return;
  if (!t->distinct) t->distinct = arena_new_array(t->keep, uint32_t, t->arity);
  arena *scratch = arena_new();
  for (uint32_t column = 0; column < t->arity; column++)
    t->distinct[column] = count_distinct(t, column, scratch);
  t->measured_count = t->count;
  arena_free(scratch);
}

double table_rows_per_key(table *t, const uint32_t *columns, uint32_t column_count) {
  if (t->count == 0 || column_count == 0) return t->count;
  const uint32_t index = find_index(t, columns, column_count);
  if (index != ID_NONE && t->indexes.items[index].older.count == t->count)
    return (double)t->count / t->indexes.items[index].key_count;
  measure(t);
  double rows = t->count;
  for (uint32_t i = 0; i < column_count; i++) rows /= t->distinct[columns[i]];
  return rows;
}
