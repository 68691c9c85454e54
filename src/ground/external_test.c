#include "ground/others/methods_fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>

typedef struct run_result {
  bool is_done;
  const char *output;
} run_result;

/* Runs a program to its end and keeps what it prints. */
static run_result run(rules_fixture *f, const char *const *arguments, const char *input,
                      budget *limits) {
  const external_command command = {.package = "some-package", .arguments = arguments};
  text words = text_new(f->keep);
  text_add(&words, input);
  diag_sink_init(&f->d, f->keep);
  text output = text_new(f->keep);
  external *e = external_start(&command, &words, f->keep, limits, &f->d);
  if (!e) return (run_result){false, ""};
  for (int byte; (byte = external_next(e)) != EOF;) text_add_char(&output, (char)byte);
  return (run_result){external_end(e, true), text_string(&output)};
}

static run_result run_shell(rules_fixture *f, const char *script, budget *limits) {
  return run(f, (const char *const[]){"sh", "-c", script, NULL}, "", limits);
}

static void no_process_is_left(void) {
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
}

static void gives_its_text_to_a_program_and_reads_what_it_prints(void **state) {
  rules_fixture *f = *state;
  const run_result r = run(f, (const char *const[]){"tr", "a-z", "A-Z", NULL}, "hello", NULL);
  assert_true(r.is_done);
  assert_string_equal(r.output, "HELLO");
  no_process_is_left();
}

static void texts_larger_than_a_pipe_pass(void **state) {
  rules_fixture *f = *state;
  text large = text_new(f->keep);
  for (uint32_t i = 0; i < 400000; i++) text_add_format(&large, "line %u\n", i);
  const run_result r = run(f, (const char *const[]){"cat", NULL}, text_string(&large), NULL);
  assert_true(r.is_done);
  assert_string_equal(r.output, text_string(&large));
}

static void names_the_package_of_a_missing_program(void **state) {
  rules_fixture *f = *state;
  assert_false(run(f, (const char *const[]){"no-such-program", NULL}, "", NULL).is_done);
  assert_int_equal(count_of(f, DIAG_E807), 1);
  assert_string_equal(fault(f, DIAG_E807, 0)->message,
                      "the program `no-such-program` is not installed");
  assert_string_equal(fault(f, DIAG_E807, 0)->hint, "on Debian: apt install some-package");
}

static void shows_the_last_error_of_a_failing_program(void **state) {
  rules_fixture *f = *state;
  const char *script =
      "echo 'one error: first' >&2; echo 'two error: second' >&2; echo bye >&2; exit 3";
  assert_false(run_shell(f, script, NULL).is_done);
  assert_string_equal(fault(f, DIAG_E808, 0)->message, "`sh` failed: two error: second");
}

static void tells_the_exit_status_of_a_program_that_fails_in_silence(void **state) {
  rules_fixture *f = *state;
  assert_false(run_shell(f, "exit 3", NULL).is_done);
  assert_string_equal(fault(f, DIAG_E808, 0)->message, "`sh` failed with exit status 3");
}

static void tells_the_signal_that_ended_a_program(void **state) {
  rules_fixture *f = *state;
  assert_false(run_shell(f, "kill -9 $$", NULL).is_done);
  assert_string_equal(fault(f, DIAG_E808, 0)->message, "`sh` was ended by signal 9 (Killed)");
}

static void many_errors_do_not_block_a_program(void **state) {
  rules_fixture *f = *state;
  assert_false(
      run_shell(f, "yes error: no | head -c 3000000 >&2; echo error: last >&2; exit 1", NULL)
          .is_done);
  assert_string_equal(fault(f, DIAG_E808, 0)->message, "`sh` failed: error: last");
}

static void kills_a_program_at_the_time_limit(void **state) {
  rules_fixture *f = *state;
  budget limits = budget_new(0.1, 0);
  const double start = clock_now();
  assert_false(run(f, (const char *const[]){"sleep", "60", NULL}, "", &limits).is_done);
  assert_true(clock_now() - start < 10);
  assert_int_equal(count_of(f, DIAG_E801), 1);
  assert_string_equal(fault(f, DIAG_E801, 0)->message,
                      "the time limit was reached: `sleep` was running");
  no_process_is_left();
}

static void kills_what_a_program_has_started(void **state) {
  rules_fixture *f = *state;
  budget limits = budget_new(0.1, 0);
  const double started = clock_now();
  assert_false(run_shell(f, "sleep 30; true", &limits).is_done);
  assert_true(clock_now() - started < 20);
  no_process_is_left();
}

static void kills_a_program_that_uses_too_much_memory(void **state) {
  rules_fixture *f = *state;
  budget limits = budget_new(60, 64 * 1024 * 1024);
  assert_false(run(f, (const char *const[]){"tail", "/dev/zero", NULL}, "", &limits).is_done);
  assert_int_equal(count_of(f, DIAG_E802), 1);
  no_process_is_left();
}

static void kills_a_program_when_the_user_interrupts(void **state) {
  rules_fixture *f = *state;
  const volatile sig_atomic_t interrupted = 1;
  budget limits = budget_new(0, 0);
  limits.interrupted = &interrupted;
  assert_false(run(f, (const char *const[]){"sleep", "60", NULL}, "", &limits).is_done);
  assert_int_equal(count_of(f, DIAG_E803), 1);
  no_process_is_left();
}

static void kills_a_program_that_nobody_understands(void **state) {
  rules_fixture *f = *state;
  const char *const arguments[] = {"yes", NULL};
  const external_command command = {.package = "coreutils", .arguments = arguments};
  const text nothing = text_new(f->keep);
  diag_sink_init(&f->d, f->keep);
  external *e = external_start(&command, &nothing, f->keep, NULL, &f->d);
  assert_int_equal(external_next(e), 'y');
  assert_false(external_end(e, false));
  assert_string_equal(fault(f, DIAG_E808, 0)->message, "the output of `yes` cannot be understood");
  no_process_is_left();
}

static void an_empty_path_finds_nothing(void **state) {
  rules_fixture *f = *state;
  char *path = strdup(getenv("PATH"));
  setenv("PATH", "", 1);
  assert_false(run(f, (const char *const[]){"cat", NULL}, "", NULL).is_done);
  setenv("PATH", path, 1);
  free(path);
  assert_int_equal(count_of(f, DIAG_E807), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(gives_its_text_to_a_program_and_reads_what_it_prints),
      rules_test(texts_larger_than_a_pipe_pass),
      rules_test(names_the_package_of_a_missing_program),
      rules_test(shows_the_last_error_of_a_failing_program),
      rules_test(tells_the_exit_status_of_a_program_that_fails_in_silence),
      rules_test(tells_the_signal_that_ended_a_program),
      rules_test(many_errors_do_not_block_a_program),
      rules_test(kills_a_program_at_the_time_limit),
      rules_test(kills_what_a_program_has_started),
      rules_test(kills_a_program_that_uses_too_much_memory),
      rules_test(kills_a_program_when_the_user_interrupts),
      rules_test(kills_a_program_that_nobody_understands),
      rules_test(an_empty_path_finds_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
