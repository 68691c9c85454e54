#include "board/board_fixture.h"

#include <math.h>

static const board_cell *cell_called(const board_fixture *f, const char *name) {
  const board *b = &f->layout.boards.items[0];
  const value_id key = names_find(&f->samples.fluents.values, name, strlen(name));
  const uint32_t cell = board_find(b, &key);
  assert_int_not_equal(cell, ID_NONE);
  return &b->cells.items[cell];
}

static double distance(const board_fixture *f, const char *a, const char *b) {
  const board_cell *x = cell_called(f, a), *y = cell_called(f, b);
  return hypot(x->x - y->x, x->y - y->y);
}

/* A hexagon in the middle of six others: w has p, q above it, o and e beside it, t, z below. */
#define FLOWER \
  "(init (at w me)) (init (at o no)) (init (at e no)) (init (at p no)) (init (at q no)) " \
  "(init (at t no)) (init (at z no))"

static void three_directions_make_hexagons(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit",
                      STILL_GAME(FLOWER "(ahead o w) (ahead w e) (ahead p q) (ahead t z) "
                                        "(aside p w) (aside w z) (aside o t) (aside q e) "
                                        "(across q w) (across w t) (across p o) (across e z)")));
  assert_int_equal(f->layout.boards.count, 1);
  assert_int_equal(f->layout.boards.items[0].kind, BOARD_HEXAGONS);
  static const char *const around[] = {"o", "e", "p", "q", "t", "z"};
  for (uint32_t i = 0; i < 6; i++) assert_true(fabs(distance(f, "w", around[i]) - 1) < 0.01);
  assert_true(distance(f, "o", "e") > 1.9);
}

static void two_directions_make_squares(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit",
                      STILL_GAME("(init (at a x)) (init (at b o)) (init (at c x)) (init (at d o)) "
                                 "(init (at e x)) (init (at f o)) (step north d a) "
                                 "(step north e b) (step north f c) (step east a b) (step east b c)"
                                 "(step east d e) (step east e f)")));
  assert_int_equal(f->layout.boards.items[0].kind, BOARD_GRID);
  assert_true(cell_called(f, "a")->y < cell_called(f, "d")->y);
  assert_true(cell_called(f, "a")->x < cell_called(f, "b")->x);
  assert_true(distance(f, "c", "d") > 2.2);
}

/* b1 and b2 lie under a1, d1 and d2 under c2: rows are as long as they have names. */
static void names_that_steps_contradict_tell_places_in_rows(void **state) {
  board_fixture *f = *state;
  assert_true(
      lay_out(f, "circuit",
              STILL_GAME("(init (at a1 x)) (init (at b1 o)) (init (at b2 o)) (init (at c1 x)) "
                         "(init (at c2 x)) (init (at c3 x)) (init (at d1 x)) (init (at d2 x)) "
                         "(left a1 b1) (left b1 c1) (left b2 c2) (left c2 d1) (left c3 d2) "
                         "(right a1 b2) (right b1 c2) (right b2 c3) (right c1 d1) (right c2 d2)")));
  assert_int_equal(f->layout.boards.items[0].kind, BOARD_HEXAGONS);
  assert_true(cell_called(f, "a1")->x == cell_called(f, "c2")->x);
  assert_true(fabs(distance(f, "a1", "b2") - 1) < 0.01);
  assert_true(fabs(distance(f, "c2", "d1") - 1) < 0.01);
}

static void names_that_steps_bear_out_are_coordinates(void **state) {
  board_fixture *f = *state;
  assert_true(
      lay_out(f, "circuit",
              STILL_GAME("(init (at a1 x)) (init (at b1 o)) (init (at b2 o)) (init (at a2 x)) "
                         "(init (at c1 x)) (init (at c2 x)) (up a1 a2) (up b1 b2) (up c1 c2) "
                         "(on a1 b1) (on b1 c1) (on a2 b2) (on b2 c2)")));
  assert_int_equal(f->layout.boards.items[0].axis_count, 2);
}

static void directions_that_contradict_each_other_are_no_lattice(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit",
                      STILL_GAME(FLOWER "(ahead o w) (ahead w e) (ahead e p) (ahead p q) "
                                        "(aside o p) (aside w q) (aside e t) (aside z o)")));
  assert_true(!f->layout.boards.count || !f->layout.boards.items[0].has_places);
}

static void places_are_written_and_read(void **state) {
  board_fixture *f = *state;
  layout again;
  layout_fault fault;
  assert_true(lay_out(f, "circuit",
                      STILL_GAME(FLOWER "(ahead o w) (ahead w e) (ahead p q) (ahead t z) "
                                        "(aside p w) (aside w z) (aside o t) (aside q e)")));
  const char *words = layout_words(f);
  assert_non_null(strstr(words, "(places"));
  assert_true(layout_read(&again, &f->samples, words, strlen(words), f->keep, &fault));
  f->layout = again;
  assert_string_equal(layout_words(f), words);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(three_directions_make_hexagons),
      CASE(two_directions_make_squares),
      CASE(names_that_steps_contradict_tell_places_in_rows),
      CASE(names_that_steps_bear_out_are_coordinates),
      CASE(directions_that_contradict_each_other_are_no_lattice),
      CASE(places_are_written_and_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
