#include "base/process.h"

#include "base/base_fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct run_fixture {
  arena *keep;
  diag_sink d;
} run_fixture;

static int set_up_run(void **state) {
  arena *keep = arena_new();
  run_fixture *f = arena_alloc_zero(keep, sizeof *f);
  f->keep = keep;
  *state = f;
  return 0;
}

static int tear_down_run(void **state) {
  arena_free(((run_fixture *)*state)->keep);
  return 0;
}

static uint32_t count_of(const run_fixture *f, diag_kind kind) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->d.all.count; i++) count += f->d.all.items[i].kind == kind;
  return count;
}

/* The only message. */
static const diag *fault(const run_fixture *f, diag_kind kind) {
  assert_int_equal(f->d.all.count, 1);
  assert_int_equal(f->d.all.items[0].kind, kind);
  return &f->d.all.items[0];
}

typedef struct run_result {
  bool is_done;
  const char *output;
} run_result;

/* Runs a program to its end and keeps what it prints. */
static run_result run_command(run_fixture *f, const process_command *command, const char *input,
                              budget *limits) {
  text words = text_new(f->keep);
  text_add(&words, input);
  diag_sink_init(&f->d, f->keep);
  text output = text_new(f->keep);
  process *p = process_start(command, &words, f->keep, limits, &f->d);
  if (!p) return (run_result){false, ""};
  for (int byte; (byte = process_next(p)) != EOF;) text_add_char(&output, (char)byte);
  return (run_result){process_end(p, true), text_string(&output)};
}

static run_result run(run_fixture *f, const char *const *arguments, const char *input,
                      budget *limits) {
  const process_command command = {.package = "some-package", .arguments = arguments};
  return run_command(f, &command, input, limits);
}

static run_result run_shell(run_fixture *f, const char *script, budget *limits) {
  return run(f, (const char *const[]){"sh", "-c", script, NULL}, "", limits);
}

static void no_process_is_left(void) {
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
}

static void gives_its_text_to_a_program_and_reads_what_it_prints(void **state) {
  run_fixture *f = *state;
  const run_result r = run(f, (const char *const[]){"tr", "a-z", "A-Z", NULL}, "hello", NULL);
  assert_true(r.is_done);
  assert_string_equal(r.output, "HELLO");
  no_process_is_left();
}

static void texts_larger_than_a_pipe_pass(void **state) {
  run_fixture *f = *state;
  text large = text_new(f->keep);
  for (uint32_t i = 0; i < 400000; i++) text_add_format(&large, "line %u\n", i);
  const run_result r = run(f, (const char *const[]){"cat", NULL}, text_string(&large), NULL);
  assert_true(r.is_done);
  assert_string_equal(r.output, text_string(&large));
}

static void names_the_package_of_a_missing_program(void **state) {
  run_fixture *f = *state;
  assert_false(run(f, (const char *const[]){"no-such-program", NULL}, "", NULL).is_done);
  assert_int_equal(count_of(f, DIAG_E807), 1);
  assert_string_equal(fault(f, DIAG_E807)->message,
                      "the program `no-such-program` is not installed");
  assert_string_equal(fault(f, DIAG_E807)->hint, "on Debian: apt install some-package");
}

static void shows_the_last_error_of_a_failing_program(void **state) {
  run_fixture *f = *state;
  const char *script =
      "echo 'one error: first' >&2; echo 'two error: second' >&2; echo bye >&2; exit 3";
  assert_false(run_shell(f, script, NULL).is_done);
  assert_string_equal(fault(f, DIAG_E808)->message, "`sh` failed: two error: second");
}

static void tells_the_exit_status_of_a_program_that_fails_in_silence(void **state) {
  run_fixture *f = *state;
  assert_false(run_shell(f, "exit 3", NULL).is_done);
  assert_string_equal(fault(f, DIAG_E808)->message, "`sh` failed with exit status 3");
}

static void tells_the_signal_that_ended_a_program(void **state) {
  run_fixture *f = *state;
  assert_false(run_shell(f, "kill -9 $$", NULL).is_done);
  assert_string_equal(fault(f, DIAG_E808)->message, "`sh` was ended by signal 9 (Killed)");
}

static void many_errors_do_not_block_a_program(void **state) {
  run_fixture *f = *state;
  assert_false(
      run_shell(f, "yes error: no | head -c 3000000 >&2; echo error: last >&2; exit 1", NULL)
          .is_done);
  assert_string_equal(fault(f, DIAG_E808)->message, "`sh` failed: error: last");
}

