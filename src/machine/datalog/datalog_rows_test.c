#include "machine/datalog/datalog_rows.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CONSTANTS = 6 };

typedef struct rows_fixture {
  arena *keep;
  dl_column columns[2];
  dl_layout layout;
  dl_shape shape;
  dl_rows rows;
  uint32_t by_first, by_second;
} rows_fixture;

/* A relation of two columns over the constants 1, 3, 5 and 0, 2. */
static void fill_column(rows_fixture *f, uint32_t c, const term_id *values, uint32_t count,
                        uint32_t stride) {
  dl_column *x = &f->columns[c];
  *x = (dl_column){.value_count = count, .stride = stride};
  x->values = arena_new_array(f->keep, term_id, count);
  x->parts = arena_new_array(f->keep, uint32_t, CONSTANTS);
  x->codes = arena_new_array(f->keep, uint32_t, CONSTANTS);
  for (uint32_t i = 0; i < CONSTANTS; i++) x->parts[i] = x->codes[i] = DL_ABSENT;
  for (uint32_t i = 0; i < count; i++) {
    x->values[i] = values[i];
    x->codes[values[i]] = i;
    x->parts[values[i]] = i * stride;
  }
}

static int set_up(void **state) {
  rows_fixture *f = test_malloc(sizeof *f);
  *f = (rows_fixture){.keep = arena_new()};
  *state = f;
  return 0;
}

static void make_rows(rows_fixture *f, bool with_places) {
  fill_column(f, 0, (const term_id[]){1, 3, 5}, 3, 2);
  fill_column(f, 1, (const term_id[]){0, 2}, 2, 1);
  f->layout = (dl_layout){.arity = 2, .constant_count = CONSTANTS};
  if (with_places) {
    f->layout.size = 6;
    f->layout.columns = f->columns;
  }
  f->shape = (dl_shape){.layout = &f->layout};
  if (!with_places) dl_index_on(&f->shape, (const uint32_t[]){0, 1}, 2, f->keep);
  f->by_first = dl_index_on(&f->shape, (const uint32_t[]){0}, 1, f->keep);
  f->by_second = dl_index_on(&f->shape, (const uint32_t[]){1}, 1, f->keep);
  dl_rows_init(&f->rows, &f->shape, f->keep);
}

static int tear_down(void **state) {
  rows_fixture *f = *state;
  arena_free(f->keep);
  test_free(f);
  return 0;
}

static void add(rows_fixture *f, term_id a, term_id b) {
  dl_rows_add(&f->rows, (const term_id[]){a, b});
}

/* How many rows have this value in the second column. */
static uint32_t count_second(rows_fixture *f, term_id value) {
  const dl_index *x = &f->shape.indexes.items[f->by_second];
  dl_rows_update(&f->rows, f->by_second);
  const dl_chains *c = &f->rows.chains[f->by_second];
  uint32_t row =
      x->size ? c->first[x->parts[0][value]] : dl_rows_hashed(&f->rows, f->by_second, &value);
  uint32_t count = 0;
  for (; row != ID_NONE; row = c->older[row]) count += dl_row(&f->rows, row)[1] == value;
  return count;
}

static void assert_holds_each_row_once(rows_fixture *f) {
  for (int turn = 0; turn < 3; turn++) {
    add(f, 3, 0);
    add(f, 5, 2);
    add(f, 3, 0);
    add(f, 1, 0);
    assert_int_equal(f->rows.count, 3);
    assert_int_equal(count_second(f, 0), 2);
    add(f, 5, 0);
    assert_int_equal(count_second(f, 0), 3);
    assert_int_equal(count_second(f, 2), 1);
    dl_rows_clear(&f->rows);
    assert_int_equal(f->rows.count, 0);
    assert_int_equal(count_second(f, 0), 0);
  }
}

static void holds_each_row_once_by_its_place(void **state) {
  rows_fixture *f = *state;
  make_rows(f, true);
  assert_holds_each_row_once(f);
}

static void holds_each_row_once_by_its_hash(void **state) {
  rows_fixture *f = *state;
  make_rows(f, false);
  assert_holds_each_row_once(f);
}

static void a_place_is_taken_until_the_rows_are_emptied(void **state) {
  rows_fixture *f = *state;
  make_rows(f, true);
  add(f, 5, 0);
  assert_true(dl_has_place(&f->rows, 4));
  assert_false(dl_has_place(&f->rows, 5));
  dl_rows_clear(&f->rows);
  assert_false(dl_has_place(&f->rows, 4));
}

