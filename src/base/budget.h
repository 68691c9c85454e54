/* Limits of time and memory, and the user's request to stop.

   Long loops check `budget_is_spent(b)` at their head.  That is cheap: the clock is read only once
   in about a millisecond, but at least once in 64 calls.  A loop that finds the budget spent stops
   with what it has; the stage that owns the loop reports it once, with budget_report.  A NULL
   budget is unlimited.

   The memory of a part of a job is that of the arenas which its budget watches; the memory of a
   whole call is on its account (account.h), which every budget with a limit of bytes checks as
   well. */
#ifndef TABIA_BASE_BUDGET_H
#define TABIA_BASE_BUDGET_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/progress.h"

#include <signal.h>

typedef enum budget_end {
  BUDGET_LEFT,
  BUDGET_TIME,
  BUDGET_MEMORY,
  BUDGET_INTERRUPT,
  BUDGET_DEVICE /* a device is not there or has failed; who found that has reported it */
} budget_end;

typedef struct budget {
  double deadline;                          /* clock_now() at which time is up; 0: no limit */
  size_t max_bytes;                         /* over all watched arenas; 0: no limit */
  const volatile sig_atomic_t *interrupted; /* set by a signal handler, or atomically; or NULL */
  const volatile sig_atomic_t *cancelled;   /* the same, by another thread */
  const arena *watched[32];
  uint32_t watched_count;
  progress *progress; /* told now and then which stage is under way; or NULL */
  const char *stage;
  double started;
  double looked;      /* when the clock was read last */
  uint32_t stride;    /* calls from one look to the next */
  uint32_t countdown; /* calls until the clock is read again */
  budget_end end;     /* why it is spent, once it is */
} budget;

budget budget_new(double seconds, size_t bytes); /* 0: no limit */
void budget_watch(budget *b, const arena *a);    /* counts a's bytes against the limit */
void budget_unwatch(budget *b, const arena *a);  /* before the arena is freed */
bool budget_check_now(budget *b);                /* true when spent */

/* For one of `parts` threads that work at the same time: the same limits, but each watches its own
   arenas and may use its part of the memory, and none reports progress. */
budget budget_share(const budget *b, uint32_t parts);

/* A budget of at most that many seconds, from what is left of another. */
budget budget_part(const budget *b, double seconds);

/* For a part of a job that has limits of its own: theirs, or what is left of the others' where that
   is less.  What was reached is known to the other only when it looks.  NULL is allowed. */
budget budget_within(const budget *outer, double seconds, size_t bytes);

/* For showing what was found in the last moment: the same limits, but a fifth more of the time from
   the beginning. */
budget budget_to_show(const budget *b);
double budget_seconds_left(const budget *b); /* very many when there is no limit */

/* Counts bytes that are in no arena, too: true when that is more than the limit. */
bool budget_check_bytes(budget *b, size_t bytes_elsewhere);

/* For what allocates by itself, as a solver does: what the process has grown by since it was made
   counts as its own.  That is too much where others grow meanwhile, and too little where it takes
   what others have given back. */
typedef struct growth_watch {
  budget *limits;
  size_t before; /* memory of the process */
  uint32_t calls;
} growth_watch;

growth_watch growth_begin(budget *limits);

/* True when the budget is spent.  The memory is looked at once in so many calls: that takes
   microseconds. */
bool growth_is_spent(growth_watch *w, uint32_t calls_between_looks);

void budget_report(const budget *b, diag_sink *d, const char *what_was_reached);

static inline bool budget_is_spent(budget *b) {
  if (!b) return false;
  if (b->countdown-- != 0) return b->end != BUDGET_LEFT;
  return budget_check_now(b);
}

/* How many calls to make from one look at the clock to the next, where `passed` seconds passed
   between the last two looks and `aim` is wanted. */
uint32_t clock_stride(uint32_t stride, double passed, double aim, uint32_t most);

double clock_now(void);     /* seconds, monotonic */
double clock_process(void); /* processor seconds of this process */
double clock_thread(void);  /* processor seconds of this thread */
size_t memory_now(void);    /* bytes resident in this process; 0: the system does not say */
size_t memory_peak(void);   /* the most so far */

#endif