static void kills_a_program_at_the_time_limit(void **state) {
  run_fixture *f = *state;
  budget limits = budget_new(0.1, 0);
  assert_false(run(f, (const char *const[]){"sleep", "10000", NULL}, "", &limits).is_done);
  assert_int_equal(count_of(f, DIAG_E801), 1);
  assert_string_equal(fault(f, DIAG_E801)->message,
                      "the time limit was reached: `sleep` was running");
  no_process_is_left();
}

static void kills_what_a_program_has_started(void **state) {
  run_fixture *f = *state;
  budget limits = budget_new(0.1, 0);
  assert_false(run_shell(f, "sleep 10000; true", &limits).is_done);
  no_process_is_left();
}

static void kills_a_program_that_uses_too_much_memory(void **state) {
  run_fixture *f = *state;
  budget limits = budget_new(0, 64 * 1024 * 1024);
  assert_false(run(f, (const char *const[]){"tail", "/dev/zero", NULL}, "", &limits).is_done);
  assert_int_equal(count_of(f, DIAG_E802), 1);
  no_process_is_left();
}

static void kills_a_program_when_the_user_interrupts(void **state) {
  run_fixture *f = *state;
  const volatile sig_atomic_t interrupted = 1;
  budget limits = budget_new(0, 0);
  limits.interrupted = &interrupted;
  assert_false(run(f, (const char *const[]){"sleep", "10000", NULL}, "", &limits).is_done);
  assert_int_equal(count_of(f, DIAG_E803), 1);
  no_process_is_left();
}

static void kills_a_program_that_nobody_understands(void **state) {
  run_fixture *f = *state;
  const char *const arguments[] = {"yes", NULL};
  const process_command command = {.package = "coreutils", .arguments = arguments};
  const text nothing = text_new(f->keep);
  diag_sink_init(&f->d, f->keep);
  process *p = process_start(&command, &nothing, f->keep, NULL, &f->d);
  assert_int_equal(process_next(p), 'y');
  assert_false(process_end(p, false));
  assert_string_equal(fault(f, DIAG_E808)->message, "the output of `yes` cannot be understood");
  no_process_is_left();
}

static void an_empty_path_finds_nothing(void **state) {
  run_fixture *f = *state;
  char *path = strdup(getenv("PATH"));
  setenv("PATH", "", 1);
  assert_false(run(f, (const char *const[]){"cat", NULL}, "", NULL).is_done);
  setenv("PATH", path, 1);
  free(path);
  assert_int_equal(count_of(f, DIAG_E807), 1);
}

static void passes_over_a_folder_of_that_name(void **state) {
  run_fixture *f = *state;
  char folder[] = "/tmp/process-test-XXXXXX", inner[40], path[8192];
  assert_non_null(mkdtemp(folder));
  snprintf(inner, sizeof inner, "%s/tr", folder);
  assert_int_equal(mkdir(inner, 0755), 0);
  char *before = strdup(getenv("PATH"));
  snprintf(path, sizeof path, "%s:%s", folder, before);
  setenv("PATH", path, 1);
  const run_result r = run(f, (const char *const[]){"tr", "a", "b", NULL}, "a", NULL);
  setenv("PATH", before, 1);
  free(before);
  rmdir(inner);
  rmdir(folder);
  assert_true(r.is_done);
  assert_string_equal(r.output, "b");
}

static void gives_it_a_folder_for_temporary_files(void **state) {
  run_fixture *f = *state;
  const char *const arguments[] = {"sh", "-c", "printf %s \"$TMPDIR\"", NULL};
  const process_command command = {
      .package = "dash", .arguments = arguments, .temporary_folder = "/some/where"};
  setenv("TMPDIR", "/else/where", 1);
  assert_string_equal(run_command(f, &command, "", NULL).output, "/some/where");
  unsetenv("TMPDIR");
  assert_string_equal(run_command(f, &command, "", NULL).output, "/some/where");
}

#define process_test(name) cmocka_unit_test_setup_teardown(name, set_up_run, tear_down_run)

int main(void) {
  const struct CMUnitTest tests[] = {
      process_test(gives_its_text_to_a_program_and_reads_what_it_prints),
      process_test(texts_larger_than_a_pipe_pass),
      process_test(names_the_package_of_a_missing_program),
      process_test(shows_the_last_error_of_a_failing_program),
      process_test(tells_the_exit_status_of_a_program_that_fails_in_silence),
      process_test(tells_the_signal_that_ended_a_program),
      process_test(many_errors_do_not_block_a_program),
      process_test(kills_a_program_at_the_time_limit),
      process_test(kills_what_a_program_has_started),
      process_test(kills_a_program_that_uses_too_much_memory),
      process_test(kills_a_program_when_the_user_interrupts),
      process_test(kills_a_program_that_nobody_understands),
      process_test(an_empty_path_finds_nothing),
      process_test(passes_over_a_folder_of_that_name),
      process_test(gives_it_a_folder_for_temporary_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
