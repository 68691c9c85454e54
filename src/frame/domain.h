/* Step 2: roles, fluents and moves, by name.

   A reachability analysis (ground/bases.h) gives every fluent and every move that may ever occur.
   They are grouped by name: all cell(...) are one fluent name, all mark(...) of role x one action
   name.  The analysis also finds what holds in every state, which keeps the translation short: a
   condition that all instances of a fluent meet can be left out. */
#ifndef TABIA_FRAME_DOMAIN_H
#define TABIA_FRAME_DOMAIN_H

#include "ground/bases.h"

/* Fluents of one name, or moves of one role with one name. */
typedef struct frame_name {
  term_id pattern;         /* cell(?0, ?1, ?2): every instance is one of the pattern */
  uint32_t variable_count; /* of the pattern */
  uint32_t first, count;   /* in frame_domain.instances, sorted by text; count 0: anything */
} frame_name;

typedef struct frame_role {
  term_id term;
  uint32_t first_action, action_count; /* in frame_domain.actions, the simplest first */
} frame_role;

typedef struct frame_domain {
  arena *keep;
  term_table *terms;
  bases facts;
  bool has_facts;
  VEC(term_id) instances;
  VEC(frame_name) fluents; /* sorted by text */
  VEC(frame_name) actions; /* by role */
  VEC(frame_role) roles;   /* in the order of the rulesheet */
} frame_domain;

/* False: a limit was reached, or the rules cannot be evaluated (reported).  It is filled in place
   and not copied; frame_domain_free must follow either way. */
bool frame_domain_read(frame_domain *m, const program *p, arena *keep, budget *limits,
                       diag_sink *d);
void frame_domain_free(frame_domain *m);

/* Does the ground atom hold in every state? */
bool frame_always_holds(const frame_domain *m, term_id atom);

/* A term over the variables of a rule that stands for instances of a name. */
typedef struct frame_place {
  term_id term;
  const frame_name *name;
} frame_place;

/* The values that some variables take together over the instances that fit the place and meet all
   `distinct` atoms whose variables are in it: rows of `values`, one column for each of `variables`.
   False: nothing is known, or it would take too long. */
bool frame_values(const frame_domain *m, frame_place at, const term_id *distincts,
                  uint32_t distinct_count, const uint32_t *variables, uint32_t count, table *values,
                  arena *scratch);

/* The variables of a term, each once, in the order of their occurrence. */
void frame_add_variables(const term_table *t, term_id id, id_vec *variables, arena *keep);
bool frame_has_variables(const term_table *t, term_id id, const id_vec *among);

/* More than the largest variable number of the term; at least `least`. */
uint32_t frame_variable_bound(const term_table *t, term_id id, uint32_t least);

/* Bindings for variables 0 .. count-1, all free. */
term_id *frame_bindings(arena *keep, uint32_t count);

#endif
