/* Boards through the header. */
#include "api/api_fixture.h"

static tabia_board *open_board(api_fixture *f, const char *game) {
  tabia_board *b;
  assert_int_equal(tabia_rules_read(&f->rules, game, f->log), TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "circuit", NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_board_new(&b, f->machine, f->limits, f->log), TABIA_OK);
  return b;
}

static void a_position_is_drawn_in_three_formats(void **state) {
  api_fixture *f = *state;
  tabia_board *b = open_board(f, "tic-tac-toe");
  uint64_t position[POSITION_MAX / sizeof(uint64_t)];
  tabia_position_start(f->machine, position);
  assert_int_equal(tabia_board_draw(b, position, "text", collect, f, f->log), TABIA_OK);
  assert_string_equal(f->words, "1  . . .\n2  . . .\n3  . . .\n   1 2 3\n\ncontrol: x\n");
  f->length = 0;
  assert_int_equal(tabia_board_draw(b, position, "svg", collect, f, f->log), TABIA_OK);
  assert_int_equal(strncmp(f->words, "<svg ", 5), 0);
  f->length = 0;
  assert_int_equal(tabia_board_draw(b, position, "json", collect, f, f->log), TABIA_OK);
  assert_int_equal(strncmp(f->words, "{\"boards\":[{\"relation\":\"mark\"", 28), 0);
  assert_int_equal(tabia_board_draw(b, position, "gif", collect, f, f->log), TABIA_MISUSE);
  tabia_board_free(b);
}

static void a_layout_is_written_and_read_again(void **state) {
  api_fixture *f = *state;
  tabia_board *b = open_board(f, "connect-four"), *again;
  tabia_board_write_layout(b, collect, f);
  assert_int_equal(tabia_board_read(&again, f->machine, "mine", f->words, f->length, NULL, f->log),
                   TABIA_OK);
  tabia_board_free(again);
  assert_int_equal(tabia_board_read(&again, f->machine, "mine", "\n(bord)", 7, NULL, f->log),
                   TABIA_UNREADABLE);
  assert_null(again);
  assert_string_equal(tabia_message_text(f->log, 0),
                      "mine:2: a layout has boards, rest and clicks");
  tabia_board_free(b);
}

static void what_is_proved_of_a_board_is_certain(void **state) {
  api_fixture *f = *state;
  tabia_board *b = open_board(f, "tic-tac-toe");
  uint64_t position[POSITION_MAX / sizeof(uint64_t)];
  tabia_position_start(f->machine, position);
  tabia_board_draw(b, position, "json", collect, f, f->log);
  assert_non_null(strstr(f->words, "\"certain\":false"));
  f->length = 0;
  tabia_board_prove(b, NULL);
  tabia_board_draw(b, position, "json", collect, f, f->log);
  assert_non_null(strstr(f->words, "\"certain\":true"));
  tabia_board_free(b);
}

/* `reference` looks at its limits for every state that it is asked about. */
static void a_board_needs_no_limits_after_it_was_made(void **state) {
  api_fixture *f = *state;
  tabia_board *b;
  uint64_t position[POSITION_MAX / sizeof(uint64_t)];
  tabia_limits *limits = tabia_limits_new();
  assert_int_equal(tabia_rules_read(&f->rules, "tic-tac-toe", f->log), TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "reference", NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_board_new(&b, f->machine, limits, f->log), TABIA_OK);
  tabia_limits_cancel(limits);
  tabia_limits_free(limits);
  tabia_position_start(f->machine, position);
  for (uint32_t i = 0; i < 3; i++)
    assert_int_equal(tabia_board_draw(b, position, "text", collect, f, f->log), TABIA_OK);
  tabia_board_free(b);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(a_position_is_drawn_in_three_formats),
      CASE(a_layout_is_written_and_read_again),
      CASE(what_is_proved_of_a_board_is_certain),
      CASE(a_board_needs_no_limits_after_it_was_made),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
