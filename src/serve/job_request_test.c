#include "serve/job_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static arena *keep;
static job_request request;

static int set_up(void **state) {
  (void)state;
  keep = arena_new();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  arena_free(keep);
  return 0;
}

/* The code of the fault; "": there is none. */
static const char *code_with(const char *message, bool allows_compiled) {
  job_fault fault = {"", ""};
  const bool is_good =
      job_request_read(&request, slice_of(message), NULL, allows_compiled, keep, &fault);
  assert_int_equal(is_good, !*fault.code);
  return fault.code;
}

static const char *code_of(const char *message) { return code_with(message, false); }

static const char *command_line(void) {
  text t = text_new(keep);
  for (uint32_t i = 0; request.words[i]; i++)
    text_add_format(&t, "%s%s", i ? " " : "", request.words[i]);
  return text_string(&t);
}

static void the_rulesheet_is_the_last_word(void **state) {
  (void)state;
  assert_string_equal(code_of("{\"command\":[\"show\",\"clauses\"],\"rules\":\"(role x)\"}"), "");
  assert_string_equal(command_line(), "show clauses game.kif");
  assert_int_equal(request.file_count, 1);
  assert_string_equal(request.files[0].name, "game.kif");
  assert_true(slice_equals(request.files[0].text, "(role x)"));
}

static void a_name_that_is_among_the_words_is_not_added(void **state) {
  (void)state;
  assert_string_equal(
      code_of(
          "{\"command\":[\"why\",\"a.kif\",\"(legal x ?m)\"],\"rules\":\"\",\"name\":\"a.kif\"}"),
      "");
  assert_string_equal(command_line(), "why a.kif (legal x ?m)");
}

static void a_builtin_game_needs_no_file(void **state) {
  (void)state;
  assert_string_equal(code_of("{\"command\":[\"prove\",\"--json\"],\"game\":\"nim\"}"), "");
  assert_string_equal(command_line(), "prove --json nim");
  assert_int_equal(request.file_count, 0);
  assert_string_equal(code_of("{\"command\":[\"prove\"],\"game\":\"/etc/passwd\"}"), "name");
}

static void what_is_no_job_is_refused(void **state) {
  (void)state;
  static const char *const messages[] = {
      "",
      "[]",
      "7",
      "{}",
      "{\"command\":[]}",
      "{\"command\":\"check\",\"rules\":\"\"}",
      "{\"command\":[\"check\",7],\"rules\":\"\"}",
      "{\"command\":[\"check\"]}",
      "{\"command\":[\"check\"],\"rules\":7}",
      "{\"command\":[\"check\"],\"rules\":\"\",\"name\":7}",
      "{\"command\":[\"check\"],\"rules\":\"\",\"files\":[]}",
      "{\"command\":[\"check\"],\"command\":[\"info\"],\"rules\":\"\"}",
      "{\"command\":[\"che\\u0000ck\"],\"rules\":\"\"}"};
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
    assert_string_equal(code_of(messages[i]), "message");
}

static void other_commands_are_refused(void **state) {
  (void)state;
  static const char *const commands[] = {"serve",      "session",    "match", "player",
                                         "lsp",        "tournament", "games", "-h",
                                         "--complete", "--confined"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    text t = text_new(keep);
    text_add_format(&t, "{\"command\":[\"%s\"],\"rules\":\"\"}", commands[i]);
    assert_string_equal(code_of(text_string(&t)), "command");
  }
}

static const char *code_of_words(const char *words, bool allows_compiled) {
  text t = text_new(keep);
  text_add_format(&t, "{\"command\":[%s],\"rules\":\"\"}", words);
  return code_with(text_string(&t), allows_compiled);
}

static void words_that_reach_outside_are_refused(void **state) {
  (void)state;
  static const char *const words[] = {"\"check\",\"/etc/passwd\"",
                                      "\"check\",\"../x\"",
                                      "\"check\",\"-\"",
                                      "\"fmt\",\"--in-place\"",
                                      "\"prove\",\"--walk\",\"w\"",
                                      "\"board\",\"--svg\",\"/tmp/x\"",
                                      "\"board\",\"--svg=../x\"",
                                      "\"board\",\"--svg\"",
                                      "\"board\",\"--after\",\"@/etc/passwd\"",
                                      "\"board\",\"--after=@../x\"",
                                      "\"check\",\"-o\",\"x\"",
                                      "\"check\",\"--json=1\"",
                                      "\"check\",\"--\""};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    assert_string_equal(code_of_words(words[i], false), "option");
}

static void compilers_run_only_where_they_are_allowed(void **state) {
  (void)state;
  static const char *const words[] = {
      "\"playout\",\"--machine\",\"compiled\"", "\"playout\",\"--machine=compiled\"",
      "\"compile\",\"--emit\",\"shared\"", "\"compile\",\"--emit=object\""};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    assert_string_equal(code_of_words(words[i], false), "option");
    assert_string_equal(code_of_words(words[i], true), "");
  }
}

static void names_of_files_are_plain(void **state) {
  (void)state;
  assert_true(job_is_file_name("a-b_c.kif"));
  assert_false(job_is_file_name("") || job_is_file_name(".x") || job_is_file_name("-x") ||
               job_is_file_name("a/b") || job_is_file_name("<b>") || job_is_file_name("a b"));
  assert_string_equal(code_of("{\"command\":[\"check\"],\"rules\":\"\",\"name\":\"../a\"}"),
                      "name");
  assert_string_equal(code_of("{\"command\":[\"check\"],\"rules\":\"\",\"files\":{\"/a\":\"\"}}"),
                      "name");
}

static void there_may_be_eight_files_more(void **state) {
  (void)state;
  for (uint32_t count = JOB_FILES_MAX; count <= JOB_FILES_MAX + 1; count++) {
    text t = text_new(keep);
    text_add(&t, "{\"command\":[\"check\"],\"rules\":\"\",\"files\":{");
    for (uint32_t i = 0; i < count; i++) text_add_format(&t, "%s\"f%u\":\"\"", i ? "," : "", i);
    text_add(&t, "}}");
    assert_string_equal(code_of(text_string(&t)), count > JOB_FILES_MAX ? "message" : "");
  }
}

static void there_may_be_sixty_four_words(void **state) {
  (void)state;
  for (uint32_t count = JOB_WORDS_MAX; count <= JOB_WORDS_MAX + 1; count++) {
    text t = text_new(keep);
    text_add(&t, "\"check\"");
    for (uint32_t i = 1; i < count; i++) text_add(&t, ",\"--json\"");
    assert_string_equal(code_of_words(text_string(&t), false),
                        count > JOB_WORDS_MAX ? "message" : "");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rulesheet_is_the_last_word),
      cmocka_unit_test(a_name_that_is_among_the_words_is_not_added),
      cmocka_unit_test(a_builtin_game_needs_no_file),
      cmocka_unit_test(what_is_no_job_is_refused),
      cmocka_unit_test(other_commands_are_refused),
      cmocka_unit_test(words_that_reach_outside_are_refused),
      cmocka_unit_test(compilers_run_only_where_they_are_allowed),
      cmocka_unit_test(names_of_files_are_plain),
      cmocka_unit_test(there_may_be_eight_files_more),
      cmocka_unit_test(there_may_be_sixty_four_words),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
