#include "board/board_fixture.h"

/* A robot on four columns of four rows. */
#define FIELD \
  "(role robot) (index 1) (index 2) (index 3) (index 4) (succ 1 2) (succ 2 3) (succ 3 4) " \
  "(init (at robot 2 2)) (<= (legal robot (go ?x ?y)) (index ?x) (index ?y)) " \
  "(<= (next (at robot ?x ?y)) (does robot (go ?x ?y))) (goal robot 50) (<= terminal (true over)) "

#define WALLS_OF_STATES \
  FIELD "(init (blockednorth 1 1)) (init (blockednorth 2 3)) (init (blockednorth 4 2)) " \
        "(init (blockedeast 1 1)) (init (blockedeast 3 4)) " \
        "(<= (next (blockednorth ?x ?y)) (true (blockednorth ?x ?y))) " \
        "(<= (next (blockedeast ?x ?y)) (true (blockedeast ?x ?y))) "

/* No wall is north of row 4, so that is the upper one. */
static void facts_that_name_a_side_are_walls(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", WALLS_OF_STATES));
  assert_int_equal(f->layout.boards.count, 1);
  assert_true(f->layout.boards.items[0].rows_up);
  const picture p = picture_now(f);
  assert_int_equal(p.boards.items[0].walls.count, 5);
  assert_int_equal(p.rest.count, 0);
}

static void a_wall_lies_between_two_cells(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", FIELD "(wall 1 1 2 1) (wall 3 2 3 3)"));
  const picture p = picture_now(f);
  const picture_board *b = &p.boards.items[0];
  assert_int_equal(b->walls.count, 2);
  const picture_wall *first = &b->walls.items[0], *second = &b->walls.items[1];
  assert_true(first->x == 0.5 && first->x2 == 0.5 && first->y2 - first->y == 1);
  assert_true(second->y == second->y2 && second->x == 1.5 && second->x2 == 2.5);
}

static void facts_of_cells_that_rules_ask_for_are_tints(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit",
                      FIELD "(safe 1 4) (safe 2 4) "
                            "(<= won (true (at robot ?x ?y)) (safe ?x ?y))"));
  const board *b = &f->layout.boards.items[0];
  assert_int_equal(b->tints.count, 2);
  assert_string_equal(b->tints.items[0].name, "safe");
}

static void an_order_of_coordinates_is_no_tint(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", FIELD "(<= odd (true (at robot ?x ?y)) (succ ?x ?y))"));
  assert_int_equal(f->layout.boards.items[0].tints.count, 0);
}

static void assert_read_again(void **state, const char *rules, const char *part) {
  board_fixture *f = *state;
  layout again;
  layout_fault fault;
  assert_true(lay_out(f, "circuit", rules));
  const char *words = layout_words(f);
  assert_non_null(strstr(words, part));
  assert_true(layout_read(&again, &f->samples, words, strlen(words), f->keep, &fault));
  f->layout = again;
  assert_string_equal(layout_words(f), words);
}

static void layers_of_walls_are_read_again(void **state) {
  assert_read_again(state, WALLS_OF_STATES, "(layer (blockednorth ?column ?row) up)");
}

static void walls_are_read_again(void **state) {
  assert_read_again(state, FIELD "(wall 1 1 2 1)", "(wall right (1 1))");
}

static void tints_are_read_again(void **state) {
  assert_read_again(state, FIELD "(safe 1 4) (<= won (true (at robot ?x ?y)) (safe ?x ?y))",
                    "(tint safe (1 4))");
}

/* Where only text is shown, walls are, too. */
static void text_marks_walls(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", WALLS_OF_STATES));
  const picture p = picture_now(f);
  text out = text_new(f->keep);
  picture_write_text(&p, &out);
  assert_non_null(strchr(text_string(&out), '^'));
  assert_non_null(strchr(text_string(&out), ']'));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(facts_that_name_a_side_are_walls),
      CASE(a_wall_lies_between_two_cells),
      CASE(facts_of_cells_that_rules_ask_for_are_tints),
      CASE(an_order_of_coordinates_is_no_tint),
      CASE(layers_of_walls_are_read_again),
      CASE(walls_are_read_again),
      CASE(tints_are_read_again),
      CASE(text_marks_walls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
