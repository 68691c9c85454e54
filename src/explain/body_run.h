/* The body of a rule, run in a world: every way to satisfy its conditions, and how far the other
   ways get.  Conditions are taken in the order of the reference machine: that of the text, but
   tests as soon as they can be made. */
#ifndef TABIA_EXPLAIN_BODY_RUN_H
#define TABIA_EXPLAIN_BODY_RUN_H

#include "explain/world.h"

typedef struct body_visitor {
  void *context;
  /* All conditions hold.  False: that is enough. */
  bool (*solved)(void *context, const term_id *bindings);
  /* Conditions before `step` hold, and this one under no further binding.  May be NULL. */
  void (*stuck)(void *context, const ref_plan *plan, uint32_t step, const term_id *bindings);
} body_visitor;

/* `bindings` is what the head gives, and is changed; it has room for all variables of the clause.
 */
void body_run(world *w, const ref_clause *c, term_id *bindings, const body_visitor *v);

/* The atom of a step as it is written: (true f) for a step that has f alone. */
term_id step_atom(world *w, const ref_step *s);

#endif
