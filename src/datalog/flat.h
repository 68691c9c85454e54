/* Clauses over flat relations: what the engine evaluates.

   A fluent such as cell(1, 2, b) under `true` is a term inside a term.  Joins want rows.  So each
   relation is split by the shapes that its atoms can have: true(cell(_, _, _)) is one flat
   relation with three columns, true(control(_)) another with one.  A shape is an atom with
   numbered variables as holes, its `skeleton`.  Shapes are found by running the clauses on
   shapes instead of facts; each clause is then written once for every combination of shapes of
   its positive literals that fit together.

   In an exact relation every hole stands for a constant.  Where that cannot be had (terms that
   nest without end, too many shapes) a relation stays generic: one column for each argument,
   any term in it. */
#ifndef TABIA_DATALOG_FLAT_H
#define TABIA_DATALOG_FLAT_H

#include "base/budget.h"
#include "rules/analysis.h"

typedef uint32_t flat_id;        /* a flat relation */
typedef uint32_t flat_clause_id; /* a flat clause */

typedef struct flat_relation {
  relation_id relation; /* in the program that it comes from */
  term_id skeleton;     /* the atom, with variables ?0 .. ?arity-1 as holes in their order */
  uint32_t arity;
  bool is_exact;
  bool is_frozen; /* of `true`: no play changes it, and rules read the facts of the start instead */
} flat_relation;

/* Arguments are terms: a variable, a ground term, or (in generic relations only) a pattern. */
typedef struct flat_literal {
  literal_kind kind;
  flat_id relation; /* ID_NONE for LITERAL_DISTINCT */
  uint32_t args;    /* in flat_program.args; as many as the relation's arity, or 2 */
} flat_literal;

typedef struct flat_clause {
  flat_id head;
  uint32_t head_args;
  uint32_t body; /* in flat_program.literals */
  uint32_t body_count;
  uint32_t variable_count;
  clause_id source; /* in the program */
} flat_clause;

typedef struct flat_program {
  const program *source;
  term_table *terms;
  VEC(flat_relation) relations;
  VEC(flat_clause) clauses;
  VEC(flat_literal) literals;
  VEC(term_id) args;
  uint32_t *relations_from;   /* by relation of the source: its flat relations are */
  id_vec relations_by_source; /* relations_by_source[relations_from[r] .. relations_from[r+1]-1] */
} flat_program;

/* Flattens the clauses of `p` (whose term table grows).  A clause that cannot be evaluated because
   a variable is bound by no positive literal is reported (E401 to E403) and makes this fail. */
bool flatten(flat_program *f, program *p, arena *keep, budget *limits, diag_sink *d);

/* The same where terms may nest deeper than usual before a relation becomes generic: lists of a
   length that the rules bound. */
bool flatten_deep(flat_program *f, program *p, uint32_t depth_max, arena *keep, budget *limits,
                  diag_sink *d);

/* The row of a ground atom in this relation; false when it has no place there. */
bool flat_match(const flat_program *f, flat_id relation, term_id atom, term_id *row);

/* The flat relation and row of a ground atom; false when it has no place in any. */
bool flat_find(const flat_program *f, term_id atom, flat_id *relation, term_id *row);

/* The atom of a row: the skeleton with its holes filled. */
term_id flat_atom(const flat_program *f, flat_id relation, const term_id *row);
term_id skeleton_atom(term_table *t, term_id skeleton, const term_id *row);

/* An argument of that atom, which itself is not made. */
term_id skeleton_argument(term_table *t, term_id skeleton, const term_id *row, uint32_t i);

static inline const term_id *flat_args(const flat_program *f, uint32_t args) {
  return vec_from(&f->args, args);
}

/* Whether a clause of one program has another body in the one that it was rewritten to. */
static inline bool flat_body_differs(const flat_program *before, const flat_program *after,
                                     flat_clause_id c) {
  return before->clauses.items[c].body != after->clauses.items[c].body;
}

/* Whether the head is made of different variables, and the body has no others. */
bool flat_head_is_open(const flat_program *f, const flat_clause *c);

/* By relation: its only clause; ID_NONE where it has none or several. */
flat_clause_id *flat_only_clauses(const flat_program *f, arena *keep);

/* How many arguments a literal has. */
static inline uint32_t flat_arg_count(const flat_program *f, const flat_literal *l) {
  return l->kind == LITERAL_DISTINCT ? 2 : f->relations.items[l->relation].arity;
}

void flat_literal_print(const flat_program *f, const flat_literal *l, text *out);
void flat_clause_print(const flat_program *f, flat_clause_id c, text *out);

/* Marks, by relation, those whose clauses read a marked one, and those that read them. */
void flat_mark_readers(const flat_program *f, bool *marked);

#endif
