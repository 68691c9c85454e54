#include "board/board_fixture.h"
#include "board/cells.h"

static void assert_layout(void **state, const char *rules, const char *expected) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", rules));
  assert_string_equal(layout_words(f), expected);
}

static void a_pair_of_coordinates_that_names_one_fact_is_a_board(void **state) {
  assert_layout(state, NOUGHTS,
                "(board grid\n  (columns 1 2 3)\n  (rows 1 2 3)\n"
                "  (layer (cell ?row ?column ?_)))\n"
                "(rest turn (control ?_))\n"
                "(click 1 (put ?row1 ?column1))\n");
}

static void facts_without_coordinates_are_no_board(void **state) {
  assert_layout(state, STILL_GAME("(init (phase start)) (init (phase other)) (init ready)"), "");
}

static void a_chain_of_facts_orders_columns(void **state) {
  assert_layout(
      state,
      STILL_GAME("(next-to sun moon) (next-to moon star) (next-to star sky) (init (on star 1 x)) "
                 "(init (on sun 2 o)) (init (on moon 3 x)) (init (on sky 1 o)) (init (on moon 1 o))"
                 "(init (on sun 1 o)) (init (on star 2 x)) (init (on sky 2 x)) (init (on moon 2 x))"
                 "(init (on sun 3 x)) (init (on star 3 x)) (init (on sky 3 x))"),
      "(board grid\n  (columns sun moon star sky)\n  (rows 1 2 3)\n  (layer (on ?column ?row "
      "?_)))\n");
}

static void constants_that_name_two_coordinates_are_split(void **state) {
  assert_layout(state,
                STILL_GAME("(init (man a1 w)) (init (man a2 w)) (init (man b1 b)) (init (man b2 b))"
                           "(init (man c1 b)) (init (man c2 b))"),
                "(board grid\n  (columns a b c)\n  (rows 1 2)\n  (rows-up)\n"
                "  (layer (man ?column+row ?_)))\n");
}

static void places_that_facts_join_are_a_graph(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit",
                      STILL_GAME("(door hall kitchen) (door hall cellar) (door hall attic) "
                                 "(door attic roof) (init (in thief attic)) (init (in guard hall)) "
                                 "(init (in a kitchen)) (init (in b cellar)) (init (in c roof))")));
  assert_int_equal(f->layout.boards.count, 1);
  assert_int_equal(f->layout.boards.items[0].kind, BOARD_GRAPH);
  assert_int_equal(f->layout.boards.items[0].links.count, 4);
}

static void things_on_things_are_stacks(void **state) {
  board_fixture *f = *state;
  assert_true(
      lay_out(f, "circuit", STILL_GAME("(init (on a b)) (init (on b c)) (init (on c table))")));
  assert_int_equal(f->layout.boards.items[0].kind, BOARD_STACKS);
  const picture p = picture_now(f);
  assert_true(p.boards.items[0].height == 4);
}

static void a_value_that_fills_what_is_left_of_a_full_board_is_blank(void **state) {
  assert_layout(state,
                STILL_GAME("(init (cell 1 1 empty)) (init (cell 1 2 x)) (init (cell 2 1 o))"
                           "(init (cell 2 2 empty))"),
                "(board grid\n  (columns 1 2)\n  (rows 1 2)\n  (layer (cell ?column ?row ?_))\n"
                "  (blank empty))\n");
}

static void lines_between_neighbours_are_edges(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit",
                      STILL_GAME("(init (line 1 1 1 2)) (init (line 1 1 2 1)) (init (line 2 1 2 2))"
                                 "(init (line 1 2 2 2))")));
  const board *b = &f->layout.boards.items[0];
  assert_int_equal(b->lines, LINES_JOIN);
  assert_int_equal(b->cells.count, 4 + 4);
}

static void other_lists_of_cells_lie_side_by_side(void **state) {
  assert_layout(state,
                STILL_GAME("(init (cell 1 1 1 x)) (init (cell 1 1 2 x)) (init (cell 1 2 1 x)) "
                           "(init (cell 1 2 2 o)) (init (cell 2 1 1 x)) (init (cell 2 1 2 o)) "
                           "(init (cell 2 2 1 o)) (init (cell 2 2 2 x))"),
                "(board grid\n  (columns 1 2)\n  (rows 1 2)\n  (outer-columns 1 2)\n"
                "  (layer (cell ?column ?row ?outer-column ?_)))\n");
}

static void cells_in_lines_of_three_are_a_square(void **state) {
  assert_layout(
      state,
      STILL_GAME("(line a b c) (line d e f) (line g h i) (line a d g) (line b e h) (line c f i) "
                 "(line a e i) (line c e g) (init (free a)) (init (free b)) (init (free c)) "
                 "(init (free d)) (init (free e)) (init (free f)) (init (free g)) (init (free h)) "
                 "(init (free i))"),
      "(board grid\n  (columns a b c d e f g h i)\n  (row-width 3)\n  (layer (free "
      "?column)))\n");
}

