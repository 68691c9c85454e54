#include "machine/datalog/datalog_rows.h"

#include <string.h>

enum {
  KEYS_MAX = 1 << 18,  /* of an index that does not hash */
  FIRST_CAPACITY = 16, /* rows */
};

/* ---- shapes ---- */

static uint32_t find_index(const dl_shape *s, const uint32_t *columns, uint32_t column_count) {
  for (uint32_t i = 0; i < s->indexes.count; i++) {
    const dl_index *x = &s->indexes.items[i];
    if (x->column_count == column_count &&
        memcmp(x->columns, columns, column_count * sizeof *columns) == 0)
      return i;
  }
  return ID_NONE;
}

/* Numbers the keys, if they are not too many. */
static void number_keys(dl_index *x, const dl_layout *l, uint32_t constants, arena *keep) {
  uint64_t size = 1;
  for (uint32_t i = 0; i < x->column_count && size <= KEYS_MAX; i++)
    size *= l->columns[x->columns[i]].value_count;
  if (size > KEYS_MAX || size == 0) return;
  x->size = (uint32_t)size;
  x->parts = arena_new_array(keep, uint32_t *, x->column_count);
  uint32_t stride = 1;
  for (uint32_t i = x->column_count; i-- > 0;) {
    const dl_column *column = &l->columns[x->columns[i]];
    x->parts[i] = arena_new_array(keep, uint32_t, constants);
    for (uint32_t t = 0; t < constants; t++)
      x->parts[i][t] = column->codes[t] == DL_ABSENT ? DL_ABSENT : column->codes[t] * stride;
    stride *= column->value_count;
  }
}

uint32_t dl_index_on(dl_shape *s, const uint32_t *columns, uint32_t column_count, arena *keep) {
  const uint32_t known = find_index(s, columns, column_count);
  if (known != ID_NONE) return known;
  dl_index x = {.column_count = column_count,
                .columns = arena_new_array(keep, uint32_t, column_count)};
  memcpy(x.columns, columns, column_count * sizeof *columns);
  if (s->layout->size) number_keys(&x, s->layout, s->layout->constant_count, keep);
  vec_push(keep, &s->indexes, x);
  return s->indexes.count - 1;
}

/* ---- rows ---- */

static void chains_init(dl_chains *c, const dl_index *x, arena *keep) {
  *c = (dl_chains){.size = x->size ? x->size : FIRST_CAPACITY};
  c->first = arena_new_array(keep, uint32_t, c->size);
  memset(c->first, 0xff, c->size * sizeof *c->first);
}

void dl_rows_init(dl_rows *t, const dl_shape *s, arena *keep) {
  *t = (dl_rows){.shape = s, .keep = keep, .arity = s->layout->arity};
  t->chains = arena_new_array(keep, dl_chains, s->indexes.count);
  for (uint32_t i = 0; i < s->indexes.count; i++)
    chains_init(&t->chains[i], &s->indexes.items[i], keep);
  if (s->layout->size) t->bits = arena_zero_array(keep, uint64_t, s->layout->size / 64 + 1);
}

void dl_rows_grow(dl_rows *t) {
  const uint32_t old = t->capacity;
  t->capacity = old ? old * 2 : FIRST_CAPACITY;
  const size_t row = t->arity * sizeof *t->cells;
  t->cells = arena_grow(t->keep, t->cells, old * row, t->capacity * row + sizeof *t->cells);
  if (t->bits)
    t->places =
        arena_grow(t->keep, t->places, old * sizeof *t->places, t->capacity * sizeof *t->places);
  for (uint32_t i = 0; i < t->shape->indexes.count; i++)
    t->chains[i].older = arena_grow(t->keep, t->chains[i].older, old * sizeof(uint32_t),
                                    t->capacity * sizeof(uint32_t));
}

void dl_rows_copy(dl_rows *t, const dl_rows *from) {
  for (uint32_t row = 0; row < from->count; row++)
    dl_rows_push(t, dl_row(from, row), from->bits ? from->places[row] : 0);
}

static uint32_t place_of(const dl_layout *l, const term_id *row) {
  uint32_t place = 0;
  for (uint32_t c = 0; c < l->arity; c++) place += l->columns[c].parts[row[c]];
  return place;
}

void dl_rows_add(dl_rows *t, const term_id *row) {
  const dl_layout *l = t->shape->layout;
  if (!l->size) {
    if (!dl_rows_have(t, row)) dl_rows_push(t, row, 0);
    return;
  }
  const uint32_t place = place_of(l, row);
  if (place < l->size && !dl_has_place(t, place)) dl_rows_push(t, row, place);
}

/* ---- indexes ---- */

static uint32_t key_of_row(const dl_rows *t, const dl_index *x, const dl_chains *c, uint32_t row) {
  const term_id *cells = dl_row(t, row);
  if (x->size) {
    uint32_t key = 0;
    for (uint32_t i = 0; i < x->column_count; i++) key += x->parts[i][cells[x->columns[i]]];
    return key;
  }
  uint64_t hash = 0;
  for (uint32_t i = 0; i < x->column_count; i++) hash = hash_add(hash, cells[x->columns[i]]);
  return (uint32_t)hash_mix(hash) & (c->size - 1);
}

