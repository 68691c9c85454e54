/* Chooses moves: by trees and by what was learned, and divides the time between them.

   A thinker keeps what it knows from one question to the next.  What it has found is in a report,
   which is made anew by each question. */
#ifndef TABIA_TREE_THINKER_H
#define TABIA_TREE_THINKER_H

#include "tree/style.h"

/* A legal move of a role in the state that was thought about. */
typedef struct move_report {
  move_id move;
  uint64_t visits;
  double value; /* for the role, 0 to 100; of moves that were not tried, 50 */
  double share; /* with which the move is to be made; 0 or 1, unless roles choose at once */
  bool is_solved;
} move_report;

typedef struct role_report {
  move_report *moves; /* in the order of their text */
  uint32_t count;
  move_id best;      /* MOVE_NONE: there is no move */
  double value;      /* 0 to 100 */
  uint8_t low, high; /* bounds */
} role_report;

typedef struct thought {
  role_report *roles;
  bool is_solved;  /* all bounds meet */
  bool is_assumed; /* bounds may rest on a sum of goals that is assumed */
  bool is_terminal;
  move_id *line; /* joint moves, one behind another */
  uint32_t line_length;
  uint64_t iterations, playouts, nodes;
  uint32_t depth;
  double seconds;
  size_t bytes;
  search_style style;
} thought;

typedef struct thinker thinker;

typedef void thought_listener(void *context, const thought *t);

/* When to stop: after these iterations or seconds, whichever is first; 0: no limit. */
typedef struct think_order {
  const void *position;
  uint32_t role; /* whose move is wanted */
  uint64_t iterations;
  double seconds;
  bool by_processor;      /* seconds are those of the thread's processor time */
  thought_listener *tell; /* called a few times a second; or NULL */
  void *context;
} think_order;

/* `style` is used when something was learned; STYLE_COUNT: the one that wins trials then. */
thinker *thinker_new(const machine *m, const tree_options *o, search_style style);
void thinker_free(thinker *t); /* NULL is allowed */

/* Learns for this time, if there is something to be learned; `by_processor` as above.  False:
   the limits were spent; what was learned until then is used. */
bool thinker_learn(thinker *t, double seconds, bool by_processor, const budget *limits);

/* New states are judged by the caller from now on; NULL: no more.  Forgets the tree. */
void thinker_set_judge(thinker *t, caller_judge *judge, bool with_priors, void *context);

/* Forgets the tree, and keeps what was learned. */
void thinker_forget(thinker *t);

/* False: trouble, which the workspace has, or the limits were spent before the order was done; what
   was found until then is in the report. */
bool thinker_think(thinker *t, const think_order *o, const budget *limits);
const thought *thinker_thought(const thinker *t);
const machine_workspace *thinker_workspace(
    const thinker *t); /* or NULL: the machine was not ready */

#endif
