#include "datalog/table.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int set_up(void **state) {
  *state = arena_new();
  return 0;
}

static int tear_down(void **state) {
  arena_free(*state);
  return 0;
}

static uint32_t insert_pair(table *t, term_id a, term_id b) {
  return table_insert(t, (const term_id[]){a, b});
}

static table pairs(arena *keep, const term_id (*rows)[2], uint32_t count) {
  table t;
  table_init(&t, 2, keep);
  for (uint32_t i = 0; i < count; i++) table_insert(&t, rows[i]);
  return t;
}

static void a_row_is_held_once(void **state) {
  table t;
  table_init(&t, 2, *state);
  assert_int_equal(insert_pair(&t, 5, 6), 0);
  assert_int_equal(insert_pair(&t, 6, 5), 1);
  assert_int_equal(insert_pair(&t, 5, 6), 0);
  assert_int_equal(t.count, 2);
}

/* 16, 64, 256, 1024, 2048 */
static void few_slots_become_four_times_as_many_and_many_twice(void **state) {
  table t;
  table_init(&t, 2, *state);
  uint32_t enlarged = 0;
  for (uint32_t i = 0; i < 1200; i++) {
    const uint32_t mask = t.unique.mask;
    insert_pair(&t, i, i + 1);
    enlarged += t.unique.mask != mask;
  }
  assert_int_equal(t.unique.mask, 2047);
  assert_int_equal(enlarged, 5);
}

static void a_row_is_found_by_its_cells(void **state) {
  table t;
  table_init(&t, 2, *state);
  assert_int_equal(table_find(&t, (const term_id[]){5, 6}), ID_NONE);
  insert_pair(&t, 5, 6);
  assert_int_equal(table_find(&t, (const term_id[]){5, 6}), 0);
  assert_int_equal(table_find(&t, (const term_id[]){6, 5}), ID_NONE);
}

static void rows_stay_in_the_order_of_insertion(void **state) {
  table t;
  table_init(&t, 2, *state);
  for (uint32_t i = 0; i < 1000; i++) assert_int_equal(insert_pair(&t, i / 7, i), i);
  for (uint32_t i = 0; i < 1000; i++) assert_int_equal(table_row(&t, i)[1], i);
}

static void a_table_without_columns_holds_one_row_at_most(void **state) {
  table t;
  table_init(&t, 0, *state);
  const term_id none[1] = {0};
  assert_int_equal(table_find(&t, none), ID_NONE);
  assert_int_equal(table_insert(&t, none), 0);
  assert_int_equal(table_insert(&t, none), 0);
  assert_int_equal(t.count, 1);
  assert_int_equal(table_find(&t, none), 0);
}

/* The newest row with this key, or ID_NONE. */
static uint32_t newest(const table *t, uint32_t index, const term_id *key) {
  const table_index *x = &t->indexes.items[index];
  return table_lookup_hashed(t, x, key, table_hash(key, x->column_count));
}

/* The row with the same key before this one, or ID_NONE. */
static uint32_t older(const table *t, uint32_t index, uint32_t row) {
  return t->indexes.items[index].older.items[row];
}

static void an_index_gives_the_rows_of_a_key_newest_first(void **state) {
  table t = pairs(*state, (const term_id[][2]){{1, 10}, {2, 20}, {1, 11}, {1, 12}}, 4);
  const uint32_t first[] = {0};
  const uint32_t index = table_index_on(&t, first, 1);
  uint32_t row = newest(&t, index, (const term_id[]){1});
  assert_int_equal(row, 3);
  assert_int_equal(row = older(&t, index, row), 2);
  assert_int_equal(row = older(&t, index, row), 0);
  assert_int_equal(older(&t, index, row), ID_NONE);
  assert_int_equal(newest(&t, index, (const term_id[]){3}), ID_NONE);
}

static void an_index_keeps_the_order_of_its_columns(void **state) {
  table t = pairs(*state, (const term_id[][2]){{1, 2}, {2, 1}}, 2);
  const uint32_t swapped[] = {1, 0};
  const uint32_t index = table_index_on(&t, swapped, 2);
  assert_int_equal(newest(&t, index, (const term_id[]){2, 1}), 0);
  assert_int_equal(newest(&t, index, (const term_id[]){1, 2}), 1);
}

static void an_index_of_an_empty_table_finds_nothing(void **state) {
  table t;
  table_init(&t, 2, *state);
  const uint32_t first[] = {0};
  assert_int_equal(newest(&t, table_index_on(&t, first, 1), (const term_id[]){1}), ID_NONE);
}

static void the_same_index_is_not_made_twice(void **state) {
  table t = pairs(*state, (const term_id[][2]){{1, 2}}, 1);
  const uint32_t first[] = {0};
  const uint32_t second[] = {1};
  const uint32_t index = table_index_on(&t, first, 1);
  assert_int_not_equal(table_index_on(&t, second, 1), index);
  assert_int_equal(table_index_on(&t, first, 1), index);
  assert_int_equal(t.indexes.count, 2);
}

static void an_index_learns_of_new_rows_when_told(void **state) {
  table t = pairs(*state, (const term_id[][2]){{1, 2}}, 1);
  const uint32_t first[] = {0};
  const uint32_t index = table_index_on(&t, first, 1);
  insert_pair(&t, 1, 3);
  assert_int_equal(newest(&t, index, (const term_id[]){1}), 0);
  table_update_index(&t, index);
  assert_int_equal(newest(&t, index, (const term_id[]){1}), 1);
}

