/* Reading, checking and writing rules, and what is said when that fails. */
#include "api/api_fixture.h"

static const char faulty_game[] = "(role robot)\n(<= (p ?x) (not (q ?x)))\n(q 1)\n";

static void a_missing_file_is_unreadable(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read_file(&f->rules, "no/such.kif", f->log), TABIA_UNREADABLE);
  assert_null(f->rules);
  assert_int_equal(tabia_messages_count(f->log), 1);
  assert_string_equal(tabia_message_code(f->log, 0), "E701");
  assert_int_equal(tabia_message_line(f->log, 0), 0);
  assert_says(f, "no/such.kif: error: ");
}

static void a_text_that_is_no_gdl_has_a_place(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, "(role robot)\n (init (at 0)"), TABIA_FAULTY);
  assert_null(f->rules);
  assert_string_equal(tabia_message_code(f->log, 0), "E101");
  assert_int_equal(tabia_message_severity(f->log, 0), TABIA_ERROR);
  assert_int_equal(tabia_message_line(f->log, 0), 2);
  assert_int_equal(tabia_message_column(f->log, 0), 2);
  assert_string_equal(tabia_message_file(f->log, 0), "test");
  assert_says(f, "test:2:2: error: ");
}

static void faults_of_rules_are_found_by_the_check_alone(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, faulty_game), TABIA_OK);
  assert_int_equal(tabia_messages_count(f->log), 0);
  assert_int_equal(tabia_rules_check(f->rules, f->log), TABIA_FAULTY);
  assert_says(f, "[E401]");
  assert_says(f, "test:2:");
}

static void sound_rules_pass_the_check(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read_file(&f->rules, "games/tic-tac-toe.kif", f->log), TABIA_OK);
  assert_int_equal(tabia_rules_check(f->rules, f->log), TABIA_OK);
  assert_string_equal(tabia_messages_text(f->log), "");
  assert_string_equal(tabia_rules_name(f->rules), "games/tic-tac-toe.kif");
}

static void nobody_need_listen(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read_file(&f->rules, "no/such.kif", NULL), TABIA_UNREADABLE);
  assert_int_equal(tabia_rules_read_text(&f->rules, "test", "(", 1, NULL), TABIA_FAULTY);
  assert_int_equal(read_text(f, faulty_game), TABIA_OK);
  assert_int_equal(tabia_rules_check(f->rules, NULL), TABIA_FAULTY);
}

static void messages_can_be_cleared(void **state) {
  api_fixture *f = *state;
  read_text(f, "(");
  tabia_messages_clear(f->log);
  assert_int_equal(tabia_messages_count(f->log), 0);
  read_text(f, ")");
  assert_int_equal(tabia_messages_count(f->log), 1);
}

static void rules_are_written_ground(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  assert_int_equal(tabia_rules_write_ground(f->rules, "native", "kif", NULL, collect, f, f->log),
                   TABIA_OK);
  assert_non_null(strstr(f->words, "(next (at 3))"));
  assert_null(strchr(f->words, '?'));
}

static void a_circuit_is_written(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  assert_int_equal(tabia_rules_write_circuit(f->rules, "dot", NULL, collect, f, f->log), TABIA_OK);
  assert_non_null(strstr(f->words, "digraph"));
}

static void unknown_words_are_misuse(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  assert_int_equal(tabia_rules_write_ground(f->rules, "native", "xml", NULL, collect, f, f->log),
                   TABIA_MISUSE);
  assert_says(f, "there is no format `xml`");
  assert_int_equal(tabia_rules_write_ground(f->rules, "guess", "kif", NULL, collect, f, f->log),
                   TABIA_MISUSE);
  assert_says(f, "there is no method `guess`");
  assert_int_equal(tabia_rules_write_circuit(f->rules, "kif", NULL, collect, f, f->log),
                   TABIA_MISUSE);
  assert_int_equal(f->length, 0);
}

static void grounding_keeps_to_its_limits(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read_file(&f->rules, "games/chess.kif", f->log), TABIA_OK);
  tabia_limits_set_bytes(f->limits, 1 << 20);
  assert_int_equal(
      tabia_rules_write_ground(f->rules, "native", "kif", f->limits, collect, f, f->log),
      TABIA_LIMIT);
  assert_says(f, "[E802]");
  assert_null(tabia_message_hint(f->log, 0)); /* it would tell of an option of the program */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_missing_file_is_unreadable),
      a_test(a_text_that_is_no_gdl_has_a_place),
      a_test(faults_of_rules_are_found_by_the_check_alone),
      a_test(sound_rules_pass_the_check),
      a_test(nobody_need_listen),
      a_test(messages_can_be_cleared),
      a_test(rules_are_written_ground),
      a_test(a_circuit_is_written),
      a_test(unknown_words_are_misuse),
      a_test(grounding_keeps_to_its_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
