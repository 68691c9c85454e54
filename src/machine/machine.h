/* One interface for every way of running a game.

   A position is a flat block of `position_size` bytes that the caller owns: it may be copied with
   memcpy, compared with memcmp, hashed and kept in tables; equal states of one machine are equal
   blocks.  Positions of different machines have nothing in common: compare their texts
   (state_view.h).

   A machine does not change after opening, so threads share one machine.  Each thread has its own
   positions and its own workspace, with the memory that the machine needs to compute.

   A machine that evaluates first-order rules can fail in the middle of a game: its budget is spent,
   or a rule turns out to have no meaning.  Then the workspace records the trouble, and from then on
   every position is terminal, without moves and without goals, so that loops end by themselves; the
   caller asks for the trouble after the loop.

   At most `capacity` elements of a list are written; the result is the length of the whole list.
   Trouble can come between two queries: a caller that asks for the length first, then for the list,
   must use the length of the second answer.  Moves are listed in the order of their canonical text,
   on every machine: with equal random numbers all machines play the same games. */
#ifndef TABIA_MACHINE_MACHINE_H
#define TABIA_MACHINE_MACHINE_H

#include "base/budget.h"
#include "rules/program.h"

#include <string.h>

typedef uint32_t move_id;    /* what a role can do; means something for that role alone */
typedef uint32_t fluent_id;  /* what can be true */
typedef uint32_t percept_id; /* what a role can see */

#define MOVE_NONE UINT32_MAX
#define FLUENT_NONE UINT32_MAX
#define GOAL_NONE INT32_MIN

typedef struct machine machine;

/* Work on many states at once, for which "auto" may take a machine that is good for that alone. */
typedef enum machine_bulk { BULK_NONE, BULK_PLAYOUTS, BULK_STEPS } machine_bulk;

/* How many numbers there are, on a machine that knows that before a game is played: moves of a role
   are 0 .. moves[role]-1, percepts likewise, and fluents 0 .. fluents-1.  Some of them may never
   turn up. */
typedef struct machine_numbers {
  uint32_t fluents;
  const uint32_t *moves, *percepts; /* by role */
} machine_numbers;

/* What a machine can be made of. */
typedef struct machine_source {
  const program *program;
  /* The last clauses of the program say next(f) <= true(f), not fnext(f) for whole names of
     fluents: a machine may update its state instead of evaluating them. */
  uint32_t inertia_count;
  machine_bulk bulk;
  bool for_long; /* very many states are wanted, one at a time: "auto" may take some seconds to find
                    the fastest machine for that */
} machine_source;

typedef struct machine_trouble {
  bool is_there;
  diag_kind kind;
  span where; /* the rule that is to blame, or SPAN_NONE */
  const char *message;
} machine_trouble;

/* Every machine has a workspace of its own, which starts with this. */
typedef struct machine_workspace {
  machine_trouble trouble;
  budget *budget; /* of this thread; NULL: unlimited */
} machine_workspace;

typedef struct machine_ops {
  const char *name;
  const char *summary;  /* one line, shown by `tabia machines` */
  bool is_for_bulk;     /* slow for one state at a time */
  bool needs_grounding; /* which may take too long: "auto" gives it a part of the time only */

  /* NULL: it cannot, and `d` says why.  The source must outlive the machine. */
  machine *(*open)(const machine_source *source, budget *b, diag_sink *d);
  void (*close)(machine *m);
  machine_workspace *(*workspace_new)(const machine *m, budget *b);
  void (*workspace_free)(machine_workspace *w);

  void (*start)(const machine *m, void *position);
  bool (*terminal)(const machine *m, machine_workspace *w, const void *position);
  uint32_t (*legal)(const machine *m, machine_workspace *w, const void *position, uint32_t role,
                    move_id *moves, uint32_t capacity);
  /* All goals that hold, from the lowest: a sound game has one for each role but
     `random`. */
  uint32_t (*goals)(const machine *m, machine_workspace *w, const void *position, uint32_t role,
                    int32_t *values, uint32_t capacity);
  /* `next` may be `position` itself. */
  void (*step)(const machine *m, machine_workspace *w, const void *position, const move_id *joint,
               void *next);
  /* What a role sees while the joint move is done in `position` (GDL-II). */
  uint32_t (*sees)(const machine *m, machine_workspace *w, const void *position,
                   const move_id *joint, uint32_t role, percept_id *percepts, uint32_t capacity);
  uint32_t (*fluents)(const machine *m, const void *position, fluent_id *fluents,
                      uint32_t capacity);
  /* The fluent with this canonical text; FLUENT_NONE: no state of the machine can have it.  A
     machine may know more fluents than ever hold. */
  fluent_id (*find_fluent)(const machine *m, const char *canonical);
  /* The position with these fluents, which are in ascending order, each once.  What the machine has
     folded, since no play changes it, is as it is in every state: see fluent_set.h.  False: there
     is no room for so many. */
  bool (*place)(const machine *m, const fluent_id *fluents, uint32_t count, void *position);

  /* Makes what is needed for such work, which a machine may put off until it is asked.  False: the
     budget is spent.  NULL: there is nothing to be made. */
  bool (*prepare)(const machine *m, machine_bulk bulk, budget *b);
  /* ---- many states ----
     A machine that works on many states at once says how here.  For one that does not, the same
     calls take states one by one, with the same answers; callers never ask which machine it is. */

  /* Up to 512 states: load, ask, draw, step, play, expand (bundle.h).  NULL: one by one. */
  const struct bundle_ops *bundle;
  /* Figures of very many random games (bulk_play.h).  NULL: one game after another
     (search/playout.h). */
  const struct bulk_play_ops *bulk_play;
  /* Games whose states stay on a device (device_batch.h).  NULL: there is none. */
  const struct device_batch_ops *device_batch;

  /* Canonical KIF. */
  void (*fluent_text)(const machine *m, fluent_id f, text *out);
  void (*move_text)(const machine *m, uint32_t role, move_id move, text *out);
  void (*percept_text)(const machine *m, uint32_t role, percept_id percept, text *out);
} machine_ops;

