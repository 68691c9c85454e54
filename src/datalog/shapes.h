/* The shapes of atoms: what the clauses of a program make when they are run on shapes in place of
   facts.  For flat.c alone; flat.h tells what shapes are. */
#ifndef TABIA_DATALOG_SHAPES_H
#define TABIA_DATALOG_SHAPES_H

#include "datalog/flat.h"

/* A positive literal, or more exactly where one stands. */
typedef struct occurrence {
  clause_id clause;
  uint32_t literal; /* in program.literals */
} occurrence;

/* A clause with a shape for each of its positive literals. */
typedef struct combination {
  clause_id clause;
  uint32_t shapes; /* in shaper.chosen */
  flat_id head;    /* the shape of its head */
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
  VEC(combination) combinations;
  id_vec chosen;
  uint32_t *combinations_of; /* by clause: how many */
  bool *is_reported;         /* by clause: its fault is known */
  id_vec row;                /* room for the row of any shape */
} shaper;

/* The bindings of one clause while its literals are fitted to shapes.  Variables of the clause
   come first, then the holes of each literal's shape. */
typedef struct fitting {
  const clause *clause;
  term_id *bindings;
  uint32_t variable_count;
  flat_id *shapes;      /* by positive literal */
  uint32_t *first_hole; /* by positive literal */
  const literal **positives;
  uint32_t positive_count;
} fitting;

/* Runs the clauses on shapes until nothing new appears.  False: a relation turned generic on the
   way and all must be done again, or the budget is spent. */
bool shapes_find(shaper *s);

/* From now on the relation has one column for each argument; all must be done again. */
void shape_make_generic(shaper *s, relation_id r);

/* The shape with this skeleton; ID_NONE: there is none. */
flat_id shape_find(const shaper *s, term_id skeleton);

/* `id` with every constant and variable replaced by the next hole.  `is_constant` tells which
   variables stand for constants alone; any other makes the result TERM_NONE. */
term_id shape_skeleton(shaper *s, term_id id, const bool *is_constant, uint32_t *holes,
                       uint32_t depth);

/* Facts are most clauses of a game, and they need no fitting. */
bool clause_is_fact(const shaper *s, const clause *c);

/* The shape of a fact, if it is known, and its row. */
flat_id shape_of_fact(const shaper *s, term_id atom, term_id *row);

fitting fitting_new(shaper *s, const clause *c);

/* Fits positive literal `i` to a shape; `x` is changed only on success. */
bool fitting_add(shaper *s, fitting *x, uint32_t i, flat_id shape);

/* Marks the variables that holes bind; among them those that only constants can fill.  A hole of a
   generic relation may hold a pattern, which binds all its variables. */
void fitting_mark_holes(const shaper *s, const fitting *x, bool *is_bound, bool *is_constant);

#endif
