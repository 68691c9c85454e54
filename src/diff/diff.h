/* Are two rulesheets the same game? They are if, after every line of moves, the same roles have the
   same legal moves, goals and percepts, and the game is over in both or in neither.

   In order of cost: compare the rules themselves (same_rules.h); compare all pairs of states for a
   short time; let the provers decide the product game (product.h); if that cannot be grounded,
   compare random games and pairs of states. A line that shows a difference is played again on both,
   on machine `reference`, before it is reported. */
#ifndef TABIA_DIFF_DIFF_H
#define TABIA_DIFF_DIFF_H

#include "diff/pair_search.h"
#include "prove/finding.h"

typedef struct diff_result {
  verdict_kind verdict; /* VERDICT_PROVED: the same; VERDICT_REFUTED: they differ */
  const char *method;   /* that decided it; NULL: none */
  const char *reason;   /* why it is open; or NULL */
  double seconds;
  uint64_t states;    /* pairs of states that were looked at; 0: not by states */
  uint64_t games;     /* random games that showed no difference */
  uint32_t depth;     /* no line of fewer steps shows a difference */
  const char **roles; /* of the old rules */
  uint32_t role_count;
  uint32_t *order_in_new; /* the same roles by number, in the order of the new rules */
  const char **line;      /* that shows the difference: old names, a move for each role and step */
  uint32_t length;        /* of it, in steps */
  bool is_shortest;       /* no shorter line does */
  difference_vec differences; /* after the line, or in its last step */
  bool is_new_faulty;         /* it is the new rules that cannot be played */
} diff_result;

/* False: the rules cannot be played at all, and `d` says why. */
bool diff_run(diff_result *r, const diff_question *q, budget *b, diag_sink *d, arena *keep);

#endif
