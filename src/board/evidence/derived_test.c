#include "board/board_fixture.h"
#include "board/evidence/derived.h"

/* Two cars; each moves across and down by itself. */
#define CARS \
  "(role robot) (role other) (axis 1) (axis 2) (axis 3) (axis 4) (axis 5) (succ 1 2) (succ 2 3) " \
  "(succ 3 4) (succ 4 5) (init (posx robot 2)) (init (posy robot 3)) (init (posx other 5)) " \
  "(init (posy other 1)) (<= (legal ?r (go ?x ?y)) (role ?r) (axis ?x) (axis ?y)) " \
  "(<= (next (posx ?r ?x)) (does ?r (go ?x ?y))) (<= (next (posy ?r ?y)) (does ?r (go ?x ?y))) " \
  "(<= (goal ?r 50) (role ?r)) (<= terminal (true over))"

static void column_and_row_in_two_relations_are_joined(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", CARS));
  assert_int_equal(f->layout.boards.count, 1);
  const board *b = &f->layout.boards.items[0];
  assert_int_equal(b->axis_count, 2);
  assert_int_equal(b->cells.count, 25);
}

/* Both facts are items of the one cell; the second draws nothing. */
static void joined_facts_stand_on_one_cell(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", CARS));
  const picture p = picture_now(f);
  assert_int_equal(p.rest.count, 0);
  assert_int_equal(p.boards.items[0].items.count, 4);
  const picture_item *first = p.boards.items[0].items.items;
  assert_int_equal(first[0].cell, first[1].cell);
  assert_false(first[0].is_blank);
  assert_true(first[1].is_blank);
  assert_string_equal(fact_text(&f->samples.fluents, first[0].fact), "(posx other 5)");
  assert_string_equal(fact_text(&f->samples.fluents, first[1].fact), "(posy other 1)");
}

static void arguments_of_moves_name_joined_cells(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", CARS));
  assert_non_null(strstr(layout_words(f), "(click 1 (go ?column1 ?row1))"));
}

static void counters_without_names_of_axes_are_not_joined(void **state) {
  board_fixture *f = *state;
  assert_true(
      lay_out(f, "circuit",
              "(role robot) (axis 1) (axis 2) (axis 3) (axis 4) (init (tea 1)) (init (milk 2)) "
              "(<= (legal robot (go ?x)) (axis ?x)) (<= (next (tea ?x)) (does robot (go ?x))) "
              "(<= (next (milk ?x)) (does robot (go ?x))) (goal robot 50) "
              "(<= terminal (true over))"));
  assert_int_equal(f->samples.derivations.count, 0);
}

/* A row of four in one fact; a move brings one of them to the front. */
#define ROW \
  "(role robot) (thing p) (thing q) (thing r) (thing s) (init (row r p s q)) " \
  "(<= (legal robot (front ?x)) (thing ?x)) " \
  "(<= (next (row ?a ?b ?c ?d)) (true (row ?a ?b ?c ?d)) (does robot (front ?a))) " \
  "(<= (next (row ?b ?a ?c ?d)) (true (row ?a ?b ?c ?d)) (does robot (front ?b))) " \
  "(<= (next (row ?c ?a ?b ?d)) (true (row ?a ?b ?c ?d)) (does robot (front ?c))) " \
  "(<= (next (row ?d ?a ?b ?c)) (true (row ?a ?b ?c ?d)) (does robot (front ?d))) " \
  "(goal robot 50) (<= terminal (true over))"

static void a_row_in_one_fact_is_a_row(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", ROW));
  const picture p = picture_now(f);
  assert_int_equal(p.boards.count, 1);
  assert_int_equal(p.rest.count, 0);
  assert_int_equal(p.boards.items[0].items.count, 4);
  static const char *const labels[] = {"r", "p", "s", "q"};
  for (uint32_t i = 0; i < 4; i++) {
    const picture_item *item = &p.boards.items[0].items.items[i];
    assert_string_equal(item->label, labels[i]);
    assert_string_equal(fact_text(&f->samples.fluents, item->fact), "(row r p s q)");
  }
}

static void layouts_of_derived_facts_are_read_again(void **state) {
  board_fixture *f = *state;
  layout again;
  layout_fault fault;
  assert_true(lay_out(f, "circuit", ROW));
  const char *words = layout_words(f);
  assert_non_null(strstr(words, "(layer (row# ?column ?_))"));
  assert_true(layout_read(&again, &f->samples, words, strlen(words), f->keep, &fault));
  f->layout = again;
  assert_string_equal(layout_words(f), words);
}

static void values_that_come_twice_are_no_row(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", STILL_GAME("(init (row a a b c))")));
  assert_int_equal(f->samples.derivations.count, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(column_and_row_in_two_relations_are_joined),
      CASE(joined_facts_stand_on_one_cell),
      CASE(arguments_of_moves_name_joined_cells),
      CASE(counters_without_names_of_axes_are_not_joined),
      CASE(a_row_in_one_fact_is_a_row),
      CASE(layouts_of_derived_facts_are_read_again),
      CASE(values_that_come_twice_are_no_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
