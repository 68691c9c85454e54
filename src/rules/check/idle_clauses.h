/* Clauses that never fire, and what each of them lacks. */
#ifndef TABIA_RULES_CHECK_IDLE_CLAUSES_H
#define TABIA_RULES_CHECK_IDLE_CLAUSES_H

#include "rules/argument_values.h"
#include "rules/check/check_parts.h"

typedef enum lack_kind {
  LACKS_RELATION, /* nothing ever gives the literal's relation */
  LACKS_VALUE,    /* a constant or function never stands there */
  LACKS_COMMON,   /* the slots of a variable have no value in common */
  LACKS_OTHER     /* `distinct` leaves a variable no value */
} lack_kind;

typedef struct lack {
  clause_id clause;
  lack_kind kind;
  const literal *literal; /* the positive one that is to blame, or the `distinct` */
  const literal *other;   /* another where the variable stands; or NULL */
  misfit misfit;          /* of LACKS_VALUE */
  uint32_t variable;      /* of LACKS_COMMON and LACKS_OTHER: it stands at `slot` */
  slot_id slot, other_slot;
} lack;

typedef struct idle_clauses {
  checker *c;
  VEC(lack) all;
  uint32_t *first_of; /* by relation: the first in `all` that would define it */
  uint32_t *next_of;  /* by index in `all`; UINT32_MAX ends the list */
  uint64_t steps_left;
  variable_slots standing; /* of the clause at hand */
  id_vec slots;            /* of the variable at hand */
} idle_clauses;

/* In the checker's scratch. */
idle_clauses idle_clauses_find(checker *c);

/* The relations whose heads give facts of relation r; how many there are. */
uint32_t relation_givers(relation_id r, relation_id givers[2]);

/* Idle clauses that would give the atom, if they fired.  `found` gets their numbers in `all`; where
   it is NULL one is enough.  Returns true if there is one. */
bool idle_clauses_would_give(idle_clauses *k, term_id atom, id_vec *found);

#endif
