/* Why an atom holds in a state, or why it does not: a tree, as a list in which a step's parts
   follow it, one level deeper.

   What holds has the shortest derivation (derivation.h).  What does not hold has an attempt for
   each rule whose head fits: the first condition that fails with what comes nearest to it, why that
   one fails in its turn, and the conditions that do hold.  A step that was shown before is not
   shown again. */
#ifndef TABIA_EXPLAIN_EXPLANATION_H
#define TABIA_EXPLAIN_EXPLANATION_H

#include "explain/world.h"

typedef enum why_kind {
  WHY_RULE,     /* holds by a rule: its conditions follow */
  WHY_FACT,     /* holds: it is written in the rules */
  WHY_FLUENT,   /* is, or is not, in the state */
  WHY_MOVE,     /* is, or is not, done */
  WHY_NOT,      /* a negated condition: why its atom fails, or holds, follows */
  WHY_DISTINCT, /* two terms differ, or do not */
  WHY_FAILS,    /* does not hold: attempts follow */
  WHY_ATTEMPT,  /* a rule that does not give it: the condition that fails, then those that hold */
  WHY_HOLDS,    /* a condition of an attempt that holds */
  WHY_AGAIN,    /* was shown before */
  WHY_NOTE,     /* words alone */
  WHY_KINDS
} why_kind;

const char *why_kind_name(why_kind k); /* "rule" */

typedef struct why_step {
  why_kind kind;
  uint32_t depth;
  bool holds;              /* the literal of the step does */
  bool is_negated;         /* that literal is (not atom) */
  term_id atom;            /* TERM_NONE: none */
  const symbol_id *names;  /* of the variables in it; NULL: they have none */
  clause_id clause;        /* that gives it, or would; ID_NONE: none */
  const term_id *bindings; /* of the clause's variables; TERM_NONE where free; or NULL */
  span where;              /* of the clause, fact or condition in the rules; or SPAN_NONE */
  const char *words;       /* what else there is to say; or NULL */
} why_step;

typedef struct explanation {
  world *world;
  arena *keep;
  VEC(why_step) steps;
  id_vec shown; /* atoms of WHY_RULE and WHY_FAILS so far */
} explanation;

/* Returns more about a fluent that is not in the state: when it was lost; or NULL. */
typedef const char *why_history(void *context, term_id fluent);

typedef struct explain_choice {
  uint32_t failure_levels; /* how many failing conditions are followed, one below another */
  uint32_t attempts_max;   /* rules that are shown for one atom */
  why_history *history;
  void *context;
} explain_choice;

extern const explain_choice explain_usual;

/* Adds why the ground atom holds, or why no instance of the atom does, from `depth` on.  The world
   must not be set anew meanwhile. */
void explain_holds(explanation *e, term_id atom, uint32_t depth, const explain_choice *how);
void explain_fails(explanation *e, term_id atom, uint32_t depth, const explain_choice *how);

why_step *explanation_add(explanation *e, why_kind kind, uint32_t depth, bool holds, term_id atom);
span clause_span(const program *p, clause_id c);

/* The names of variables that stay free in a term of a clause, in the order of the term. */
const symbol_id *free_names(const world *w, clause_id c, term_id t, const term_id *bindings,
                            arena *keep);

/* For the files of this folder: what can never be. */
const char *explain_never(world *w, term_id pattern, arena *keep); /* or NULL */
const char *explain_nearest(world *w, term_id atom, arena *keep);  /* what holds in its place */

#endif
