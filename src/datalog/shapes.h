/* The shapes of atoms, found by running the clauses of a program on shapes in place of facts.  Only
   for flat.c; flat.h says what shapes are. */
#ifndef TABIA_DATALOG_SHAPES_H
#define TABIA_DATALOG_SHAPES_H

#include "datalog/flat.h"

/* A positive literal, or more exactly where one stands. */
typedef struct occurrence {
  clause_id clause;
  uint32_t literal; /* in program.literals */
} occurrence;

/* A positive literal with the shape that it is taken to have. */
typedef struct fitted_literal {
  const literal *literal;
  flat_id shape;
  uint32_t first_hole; /* its holes are the variables from here on */
} fitted_literal;

/* A clause while its literals are fitted to shapes.  Its own variables come first, then the holes
   of each literal's shape. */
typedef struct fitting {
  const clause *clause;
  fitted_literal *positives;
  uint32_t positive_count;
  uint32_t variable_count;
  term_id *bindings; /* by variable */
  bool *is_bound;    /* by variable, once all literals fit: some hole binds it */
  bool *is_constant; /* likewise: only constants can fill it */
} fitting;

/* A clause with a shape for each of its positive literals. */
typedef struct combination {
  clause_id clause;
  flat_id head;     /* the shape of its head */
  const fitting *x; /* NULL: a fact */
  uint32_t row;     /* of a fact: in flat_program.args */
} combination;

typedef struct shaper {
  flat_program *f;
  program *p;
  arena *keep;
  arena *scratch; /* lives as long as one attempt */
  arena *brief;   /* marked and rewound for each clause */
  diag_sink *d;
  budget *limits;
  uint32_t depth_max;         /* deeper atoms make their relation generic */
  bool *is_generic;           /* by relation */
  bool must_restart;          /* a relation has just become generic */
  id_vec *shapes_of;          /* by relation: flat relations in the order found */
  uint32_t *shapes_done;      /* by relation: how many of them have been joined */
  id_vec queue;               /* shapes that wait to be joined */
  id_table shape_index;       /* skeleton -> flat relation */
  uint32_t *occurrences_from; /* by relation */
  VEC(occurrence) occurrences;
  uint32_t *waits_for; /* by clause: how many of its positive literals have no shape yet */
  VEC(combination) combinations;
  uint32_t *combinations_of; /* by clause: how many */
  bool *is_reported;         /* by clause: its fault is known */
} shaper;

/* Runs the clauses on shapes until nothing new appears; the combinations say which clauses come
   out of it.  False: a relation turned generic on the way and all must be done again, or the budget
   is spent. */
bool shapes_find(shaper *s);

/* From now on the relation has one column for each argument; all must be done again. */
void shape_make_generic(shaper *s, relation_id r);

/* The shape with this skeleton; ID_NONE: there is none. */
flat_id shape_find(const shaper *s, term_id skeleton);

/* `id` with every constant and variable replaced by the next hole.  `is_constant` says which
   variables stand for constants alone.  False: there is another one, or it is too deep. */
TERM_MUST_ASK bool shape_skeleton(shaper *s, term_id id, const bool *is_constant, uint32_t *holes,
                                  term_id *skeleton);

/* `id` under the bindings of the fitting.  False: it would be too deep or too large.  Shapes can
   make a term that is never needed, so the clause is then fitted to generic relations; where it
   reads no other already, the rule is to blame (E112). */
TERM_MUST_ASK bool shape_resolve(shaper *s, const fitting *x, term_id id, term_id *made);

#endif