/* Every machine has a struct of its own, which starts with this. */
struct machine {
  const machine_ops *ops;
  size_t position_size; /* in bytes */
  uint32_t role_count;
  const char *const *roles;        /* canonical KIF, in the order of the rulesheet */
  const machine_numbers *numbers;  /* NULL: numbers are given as things turn up */
  const struct grounded *grounded; /* its circuit (circuit_game.h); NULL: it has none */
};

/* The role `random`, which chance plays and which needs no goal; role_count: there is none. */
uint32_t machine_nature(const machine *m);

/* ---- choosing ---- */

/* Every kind there is, from the fastest to the slowest; ended by NULL. */
extern const machine_ops *const machine_kinds[];
/* Those that play on a device, which may not be there; ended by NULL.  They are opened by name
   alone: "auto" takes none of them, or what a seed gives would depend on the computer. */
extern const machine_ops *const machine_device_kinds[];
const machine_ops *machine_kind(const char *name); /* of both; or NULL */

/* Opens the kind of that name; "auto" is the first that can be opened in a part of the time that is
   left.  NULL: `d` says why. */
machine *machine_open(const char *name, const machine_source *source, budget *b, diag_sink *d);

/* ---- the calls ---- */

static inline void machine_close(machine *m) {
  if (m) m->ops->close(m);
}

static inline machine_workspace *machine_workspace_new(const machine *m, budget *b) {
  return m->ops->workspace_new(m, b);
}

static inline void machine_workspace_free(const machine *m, machine_workspace *w) {
  if (w) m->ops->workspace_free(w);
}

static inline bool machine_prepare(const machine *m, machine_bulk bulk, budget *b) {
  return !m->ops->prepare || m->ops->prepare(m, bulk, b);
}

static inline void machine_start(const machine *m, void *position) { m->ops->start(m, position); }

/* From a position of one's own; NULL: from the start of the game. */
static inline void machine_start_at(const machine *m, const void *start, void *position) {
  if (start)
    memcpy(position, start, m->position_size);
  else
    machine_start(m, position);
}

static inline bool machine_terminal(const machine *m, machine_workspace *w, const void *position) {
  return m->ops->terminal(m, w, position);
}

static inline uint32_t machine_legal(const machine *m, machine_workspace *w, const void *position,
                                     uint32_t role, move_id *moves, uint32_t capacity) {
  return m->ops->legal(m, w, position, role, moves, capacity);
}

static inline uint32_t machine_goals(const machine *m, machine_workspace *w, const void *position,
                                     uint32_t role, int32_t *values, uint32_t capacity) {
  return m->ops->goals(m, w, position, role, values, capacity);
}

static inline void machine_step(const machine *m, machine_workspace *w, const void *position,
                                const move_id *joint, void *next) {
  m->ops->step(m, w, position, joint, next);
}

static inline uint32_t machine_sees(const machine *m, machine_workspace *w, const void *position,
                                    const move_id *joint, uint32_t role, percept_id *percepts,
                                    uint32_t capacity) {
  return m->ops->sees(m, w, position, joint, role, percepts, capacity);
}

static inline uint32_t machine_fluents(const machine *m, const void *position, fluent_id *fluents,
                                       uint32_t capacity) {
  return m->ops->fluents(m, position, fluents, capacity);
}

/* Notes in the workspace that its budget is spent, if so; returns true if there is trouble. */
bool workspace_is_over(machine_workspace *w);

/* Reports the trouble, if there is any; returns true if there is. */
bool machine_report_trouble(const machine_workspace *w, diag_sink *d);

#endif
