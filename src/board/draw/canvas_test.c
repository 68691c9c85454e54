#include "board/board_fixture.h"
#include "board/draw/canvas.h"

static void words_are_cut_at_the_edge(void **state) {
  board_fixture *f = *state;
  text out = text_new(f->keep);
  canvas *c = canvas_new(4, 2, f->keep);
  canvas_write(c, 2, 0, "abc");
  canvas_write(c, 0, 9, "nowhere");
  canvas_write(c, 0, 1, "x");
  canvas_print(c, &out);
  assert_string_equal(text_string(&out), "  ab\nx\n");
}

static void a_character_of_several_bytes_takes_one_place(void **state) {
  board_fixture *f = *state;
  text out = text_new(f->keep);
  canvas *c = canvas_new(3, 1, f->keep);
  canvas_write(c, 0, 0, "é♞z");
  canvas_print(c, &out);
  assert_string_equal(text_string(&out), "é♞z\n");
  assert_int_equal(text_width("é♞z"), 3);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(words_are_cut_at_the_edge),
      CASE(a_character_of_several_bytes_takes_one_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
