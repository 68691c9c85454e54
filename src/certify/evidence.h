/* A section of a certificate, with what it names found in the game; and what its parts mean, as
   clauses over ground rules. */
#ifndef TABIA_CERTIFY_EVIDENCE_H
#define TABIA_CERTIFY_EVIDENCE_H

#include "certify/certify.h"
#include "certify/check_measures.h"
#include "certify/grammar.h"
#include "certify/state_formula.h"

typedef struct member {
  uint32_t fluent;
  bool negated;
} member;

typedef struct claim_fact {
  bool at_least, at_most; /* at least one, at most one of the members */
  VEC(member) members;
  node_id node;
} claim_fact;

typedef VEC(claim_fact) claim_facts;

typedef struct evidence {
  const section *section;
  certified_kind kind;
  uint32_t role;         /* of CERTIFIED_WINNABLE */
  state_formula formula; /* of CERTIFIED_UNREACHABLE and CERTIFIED_INVARIANT */
  claim_facts facts;
  VEC(checked_measure) measures;
  id_vec line; /* moves, role by role, by number in ground_program.moves */
  uint32_t line_length;
} evidence;

/* The checking of one section. */
typedef struct checker {
  const program *program;
  const ground_program *g;
  const certificate *certificate;
  const game_names *names;
  asking how;
  arena *keep; /* of this section */
  budget *b;
  const char *complaint; /* why it does not hold, or cannot be checked; NULL: nothing is wrong */
  bool is_unable;        /* it cannot be checked */
  uint64_t states;       /* that were looked at; of EVIDENCE_ALL_STATES */
} checker;

/* The section does not hold; `about` is the node to blame, or ID_NONE.  The first complaint counts.
   Always false. */
bool checker_reject(checker *k, const char *why, node_id about);

/* The checker cannot do it: neither accepted nor rejected.  Always false. */
bool checker_give_up(checker *k, const char *why);

/* False: it names something that the game does not have. */
bool evidence_read(evidence *e, checker *k, const section *s);

/* ---- facts (check_facts.c) ---- */

/* Literals of which one holds exactly when the fact does not: at most one more than it has members.
   `fluents` has those of its members. */
uint32_t fact_ways_to_break(ground_clauses *c, const claim_fact *f, const clause_literal *fluents,
                            clause_literal *ways);

/* A literal that holds exactly when the fact does not; `fluents` has those of its members. */
clause_literal fact_broken(ground_clauses *c, const claim_fact *f, const clause_literal *fluents,
                           arena *scratch);

/* Some of these facts is broken at `time`. */
clause_literal facts_broken(ground_clauses *c, const claim_facts *facts, uint32_t time);

/* All of them hold at `time`. */
void facts_require(ground_clauses *c, const claim_facts *facts, uint32_t time);

/* Does it hold in the state, given which fluents do? */
bool fact_holds(const claim_fact *f, const bool *fluents);

/* Where all facts hold they do so after each step (check_step.c). */
bool facts_stay(checker *k, const evidence *e);

/* ---- properties as clauses (check_forbidden.c) ---- */

/* The states that must not be there. */
clause_literal forbidden_states(checker *k, ground_clauses *c, const evidence *e, uint32_t time);

/* A role has a goal at `time`, and a smaller one after the step. */
clause_literal goals_fall(checker *k, ground_clauses *c, uint32_t time);

/* ---- the kinds of evidence ---- */

bool induction_holds(checker *k, const evidence *e); /* check_induction.c */
bool steps_hold(checker *k, const evidence *e);      /* check_induction.c */
bool line_holds(checker *k, const evidence *e);      /* check_line.c */
bool all_states_hold(checker *k, const evidence *e); /* check_states.c */

#endif
