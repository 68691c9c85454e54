#include "base/budget.h"

#include "base/recovery.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* The clock is read about as often as that, but not more seldom than once in so many calls: the
   next loop may be a slower one. */
#define SECONDS_BETWEEN_LOOKS 0.001
enum { STRIDE_MAX = 63 };

static double clock_read(clockid_t which) {
  struct timespec t;
  clock_gettime(which, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double clock_now(void) { return clock_read(CLOCK_MONOTONIC); }

double clock_thread(void) { return clock_read(CLOCK_THREAD_CPUTIME_ID); }

double clock_process(void) { return clock_read(CLOCK_PROCESS_CPUTIME_ID); }

size_t memory_peak(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (size_t)usage.ru_maxrss * 1024;
}

size_t memory_now(void) {
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f) return 0;
  if (fscanf(f, "%*u %lu", &pages) != 1) pages = 0;
  fclose(f);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

budget budget_new(double seconds, size_t bytes) {
  const double now = clock_now();
  return (budget){.deadline = seconds > 0 ? now + seconds : 0, .max_bytes = bytes, .started = now};
}

budget budget_share(const budget *b, uint32_t parts) {
  if (!b) return (budget){0};
  budget share = *b;
  share.watched_count = 0;
  share.progress = NULL; /* one thread alone may write */
  if (share.max_bytes) share.max_bytes = share.max_bytes / parts + 1;
  return share;
}

double budget_seconds_left(const budget *b) {
  return b->deadline > 0 ? b->deadline - clock_now() : DBL_MAX;
}

budget budget_part(const budget *b, double seconds) {
  budget part = *b;
  part.countdown = 0;
  if (seconds < budget_seconds_left(b)) part.deadline = clock_now() + seconds;
  return part;
}

budget budget_to_show(const budget *b) {
  budget later = b ? *b : (budget){0};
  if (later.deadline > 0) later.deadline += (later.deadline - later.started) / 5;
  if (later.end == BUDGET_TIME) later.end = BUDGET_LEFT;
  later.countdown = 0;
  return later;
}

void budget_watch(budget *b, const arena *a) {
  const bool has_room = b && b->watched_count < sizeof b->watched / sizeof *b->watched;
  assert(!b || has_room);
  if (has_room) b->watched[b->watched_count++] = a;
}

void budget_unwatch(budget *b, const arena *a) {
  if (!b) return;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < b->watched_count; i++)
    if (b->watched[i] != a) b->watched[kept++] = b->watched[i];
  b->watched_count = kept;
}

static size_t watched_bytes(const budget *b) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < b->watched_count; i++) bytes += arena_bytes(b->watched[i]);
  return bytes;
}

static size_t bytes_left(const budget *b) {
  const size_t used = watched_bytes(b);
  return used < b->max_bytes ? b->max_bytes - used : 1;
}

budget budget_within(const budget *outer, double seconds, size_t bytes) {
  budget b = budget_new(seconds, bytes);
  if (!outer) return b;
  if (outer->deadline > 0 && (b.deadline == 0 || outer->deadline < b.deadline))
    b.deadline = outer->deadline;
  if (outer->max_bytes && (!bytes || bytes_left(outer) < bytes)) b.max_bytes = bytes_left(outer);
  b.interrupted = outer->interrupted;
  b.cancelled = outer->cancelled;
  return b;
}

uint32_t clock_stride(uint32_t stride, double passed, double aim, uint32_t most) {
  if (passed > aim) return stride / 2;
  return passed < aim / 4 && stride < most ? stride * 2 + 1 : stride;
}

static void adapt_stride(budget *b, double now) {
  b->stride = clock_stride(b->stride, now - b->looked, SECONDS_BETWEEN_LOOKS, STRIDE_MAX);
  b->looked = now;
  b->countdown = b->stride;
}

static bool is_set(const volatile sig_atomic_t *flag) {
  return flag && __atomic_load_n(flag, __ATOMIC_RELAXED);
}

static bool is_too_large(const budget *b, size_t bytes_elsewhere) {
  return b->max_bytes && (watched_bytes(b) + bytes_elsewhere > b->max_bytes ||
                          account_is_spent(recovery_account()));
}

bool budget_check_now(budget *b) {
  if (!b) return false;
  if (b->end != BUDGET_LEFT) return true;
  const double now = clock_now();
  adapt_stride(b, now);
  if (b->progress && b->stage)
    progress_tell_at(b->progress, now, "%s: %.0f s, %zu MiB", b->stage, now - b->started,
                     watched_bytes(b) >> 20);
  if (is_set(b->interrupted) || is_set(b->cancelled))
    b->end = BUDGET_INTERRUPT;
  else if (b->deadline > 0 && now > b->deadline)
    b->end = BUDGET_TIME;
  else if (is_too_large(b, 0))
    b->end = BUDGET_MEMORY;
  return b->end != BUDGET_LEFT;
}

bool budget_check_bytes(budget *b, size_t bytes_elsewhere) {
  if (!b) return false;
  if (b->end == BUDGET_LEFT && is_too_large(b, bytes_elsewhere)) b->end = BUDGET_MEMORY;
  return b->end != BUDGET_LEFT;
}

growth_watch growth_begin(budget *limits) {
  return (growth_watch){limits, limits && limits->max_bytes ? memory_now() : 0, 0};
}

bool growth_is_spent(growth_watch *w, uint32_t calls_between_looks) {
  if (!w->limits || !w->limits->max_bytes || ++w->calls % calls_between_looks != 0)
    return w->limits && w->limits->end != BUDGET_LEFT;
  const size_t now = memory_now();
  return budget_check_bytes(w->limits, now > w->before ? now - w->before : 0);
}

void budget_report(const budget *b, diag_sink *d, const char *what_was_reached) {
  diag *g = NULL;
  switch (b->end) {
    case BUDGET_LEFT:
    case BUDGET_DEVICE: return;
    case BUDGET_TIME:
      g = diag_add(d, DIAG_E801, SPAN_NONE, "the time limit was reached: %s", what_was_reached);
      diag_hint(d, g, "allow more: --time-limit SECONDS, or tabia_limits_set_seconds");
      return;
    case BUDGET_MEMORY:
      g = diag_add(d, DIAG_E802, SPAN_NONE, "the memory limit was reached: %s", what_was_reached);
      diag_hint(
          d, g,
          "allow more: --memory-limit BYTES (K, M and G may follow), or tabia_limits_set_bytes");
      return;
    case BUDGET_INTERRUPT:
      diag_add(d, DIAG_E803, SPAN_NONE, "stopped: %s", what_was_reached);
      return;
  }
}
