/* The structs behind the opaque types of tabia.h; only for the files of this folder. */
#ifndef TABIA_API_API_H
#define TABIA_API_API_H

#include "base/recovery.h"
#include "machine/fault.h"
#include "machine/machine.h"
#include "machine/portfolio.h"
#include "rules/check.h"
#include "tabia.h"

#include <stdatomic.h>

/* ---- where there is no memory ---- */

/* The body of a function that may allocate: returns what `call` does, or `otherwise` when there
   is no memory.  Then all that the call has made is given back, and of a group all that it has. */
#define API_GUARDED_IN(group, type, call, otherwise) \
  do { \
    recovery point; \
    recovery_enter(&point, (group)); \
    if (setjmp(point.here) != 0) return (otherwise); \
    type result = (call); \
    recovery_leave(&point); \
    return result; \
  } while (0)

#define API_GUARDED(type, call, otherwise) API_GUARDED_IN(NULL, type, call, otherwise)

/* The same in the middle of a function, for a call without result. */
#define API_TRY_IN(group, call, otherwise) \
  do { \
    recovery point; \
    recovery_enter(&point, (group)); \
    if (setjmp(point.here) == 0) { \
      call; \
      recovery_leave(&point); \
    } else { \
      otherwise; \
    } \
  } while (0)

/* Says so, without allocating; TABIA_LIMIT. */
tabia_status api_no_memory(tabia_messages *log);

/* ---- limits ---- */

struct tabia_limits {
  arena *keep;
  double seconds; /* 0: no limit */
  double started; /* clock_now() from which they count; 0: each call has them for itself */
  size_t bytes;   /* 0: no limit */
  bool is_total;  /* the bytes are those of all calls together, on `total` */
  account *total;
  const volatile sig_atomic_t *interrupt;
  volatile sig_atomic_t *cancelled; /* by tabia_limits_cancel */
  progress *progress;
};

/* For the call that is under way: its time begins now, and what it makes from now on is charged.
   NULL is allowed. */
budget api_budget(const tabia_limits *l);

/* The same for a part of it: what is charged already stays so. */
budget api_part_budget(const tabia_limits *l);

/* What a call that begins now may take; HUGE_VAL: there is no limit.  NULL is allowed. */
double api_seconds_left(const tabia_limits *l);

/* The status of a job that has failed: TABIA_LIMIT if its budget was the reason. */
tabia_status api_failure(const budget *b);

/* ---- rules ---- */

/* Rules that were read for one purpose. */
typedef struct reading {
  arena *keep; /* all of it, this too */
  source source;
  tree tree;
  program program;
  diag_sink diags;
  budget limits; /* of the rules; its time began when somebody took the reading */
} reading;

struct tabia_rules {
  arena *keep;
  source source;
  notation notation;
  bool is_whole;
  const tabia_limits *limits; /* of checks, information and layout; or NULL */
  _Atomic(reading *) *first;  /* holds what was read at first, until somebody takes it; or NULL */
};

/* Everybody gets a reading of his own, for stages add to its terms.  The text may have errors,
   which are in its diagnostics. */
reading *reading_new(const tabia_rules *rules);

/* NULL: there are errors, which the log gets. */
reading *reading_whole(const tabia_rules *rules, tabia_messages *log);
void reading_free(reading *r); /* NULL is allowed */

/* Like tabia_rules_read_text, for the functions of this folder; fails if there is no memory. */
tabia_status api_read_text(tabia_rules **out, const char *name, const char *words, size_t length,
                           tabia_messages *log);

/* Says which limit was reached, and how far the job came; TABIA_LIMIT. */
tabia_status api_tell_spent(tabia_messages *log, budget *b, const source *s, const char *how_far);

/* The limits are reached before anything was done, which the log gets: rules need not be read. */
bool api_is_too_late(budget *b, const tabia_rules *rules, tabia_messages *log);

/* ---- messages ---- */

/* Which diagnostics the log keeps; NULL: there is no log. */
const struct diag_choice *api_choice(const tabia_messages *log);

/* All checks of rules that were read, as the log wants them. */
check_result api_check(reading *r, analysis *a, const tabia_messages *log);

/* Copies what has been said and is wanted, sorted by place; the log may be NULL. */
void api_tell(tabia_messages *log, diag_sink *d, const source *s);

/* An error that is about no place of a text. */
void api_tell_error(tabia_messages *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void api_tell_warning(tabia_messages *log, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports the fault, if there is one; TABIA_FAULTY then. */
tabia_status api_tell_fault(tabia_messages *log, const game_fault *f, const machine *m);

/* ---- machines ---- */

struct tabia_machine {
  reading *rules;      /* whose arena holds this */
  portfolio encodings; /* those that were made */
  frame_encoding encoding;
  machine *m;
  double open_seconds;
};

/* Copies a position to begin at into `room`, and gives that back; NULL stays NULL. */
const void *api_keep_start(const tabia_machine *m, void *room, const void *position);

/* Keeps a text with an object, whose next run needs it; NULL stays NULL.  `is_missing`: there was
   no memory for it, so that the run has to fail. */
const char *api_keep_text(arena *keep, const char *words, bool *is_missing);

/* Copies a text out, as far as there is room, and gives its arena back; its length. */
size_t api_give_text(text *words, char *out, size_t capacity);
size_t api_give_nothing(char *out, size_t capacity); /* the empty text; 0 */

struct tabia_workspace {
  arena *keep;
  arena *guard; /* gives the group back */
  const tabia_machine *of;
  budget budget;
  arena_group group;    /* of what `w` is made of: where memory ends, all of it goes */
  machine_workspace *w; /* NULL: it is gone */
};

/* The body of a question.  Where memory ends, the machine's workspace is gone with all that it was
   made of. */
#define API_ASK(workspace, type, question, otherwise) \
  do { \
    recovery point; \
    if (!(workspace)->w) return (otherwise); \
    recovery_enter(&point, &(workspace)->group); \
    if (setjmp(point.here) != 0) { \
      (workspace)->w = NULL; \
      return (otherwise); \
    } \
    type answer = (question); \
    recovery_leave(&point); \
    return answer; \
  } while (0)

/* For the functions of this folder: it fails where there is no memory. */
tabia_workspace *api_workspace_new(const tabia_machine *m, const tabia_limits *limits);

/* The same, for one call with these limits (0: none). */
tabia_workspace *api_workspace_within(const tabia_machine *m, double seconds, size_t bytes);
tabia_status api_workspace_status(const tabia_workspace *w, tabia_messages *log);

/* As tabia_position_play and tabia_joint_read; `joints`, unless it is NULL, gets the moves of every
   step, one for each role. */
tabia_status api_play_line(tabia_workspace *w, const char *name, const char *words, size_t length,
                           void *position, id_vec *joints, arena *keep, tabia_messages *log);
tabia_status api_read_joint(tabia_workspace *w, const void *position, const char *name,
                            const char *words, size_t length, tabia_move *joint,
                            tabia_messages *log);

/* Reports the trouble of a workspace to the log; TABIA_OK: there is none. */
tabia_status api_tell_trouble(tabia_messages *log, const machine_workspace *w,
                              const tabia_machine *m);

#endif
