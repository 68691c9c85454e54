#include "board/board_fixture.h"

static void assert_click(void **state, const char *rules, const char *expected) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", rules));
  if (!strstr(layout_words(f), expected)) assert_string_equal(layout_words(f), expected);
}

#define BOARD \
  "(role robot) (index 1) (index 2) (index 3) (index 4) (step 1 2) (step 2 3) (step 3 4)\n" \
  "(<= (init (cell ?x ?y empty)) (index ?x) (index ?y) (distinct ?x 1)) (init (cell 1 2 blob))\n" \
  "(init (cell 1 1 empty)) (init (cell 1 3 blob)) (init (cell 1 4 blob))\n" \
  "(goal robot 50) (<= terminal (true (cell 4 4 blob)))\n"

static void arguments_that_name_what_changes_are_clicks(void **state) {
  assert_click(state,
               BOARD "(<= (legal robot (fill ?x ?y)) (true (cell ?x ?y empty)))\n"
                     "(<= (next (cell ?x ?y blob)) (does robot (fill ?x ?y)))\n"
                     "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (does robot (fill ?x "
                     "?y))))",
               "(click 1 (fill ?column1 ?row1))");
}

/* The piece that is doubled stays as it is. */
static void a_cell_that_stays_is_clicked_before_one_that_changes(void **state) {
  assert_click(state,
               BOARD "(<= (legal robot (double ?x ?y ?u ?v)) (true (cell ?x ?y blob))\n"
                     "  (true (cell ?u ?v empty)))\n"
                     "(<= (filled ?u ?v) (does robot (double ?x ?y ?u ?v)))\n"
                     "(<= (next (cell ?x ?y blob)) (filled ?x ?y))\n"
                     "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (filled ?x ?y)))",
               "(click 1 1 (double ?column1 ?row1 ?column2 ?row2))");
}

static void a_lone_argument_is_a_click_on_the_column(void **state) {
  assert_click(state,
               BOARD "(<= (legal robot (drop ?x)) (true (cell ?x 4 empty)))\n"
                     "(<= (lands ?x 1) (does robot (drop ?x)) (true (cell ?x 1 empty)))\n"
                     "(<= (lands ?x ?y) (does robot (drop ?x)) (true (cell ?x ?y empty))\n"
                     "  (step ?z ?y) (true (cell ?x ?z blob)))\n"
                     "(<= (next (cell ?x ?y blob)) (lands ?x ?y))\n"
                     "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (lands ?x ?y)))",
               "(click 1 (drop ?column1))");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(arguments_that_name_what_changes_are_clicks),
      CASE(a_cell_that_stays_is_clicked_before_one_that_changes),
      CASE(a_lone_argument_is_a_click_on_the_column),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
