#include "base/progress.h"

#include "base/budget.h"

#include <stdarg.h>
#include <stdio.h>

enum { STRIDE_MAX = 1023, WORDS_MAX = 200 };

static const double seconds_between_calls = 0.2, seconds_between_looks = 0.01;

progress progress_to(progress_listener *tell, void *context) {
  return (progress){
      .tell = tell, .context = context, .next_time = clock_now() + seconds_between_calls};
}

static bool is_due_at(progress *p, double now) {
  if (!p || !p->tell || now < p->next_time) return false;
  p->next_time = now + seconds_between_calls;
  return true;
}

static bool is_due(progress *p) {
  if (!p || !p->tell || p->countdown-- != 0) return false;
  const double now = clock_now();
  p->stride = clock_stride(p->stride, now - p->looked, seconds_between_looks, STRIDE_MAX);
  p->countdown = p->stride;
  p->looked = now;
  return is_due_at(p, now);
}

static void tell(progress *p, double done, double whole, const char *format, va_list list)
    __attribute__((format(printf, 4, 0)));

static void tell(progress *p, double done, double whole, const char *format, va_list list) {
  char words[WORDS_MAX];
  vsnprintf(words, sizeof words, format, list);
  p->tell(p->context, words, done, whole);
}

void progress_tell(progress *p, double done, double whole, const char *format, ...) {
  if (!is_due(p)) return;
  va_list list;
  va_start(list, format);
  tell(p, done, whole, format, list);
  va_end(list);
}

void progress_tell_at(progress *p, double now, const char *format, ...) {
  if (!is_due_at(p, now)) return;
  va_list list;
  va_start(list, format);
  tell(p, 0, 0, format, list);
  va_end(list);
}
