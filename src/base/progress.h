/* The progress of a long job, reported to a listener a few times a second.  A NULL progress is
   silent. */
#ifndef TABIA_BASE_PROGRESS_H
#define TABIA_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* What is being done, how far, and of how much (0: that is not known).  The words are good during
   the call. */
typedef void progress_listener(void *context, const char *what, double done, double whole);

typedef struct progress {
  progress_listener *tell; /* NULL: nobody listens */
  void *context;
  uint32_t stride;    /* calls from one look at the clock to the next */
  uint32_t countdown; /* calls until the next look */
  double looked;      /* when the clock was read last */
  double next_time;   /* when a report is due */
} progress;

progress progress_to(progress_listener *tell, void *context);
/* However often it is called: the clock is read once in about ten milliseconds. */
void progress_tell(progress *p, double done, double whole, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* For whoever calls seldom and knows what time it is. */
void progress_tell_at(progress *p, double now, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
