/* What the groups of checks share.  Each group is one file and one function; all of them read
   the program and report, none depends on another. */
#ifndef TABIA_RULES_CHECK_PARTS_H
#define TABIA_RULES_CHECK_PARTS_H

#include "base/bitset.h"
#include "base/diag_choice.h"
#include "rules/argument_values.h"
#include "rules/check.h"
#include "rules/unifier.h"

/* What stands first in the heads of a keyword: ground terms, and others. */
typedef struct first_arguments {
  bitset ground;
  id_vec open;
} first_arguments;

typedef struct checker {
  const program *p;
  const analysis *a;
  arena *scratch;
  diag_sink *d;
  unifier *unifier;
  uint32_t most_variables; /* more than any rule or clause has */
  bool is_whole;           /* no rule was left out: what is missing is missing indeed */
  first_arguments of_role, of_legal, of_goal;
  bool *is_idle;                 /* by rule: told to never fire */
  const argument_values *values; /* for the groups behind check_firing */
  uint64_t steps_left;           /* for questions that are put to pairs of things */
  budget *limits;                /* or NULL */
} checker;

void check_keywords(checker *c);                   /* x2xx */
void check_names(checker *c);                      /* x3xx */
bool check_variables(checker *c);                  /* x4xx; true: allowed */
void check_strata(checker *c, check_result *r);    /* E501, W502 */
void check_recursion(checker *c, check_result *r); /* E503, W504, W505 */
void check_game(checker *c);                       /* E60x, W60x: what a game needs */
void check_firing(checker *c);                     /* W607, W608: idle rules */
void check_values(checker *c);                     /* W616, W617: what stands where it never can */
void check_fluents(checker *c);                    /* W618, W619: what is lost, what is unread */
void check_goals(checker *c);                      /* W624..W626: goals that do not fit together */
void check_start(checker *c);                      /* W629, W632: boards of the first state */
void check_tables(checker *c);                     /* W628: facts that count */
void check_declarations(checker *c);               /* W610, W611: values that are not declared */
void check_unread(checker *c);                     /* W620: values that look like slips */
void check_state(checker *c);                      /* W630, W631: conditions that cannot be meant */
void check_moves(checker *c);                      /* W621..W623: moves that are no moves */

/* Counts a step.  False: a huge text is not checked to its end. */
static inline bool check_may_go_on(checker *c) {
  return c->steps_left && c->steps_left-- && !budget_is_spent(c->limits);
}

/* ---- words for messages, in the notation of the text; they live in scratch and are cut where
   they would be long ---- */

notation shown_notation(const checker *c);

const char *shown_name(const checker *c, symbol_id name);
const char *shown_term(const checker *c, term_id t, rule_id r); /* with the names of rule r */
const char *shown_relation(const checker *c, relation_id r);    /* its name */

/* ---- places ---- */

/* The first node in `top` that is the variable or name `s`; `top` itself when there is none. */
node_id node_of_symbol(const checker *c, node_id top, symbol_id s);

/* Argument `i` of the atom or term at `n`. */
node_id node_of_argument(const checker *c, node_id n, uint32_t i);

/* Another name is to be written at the node, or before its arguments: what a hint proposes. */
void mend_name(const checker *c, diag *g, node_id n, symbol_id name);

/* The node of the head of a clause. */
node_id node_of_head(const checker *c, clause_id id);

/* The head of a form at the top level: the form itself, or what follows `<=`; UINT32_MAX when
   there is none. */
node_id node_of_form_head(const checker *c, node_id form);

static inline span where(const checker *c, node_id n) { return program_span(c->p, n); }

static inline symbol_id variable_name(const checker *c, rule_id r, uint32_t number) {
  return c->p->variable_names.items[c->p->rules.items[r].variables + number];
}

static inline const clause *clause_at(const checker *c, clause_id id) {
  return &c->p->clauses.items[id];
}

static inline const literal *literal_at(const checker *c, uint32_t i) {
  return &c->p->literals.items[i];
}

/* The i-th clause that defines relation r. */
static inline clause_id clause_of(const checker *c, relation_id r, uint32_t i) {
  return c->p->clauses_of_relation.items[c->p->relations.items[r].first_clause + i];
}

/* Has relation r a clause whose head has an instance in common with the atom? */
bool some_head_meets(const checker *c, relation_id r, term_id atom);

/* W612 reports it, and what follows from it is not reported. */
static inline bool game_has_no_next(const checker *c) {
  return c->p->relations.items[SYM_NEXT].clause_count == 0;
}

/* Is it said of somebody (legal, does, goal, ...), and that is no role?  W615 reports it. */
bool atom_is_of_nobody(const checker *c, term_id atom);

first_arguments first_arguments_of(const checker *c, symbol_id keyword);

/* It has clauses, and all of them are facts without variables. */
bool relation_is_listed(const checker *c, relation_id r);

#endif
