#include "solve/value_table.h"

#include <stdlib.h>

void value_table_init(value_table *t, uint32_t roles, arena *keep) {
  *t = (value_table){.keep = keep, .roles = roles};
}

uint32_t value_table_count(const value_table *t) {
  return t->roles ? t->items.count / t->roles : 0;
}

static uint64_t hash_values(const value_table *t, const double *values) {
  return hash_bytes(values, t->roles * sizeof *values);
}

static uint64_t hash_of_place(const void *context, uint32_t place) {
  const value_table *t = context;
  return hash_values(t, value_table_at(t, place));
}

/* The slot of a value, or the empty one where it belongs. */
static uint32_t find_slot(const value_table *t, const double *values) {
  uint32_t at = id_table_first(&t->places, hash_values(t, values));
  for (;; at = id_table_next(&t->places, at)) {
    const uint32_t place = t->places.slots[at];
    if (place == ID_NONE) return at;
    if (memcmp(value_table_at(t, place), values, t->roles * sizeof *values) == 0) return at;
  }
}

uint32_t value_table_place(const value_table *t, const double *values) {
  const uint32_t place = t->places.slots[find_slot(t, values)];
  assert(place != ID_NONE);
  return place;
}

uint32_t value_table_add(value_table *t, const double *values) {
  id_table_reserve(&t->places, t->keep, hash_of_place, t);
  const uint32_t at = find_slot(t, values);
  if (t->places.slots[at] != ID_NONE) return t->places.slots[at];
  const uint32_t count = value_table_count(t);
  vec_append(t->keep, &t->items, values, t->roles);
  id_table_put(&t->places, at, count);
  return count;
}

void value_table_close_under_swap(value_table *t, uint32_t a, uint32_t b) {
  double *swapped = arena_new_array(t->keep, double, t->roles);
  const uint32_t count = value_table_count(t);
  for (uint32_t i = 0; i < count; i++) {
    memcpy(swapped, value_table_at(t, i), t->roles * sizeof *swapped);
    swapped[a] = value_table_at(t, i)[b];
    swapped[b] = value_table_at(t, i)[a];
    value_table_add(t, swapped);
  }
}

/* The first number is how many there are. */
static int compare_values(const void *left, const void *right) {
  const double *a = left, *b = right;
  for (uint32_t i = 1; i <= (uint32_t)a[0]; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

void value_table_sort(value_table *t) {
  const uint32_t count = value_table_count(t), width = t->roles + 1;
  double *rows = arena_new_array(t->keep, double, (size_t)count *width + 1);
  for (uint32_t i = 0; i < count; i++) {
    rows[(size_t)i * width] = t->roles;
    memcpy(rows + (size_t)i * width + 1, value_table_at(t, i), t->roles * sizeof *rows);
  }
  if (count) qsort(rows, count, width * sizeof *rows, compare_values);
  t->items.count = 0;
  id_table_clear(&t->places);
  for (uint32_t i = 0; i < count; i++) value_table_add(t, rows + (size_t)i * width + 1);
}
