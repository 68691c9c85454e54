#include "board/board_fixture.h"
#include "board/draw/letters.h"

static const char *drawn(board_fixture *f, const char *words) {
  text out = text_new(f->keep);
  assert_true(lay_out(f, "circuit", words));
  const picture p = picture_now(f);
  assert_int_equal(p.boards.count, 1);
  picture_write_text(&p, &out);
  return text_string(&out);
}

#define TWO_ROLES \
  "(role white) (role black) (legal white n) (legal black n) (<= (next ?f) (true ?f))" \
  " (<= terminal (true over)) (goal white 0) (goal black 0)"
#define CELL(X, Y, WHAT) "(init (cell " #X " " #Y " " WHAT "))"

static void kinds_have_letters_and_the_first_owner_capitals(void **state) {
  const char *words = drawn(*state, TWO_ROLES CELL(1, 1, "white_king") CELL(2, 1, "black_king")
                                        CELL(3, 1, "white_knight") CELL(1, 2, "blank")
                                            CELL(2, 2, "blank") CELL(3, 2, "black_pawn"));
  assert_non_null(strstr(words, "1  K k N\n"));
  assert_non_null(strstr(words, "2  . . p\n"));
  assert_non_null(strstr(words, "\nk king, n knight, p pawn; white in capitals\n"));
}

static void an_owner_alone_is_a_kind_of_its_own(void **state) {
  const char *words =
      drawn(*state, TWO_ROLES CELL(1, 1, "white") CELL(2, 1, "black") CELL(1, 2, "blank")
                        CELL(2, 2, "block") CELL(1, 3, "blank") CELL(2, 3, "white"));
  assert_non_null(strstr(words, "1  w b\n2  . l\n3  . w\n"));
  assert_non_null(strstr(words, "\nb black, l block, w white\n"));
}

/* Small letters would not say which of the other two it is. */
static void pieces_of_three_owners_keep_their_names(void **state) {
  const char *words =
      drawn(*state, "(role white) (role black) (role green) (legal white n) (legal black n)"
                    " (legal green n) (<= (next ?f) (true ?f)) (<= terminal (true over))"
                    " (goal white 0) (goal black 0) (goal green 0)" CELL(1, 1, "black_king")
                        CELL(1, 2, "white_king") CELL(2, 1, "green_king") CELL(2, 2, "blank"));
  assert_non_null(strstr(words, "white_ki"));
  assert_non_null(strstr(words, "green_ki"));
  assert_null(strstr(words, "capitals"));
}

static void short_labels_stay_as_they_are(void **state) {
  const char *words = drawn(*state, TWO_ROLES CELL(1, 1, "wk") CELL(2, 1, "bk") CELL(1, 2, "wp")
                                        CELL(2, 2, "blank"));
  assert_non_null(strstr(words, "1  wk wp\n   1  2\n"));
  assert_null(strstr(words, "capitals"));
}

static void a_label_of_one_letter_keeps_it(void **state) {
  const char *words = drawn(*state, TWO_ROLES CELL(1, 1, "x") CELL(2, 1, "xenon") CELL(1, 2, "o")
                                        CELL(2, 2, "blank"));
  assert_non_null(strstr(words, "1  x e\n2  o .\n"));
  assert_non_null(strstr(words, "\ne xenon\n"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(kinds_have_letters_and_the_first_owner_capitals),
      CASE(an_owner_alone_is_a_kind_of_its_own),
      CASE(pieces_of_three_owners_keep_their_names),
      CASE(short_labels_stay_as_they_are),
      CASE(a_label_of_one_letter_keeps_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
