/* Changes to a flat program that preserve its meaning and make it cheaper to evaluate.

   Decomposition: variables that the head does not need are eliminated one after another.  The
   literals that hold such a variable become an auxiliary relation over their other variables, so
   that a body of many variables turns into several of few.  (The existential projection of
   grounding-asp, chosen by estimated cost.)

   Demand (magic sets): a relation that would have too many facts is restricted to the arguments
   with which it is ever queried.  A relation of demanded arguments is derived beside it, like the
   calls that a tabling engine finds. */
#ifndef TABIA_GROUND_REWRITE_REWRITE_H
#define TABIA_GROUND_REWRITE_REWRITE_H

#include "datalog/engine.h"

typedef enum relation_origin {
  ORIGIN_RULES,     /* of the rulesheet */
  ORIGIN_AUXILIARY, /* made by decomposition */
  ORIGIN_DEMAND     /* made to steer evaluation: possible values, wanted arguments */
} relation_origin;

typedef struct rewriting {
  flat_program
      program; /* relations and clauses of the original keep their numbers; new ones follow */
  relation_origin *origin; /* by flat relation */
  bool *is_open;           /* by flat relation: kept in ground rules, its negation not evaluated */
  flat_clause_id *came_from; /* by flat clause: the clause of the original */
  bool *is_guarded; /* by flat clause: its first literal says that the head is wanted, which
                       holds for every fact of the head; NULL: none is */
  bool hands_on; /* demand: what is wanted of a head is handed on to its body, even where the body
                    binds some arguments by itself */
} rewriting;

/* The program as it is; `is_open` is by relation of the source program. */
void rewriting_none(rewriting *w, const flat_program *f, const bool *is_open, arena *keep);

/* Whether decomposing the clause would save work.  `known_cost` is the number of rows that its
   evaluation was seen to look at while tables were still growing; 0: they are complete. */
bool decomposition_helps(const rewriting *w, table *tables, flat_clause_id c, uint64_t known_cost,
                         budget *limits);

/* Decomposes the clauses with a known cost where that helps. */
void rewriting_decompose(rewriting *result, const rewriting *from, const uint64_t *known_cost,
                         table *tables, arena *keep, budget *limits);

/* Decomposes all clauses where that makes them fewer instances, now that the tables are complete.
   `instances` is by clause: how many it has, as far as that is known; else 0. */
void rewriting_decompose_all(rewriting *result, const rewriting *from, const uint64_t *instances,
                             table *tables, arena *keep, budget *limits);

/* Whether the relation is always asked with some arguments known, given that relations which use
   it are restricted too.  If so, adds it and those to `chosen` (by flat relation). */
bool demand_find(const rewriting *w, flat_id r, bool *chosen);

/* The share of the facts of `r`, which has some, that would be asked for if the chosen relations
   were restricted, by what is known so far: relations that are not evaluated yet ask for nothing.
   0 where finding out would take long. */
double demand_share(const rewriting *w, const engine *so_far, flat_id r, const bool *chosen,
                    budget *limits);

/* Restricts the chosen relations to what is asked of them. */
void rewriting_demand(rewriting *result, const rewriting *from, const bool *chosen, arena *keep);

/* Takes out what has done its work when evaluation has ended: guards, and the facts that only they
   and each other read. */
void rewriting_drop_demand(rewriting *w, table *tables);

#endif
