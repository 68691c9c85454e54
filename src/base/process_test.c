#include "base/process.h"

#include "base/base_fixture.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct run_fixture {
  arena *keep;
  diag_sink diags;
  char folder[64]; /* empty, for the test to put programs into */
  char *path;      /* PATH as it was */
} run_fixture;

static int set_up_run(void **state) {
  arena *keep = arena_new();
  run_fixture *f = arena_alloc_zero(keep, sizeof *f);
  f->keep = keep;
  diag_sink_init(&f->diags, keep);
  strcpy(f->folder, "/tmp/process-test-XXXXXX");
  const char *path = getenv("PATH");
  f->path = arena_copy_text(keep, path, strlen(path));
  *state = f;
  return mkdtemp(f->folder) ? 0 : -1;
}

static int tear_down_run(void **state) {
  run_fixture *f = *state;
  setenv("PATH", f->path, 1);
  rmdir(f->folder);
  arena_free(f->keep);
  return 0;
}

static const char *first_message(const run_fixture *f) {
  return f->diags.all.count ? f->diags.all.items[0].message : "";
}

/* What the command prints when it is given the input; NULL: it was not run, or failed. */
static const char *output_of(run_fixture *f, const process_command *c, const char *input,
                             budget *limits) {
  text words = text_new(f->keep), out = text_new(f->keep);
  text_add(&words, input);
  process *p = process_start(c, &words, f->keep, limits, &f->diags);
  if (!p) return NULL;
  for (int byte; (byte = process_next(p)) != EOF;) text_add_char(&out, (char)byte);
  return process_end(p, true) ? text_string(&out) : NULL;
}

static void hands_input_over_and_reads_output(void **state) {
  run_fixture *f = *state;
  const char *const arguments[] = {"tr", "a-z", "A-Z", NULL};
  const process_command c = {.package = "coreutils", .arguments = arguments};
  assert_string_equal(output_of(f, &c, "words\n", NULL), "WORDS\n");
}

static void names_the_package_of_a_missing_program(void **state) {
  run_fixture *f = *state;
  const char *const arguments[] = {"no-such-program", NULL};
  const process_command c = {.package = "no-such-package", .arguments = arguments};
  assert_null(output_of(f, &c, "", NULL));
  assert_int_equal(f->diags.all.items[0].kind, DIAG_E807);
  assert_string_equal(first_message(f), "the program `no-such-program` is not installed");
}

static void passes_over_a_folder_of_that_name(void **state) {
  run_fixture *f = *state;
  char folder[100], path[8192];
  snprintf(folder, sizeof folder, "%s/tr", f->folder);
  assert_int_equal(mkdir(folder, 0755), 0);
  snprintf(path, sizeof path, "%s:%s", f->folder, f->path);
  setenv("PATH", path, 1);
  hands_input_over_and_reads_output(state);
  rmdir(folder);
}

static void tells_what_a_failed_program_said(void **state) {
  run_fixture *f = *state;
  const char *const arguments[] = {"sh", "-c", "echo 'error: no way' >&2; exit 3", NULL};
  const process_command c = {.package = "dash", .arguments = arguments};
  assert_null(output_of(f, &c, "", NULL));
  assert_string_equal(first_message(f), "`sh` failed: error: no way");
}

static void gives_it_a_folder_for_temporary_files(void **state) {
  run_fixture *f = *state;
  const char *const arguments[] = {"sh", "-c", "printf %s \"$TMPDIR\"", NULL};
  const process_command c = {
      .package = "dash", .arguments = arguments, .temporary_folder = "/some/where"};
  setenv("TMPDIR", "/else/where", 1);
  assert_string_equal(output_of(f, &c, "", NULL), "/some/where");
  unsetenv("TMPDIR");
  assert_string_equal(output_of(f, &c, "", NULL), "/some/where");
}

/* The program's own child holds the pipe open: reading would not end if it lived on. */
static void kills_what_it_has_started(void **state) {
  run_fixture *f = *state;
  const char *const arguments[] = {"sh", "-c", "sleep 1000 & wait", NULL};
  const process_command c = {.package = "dash", .arguments = arguments};
  volatile sig_atomic_t is_interrupted = 1;
  budget limits = budget_new(0, 0);
  limits.interrupted = &is_interrupted;
  assert_null(output_of(f, &c, "", &limits));
  assert_int_equal(limits.end, BUDGET_INTERRUPT);
}

#define process_test(name) cmocka_unit_test_setup_teardown(name, set_up_run, tear_down_run)

int main(void) {
  const struct CMUnitTest tests[] = {
      process_test(hands_input_over_and_reads_output),
      process_test(names_the_package_of_a_missing_program),
      process_test(passes_over_a_folder_of_that_name),
      process_test(tells_what_a_failed_program_said),
      process_test(gives_it_a_folder_for_temporary_files),
      process_test(kills_what_it_has_started),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
