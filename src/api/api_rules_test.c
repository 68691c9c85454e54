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
  assert_non_null(f->rules);
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

static void a_text_that_cannot_be_read_whole_can_be_asked(void **state) {
  api_fixture *f = *state;
  size_t length;
  assert_int_equal(read_text(f, "(role robot)\n(init (at 0)"), TABIA_FAULTY);
  assert_false(tabia_rules_is_whole(f->rules));
  assert_string_equal(tabia_rules_text(f->rules, &length), "(role robot)\n(init (at 0)");
  assert_int_equal(length, 25);
  tabia_info *info = tabia_info_new(f->rules, f->log);
  assert_string_equal(tabia_info_role(info, 0), "robot");
  tabia_info_free(info);
  assert_int_equal(tabia_rules_check(f->rules, NULL), TABIA_FAULTY);
  assert_int_equal(write_stage(f, "terms"), TABIA_FAULTY);
  assert_non_null(strstr(f->words, "(role robot)"));
  tabia_messages_clear(f->log);
  assert_int_equal(write_stage(f, "ground"), TABIA_FAULTY);
  assert_says(f, "[E101]");
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "auto", NULL, f->log), TABIA_FAULTY);
  assert_null(f->machine);
}

static void a_built_in_game_is_read_by_its_name(void **state) {
  api_fixture *f = *state;
  size_t length;
  assert_int_equal(tabia_rules_read(&f->rules, "nim", f->log), TABIA_OK);
  assert_string_equal(tabia_rules_notation(f->rules), "kif");
  const uint32_t i = tabia_game_find("nim");
  assert_string_equal(tabia_game_name(i), "nim");
  assert_non_null(tabia_game_text(i, &length));
  assert_true(length > 100);
  assert_false(tabia_game_is_faulty(i));
  assert_true(tabia_game_is_faulty(tabia_game_find("faulty/unsafe-negation")));
  assert_int_equal(tabia_game_find("no-such-game"), tabia_game_count());
  assert_null(tabia_game_name(tabia_game_count()));
}

static void a_name_that_is_nearly_a_game_gets_a_hint(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read(&f->rules, "tic-tac-to", f->log), TABIA_UNREADABLE);
  assert_says(f, "did you mean the built-in game `tic-tac-toe`?");
}

static void rules_are_laid_out_in_either_notation(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, "(role   robot) ; one\n(<= (p ?x) (q ?x))"), TABIA_OK);
  assert_int_equal(tabia_rules_format(f->rules, "prolog", collect, f, f->log), TABIA_OK);
  assert_non_null(strstr(f->words, "p(X) :- q(X)."));
  f->length = 0;
  assert_int_equal(tabia_rules_format(f->rules, "same", collect, f, f->log), TABIA_OK);
  assert_non_null(strstr(f->words, "(role robot) ; one"));
  assert_int_equal(tabia_rules_format(f->rules, "latin", collect, f, f->log), TABIA_MISUSE);
  assert_int_equal(read_text(f, "(role"), TABIA_FAULTY);
  assert_int_equal(tabia_rules_format(f->rules, "kif", collect, f, f->log), TABIA_FAULTY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_missing_file_is_unreadable),
      a_test(a_text_that_is_no_gdl_has_a_place),
      a_test(faults_of_rules_are_found_by_the_check_alone),
      a_test(sound_rules_pass_the_check),
      a_test(nobody_need_listen),
      a_test(messages_can_be_cleared),
      a_test(a_text_that_cannot_be_read_whole_can_be_asked),
      a_test(a_built_in_game_is_read_by_its_name),
      a_test(a_name_that_is_nearly_a_game_gets_a_hint),
      a_test(rules_are_laid_out_in_either_notation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
