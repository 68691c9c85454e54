/* The facts that a rulesheet lists, found by what is known of their arguments.

   There may be very many (which square comes after which): they are never enumerated. */
#ifndef TABIA_PROVE_FIRST_ORDER_LISTED_FACTS_H
#define TABIA_PROVE_FIRST_ORDER_LISTED_FACTS_H

#include "base/bitset.h"
#include "rules/program.h"

typedef struct listed_facts listed_facts;

/* Is it a fact, and not a rule? */
bool clause_is_listed(const program *p, const clause *c);

listed_facts *listed_read(const program *p, arena *keep);

/* Is p(arguments of atom) listed?  The atom may have another name, as `true` has for `init`. */
bool listed_have(const listed_facts *f, relation_id p, term_id atom);

/* Facts of the relation that may be like the atom: all of them are among the result.  With
   `bindings` the variables of the atom have these values, and one that has none may be anything;
   without, a variable may be anything. */
const id_vec *listed_like(const listed_facts *f, relation_id p, term_id atom,
                          const term_id *bindings);

#endif
