/* Layouts of draws: what they promise, and that they fit what is asked. */
#include "base/base_fixture.h"
#include "base/rng.h"
#include "machine/lanes/draw_layout.h"

enum { SIDE = 8, ROWS = SIDE * SIDE * 24 };

/* Every row once, in order, and no two in the same place. */
static void assert_is_layout(const draw_layout *l, arena *scratch) {
  bool *is_there = arena_zero_array(scratch, bool, l->group_count *(size_t)l->column_count);
  assert_int_equal(l->first[0], 0);
  assert_int_equal(l->first[l->group_count], l->row_count);
  for (uint32_t g = 0; g < l->group_count; g++)
    for (uint32_t i = l->first[g]; i < l->first[g + 1]; i++) {
      const uint32_t row = l->rows[i];
      bool *here = &is_there[(size_t)g * l->column_count + l->column[row]];
      assert_int_equal(l->group[row], g);
      assert_false(*here);
      *here = true;
      if (i > l->first[g]) assert_true(l->column[l->rows[i - 1]] < l->column[row]);
    }
}

/* Moves from some squares to some squares. */
typedef struct moves {
  draw_name names[ROWS];
  uint32_t from[ROWS], to[ROWS], count;
  draw_sets sets;
} moves;

static void add_set(moves *m, const uint32_t *squares, uint32_t square, arena *keep) {
  for (uint32_t i = 0; i < m->count; i++)
    if (squares[i] == square) vec_push(keep, &m->sets.rows, i);
  vec_push(keep, &m->sets.ends, m->sets.rows.count);
}

static moves *moves_new(uint64_t seed, arena *keep) {
  moves *m = arena_alloc_zero(keep, sizeof *m);
  rng r = rng_new(seed, 0);
  for (uint32_t from = 0; from < SIDE * SIDE; from++)
    for (uint32_t to = 0; to < SIDE * SIDE && m->count < ROWS; to++) {
      if (rng_below(&r, 3)) continue;
      m->names[m->count] = (draw_name){{1, 2 + from % SIDE, 2 + from / SIDE, 2 + to % SIDE}};
      m->from[m->count] = from;
      m->to[m->count++] = to;
    }
  for (uint32_t i = 0; i < SIDE * SIDE; i++) {
    add_set(m, m->from, i, keep);
    add_set(m, m->to, i, keep);
  }
  return m;
}

static void rows_are_grouped_by_what_is_asked(void **state) {
  const moves *m = moves_new(1, *state);
  const draw_layout l = draw_layout_find(m->count, m->names, &m->sets, *state);
  draw_splitter s;
  assert_is_layout(&l, *state);
  draw_splitter_init(&s, &l, *state);
  for (uint32_t set = 0, first = 0; set < m->sets.ends.count; set++) {
    const uint32_t count = m->sets.ends.items[set] - first;
    if (count > 4) assert_int_equal(draw_split(&s, vec_from(&m->sets.rows, first), count), 1);
    first = m->sets.ends.items[set];
  }
}

static void few_rows_are_a_group_each(void **state) {
  const moves *m = moves_new(2, *state);
  const draw_sets none = {0};
  const draw_layout l = draw_layout_find(9, m->names, &none, *state);
  assert_int_equal(l.group_count, 9);
  assert_int_equal(l.column_count, 1);
  assert_is_layout(&l, *state);
}

static void rows_that_nobody_groups_come_as_they_are(void **state) {
  const moves *m = moves_new(3, *state);
  draw_sets sets = {0};
  for (uint32_t i = 0; i < m->count; i++) {
    vec_push((arena *)*state, &sets.rows, i);
    vec_push((arena *)*state, &sets.ends, sets.rows.count);
  }
  const draw_layout l = draw_layout_find(m->count, m->names, &sets, *state);
  assert_is_layout(&l, *state);
  for (uint32_t i = 0; i < m->count; i++) assert_int_equal(l.rows[i], i);
}

/* Any set is exactly its pieces. */
static void pieces_are_the_set(void **state) {
  const moves *m = moves_new(4, *state);
  const draw_layout l = draw_layout_find(m->count, m->names, &m->sets, *state);
  rng r = rng_new(6, 0);
  draw_splitter s;
  draw_splitter_init(&s, &l, *state);
  for (uint32_t round = 0; round < 200; round++) {
    bool is_in[ROWS] = {0}, is_covered[ROWS] = {0};
    id_vec rows = {0};
    const uint32_t group = rng_below(&r, l.group_count), column = rng_below(&r, l.column_count);
    for (uint32_t i = 0; i < l.row_count; i++) {
      is_in[i] = l.group[i] == group || l.column[i] == column || rng_below(&r, 20) < round % 5;
      if (is_in[i]) vec_push((arena *)*state, &rows, i);
    }
    const uint32_t pieces = draw_split(&s, rows.items, rows.count);
    assert_true(pieces <= rows.count);
    assert_int_equal(pieces, s.groups.count + s.columns.count + s.rows.count);
    for (uint32_t i = 0; i < s.rows.count; i++) is_covered[s.rows.items[i]] = true;
    for (uint32_t i = 0; i < l.row_count; i++) {
      for (uint32_t k = 0; k < s.groups.count; k++)
        is_covered[i] |= l.group[i] == s.groups.items[k];
      for (uint32_t k = 0; k < s.columns.count; k++)
        is_covered[i] |= l.column[i] == s.columns.items[k];
      assert_int_equal(is_covered[i], is_in[i]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(rows_are_grouped_by_what_is_asked),
      base_test(few_rows_are_a_group_each),
      base_test(rows_that_nobody_groups_come_as_they_are),
      base_test(pieces_are_the_set),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
