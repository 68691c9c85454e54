/* Certificates as they are read, for those who check them (check_certificate.c). */
#ifndef TABIA_PROVE_CHECK_SECTION_H
#define TABIA_PROVE_CHECK_SECTION_H

#include "prove/check_measures.h"
#include "read/tree.h"

typedef struct member {
  uint32_t fluent;
  bool negated;
} member;

typedef struct claim_fact {
  bool at_least, at_most; /* at least one, at most one of the members */
  VEC(member) members;
} claim_fact;

typedef VEC(claim_fact) claim_facts;

/* One section. */
typedef struct section {
  node_id property; /* the list (property ...) */
  uint32_t k;
  claim_facts facts;
  VEC(checked_measure) measures;
  node_id line;        /* the list (line ...), or ID_NONE */
  uint32_t returns_to; /* of the line */
  uint32_t steps;      /* no play has more; ID_NONE: not said */
  uint32_t longest;    /* steps of the longest play; ID_NONE: not said */
  bool is_exhaustive;
} section;

typedef struct checker {
  const program *program;
  const ground_program *g;
  const tree *t;
  arena *keep;
  budget *b;
  diag_sink *d;
  const char **fluent_names; /* sorted, as the fluents are */
  const char *complaint;     /* what is wrong with the section; NULL: nothing */
} checker;

/* The first complaint counts.  Always false. */
bool checker_complain(checker *k, const char *why, const char *what);

/* The canonical text of a node, and of a term. */
const char *checker_node_text(checker *k, node_id n);
const char *checker_term_text(checker *k, term_id t);

/* Is the node the name, or a list that begins with it? */
bool checker_is_named(const checker *k, node_id n, const char *name);

/* Complains when there is no such fluent. */
bool checker_find_fluent(checker *k, node_id n, uint32_t *fluent);

/* Reads from the list (property ...) on; gives back where the section ends. */
node_id section_read(checker *k, node_id n, section *s);

/* Is it about the property of this name, which takes no argument? */
bool section_asks_for(const checker *k, const section *s, const char *property);

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

/* Where all facts of the section hold they do so after each step (check_step.c). */
bool section_step_holds(checker *k, const section *s);

/* ---- properties as clauses (check_forbidden.c) ---- */

/* The states that must not be there. */
clause_literal section_forbidden(checker *k, ground_clauses *c, const section *s, uint32_t time);

/* A role has a goal at `time`, and a smaller one after the step. */
clause_literal goals_fall(checker *k, ground_clauses *c, uint32_t time);

#endif
