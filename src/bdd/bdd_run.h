/* The program tabia-bdd at work: the states of a circuit, level by level.

   It lies beside the program that runs, or is found as any other program is; $TABIA_BDD names
   another one. */
#ifndef TABIA_BDD_BDD_RUN_H
#define TABIA_BDD_BDD_RUN_H

#include "bdd/bdd_text.h"

typedef struct bdd_level {
  const char *states; /* in decimal digits; "more": 2 to the 128 or above */
  uint32_t nodes;     /* of its diagram */
} bdd_level;

typedef struct bdd_reached {
  bool is_found;
  uint32_t depth;
  id_vec line; /* a joint move for each step, by number in circuit.moves */
} bdd_reached;

typedef enum bdd_end { BDD_END_UNKNOWN, BDD_ENDS, BDD_CYCLES } bdd_end;

typedef struct bdd_answer {
  VEC(bdd_level) levels;
  bdd_reached *targets; /* by target of the circuit */
  const char *states;   /* all of them; NULL: not all have been found */
  bool is_layered;      /* every step leads to the next level */
  bdd_end end;
  uint32_t longest;    /* steps of the longest play */
  id_vec cycle;        /* a play that comes back ... */
  uint32_t returns_to; /* ... to the state after this number of steps */
  const char *stop;    /* why it ended early, in a word; or NULL */
} bdd_answer;

/* Called with each level as it comes; or NULL. */
typedef void bdd_level_fn(void *context, const bdd_level *level);

/* False: it cannot be run, or was stopped by the budget (reported); the levels that came are there.
 */
bool bdd_run(bdd_answer *a, const circuit *c, const bdd_encoding *e, bdd_wish wish,
             bdd_level_fn *tell, void *context, arena *keep, budget *b, diag_sink *d);

#endif
