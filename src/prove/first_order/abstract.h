/* The method `abstract`: proofs from the first-order rules, whatever the size of the board, after
   Timothy Hinrichs, 'Automatically Proving Playability through Abstraction'.

   Facts about every reachable state, first-order too, are guessed from the rules for `next` and
   proved by induction; then every role is shown to have a move in any state that is not terminal,
   or in the first state and in all that follow on a state in which the moves that were made were
   legal. Nothing is grounded: the job may be one that was opened without it. */
#ifndef TABIA_PROVE_FIRST_ORDER_ABSTRACT_H
#define TABIA_PROVE_FIRST_ORDER_ABSTRACT_H

#include "prove/first_order/deduction.h"
#include "prove/first_order/proof_tree.h"
#include "prove/methods.h"

/* A game as it is taken here. */
typedef struct abstract_game {
  arena *keep;
  const program *p;
  analysis a;
  const listed_facts *facts;
  const bool *is_needed;
  id_vec roles; /* terms */
  abstract_options options;
  theory start, state, step;
  unfolded_vec legal, terminal; /* the bodies of their rules */
  axiom_set moves;              /* of the step: each role does one legal thing */
  uint32_t models;              /* abstract states that were looked at so far */
  uint32_t instances;
} abstract_game;

/* What is proved first helps with what comes later, and wrong guesses there cannot harm it. */
typedef enum fact_stage {
  STAGE_FEW,      /* of fluents with an argument or none: whose turn it is */
  STAGE_VALUES,   /* which values arguments have */
  STAGE_KINDS,    /* of which kind they are */
  STAGE_PRESENCE, /* what there is */
  FACT_STAGES
} fact_stage;

/* A statement of what holds in every reachable state, as an axiom at time 0 of `forms`.  The
   variables of its body come first. */
typedef struct abstract_fact {
  uint32_t form; /* in abstract_facts.forms */
  uint32_t body_variables;
  fact_stage stage;
  const char *group; /* in words, if it says that no two of some fluents hold together; or NULL */
} abstract_fact;

typedef struct abstract_facts {
  axiom_set forms;
  VEC(abstract_fact) all;
} abstract_facts;

/* NULL; or why the game cannot be taken so, in `keep`. */
const char *abstract_open(abstract_game *g, const program *p, abstract_options o, arena *keep);

/* That the state at that time is not terminal; that a role has no legal move in it. */
void abstract_say_not_terminal(const abstract_game *g, const theory *t, axiom_set *out,
                               uint32_t time);
void abstract_say_stuck(const abstract_game *g, const theory *t, axiom_set *out, uint32_t time,
                        term_id role);

/* Do the sets contradict each other?  Keeps count. */
deduction_result abstract_deduce(abstract_game *g, const theory *t, const axiom_set *const *sets,
                                 deduction_limits most, budget *b);

/* ---- abstract_guess.c, abstract_facts.c ---- */

/* Guesses from the shape of the rules. */
void abstract_guess(abstract_facts *out, const abstract_game *g);

/* Keeps those that hold at the start and are kept, all together, by every step. */
void abstract_prove_facts(abstract_facts *f, abstract_game *g, budget *b);

/* Says that they hold at that time. */
void abstract_say_facts(const abstract_facts *f, const abstract_game *g, axiom_set *out,
                        uint32_t time);

#endif
