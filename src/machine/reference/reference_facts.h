/* Ground terms that are known, to be looked up by any one of their arguments.

   An index over an argument is made when it is first asked for.  Facts of one name and number of
   arguments are a group; terms that are equal are the same number, so an index is over numbers. */
#ifndef TABIA_MACHINE_REFERENCE_REFERENCE_FACTS_H
#define TABIA_MACHINE_REFERENCE_REFERENCE_FACTS_H

#include "rules/term.h"

/* From the value of an argument to the first fact of its chain, and from each fact to the next. */
typedef struct fact_index {
  id_table first;
  uint32_t *next; /* ID_NONE ends a chain */
} fact_index;

typedef struct fact_group {
  symbol_id name;
  uint32_t arity;
  id_vec facts;         /* terms, in the order they were added */
  fact_index **indexes; /* by argument; NULL until asked for */
} fact_group;

typedef struct fact_store {
  const term_table *terms;
  arena *keep;
  fact_group all; /* every fact, without indexes */
  VEC(fact_group) groups;
  id_table group_index;
  uint32_t *place_of;  /* by term: its place in all.facts, if it is there; else anything */
  uint32_t place_size; /* of place_of */
} fact_store;

/* An empty store; `place_of` is carried over from the store that was here before, as it needs no
   clearing. */
void facts_init(fact_store *f, const term_table *terms, arena *keep);
void facts_add(fact_store *f, term_id fact, arena *places); /* `places` holds place_of */
bool facts_have(const fact_store *f, term_id fact);

fact_group *facts_group(fact_store *f, symbol_id name, uint32_t arity); /* or NULL */
const fact_index *facts_index(fact_store *f, fact_group *g, uint32_t argument);

/* The first fact of the group with this value; ID_NONE: none. */
uint32_t fact_index_first(const fact_store *f, const fact_group *g, const fact_index *index,
                          uint32_t argument, term_id value);

#endif