/* Every row is in the chain of its key, and in no other. */
static void check_chains(table *t, uint32_t index) {
  uint32_t in_chains = 0;
  for (term_id key = 0; key < 64; key++) {
    uint32_t newer = UINT32_MAX;
    for (uint32_t row = newest(t, index, &key); row != ID_NONE; row = older(t, index, row)) {
      assert_int_equal(table_row(t, row)[0], key);
      assert_true(row < newer);
      newer = row;
      in_chains++;
    }
  }
  assert_int_equal(in_chains, t->count);
}

static void chains_hold_every_row_however_it_grew(void **state) {
  rng r = rng_new(1, 0);
  table t;
  table_init(&t, 2, *state);
  const uint32_t first[] = {0};
  const uint32_t index = table_index_on(&t, first, 1);
  for (uint32_t round = 0; round < 20; round++) {
    for (uint32_t i = 0; i < 50; i++) insert_pair(&t, rng_below(&r, 64), rng_below(&r, 100));
    table_update_index(&t, index);
    check_chains(&t, index);
  }
}

static void rows_per_key_is_exact_where_an_index_is(void **state) {
  table t = pairs(*state, (const term_id[][2]){{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 3}, {4, 4}}, 6);
  const uint32_t both[] = {0, 1};
  const uint32_t first[] = {0};
  table_index_on(&t, first, 1);
  assert_true(table_rows_per_key(&t, first, 1) == 6.0 / 4);
  table_index_on(&t, both, 2);
  assert_true(table_rows_per_key(&t, both, 2) == 1.0);
}

static void rows_per_key_takes_columns_for_independent_without_an_index(void **state) {
  table t = pairs(*state, (const term_id[][2]){{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 3}, {4, 4}}, 6);
  const uint32_t both[] = {0, 1};
  const uint32_t first[] = {0};
  assert_true(table_rows_per_key(&t, first, 1) == 6.0 / 4);
  assert_true(table_rows_per_key(&t, both, 0) == 6.0);
}

static void rows_per_key_without_an_index_are_one_at_least_and_more_in_larger_tables(void **state) {
  table small = pairs(*state, (const term_id[][2]){{1, 1}, {2, 2}}, 2);
  table large = pairs(*state, (const term_id[][2]){{1, 1}, {2, 2}, {3, 3}, {4, 4}}, 4);
  const uint32_t both[] = {0, 1};
  const double of_small = table_rows_per_key(&small, both, 2);
  const double of_large = table_rows_per_key(&large, both, 2);
  assert_true(of_small >= 1 && of_small < of_large && of_large < 1.001);
}

static void rows_per_key_of_an_empty_table_is_none(void **state) {
  table t;
  table_init(&t, 2, *state);
  const uint32_t first[] = {0};
  assert_true(table_rows_per_key(&t, first, 1) == 0);
}

static void an_index_that_was_dropped_is_made_anew(void **state) {
  table t = pairs(*state, (const term_id[][2]){{1, 1}, {1, 2}, {2, 1}}, 3);
  const uint32_t first[] = {0};
  table_index_on(&t, first, 1);
  table_drop_indexes(&t);
  const term_id key = 1;
  assert_int_equal(newest(&t, table_index_on(&t, first, 1), &key), 1);
}

static void a_view_has_the_rows_and_the_indexes_that_are_up_to_date(void **state) {
  table t = pairs(*state, (const term_id[][2]){{1, 10}, {2, 20}, {1, 11}}, 3);
  const uint32_t first[] = {0};
  const uint32_t second[] = {1};
  table_index_on(&t, second, 1);
  insert_pair(&t, 2, 30);
  const uint32_t by_first = table_index_on(&t, first, 1);
  table view = table_view(&t, *state);
  assert_int_equal(table_find(&view, (const term_id[]){1, 11}), 2);
  assert_int_equal(view.indexes.count, 1);
  assert_ptr_equal(view.indexes.items[0].newest.slots, t.indexes.items[by_first].newest.slots);
  assert_int_equal(newest(&view, table_index_on(&view, second, 1), (const term_id[]){30}), 3);
  assert_int_equal(t.indexes.items[0].older.count, 3);
}

static void a_closed_table_still_tells_its_rows(void **state) {
  table t = pairs(*state, (const term_id[][2]){{1, 1}, {1, 2}, {2, 1}}, 3);
  const uint32_t first[] = {0};
  table_index_on(&t, first, 1);
  table_close(&t, true);
  assert_int_equal(t.count, 3);
  assert_int_equal(table_row(&t, 1)[1], 2);
}

#define table_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      table_test(a_row_is_held_once),
      table_test(few_slots_become_four_times_as_many_and_many_twice),
      table_test(a_row_is_found_by_its_cells),
      table_test(rows_stay_in_the_order_of_insertion),
      table_test(a_table_without_columns_holds_one_row_at_most),
      table_test(an_index_gives_the_rows_of_a_key_newest_first),
      table_test(an_index_keeps_the_order_of_its_columns),
      table_test(an_index_of_an_empty_table_finds_nothing),
      table_test(the_same_index_is_not_made_twice),
      table_test(an_index_learns_of_new_rows_when_told),
      table_test(chains_hold_every_row_however_it_grew),
      table_test(rows_per_key_is_exact_where_an_index_is),
      table_test(rows_per_key_takes_columns_for_independent_without_an_index),
      table_test(rows_per_key_without_an_index_are_one_at_least_and_more_in_larger_tables),
      table_test(rows_per_key_of_an_empty_table_is_none),
      table_test(an_index_that_was_dropped_is_made_anew),
      table_test(a_view_has_the_rows_and_the_indexes_that_are_up_to_date),
      table_test(a_closed_table_still_tells_its_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
