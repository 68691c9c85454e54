#include "datalog/table.h"

#include "base/bitset.h"

#include <assert.h>
#include <string.h>

void table_init(table *t, uint32_t arity, arena *keep) {
  *t = (table){.keep = keep, .arity = arity};
}

table table_view(const table *t, arena *keep) {
  table view = {.keep = keep,
                .arity = t->arity,
                .count = t->count,
                .cells = {t->cells.items, t->cells.count, t->cells.capacity},
                .unique = t->unique};
  for (uint32_t i = 0; i < t->indexes.count; i++)
    if (t->indexes.items[i].older.count == t->count)
      vec_push(keep, &view.indexes, t->indexes.items[i]);
  return view;
}

/* ---- slots ---- */

static inline uint32_t slot_value(const row_slots *s, uint64_t hash, uint32_t row) {
  return ((uint32_t)(hash >> 32) & ~s->id_mask) | row;
}

static void put_where_free(row_slots *s, uint64_t hash, uint32_t row) {
  uint32_t at = (uint32_t)hash & s->mask;
  while (s->slots[at] != ID_NONE) at = (at + 1) & s->mask;
  s->slots[at] = slot_value(s, hash, row);
}

static row_slots slots_new(arena *keep, uint32_t count, uint32_t id_mask) {
  const row_slots s = {arena_new_array(keep, uint32_t, count), count - 1, id_mask};
  memset(s.slots, 0xff, count * sizeof *s.slots);
  return s;
}

static void slots_release(row_slots *s, arena *keep) {
  if (s->slots) arena_release(keep, s->slots, ((size_t)s->mask + 1) * sizeof *s->slots);
  *s = (row_slots){0};
}

/* ---- rows, each once ---- */

enum {
  FIRST_SLOTS = 16,
  FEW_SLOTS = 256, /* up to so many a table grows fourfold: it is cheaper than to hash rows again */
  BATCH = 16, /* rows whose slots are asked of the memory before the first is put into its own */
};

/* At most 5/8 of the slots are used, so the number of a row is less than the mask. */
static inline bool is_full(const row_slots *s, uint32_t rows) {
  return rows >= s->mask / 2 + s->mask / 8;
}

static void enlarge_unique(table *t) {
  row_slots old = t->unique;
  const uint32_t times = old.mask < FEW_SLOTS ? 4 : 2;
  const uint32_t slots = old.slots ? (old.mask + 1) * times : FIRST_SLOTS;
  t->unique = slots_new(t->keep, slots, slots - 1);
  uint64_t hashes[BATCH];
  for (uint32_t start = 0; start < t->count; start += BATCH) {
    const uint32_t count = t->count - start < BATCH ? t->count - start : BATCH;
    for (uint32_t i = 0; i < count; i++) {
      hashes[i] = table_hash(table_row(t, start + i), t->arity);
      __builtin_prefetch(&t->unique.slots[(uint32_t)hashes[i] & t->unique.mask], 1);
    }
    for (uint32_t i = 0; i < count; i++) put_where_free(&t->unique, hashes[i], start + i);
  }
  slots_release(&old, t->keep);
}

uint32_t table_insert_hashed(table *t, const term_id *row, uint64_t hash) {
  const uint32_t arity = t->arity;
  if (is_full(&t->unique, t->count)) enlarge_unique(t);
  uint32_t *slot = &t->unique.slots[table_slot_of(t, row, hash)];
  if (*slot != ID_NONE) return *slot & t->unique.id_mask;
  *slot = slot_value(&t->unique, hash, t->count);
  if (t->cells.capacity - t->cells.count <= arity) /* a row without cells has an address, too */
    vec_reserve(t->keep, &t->cells, arity + 1);
  term_id *cells = t->cells.items + t->cells.count;
  for (uint32_t i = 0; i < arity; i++) cells[i] = row[i];
  t->cells.count += arity;
  return t->count++;
}

uint32_t table_insert(table *t, const term_id *row) {
  return table_insert_hashed(t, row, table_hash(row, t->arity));
}

uint32_t table_find(const table *t, const term_id *row) {
  return table_find_hashed(t, row, table_hash(row, t->arity));
}

/* ---- indexes ---- */

static inline uint64_t key_hash_of_row(const table *t, const table_index *x, uint32_t row) {
  const term_id *cells = table_row(t, row);
  const uint32_t *columns = x->columns;
  uint64_t hash = 0;
  uint32_t left = x->column_count;
  for (; left > 1; columns += 2, left -= 2)
    hash = table_hash_add(hash, cells[columns[0]] | (uint64_t)cells[columns[1]] << 32);
  return left ? table_hash_add(hash, cells[columns[0]]) : hash;
}

