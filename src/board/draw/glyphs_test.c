#include "board/board_fixture.h"

static glyph look(board_fixture *f, bool has_letters, const char *const *words) {
  value_id values[8];
  uint32_t count = 0;
  for (; words[count]; count++)
    values[count] = names_add(&f->samples.fluents.values, words[count], strlen(words[count]));
  return glyph_of(&f->samples, has_letters, values, count, f->keep);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void assert_glyph(glyph g, glyph_kind kind, const char *words, const char *colour) {
  assert_int_equal(g.kind, kind);
  assert_string_equal(g.text, words);
  assert_string_equal(g.colour, colour);
}

static void open_roles(board_fixture *f) {
  assert_true(lay_out(f, "circuit",
                      "(role white) (role black) (init a) (legal white n) (legal black n) "
                      "(next a) (<= terminal (true b)) (goal white 0) (goal black 0)"));
}

static void chess_pieces_have_their_own_signs(void **state) {
  board_fixture *f = *state;
  open_roles(f);
  assert_glyph(look(f, false, WORDS("black", "knight")), GLYPH_CHESS, "♞", "black");
  assert_glyph(look(f, true, WORDS("wq")), GLYPH_CHESS, "♛", "white");
}

static void a_role_alone_is_a_disc_of_its_colour(void **state) {
  board_fixture *f = *state;
  open_roles(f);
  assert_glyph(look(f, false, WORDS("white")), GLYPH_DISC, "", "white");
  assert_glyph(look(f, false, WORDS("w")), GLYPH_DISC, "", "white");
  assert_glyph(look(f, false, WORDS("black", "man")), GLYPH_DISC, "", "black");
}

static void crosses_noughts_and_numbers_look_like_themselves(void **state) {
  board_fixture *f = *state;
  open_roles(f);
  assert_glyph(look(f, false, WORDS("x")), GLYPH_CROSS, "", "blue");
  assert_glyph(look(f, false, WORDS("o")), GLYPH_CIRCLE, "", "red");
  assert_glyph(look(f, false, WORDS("12")), GLYPH_TEXT, "12", "black");
}

static void other_words_are_written_on_chips(void **state) {
  board_fixture *f = *state;
  open_roles(f);
  assert_int_equal(look(f, false, WORDS("wall")).kind, GLYPH_CHIP);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(chess_pieces_have_their_own_signs),
      CASE(a_role_alone_is_a_disc_of_its_colour),
      CASE(crosses_noughts_and_numbers_look_like_themselves),
      CASE(other_words_are_written_on_chips),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