/* Rows come and go at random; what is there is kept by place beside. */
static void assert_rows_can_be_taken_out(rows_fixture *f) {
  enum { PLACES = 6, CHANGES = 500 };
  bool is_there[PLACES] = {false};
  rng r = rng_new(5, 0);
  for (uint32_t change = 0; change < CHANGES; change++) {
    const uint32_t place = rng_below(&r, PLACES);
    term_id row[2];
    dl_layout_row(&f->layout, place, row);
    if (is_there[place])
      dl_rows_remove(&f->rows, place);
    else
      dl_rows_push(&f->rows, row, place);
    is_there[place] = !is_there[place];
    assert_int_equal(dl_has_place(&f->rows, place), is_there[place]);
    if (rng_below(&r, 5) == 0) dl_rows_rest(&f->rows);
    if (rng_below(&r, 3) == 0) continue; /* indexes are sometimes behind */
    assert_int_equal(count_second(f, 0), is_there[0] + is_there[2] + is_there[4]);
    assert_int_equal(count_second(f, 2), is_there[1] + is_there[3] + is_there[5]);
  }
}

static void rows_can_be_taken_out_one_by_one(void **state) {
  make_rows(*state, true);
  assert_rows_can_be_taken_out(*state);
}

static void rows_that_are_tracked_can_be_taken_out(void **state) {
  rows_fixture *f = *state;
  make_rows(f, true);
  add(f, 5, 0);
  dl_rows_track(&f->rows);
  dl_rows_remove(&f->rows, 4);
  assert_int_equal(f->rows.count, 0);
  assert_rows_can_be_taken_out(f);
}

static void indexes_that_are_not_used_are_forgotten(void **state) {
  rows_fixture *f = *state;
  make_rows(f, true);
  add(f, 3, 0);
  assert_int_equal(count_second(f, 0), 1);
  f->rows.chains[f->by_second].is_used = true;
  dl_rows_rest(&f->rows);
  assert_int_equal(f->rows.chains[f->by_second].done, 1);
  dl_rows_rest(&f->rows);
  assert_int_equal(f->rows.chains[f->by_second].done, 0);
  assert_int_equal(count_second(f, 0), 1);
}

static void a_tally_is_touched_once_and_emptied_with_the_rows(void **state) {
  rows_fixture *f = *state;
  make_rows(f, true);
  dl_rows_count(&f->rows);
  dl_rows_tally(&f->rows, 4, DL_WAY);
  dl_rows_tally(&f->rows, 4, DL_WAY_LESS); /* ways may be taken away first */
  dl_rows_tally(&f->rows, 4, DL_WAY_LESS);
  dl_rows_tally(&f->rows, 4, DL_WAY);
  dl_rows_tally(&f->rows, 4, DL_WAY);
  assert_int_equal(f->rows.touched.count, 1);
  assert_int_equal(f->rows.tally[4], DL_WAY + 1);
  dl_rows_clear(&f->rows);
  assert_int_equal(f->rows.touched.count, 0);
  assert_int_equal(f->rows.tally[4], 0);
}

static void what_a_column_never_holds_has_no_place(void **state) {
  rows_fixture *f = *state;
  make_rows(f, true);
  add(f, 0, 0);
  assert_int_equal(f->rows.count, 0);
}

static void many_rows_are_found_by_hash(void **state) {
  rows_fixture *f = *state;
  make_rows(f, false);
  for (term_id i = 0; i < 5000; i++) add(f, i * 7, i % 13);
  for (term_id i = 0; i < 5000; i++)
    assert_true(dl_rows_have(&f->rows, (const term_id[]){i * 7, i % 13}));
  assert_false(dl_rows_have(&f->rows, (const term_id[]){7, 2}));
  assert_int_equal(count_second(f, 12), 384);
}

static void rows_of_a_place_are_in_the_order_of_the_columns(void **state) {
  rows_fixture *f = *state;
  term_id row[2];
  make_rows(f, true);
  dl_layout_row(&f->layout, 3, row);
  assert_int_equal(row[0], 3);
  assert_int_equal(row[1], 2);
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(holds_each_row_once_by_its_place),
      a_test(holds_each_row_once_by_its_hash),
      a_test(a_place_is_taken_until_the_rows_are_emptied),
      a_test(rows_can_be_taken_out_one_by_one),
      a_test(rows_that_are_tracked_can_be_taken_out),
      a_test(indexes_that_are_not_used_are_forgotten),
      a_test(a_tally_is_touched_once_and_emptied_with_the_rows),
      a_test(what_a_column_never_holds_has_no_place),
      a_test(many_rows_are_found_by_hash),
      a_test(rows_of_a_place_are_in_the_order_of_the_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
