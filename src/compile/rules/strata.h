/* The rules of a game over flat relations, stratified, with permanent facts evaluated.

   A relation whose rules are stratified only once ground, such as goal(R, 0) <= not goal(R, 100),
   is split by the values of a column that every rule gives as a constant.  If that does not
   stratify them, the game is declined (E840).  Rules that no query of a game needs are left out.
   Permanent relations that would have too many facts are restricted to their demand, which is
   computed in every state if it depends on the state. */
#ifndef TABIA_COMPILE_RULES_STRATA_H
#define TABIA_COMPILE_RULES_STRATA_H

#include "compile/rules/evaluation_order.h"
#include "datalog/table.h"

/* What is asked of a game.  A relation is computed when the first question that needs it comes. */
typedef enum question_kind {
  ASK_TERMINAL,
  ASK_LEGAL,
  ASK_GOAL,
  ASK_NEXT,
  ASK_SEES,
  QUESTION_COUNT
} question_kind;

typedef struct strata {
  const program *program; /* as given */
  struct program linked;  /* with rules that tie true and does to what can follow */
  flat_program flat;      /* without these links */
  flat_program plain;     /* the same before any relation was restricted */
  bool *is_restricted;    /* by flat relation of `plain` */
  bool hands_on;          /* how they are restricted: see ground/rewrite/rewrite.h */
  order order;
  bool *is_permanent;    /* by flat relation: the same facts in every state */
  bool *depends_on_does; /* by flat relation */
  uint32_t *asked_by;    /* by flat relation: a bit for each question_kind that needs it */
  table *facts;          /* by flat relation: those of permanent ones */
} strata;

/* False: the rules cannot be compiled, or a limit was reached (reported). */
bool strata_build(strata *s, const program *p, arena *keep, budget *limits, diag_sink *d);

/* The same with some relations (by flat relation of `plain`) restricted to what is asked of them;
   `hands_on`: see ground/rewrite/rewrite.h.  False: they cannot be, or a limit was reached.  `from`
   must outlive the result. */
bool strata_restrict(strata *s, const strata *from, const bool *wanted, bool hands_on, arena *keep,
                     budget *limits);

/* Finds anew who needs whom, when clauses of `flat` were written in another way that means the
   same.  What changed before still counts as changing: its facts have not been found. */
void strata_clauses_changed(strata *s, arena *keep);

/* Rules by stratum; before a negation stands the stratum that must be complete. */
void strata_print(const strata *s, text *out);

#endif
