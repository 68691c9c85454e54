/* Formulas over the fluents of a game, without variables, as certificates write them. */
#ifndef TABIA_CERTIFY_STATE_FORMULA_H
#define TABIA_CERTIFY_STATE_FORMULA_H

#include "certify/game_names.h"
#include "certify/ground_clauses.h"

typedef enum state_op { STATE_FLUENT, STATE_AND, STATE_OR, STATE_NOT } state_op;

/* Steps in postfix order, so that evaluating needs no recursion. */
typedef struct state_formula {
  VEC(struct state_step {
    state_op op;
    uint32_t number; /* of a fluent: in ground_program.fluents; else how many operands */
  })
  steps;
} state_formula;

/* The node is a formula by the grammar.  False: something in it, `unknown`, is no fluent. */
bool state_formula_read(state_formula *f, const game_names *names, const tree *t, node_id n,
                        arena *keep, node_id *unknown);

/* Its value, given which fluents hold. */
bool state_formula_holds(const state_formula *f, const bool *fluents, arena *scratch);

/* A literal that holds exactly when the formula does; `fluents` are those of the fluents. */
clause_literal state_formula_literal(const state_formula *f, ground_clauses *c,
                                     const clause_literal *fluents, arena *scratch);

#endif
