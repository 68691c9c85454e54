#include "board/board_fixture.h"
#include "board/draw/svg_page.h"

static void marks_of_markup_become_entities(void **state) {
  board_fixture *f = *state;
  text out = text_new(f->keep);
  xml_add(&out, "<a b=\"c\" d='e'>&f");
  assert_string_equal(text_string(&out), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;f");
}

static void words_and_titles_are_escaped(void **state) {
  board_fixture *f = *state;
  text out = text_new(f->keep);
  svg_page s = {&out};
  svg_open_group(&s, "</title><script>");
  svg_words(&s, "word", NULL, 1, 2, 10, "</text>");
  svg_close_group(&s);
  assert_string_equal(
      text_string(&out),
      "<g><title>&lt;/title&gt;&lt;script&gt;</title>\n"
      "<text class=\"word\" x=\"1\" y=\"5.5\" font-size=\"10\">&lt;/text&gt;</text>\n"
      "</g>\n");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(marks_of_markup_become_entities),
      CASE(words_and_titles_are_escaped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
