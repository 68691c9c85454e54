/* Numbers made of conjunctions against plain arithmetic, 64 cases at once. */
#include "base/base_fixture.h"
#include "machine/lanes/lane_draw.h"
#include "machine/lanes/random_aig_fixture.h"

enum { CASES = 64, BITS_MAX = 32, ROWS_MAX = 100 };

typedef struct draw_fixture {
  aig g;
  uint64_t *values; /* by node */
} draw_fixture;

static void add_inputs(aig *g, edge *edges, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) edges[i] = aig_input(g);
}

static void set_number(draw_fixture *f, const edge *bits, uint32_t count, uint32_t at,
                       uint64_t number) {
  for (uint32_t i = 0; i < count; i++) {
    uint64_t *word = &f->values[edge_node(bits[i])];
    *word = (*word & ~(UINT64_C(1) << at)) | (number >> i & 1) << at;
  }
}

static uint64_t get_number(const draw_fixture *f, const edge *bits, uint32_t count, uint32_t at) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < count; i++) number |= (edge_value(f->values, bits[i]) >> at & 1) << i;
  return number;
}

static void make_room(draw_fixture *f, arena *keep) {
  f->values = arena_zero_array(keep, uint64_t, f->g.nodes.count);
}

/* ---- products and order ---- */

static void products_are_right(void **state) {
  for (uint32_t a_bits = 1; a_bits <= 5; a_bits++)
    for (uint32_t b_bits = 1; b_bits <= 6; b_bits++) {
      draw_fixture f;
      edge a[8], b[8], product[16];
      aig_init(&f.g, *state);
      add_inputs(&f.g, a, a_bits);
      add_inputs(&f.g, b, b_bits);
      draw_multiply(&f.g, a, a_bits, b, b_bits, product);
      make_room(&f, *state);
      for (uint32_t x = 0; x < 1u << a_bits; x++) {
        for (uint32_t y = 0; y < 1u << b_bits; y++) {
          set_number(&f, a, a_bits, y, x);
          set_number(&f, b, b_bits, y, y);
        }
        aig_evaluate(&f.g, f.values);
        for (uint32_t y = 0; y < 1u << b_bits; y++)
          assert_int_equal(get_number(&f, product, a_bits + b_bits, y), x * y);
      }
    }
}

static void large_products_are_right(void **state) {
  draw_fixture f;
  rng r = rng_new(3, 0);
  edge a[13], b[24], product[37];
  aig_init(&f.g, *state);
  add_inputs(&f.g, a, 13);
  add_inputs(&f.g, b, 24);
  draw_multiply(&f.g, a, 13, b, 24, product);
  make_room(&f, *state);
  uint64_t x[CASES], y[CASES];
  for (uint32_t round = 0; round < 50; round++) {
    for (uint32_t i = 0; i < CASES; i++) {
      x[i] = rng_below(&r, 1u << 13);
      y[i] = rng_below(&r, 1u << 24);
      set_number(&f, a, 13, i, x[i]);
      set_number(&f, b, 24, i, y[i]);
    }
    aig_evaluate(&f.g, f.values);
    for (uint32_t i = 0; i < CASES; i++) assert_true(get_number(&f, product, 37, i) == x[i] * y[i]);
  }
}

static void less_is_less(void **state) {
  for (uint32_t bits = 1; bits <= 6; bits++) {
    draw_fixture f;
    edge a[8], b[8];
    aig_init(&f.g, *state);
    add_inputs(&f.g, a, bits);
    add_inputs(&f.g, b, bits);
    const edge less = draw_is_less(&f.g, a, b, bits);
    make_room(&f, *state);
    for (uint32_t x = 0; x < 1u << bits; x++) {
      for (uint32_t y = 0; y < 1u << bits; y++) {
        set_number(&f, a, bits, y, x);
        set_number(&f, b, bits, y, y);
      }
      aig_evaluate(&f.g, f.values);
      for (uint32_t y = 0; y < 1u << bits; y++)
        assert_int_equal(get_number(&f, &less, 1, y), x < y);
    }
  }
}

/* ---- choosing ---- */

typedef struct selection {
  draw_fixture f;
  edge rows[ROWS_MAX], number[BITS_MAX];
  draw_choice choice;
  draw_tree tree;
  uint32_t row_count, bit_count;
  bool holds[CASES][ROWS_MAX];
  uint32_t wanted[CASES]; /* the row that is to be chosen; ID_NONE: there is none */
  uint32_t used;          /* cases */
} selection;

static void selection_init(selection *s, draw_layout layout, arena *keep) {
  *s = (selection){.row_count = layout.row_count};
  aig_init(&s->f.g, keep);
  add_inputs(&s->f.g, s->rows, s->row_count);
  draw_tree_build(&s->tree, &s->f.g, s->rows, layout, keep);
  s->bit_count = draw_tree_root(&s->tree)->bit_count;
  add_inputs(&s->f.g, s->number, s->bit_count);
  s->choice = draw_select(&s->tree, s->number);
  make_room(&s->f, keep);
}

