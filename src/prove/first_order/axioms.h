/* Axioms of first-order logic, in the form in which they are put to use.

   For all values of its variables: when every statement of the body holds, then so does one of the
   choices, all its statements, for some values of the variables that are in choices alone.  Without
   a choice the body can never hold.

   Statements are atoms at a time (0 is a state, 1 the one after it; what does not change with the
   state is at 0) and equations; equal terms are the same term, as everywhere in GDL. */
#ifndef TABIA_PROVE_FIRST_ORDER_AXIOMS_H
#define TABIA_PROVE_FIRST_ORDER_AXIOMS_H

#include "rules/term.h"

typedef struct statement {
  term_id a; /* an atom, or a side of an equation */
  term_id b; /* the other side; TERM_NONE: it is an atom */
  uint32_t time;
  bool is_negated;
} statement;

typedef struct choice {
  uint32_t first; /* in axiom_set.statements */
  uint32_t count;
} choice;

typedef struct axiom {
  uint32_t variables; /* more than any number of a variable in it */
  uint32_t body;      /* in axiom_set.statements */
  uint32_t body_count;
  uint32_t choices; /* in axiom_set.choices */
  uint32_t choice_count;
  bool is_rule;  /* has one choice of one atom, by which it is looked up too */
  bool is_eager; /* a few listed facts are tried for it, however many there are */
} axiom;

typedef struct axiom_set {
  arena *keep;
  VEC(axiom) all;
  VEC(statement) statements;
  VEC(choice) choices;
} axiom_set;

static inline bool statement_is_equation(const statement *s) { return s->b != TERM_NONE; }

static inline statement holds(term_id atom, uint32_t time) {
  return (statement){.a = atom, .b = TERM_NONE, .time = time};
}

static inline statement are_equal(term_id a, term_id b) { return (statement){.a = a, .b = b}; }

static inline statement opposite(statement s) {
  s.is_negated = !s.is_negated;
  return s;
}

/* An axiom is begun, then given its body, then its choices, each begun with axiom_choose. */
axiom *axiom_begin(axiom_set *s, uint32_t variables);
void axiom_if(axiom_set *s, statement part);
void axiom_choose(axiom_set *s);
void axiom_then(axiom_set *s, statement part);

/* ---- patterns ---- */

/* Values of the variables of an axiom while it is tried. */
typedef struct pattern_bindings {
  arena *keep;
  term_id *values; /* by variable; TERM_NONE: none yet */
  id_vec trail;    /* variables in the order in which they got their values */
} pattern_bindings;

pattern_bindings pattern_begin(uint32_t variables, arena *keep);

/* Makes the pattern the term by giving values; those stay on the trail also when it fails.
   Arguments are compared without the names of the two terms: a fact of `init` fits `true`. */
bool pattern_fits(const term_table *t, term_id pattern, term_id value, pattern_bindings *b);
bool pattern_arguments_fit(const term_table *t, term_id pattern, term_id value,
                           pattern_bindings *b);

/* Takes values back until the trail is as long as it was. */
void pattern_undo(pattern_bindings *b, uint32_t mark);

/* Have all variables of it a value? */
bool pattern_is_bound(const term_table *t, term_id pattern, const pattern_bindings *b);

#endif