static void cells_in_lines_on_several_boards_are_squares_side_by_side(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(
      f, "circuit",
      STILL_GAME("(line p q r) (line s t u) (line v w x) (line p s v) (line q t w) (line r u x) "
                 "(line p t x) (line r t v) (cell p) (cell q) (cell r) (cell s) (cell t) (cell u) "
                 "(cell v) (cell w) (cell x) (init (free p one)) (init (free q one)) "
                 "(init (free r one)) (init (free s one)) (init (free t one)) (init (free u one)) "
                 "(init (free v one)) (init (free w one)) (init (free x one)) "
                 "(init (free p two)) (init (free q two)) (init (free r two)) "
                 "(init (free s two)) (init (free t two)) (init (free u two)) "
                 "(init (free v two)) (init (free w two)) (init (free x two))")));
  const board *b = &f->layout.boards.items[0];
  assert_int_equal(b->row_width, 3);
  assert_int_equal(b->cells.count, 18);
  double width, height;
  board_extent(b, &width, &height);
  assert_true(height == 3 && width > 6.5 && width < 7);
}

static void a_circle_of_facts_is_a_ring_if_two_things_are_on_it(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit",
                      STILL_GAME("(door hall yard) (door yard barn) (door barn well) "
                                 "(door well hall) (room hall) (room yard) (room barn) (room well) "
                                 "(init (me hall)) (init (coin barn)) "
                                 "(<= (next (me ?x)) (true (me hall)) (room ?x)) "
                                 "(<= (next (coin ?x)) (true (coin barn)) (room ?x))")));
  const board *b = &f->layout.boards.items[0];
  assert_int_equal(f->layout.boards.count, 1);
  assert_int_equal(b->kind, BOARD_RING);
  assert_int_equal(b->layers.count, 2);
}

static void a_circle_for_one_thing_alone_is_none(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit",
                      "(role robot) (after day dusk) (after dusk night) (after night dawn) "
                      "(after dawn day) (init (now day)) (legal robot wait) (goal robot 50) "
                      "(<= (next (now ?y)) (true (now ?x)) (after ?x ?y)) "
                      "(<= terminal (true over))"));
  assert_int_equal(f->layout.boards.count, 0);
}

static void points_far_apart_are_no_coordinates(void **state) {
  assert_layout(state,
                STILL_GAME("(init (points 0 0)) (init (points 25 50)) (init (points 50 100)) "
                           "(init (points 100 0)) (init (points 25 0)) (init (points 0 100))"),
                "");
}

static void the_same_game_gets_the_same_layout(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", NOUGHTS));
  const char *first = layout_words(f);
  layout again;
  find_layout(&again, &f->survey, f->keep);
  f->layout = again;
  assert_string_equal(layout_words(f), first);
}

static void a_machine_that_does_not_ground_gives_the_same_layout(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "datalog", NOUGHTS));
  assert_non_null(strstr(layout_words(f), "(layer (cell ?row ?column ?_))"));
}

/* A machine that does not ground knows of no other cells than those it has met. */
static void cells_that_were_not_seen_are_no_holes(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "datalog",
                      STILL_GAME("(init (cell 1 1 x)) (init (cell 3 3 o)) (init (cell 2 1 x))"
                                 "(init (cell 1 3 o)) (init (cell 3 2 o)) (init (cell 2 3 o))")));
  assert_int_equal(f->layout.boards.items[0].cells.count, 9);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(a_pair_of_coordinates_that_names_one_fact_is_a_board),
      CASE(facts_without_coordinates_are_no_board),
      CASE(a_chain_of_facts_orders_columns),
      CASE(constants_that_name_two_coordinates_are_split),
      CASE(places_that_facts_join_are_a_graph),
      CASE(things_on_things_are_stacks),
      CASE(a_value_that_fills_what_is_left_of_a_full_board_is_blank),
      CASE(lines_between_neighbours_are_edges),
      CASE(other_lists_of_cells_lie_side_by_side),
      CASE(cells_in_lines_of_three_are_a_square),
      CASE(cells_in_lines_on_several_boards_are_squares_side_by_side),
      CASE(a_circle_of_facts_is_a_ring_if_two_things_are_on_it),
      CASE(a_circle_for_one_thing_alone_is_none),
      CASE(points_far_apart_are_no_coordinates),
      CASE(the_same_game_gets_the_same_layout),
      CASE(cells_that_were_not_seen_are_no_holes),
      CASE(a_machine_that_does_not_ground_gives_the_same_layout),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
