#include "board/board_fixture.h"

static void what_is_written_reads_back(void **state) {
  board_fixture *f = *state;
  layout_fault fault;
  assert_true(lay_out(f, "circuit", NOUGHTS));
  const char *written = layout_words(f);
  assert_true(layout_read(&f->layout, &f->samples, written, strlen(written), f->keep, &fault));
  assert_string_equal(layout_words(f), written);
}

static void a_corrected_layout_is_drawn(void **state) {
  board_fixture *f = *state;
  layout_fault fault;
  const char *words = "(board grid (columns 3 2 1) (rows 1 2 3) (rows-up)\n"
                      "  (layer (cell ?column ?row ?_)) (cells (1 1) (2 2)))";
  assert_true(lay_out(f, "circuit", NOUGHTS));
  assert_true(layout_read(&f->layout, &f->samples, words, strlen(words), f->keep, &fault));
  const board *b = &f->layout.boards.items[0];
  assert_int_equal(b->cells.count, 2);
  assert_true(b->cells.items[1].x == 2 && b->cells.items[1].y == 2);
}

static void assert_fault(board_fixture *f, const char *words, uint32_t line, const char *expected) {
  layout_fault fault = {0};
  assert_false(layout_read(&f->layout, &f->samples, words, strlen(words), f->keep, &fault));
  assert_string_equal(fault.words, expected);
  assert_int_equal(fault.line, line);
}

static void faults_are_told_with_their_line(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", NOUGHTS));
  assert_fault(f, "\n(bord)", 2, "a layout has boards, rest and clicks");
  assert_fault(f, "(board", 1, "this is not KIF");
  assert_fault(f, "(board cube)", 1, "there is no kind of board `cube`");
  assert_fault(f, "(board grid)", 1, "a board needs columns");
  assert_fault(f, "(board grid (columns 1))", 1, "a board needs a layer");
  assert_fault(f, "(board grid (columns 1) x)", 1,
               "a part of a board is a list that begins with a word");
  assert_fault(f, "(board grid (columns 1)\n(layer (cells ?column)))", 2,
               "the game has nothing of the form (cells ?)");
  assert_fault(f, "(board grid (columns 1) (rows 1)\n(layer (cell ?column ?_ ?_)))", 2,
               "?row is missing");
  assert_fault(f, "(board grid (columns 1) (colour red))", 1, "a board has no part `colour`");
  assert_fault(f, "(rest turn)", 1, "(rest KIND PATTERN)");
  assert_fault(f, "(rest life (control ?_))", 1, "there is no kind of facts `life`");
  assert_fault(f, "(click 1 (put ?row1 ?column1))", 1, "there is no board 1");
}

/* Whatever is cut away or doubled, reading ends with a layout or with a fault. */
static void damaged_layouts_do_no_harm(void **state) {
  board_fixture *f = *state;
  assert_true(lay_out(f, "circuit", NOUGHTS));
  const char *written = layout_words(f);
  const size_t length = strlen(written);
  for (size_t cut = 0; cut < length; cut++)
    for (size_t gap = 1; gap < 30 && cut + gap < length; gap += 7) {
      text words = text_new(f->keep);
      layout_fault fault = {0};
      text_add_bytes(&words, written, cut);
      text_add(&words, written + cut + gap);
      const bool ok =
          layout_read(&f->layout, &f->samples, text_string(&words), words.length, f->keep, &fault);
      assert_true(ok || fault.words);
      if (!ok) continue;
      picture p = picture_now(f);
      picture_write_svg(&p, &words);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(what_is_written_reads_back),
      CASE(a_corrected_layout_is_drawn),
      CASE(faults_are_told_with_their_line),
      CASE(damaged_layouts_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
