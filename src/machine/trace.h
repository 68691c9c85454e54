/* Recorded games, one JSON line for each state, with fingerprints instead of lists: any program can
   check them.

   First line {"game","roles","seed"}; then for each state {"step","fluents","state","legal",
   "terminal","goals","moves"}: how many fluents and the SHA-1 of their sorted texts; for each role
   the number of legal moves and their SHA-1, its goal (null for none, a list for several) and the
   move it makes.  The last line has no moves.  The move of a role in a seeded game is
   sorted_moves[h mod count], where h is the number in the first 12 hex digits of the SHA-1 of
   "SEED/STEP/ROLE". */
#ifndef TABIA_MACHINE_TRACE_H
#define TABIA_MACHINE_TRACE_H

#include "machine/fault.h"
#include "machine/state_view.h"

typedef struct trace_options {
  const char *game; /* its name, for the first line */
  uint64_t seed;
  uint64_t max_steps;       /* moves at most */
  const char *const *moves; /* what is played, role by role, max_steps times; NULL: by the seed */
} trace_options;

/* How a game came to its end. */
typedef enum trace_end {
  TRACE_TERMINAL,
  TRACE_STEP_LIMIT,
  TRACE_STUCK, /* a role has no legal move */
  TRACE_TROUBLE
} trace_end;

/* Plays one game and hands each line, without its line end, to `put`.  `fault` says, in `keep`,
   about a role that cannot move or that has several goals or none at the end. */
trace_end trace_write(const machine *m, machine_workspace *w, const trace_options *o,
                      void (*put)(void *context, const char *line), void *context, arena *keep,
                      game_fault *fault);

typedef enum trace_verdict {
  TRACE_RIGHT,
  TRACE_WRONG,
  TRACE_UNREADABLE, /* it is no trace */
  TRACE_UNDECIDED   /* the workspace has the trouble */
} trace_verdict;

typedef struct trace_report {
  trace_verdict verdict;
  uint32_t states; /* that were right */
  text words;      /* what is wrong: a line, then what was expected and what was found */
} trace_report;

/* Replays the trace in `bytes` up to the first difference. */
void trace_verify(trace_report *r, const machine *m, machine_workspace *w, const char *bytes,
                  size_t length, arena *keep);

#endif
