#include "read/clause_cells.h"

#include "base/base_fixture.h"

typedef struct cells_fixture {
  arena *keep;
  symbol_table *symbols;
  clause_cells c;
} cells_fixture;

static int open_cells(void **state) {
  arena *keep = arena_new();
  cells_fixture *f = arena_alloc_zero(keep, sizeof *f);
  f->keep = keep;
  f->symbols = symbols_new(keep);
  f->c.scratch = keep;
  *state = f;
  return 0;
}

static int close_cells(void **state) {
  arena_free(((cells_fixture *)*state)->keep);
  return 0;
}

static cell_id named(cells_fixture *f, const char *name, uint32_t start) {
  return cell_new(&f->c, symbol_intern(f->symbols, slice_of(name)), (span){start, start + 1});
}

static const char *name_of(const cells_fixture *f, cell_id id) {
  const slice name = symbol_name(f->symbols, cell_at(&f->c, id)->symbol);
  return arena_copy_text(f->keep, name.start, name.length);
}

static void names_for_blanks_are_not_those_of_the_clause(void **state) {
  cells_fixture *f = *state;
  const cell_id first = cell_new(&f->c, SYM_FRESH, SPAN_NONE);
  const cell_id own = named(f, "?_3", 0), other = named(f, "?_x", 0);
  const cell_id second = cell_new(&f->c, SYM_FRESH, SPAN_NONE);
  cells_name_fresh(&f->c, f->symbols);
  assert_string_equal(name_of(f, first), "?_4");
  assert_string_equal(name_of(f, second), "?_5");
  assert_string_equal(name_of(f, own), "?_3");
  assert_string_equal(name_of(f, other), "?_x");
}

/* (p (q a) b), made from the inside. */
static void lists_are_written_with_their_ends(void **state) {
  cells_fixture *f = *state;
  const symbol_id p = symbol_intern(f->symbols, slice_of("p"));
  const symbol_id q = symbol_intern(f->symbols, slice_of("q"));
  const cell_id inner = cell_new_list(&f->c, q, (span){4, 5});
  cell_append(&f->c, inner, named(f, "a", 6));
  const cell_id outer = cell_new_list(&f->c, p, (span){1, 2});
  cell_append(&f->c, outer, inner);
  cell_append(&f->c, outer, named(f, "b", 8));
  tree t = {0};
  vec_reserve(f->keep, &t.nodes, 8);
  cells_write(&f->c, outer, &t, f->keep);
  static const uint32_t ends[] = {6, 2, 5, 4, 5, 6};
  assert_int_equal(t.nodes.count, 6);
  for (node_id n = 0; n < 6; n++) assert_int_equal(t.nodes.items[n].after, ends[n]);
  assert_int_equal(cell_functor(&f->c, outer), p);
  assert_int_equal(t.nodes.items[0].where.end, 9);
  assert_int_equal(t.nodes.items[2].where.end, 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(names_for_blanks_are_not_those_of_the_clause, open_cells,
                                      close_cells),
      cmocka_unit_test_setup_teardown(lists_are_written_with_their_ends, open_cells, close_cells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
