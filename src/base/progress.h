/* One line on standard error that tells how far a long job is.

   Shown only on a terminal, a few times a second, and wiped when done.  A NULL progress
   is silent. */
#ifndef TABIA_BASE_PROGRESS_H
#define TABIA_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
  bool shown;    /* to a terminal, and not silenced */
  bool has_line; /* a line stands there now */
  uint32_t countdown;
  double next_time;
} progress;

progress progress_on_stderr(bool wanted);
void progress_say(progress *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void progress_done(progress *p);

#endif
