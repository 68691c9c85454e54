#include "database/database_group.h"

#include "database/symbol_column.h"

#include <stdlib.h>

static int compare_records(const void *left, const void *right) {
  const hash_key *a = &((const database_record *)left)->key;
  const hash_key *b = &((const database_record *)right)->key;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return (a->low > b->low) - (a->low < b->low);
}

/* The values and steps by the numbers that the index gives. */
static bool number_symbols(const database_group *g, const database_record *records, uint32_t count,
                           uint64_t groups, uint16_t *values, uint16_t *steps) {
  const byte_vec *index = &g->columns[DATABASE_INDEX];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t all, number;
    if (!minimal_hash_find(index->items, index->count, records[i].key, groups, &all, &number))
      return false;
    values[number] = records[i].value;
    steps[number] = records[i].steps;
  }
  return true;
}

/* Groups begin at a multiple of eight. */
static void pad(byte_vec *bytes, arena *keep) {
  while (bytes->count % 8) vec_push(keep, bytes, 0);
}

bool database_group_build(database_group *g, database_record *records, uint32_t count,
                          uint64_t groups, bool has_steps, arena *keep) {
  *g = (database_group){0};
  if (count > HASH_KEYS_MAX) return false;
  arena *scratch = arena_new();
  hash_key *keys = arena_new_array(scratch, hash_key, count + 1);
  uint16_t *values = arena_zero_array(scratch, uint16_t, count + 1);
  uint16_t *steps = arena_zero_array(scratch, uint16_t, count + 1);
  if (count) qsort(records, count, sizeof *records, compare_records);
  for (uint32_t i = 0; i < count; i++) keys[i] = records[i].key;
  const bool ok = minimal_hash_build(keys, count, groups, &g->columns[DATABASE_INDEX], keep) &&
                  number_symbols(g, records, count, groups, values, steps);
  if (ok) symbol_column_build(values, count, &g->columns[DATABASE_VALUES], keep);
  if (ok && has_steps) symbol_column_build(steps, count, &g->columns[DATABASE_STEPS], keep);
  for (uint32_t i = 0; i < DATABASE_COLUMNS; i++) pad(&g->columns[i], keep);
  arena_free(scratch);
  return ok;
}
