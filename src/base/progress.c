#include "base/progress.h"

#include "base/budget.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { CALLS_BETWEEN_LOOKS = 64 };

static const double seconds_between_lines = 0.2;

progress progress_on_stderr(bool wanted) {
  return (progress){.shown = wanted && isatty(STDERR_FILENO),
                    .next_time = clock_now() + seconds_between_lines};
}

static bool is_due(progress *p) {
  if (!p || !p->shown || p->countdown-- != 0) return false;
  p->countdown = CALLS_BETWEEN_LOOKS;
  const double now = clock_now();
  if (now < p->next_time) return false;
  p->next_time = now + seconds_between_lines;
  return true;
}

void progress_say(progress *p, const char *format, ...) {
  if (!is_due(p)) return;
  va_list list;
  va_start(list, format);
  fputs("\r\033[K", stderr);
  vfprintf(stderr, format, list);
  va_end(list);
  p->has_line = true;
}

void progress_done(progress *p) {
  if (!p || !p->has_line) return;
  fputs("\r\033[K", stderr);
  p->has_line = false;
}
