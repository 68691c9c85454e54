/* What the variables of one clause can be: the slots where they stand in its positive literals. */
#ifndef TABIA_RULES_CHECK_CLAUSE_SLOTS_H
#define TABIA_RULES_CHECK_CLAUSE_SLOTS_H

#include "rules/check/check_parts.h"

typedef struct clause_slots {
  const checker *c;
  variable_slots all;
  const clause *of; /* NULL: none has been read */
} clause_slots;

/* Reads a clause into `s`, whose memory is used again, unless it is there already. */
void clause_slots_read(clause_slots *s, const clause *it);

/* Can the term be this constant?  A variable of which nothing is known can. */
bool clause_term_can_be(const clause_slots *s, term_id t, slot_value constant);

/* All that a variable can be.  False: nothing is known of it. */
bool clause_variable_values(const clause_slots *s, uint32_t variable, slot_values *out);

/* How many values a variable can have; UINT32_MAX: nothing is known of it. */
uint32_t clause_variable_choice(const clause_slots *s, uint32_t variable);

#endif