static void enlarge(dl_rows *t, const dl_index *x, dl_chains *c) {
  if (x->size || t->count <= c->size) return;
  uint32_t size = c->size;
  while (size < t->count) size *= 2;
  c->first = arena_grow(t->keep, c->first, c->size * sizeof *c->first, size * sizeof *c->first);
  memset(c->first, 0xff, size * sizeof *c->first);
  c->size = size;
  c->done = 0;
}

void dl_rows_update(dl_rows *t, uint32_t index) {
  const dl_index *x = &t->shape->indexes.items[index];
  dl_chains *c = &t->chains[index];
  if (c->done == t->count) return;
  enlarge(t, x, c);
  for (; c->done < t->count; c->done++) {
    const uint32_t key = key_of_row(t, x, c, c->done);
    c->older[c->done] = c->first[key];
    c->first[key] = c->done;
  }
}

uint32_t dl_rows_hashed(const dl_rows *t, uint32_t index, const term_id *key) {
  const dl_chains *c = &t->chains[index];
  uint64_t hash = 0;
  for (uint32_t i = 0; i < t->shape->indexes.items[index].column_count; i++)
    hash = hash_add(hash, key[i]);
  return c->first[(uint32_t)hash_mix(hash) & (c->size - 1)];
}

bool dl_rows_have(dl_rows *t, const term_id *row) {
  dl_rows_update(t, 0);
  for (uint32_t i = dl_rows_hashed(t, 0, row); i != ID_NONE; i = t->chains[0].older[i])
    if (memcmp(dl_row(t, i), row, t->arity * sizeof *row) == 0) return true;
  return false;
}

/* Empties the keys of the rows that are in, or all where that is less to do. */
static void clear_chains(const dl_rows *t, const dl_index *x, dl_chains *c) {
  if (c->size <= c->done * 8) {
    memset(c->first, 0xff, c->size * sizeof *c->first);
  } else {
    for (uint32_t row = 0; row < c->done; row++) c->first[key_of_row(t, x, c, row)] = ID_NONE;
  }
  c->done = 0;
}

void dl_rows_rest(dl_rows *t) {
  for (uint32_t i = 0; i < t->shape->indexes.count; i++) {
    dl_chains *c = &t->chains[i];
    if (c->done && !c->is_used) clear_chains(t, &t->shape->indexes.items[i], c);
    c->is_used = false;
  }
}

void dl_rows_empty(dl_rows *t) {
  for (uint32_t i = 0; i < t->touched.count; i++) t->tally[t->touched.items[i]] = 0;
  t->touched.count = 0;
  for (uint32_t i = 0; i < t->shape->indexes.count; i++)
    if (t->chains[i].done) clear_chains(t, &t->shape->indexes.items[i], &t->chains[i]);
  for (uint32_t row = 0; t->bits && row < t->count; row++) t->bits[t->places[row] / 64] = 0;
  for (uint32_t row = 0; t->tally && row < t->count; row++) t->tally[t->places[row]] = 0;
  t->count = 0;
}

/* What points at a row that is in a chain. */
static uint32_t *link_to(const dl_rows *t, uint32_t index, uint32_t row) {
  const dl_chains *c = &t->chains[index];
  uint32_t *link = &c->first[key_of_row(t, &t->shape->indexes.items[index], c, row)];
  while (*link != row) link = &c->older[*link];
  return link;
}

static void unlink_row(dl_rows *t, uint32_t index, uint32_t row) {
  dl_chains *c = &t->chains[index];
  const uint32_t last = t->count - 1;
  dl_rows_update(t, index);
  *link_to(t, index, row) = c->older[row];
  if (row != last) {
    *link_to(t, index, last) = row;
    c->older[row] = c->older[last];
  }
  c->done--;
}

static uint32_t find_row(const dl_rows *t, uint32_t place) {
  if (t->row_at) return t->row_at[place];
  uint32_t row = 0;
  while (t->places[row] != place) row++;
  return row;
}

void dl_rows_remove(dl_rows *t, uint32_t place) {
  const uint32_t row = find_row(t, place);
  for (uint32_t i = 0; i < t->shape->indexes.count; i++)
    if (t->chains[i].done) unlink_row(t, i, row);
  t->count--;
  memmove(t->cells + (size_t)row * t->arity, dl_row(t, t->count), t->arity * sizeof *t->cells);
  t->places[row] = t->places[t->count];
  if (t->row_at) t->row_at[t->places[row]] = row;
  t->bits[place / 64] &= ~(UINT64_C(1) << (place % 64));
}

/* ---- upkeep ---- */

void dl_rows_track(dl_rows *t) {
  if (t->row_at) return;
  t->row_at = arena_new_array(t->keep, uint32_t, t->shape->layout->size);
  t->marks = arena_zero_array(t->keep, uint64_t, t->shape->layout->size / 64 + 1);
  for (uint32_t row = 0; row < t->count; row++) t->row_at[t->places[row]] = row;
}

void dl_rows_count(dl_rows *t) {
  assert(t->count == 0);
  dl_rows_track(t);
  if (!t->tally) t->tally = arena_zero_array(t->keep, uint32_t, t->shape->layout->size);
}
