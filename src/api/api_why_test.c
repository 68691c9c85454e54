#include "api/api_fixture.h"

static tabia_why *ask(api_fixture *f, const char *literal) {
  tabia_why *why;
  assert_int_equal(tabia_why_ask(&why, f->rules, literal, f->options, f->limits, f->log), TABIA_OK);
  return why;
}

static void tells_why_a_move_is_legal(void **state) {
  api_fixture *f = *state;
  size_t start, end;
  uint32_t line;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_why *why = ask(f, "(legal robot go)");
  assert_true(tabia_why_holds(why));
  assert_string_equal(tabia_why_headline(why), "yes: (legal robot go) holds at the start");
  assert_int_equal(tabia_why_answer_count(why), 1);
  assert_string_equal(tabia_why_answer(why, 0), "(legal robot go)");
  assert_int_equal(tabia_why_step_count(why), 3);
  assert_string_equal(tabia_why_step_kind(why, 0), "rule");
  assert_true(tabia_why_step_place(why, 0, &start, &end, &line));
  assert_int_equal(line, 2);
  assert_string_equal(tabia_why_step_kind(why, 1), "fluent");
  assert_string_equal(tabia_why_step_literal(why, 1), "(true (at 0))");
  assert_int_equal(tabia_why_step_depth(why, 1), 1);
  assert_true(tabia_why_step_holds(why, 2));
  assert_string_equal(tabia_why_step_kind(why, 2), "fact");
  assert_null(tabia_why_step_words(why, 1));
  tabia_why_free(why);
}

static void tells_which_step_lost_a_fluent(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_options_set(f->options, "after", "go go");
  tabia_why *why = ask(f, "(at 0)");
  assert_false(tabia_why_holds(why));
  assert_string_equal(tabia_why_headline(why),
                      "no: (true (at 0)) does not hold after 2 steps: step 1 "
                      "lost it, robot go");
  tabia_why_free(why);
}

static void asks_what_follows_from_a_move(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_options_set(f->options, "from", "(at 2)");
  tabia_options_set(f->options, "does", "go");
  tabia_why *why = ask(f, "(next ?f)");
  assert_int_equal(tabia_why_answer_count(why), 1);
  assert_string_equal(tabia_why_answer(why, 0), "(next (at 3))");
  tabia_why_free(why);
}

static void says_what_can_never_hold(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_why *why = ask(f, "(goal robot 99)");
  assert_string_equal(tabia_why_headline(why),
                      "no: (goal robot 99) does not hold at the start: `99` can never stand there, "
                      "only 0, 40, 70, 100");
  tabia_why_free(why);
}

static void writes_every_format(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_why *why = ask(f, "(not terminal)");
  const char *const formats[] = {"text", "json", "dot"};
  const char *const starts[] = {"yes: (not terminal)", "{\"literal\":\"(not terminal)\"",
                                "digraph"};
  for (uint32_t i = 0; i < 3; i++) {
    f->length = 0;
    assert_int_equal(tabia_why_write(why, formats[i], 9, collect, f, f->log), TABIA_OK);
    assert_memory_equal(f->words, starts[i], strlen(starts[i]));
  }
  assert_int_equal(tabia_why_write(why, "tree", 9, collect, f, f->log), TABIA_MISUSE);
  tabia_why_free(why);
}

static void refuses_what_is_no_literal(void **state) {
  api_fixture *f = *state;
  tabia_why *why;
  static const char *const wrong[] = {"", "?x", "(a) (b)", "(and a b)", "((a) b)", "(p", "(?x a)"};
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(tabia_why_ask(&why, f->rules, wrong[i], NULL, NULL, f->log), TABIA_MISUSE);
    assert_null(why);
  }
  tabia_options_set(f->options, "after", "fly");
  assert_int_equal(tabia_why_ask(&why, f->rules, "terminal", f->options, NULL, f->log),
                   TABIA_FAULTY);
}

/* Wherever it is met: at the start, or while the explanation is sought. */
static void a_limit_is_no_fault_of_the_rules(void **state) {
  api_fixture *f = *state;
  tabia_status status = TABIA_LIMIT;
  assert_int_equal(tabia_rules_read_file(&f->rules, "games/chess.kif", f->log), TABIA_OK);
  for (double seconds = 1e-5; status != TABIA_OK; seconds *= 1.2) {
    tabia_why *why;
    tabia_messages_clear(f->log);
    tabia_limits_set_seconds(f->limits, seconds);
    status = tabia_why_ask(&why, f->rules, "(legal ?r ?m)", NULL, f->limits, f->log);
    tabia_why_free(why);
    if (status != TABIA_OK) assert_int_equal(status, TABIA_LIMIT);
    if (status != TABIA_OK) assert_says(f, "[E801]");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(tells_why_a_move_is_legal, set_up, tear_down),
      cmocka_unit_test_setup_teardown(tells_which_step_lost_a_fluent, set_up, tear_down),
      cmocka_unit_test_setup_teardown(asks_what_follows_from_a_move, set_up, tear_down),
      cmocka_unit_test_setup_teardown(says_what_can_never_hold, set_up, tear_down),
      cmocka_unit_test_setup_teardown(writes_every_format, set_up, tear_down),
      cmocka_unit_test_setup_teardown(refuses_what_is_no_literal, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_limit_is_no_fault_of_the_rules, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