static inline bool same_key(const table *t, const table_index *x, uint32_t a, uint32_t b) {
  const term_id *left = table_row(t, a);
  const term_id *right = table_row(t, b);
  for (uint32_t i = 0; i < x->column_count; i++)
    if (left[x->columns[i]] != right[x->columns[i]]) return false;
  return true;
}

/* Made anew with so many slots; all rows so far, and twice as many more, have numbers in them. */
static void resize_index(table *t, table_index *x, uint32_t slots) {
  row_slots old = x->newest;
  uint32_t id_mask = FIRST_SLOTS - 1;
  while (id_mask < UINT32_MAX >> 1 && id_mask / 2 <= t->count) id_mask = id_mask * 2 + 1;
  x->newest = slots_new(t->keep, slots, id_mask);
  for (uint32_t i = 0; old.slots && i <= old.mask; i++) {
    if (old.slots[i] == ID_NONE) continue;
    const uint32_t row = old.slots[i] & old.id_mask;
    put_where_free(&x->newest, key_hash_of_row(t, x, row), row);
  }
  slots_release(&old, t->keep);
}

/* Room for `more` rows, each with a key of its own. */
static void make_room_in_index(table *t, table_index *x, uint32_t more) {
  const uint32_t have = x->newest.slots ? x->newest.mask + 1 : 0;
  const uint64_t last = (uint64_t)x->older.count + more;
  uint64_t slots = have ? have : FIRST_SLOTS;
  while (slots < ((uint64_t)x->key_count + more) * 2) slots *= slots <= FEW_SLOTS ? 4 : 2;
  if (slots > have || last > x->newest.id_mask) resize_index(t, x, (uint32_t)slots);
}

static void add_to_index(table *t, table_index *x, uint32_t row, uint64_t hash) {
  row_slots *s = &x->newest;
  uint32_t at = (uint32_t)hash & s->mask;
  for (; s->slots[at] != ID_NONE; at = (at + 1) & s->mask)
    if (slot_may_be(s, s->slots[at], hash) && same_key(t, x, s->slots[at] & s->id_mask, row)) break;
  const bool is_new = s->slots[at] == ID_NONE;
  x->key_count += is_new;
  x->older.items[row] = is_new ? ID_NONE : s->slots[at] & s->id_mask;
  s->slots[at] = slot_value(s, hash, row);
}

void table_update_index(table *t, uint32_t index) {
  table_index *x = &t->indexes.items[index];
  if (x->older.count == t->count) return;
  vec_reserve(t->keep, &x->older, t->count - x->older.count);
  uint64_t hashes[BATCH];
  while (x->older.count < t->count) {
    const uint32_t start = x->older.count;
    const uint32_t count = t->count - start < BATCH ? t->count - start : BATCH;
    make_room_in_index(t, x, count);
    for (uint32_t i = 0; i < count; i++) {
      hashes[i] = key_hash_of_row(t, x, start + i);
      __builtin_prefetch(&x->newest.slots[(uint32_t)hashes[i] & x->newest.mask], 1);
    }
    for (uint32_t i = 0; i < count; i++) add_to_index(t, x, start + i, hashes[i]);
    x->older.count += count;
  }
}

static bool is_on(const table_index *x, const uint32_t *columns, uint32_t column_count) {
  if (x->column_count != column_count) return false;
  for (uint32_t i = 0; i < column_count; i++)
    if (x->columns[i] != columns[i]) return false;
  return true;
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
                         .columns = arena_new_array(t->keep, uint32_t, column_count)};
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
    slots_release(&x->newest, t->keep);
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
  slots_release(&t->unique, t->keep);
}

/* ---- estimates ---- */

static uint32_t count_distinct(const table *t, uint32_t column, arena *scratch) {
  const term_id *cells = t->cells.items;
  const size_t arity = t->arity;
  const size_t end = t->cells.count;
  term_id largest = 0;
  for (size_t at = column; at < end; at += arity)
    if (cells[at] > largest) largest = cells[at];
  const bitset seen = bitset_new(scratch, largest + 1);
  uint32_t distinct = 0;
  for (size_t at = column; at < end; at += arity) distinct += bitset_insert(seen, cells[at]);
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
  return rows < 1 ? 1 + t->count * 1e-9 : rows;
}
