#include "base/progress.h"

#include "base/base_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Runs `act` with standard error going to a file, and gives back what it wrote. */
static const char *written_by(void (*act)(void), arena *keep) {
  FILE *file = tmpfile();
  fflush(stderr);
  const int saved = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  act();
  fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  char *words = arena_alloc_zero(keep, 4096);
  rewind(file);
  const size_t length = fread(words, 1, 4095, file);
  words[length] = '\0';
  fclose(file);
  return words;
}

static void say_at_once(void) {
  progress p = {.shown = true};
  progress_say(&p, "%d of %d", 3, 7);
  progress_done(&p);
}

static void say_often(void) {
  progress p = {.shown = true};
  for (int i = 0; i < 100000; i++) progress_say(&p, "x");
}

static void say_hidden(void) {
  progress p = progress_on_stderr(true); /* a file is no terminal */
  p.next_time = 0;
  for (int i = 0; i < 1000; i++) progress_say(&p, "x");
  progress_done(&p);
  progress_say(NULL, "x");
  progress_done(NULL);
}

static void done_without_a_line(void) {
  progress p = {.shown = true};
  progress_done(&p);
}

static void a_line_is_shown_and_wiped(void **state) {
  assert_string_equal(written_by(say_at_once, *state), "\r\033[K3 of 7\r\033[K");
}

static void lines_come_a_few_times_a_second(void **state) {
  const char *words = written_by(say_often, *state);
  uint32_t lines = 0;
  for (; *words; words++) lines += *words == 'x';
  assert_in_range(lines, 1, 50);
}

static void nothing_is_shown_where_nobody_looks(void **state) {
  assert_string_equal(written_by(say_hidden, *state), "");
}

static void nothing_is_wiped_where_nothing_stands(void **state) {
  assert_string_equal(written_by(done_without_a_line, *state), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(a_line_is_shown_and_wiped),
      base_test(lines_come_a_few_times_a_second),
      base_test(nothing_is_shown_where_nobody_looks),
      base_test(nothing_is_wiped_where_nothing_stands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