static bool is_chosen(const selection *s, uint32_t row, uint32_t at) {
  const draw_layout *l = &s->tree.layout;
  return (edge_value(s->f.values, s->choice.entered[l->group[row]]) &
          edge_value(s->f.values, s->choice.found[l->column[row]])) >>
             at &
         1;
}

/* The sums and the choices of all cases that were set. */
static void check_cases(selection *s) {
  aig_evaluate(&s->f.g, s->f.values);
  const edge *sum = vec_from(&s->tree.bits, draw_tree_root(&s->tree)->bits);
  for (uint32_t at = 0; at < s->used; at++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->row_count; i++) {
      count += s->holds[at][i];
      if (s->wanted[at] != ID_NONE) assert_int_equal(is_chosen(s, i, at), s->wanted[at] == i);
    }
    assert_int_equal(get_number(&s->f, sum, s->bit_count, at), count);
  }
  s->used = 0;
}

/* One case: these rows hold, and row number `number` of them is wanted. */
static void add_case(selection *s, const bool *holds, uint32_t number) {
  uint32_t before = 0, wanted = ID_NONE;
  for (uint32_t i = 0; i < s->row_count; i++) {
    const uint32_t row = s->tree.layout.rows[i];
    s->holds[s->used][row] = holds[row];
    set_number(&s->f, &s->rows[row], 1, s->used, holds[row]);
    if (holds[row] && before++ == number) wanted = row;
  }
  s->wanted[s->used] = wanted;
  set_number(&s->f, s->number, s->bit_count, s->used, number);
  if (++s->used == CASES) check_cases(s);
}

/* Every pattern, every number. */
static void few_rows_are_chosen_right(void **state) {
  selection *s = arena_alloc(*state, sizeof *s);
  for (uint32_t rows = 1; rows <= 9; rows++) {
    selection_init(s, draw_layout_in_groups(rows, 1, *state), *state);
    for (uint32_t pattern = 0; pattern < 1u << rows; pattern++) {
      bool holds[16];
      for (uint32_t i = 0; i < rows; i++) holds[i] = pattern >> i & 1;
      const uint32_t count = (uint32_t)__builtin_popcount(pattern);
      for (uint32_t number = 0; number < count + !count; number++) add_case(s, holds, number);
    }
    check_cases(s);
  }
}

static void choose_in_random_patterns(selection *s, uint32_t patterns, rng *r) {
  bool holds[ROWS_MAX];
  for (uint32_t k = 0; k < patterns; k++) {
    const uint32_t percent = k == 0 ? 100 : rng_below(r, 100);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->row_count; i++) count += holds[i] = rng_below(r, 100) < percent;
    for (uint32_t number = 0; number < count + !count; number++) add_case(s, holds, number);
  }
  check_cases(s);
}

static void any_number_of_rows_is_chosen_from_right(void **state) {
  selection *s = arena_alloc(*state, sizeof *s);
  rng r = rng_new(4, 0);
  for (uint32_t rows = 1; rows <= 40; rows++) {
    selection_init(s, draw_layout_in_groups(rows, 1 + rows / 4, *state), *state);
    choose_in_random_patterns(s, 60, &r);
  }
  selection_init(s, draw_layout_in_groups(ROWS_MAX, 15, *state), *state);
  choose_in_random_patterns(s, 300, &r);
}

/* Groups of any size, one of them much larger than the others, with gaps in their columns. */
static void rows_are_chosen_right_in_any_layout(void **state) {
  selection *s = arena_alloc(*state, sizeof *s);
  rng r = rng_new(5, 0);
  uint32_t by_name = 0;
  for (uint32_t round = 0; round < 40; round++) {
    draw_name names[ROWS_MAX];
    draw_sets sets = {0};
    const uint32_t rows = 32 + rng_below(&r, ROWS_MAX - 32), groups = 2 + rng_below(&r, 9);
    for (uint32_t i = 0; i < rows; i++)
      names[i] = (draw_name){{1, rng_below(&r, 2) ? 0 : rng_below(&r, groups), i}};
    for (uint32_t g = 0; g < groups; g++)
      for (uint32_t copy = 0; copy < 40; copy++) { /* so that they are worth a layout */
        for (uint32_t i = 0; i < rows; i++)
          if (names[i].words[1] == g) vec_push((arena *)*state, &sets.rows, i);
        vec_push((arena *)*state, &sets.ends, sets.rows.count);
      }
    const draw_layout l = draw_layout_find(rows, names, &sets, *state);
    by_name += l.column_count != 15;
    selection_init(s, l, *state);
    choose_in_random_patterns(s, 30, &r);
  }
  assert_true(by_name > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(products_are_right),
      base_test(large_products_are_right),
      base_test(less_is_less),
      base_test(few_rows_are_chosen_right),
      base_test(any_number_of_rows_is_chosen_from_right),
      base_test(rows_are_chosen_right_in_any_layout),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
