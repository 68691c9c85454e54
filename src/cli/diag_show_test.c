#include "cli/diag_show.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct show_fixture {
  arena *keep;
  source s;
  diag_sink d;
} show_fixture;

static int set_up(void **state) {
  show_fixture *f = test_malloc(sizeof *f);
  *f = (show_fixture){.keep = arena_new()};
  diag_sink_init(&f->d, f->keep);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  show_fixture *f = *state;
  arena_free(f->keep);
  test_free(f);
  return 0;
}

static void load(show_fixture *f, const char *words) {
  f->s = source_of("game", words, (uint32_t)strlen(words));
  source_index_lines(&f->s, f->keep);
}

static const char *shown(show_fixture *f, bool colour) {
  char *bytes;
  size_t length;
  FILE *out = open_memstream(&bytes, &length);
  const diag_view view = {.source = &f->s, .out = out, .colour = colour, .least = SEVERITY_NOTE};
  diag_show_all(&view, &f->d);
  fclose(out);
  const char *copy = arena_copy_text(f->keep, bytes, length);
  free(bytes);
  return copy;
}

static void marks_the_place_under_its_line(void **state) {
  show_fixture *f = *state;
  load(f, "(p a)\n(q ?x b)\n");
  diag *g = diag_add(&f->d, DIAG_E404, (span){9, 11}, "a variable");
  diag_relate(&f->d, g, (span){0, 5}, "compare this");
  diag_hint(&f->d, g, "remove it");
  assert_string_equal(shown(f, false), "game:2:4: error: a variable [E404]\n"
                                       "    2 | (q ?x b)\n"
                                       "      |    ^~\n"
                                       "game:1:1: note: compare this\n"
                                       "    1 | (p a)\n"
                                       "      | ^~~~~\n"
                                       "      = hint: remove it\n");
}

static void a_fault_of_the_whole_file_has_no_line(void **state) {
  show_fixture *f = *state;
  load(f, "(p a)\n");
  diag_add(&f->d, DIAG_E601, (span){0, 0}, "no role");
  assert_string_equal(shown(f, false), "game:1:1: error: no role [E601]\n");
}

static void a_fault_without_a_place_has_no_number(void **state) {
  show_fixture *f = *state;
  load(f, "");
  diag_add(&f->d, DIAG_E701, SPAN_NONE, "cannot read it");
  assert_string_equal(shown(f, false), "game: error: cannot read it [E701]\n");
}

static void a_place_over_several_lines_is_marked_on_its_first(void **state) {
  show_fixture *f = *state;
  load(f, "  (p\n a)\n");
  diag_add(&f->d, DIAG_W607, (span){2, 8}, "again");
  assert_string_equal(shown(f, false), "game:1:3: warning: again [W607]\n"
                                       "    1 |   (p\n"
                                       "      |   ^~\n");
}

static void tabs_and_odd_bytes_take_one_column(void **state) {
  show_fixture *f = *state;
  load(f, "\t\xc3\xa9\xff(p)\n");
  diag_add(&f->d, DIAG_W607, (span){4, 7}, "again");
  assert_string_equal(shown(f, false), "game:1:4: warning: again [W607]\n"
                                       "    1 |  \xc3\xa9\xef\xbf\xbd(p)\n"
                                       "      |    ^~~\n");
}

static void a_long_line_is_shown_through_a_window(void **state) {
  show_fixture *f = *state;
  char *line = arena_alloc(f->keep, 501);
  memset(line, 'a', 500);
  line[500] = '\0';
  line[300] = 'B';
  load(f, line);
  diag_add(&f->d, DIAG_W607, (span){300, 301}, "here");
  const char *out = shown(f, false);
  const char *caret = strchr(out, '^');
  const char *mark = strchr(out, 'B');
  assert_non_null(strstr(out, "| ...aaa"));
  assert_non_null(strstr(out, "aaa...\n"));
  const char *line_start = strchr(out, '\n') + 1;
  const char *caret_start = strchr(line_start, '\n') + 1;
  assert_int_equal(mark - line_start, caret - caret_start);
}

static void colours_surround_the_severity_and_the_caret(void **state) {
  show_fixture *f = *state;
  load(f, "(p)\n");
  diag_add(&f->d, DIAG_E404, (span){0, 3}, "x");
  assert_string_equal(shown(f, true), "game:1:1: \033[1;31merror:\033[0m x [E404]\n"
                                      "    1 | (p)\n"
                                      "      | \033[1;31m^~~\033[0m\n");
}

static void json_has_both_ends_of_each_place(void **state) {
  show_fixture *f = *state;
  load(f, "(p\n a)\n");
  diag *g = diag_add(&f->d, DIAG_W607, (span){0, 6}, "say \"it\"");
  diag_relate(&f->d, g, SPAN_NONE, "there");
  text out = text_new(f->keep);
  json_writer w = json_to(&out);
  diag_write_json(&w, NULL, &f->s, &f->d);
  assert_string_equal(
      text_string(&out),
      "[{\"code\":\"W607\",\"severity\":\"warning\",\"line\":1,\"column\":1,"
      "\"end_line\":2,\"end_column\":4,\"message\":\"say \\\"it\\\"\",\"hint\":null,"
      "\"related\":[{\"line\":null,\"column\":null,\"end_line\":null,"
      "\"end_column\":null,\"message\":\"there\"}]}]");
}

#define show_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      show_test(marks_the_place_under_its_line),
      show_test(a_fault_of_the_whole_file_has_no_line),
      show_test(a_fault_without_a_place_has_no_number),
      show_test(a_place_over_several_lines_is_marked_on_its_first),
      show_test(tabs_and_odd_bytes_take_one_column),
      show_test(a_long_line_is_shown_through_a_window),
      show_test(colours_surround_the_severity_and_the_caret),
      show_test(json_has_both_ends_of_each_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
