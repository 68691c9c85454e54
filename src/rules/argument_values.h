/* Which values can stand at each argument of a relation, and of the fluents and moves in it?

   A slot is an argument of a relation, or an argument of a function that stands at a slot: (cell ?x
   ?y ?mark) under `true` has three slots below that of `true`.  The values of a slot are constants
   and functions.  They come from the heads of clauses, where a variable has the values that all its
   slots in the positive body have in common; `true` has what `init` and `next` have, and `does`
   what `legal` has.  The least such sets have every value that can occur in play, and more: slots
   are treated independently.

   Work and memory are bounded. If a bound is reached, a slot is open: any value may stand there.
   The result lives in `keep` and refers to the program. */
#ifndef TABIA_RULES_ARGUMENT_VALUES_H
#define TABIA_RULES_ARGUMENT_VALUES_H

#include "base/budget.h"
#include "rules/program.h"

typedef struct argument_values argument_values;

typedef uint32_t slot_id;
#define SLOT_NONE UINT32_MAX

/* A constant, or with an arity a function, whose arguments are slots of their own. */
typedef struct slot_value {
  symbol_id name;
  uint32_t arity;
} slot_value;

typedef VEC(slot_value) slot_values;

/* When the limits are reached everything is open. */
argument_values *argument_values_find(const program *p, budget *limits, arena *keep);

/* ---- slots ---- */

slot_id slot_of_argument(const argument_values *v, relation_id r, uint32_t argument);

/* An argument of a function at a slot; SLOT_NONE: the function never stands there, or nothing is
   known of the slot. */
slot_id slot_of_part(const argument_values *v, slot_id at, slot_value function, uint32_t argument);

/* What a slot is an argument of: a function at the slot `above`; or a relation, where that is
   SLOT_NONE. */
typedef struct slot_origin {
  slot_id above;
  slot_value owner;
  uint32_t argument;
} slot_origin;

slot_origin slot_comes_from(const argument_values *v, slot_id at);

/* ---- values ---- */

bool slot_is_open(const argument_values *v, slot_id at);               /* nothing is known of it */
bool slot_has(const argument_values *v, slot_id at, slot_value value); /* yes, when open */

/* The values that all of the slots have, constants before functions, each in the order of the
   text.  Open slots are passed over; where all are open there is nothing to tell. */
slot_values slots_common_values(const argument_values *v, const slot_id *slots, uint32_t count,
                                arena *keep);
bool slots_have_common_value(const argument_values *v, const slot_id *slots, uint32_t count,
                             arena *scratch);

/* ---- relations and clauses ---- */

bool relation_can_hold(const argument_values *v, relation_id r); /* in some state */
bool clause_can_fire(const argument_values *v, clause_id c);     /* in some state */

/* Where a variable stands. */
typedef struct variable_slot {
  uint32_t variable;
  uint32_t literal; /* the caller's number of the atom */
  slot_id slot;
} variable_slot;

typedef VEC(variable_slot) variable_slots;

/* A term that cannot stand where it is written. */
typedef struct misfit {
  term_id term;
  slot_id slot;
  uint32_t depth;
  uint32_t path[8]; /* the arguments that lead to it from the atom; `depth` of them */
} misfit;

/* Matches an atom with the slots of its relation: adds where its variables stand, but for slots
   that are open.  False: a constant or a function cannot stand in its slot. */
bool atom_can_match(const argument_values *v, term_id atom, uint32_t literal, variable_slots *out,
                    misfit *m, arena *scratch);

#endif
