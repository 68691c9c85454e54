/* One state of a game, in which atoms are evaluated by the rules themselves: nothing is grounded.

   The evaluator is that of the reference machine.  The caller gives the `true` and `does` facts;
   everything else follows from the rules.  Terms are those of the evaluator: the program's have the
   same numbers there. */
#ifndef TABIA_EXPLAIN_WORLD_H
#define TABIA_EXPLAIN_WORLD_H

#include "machine/reference/reference_solve.h"
#include "rules/argument_values.h"

typedef struct term_list {
  const term_id *items;
  uint32_t count;
} term_list;

typedef struct world {
  const program *program;
  arena *keep;
  arena *scratch; /* of one term being made */
  budget *budget;
  term_table *rule_terms;
  ref_rules rules;
  solver *solver;
  term_table *terms;       /* of the solver */
  machine_trouble trouble; /* once it is there, nothing holds any more */
  clause_id *fact_clause;  /* by term below fact_terms: the clause that writes it; or ID_NONE */
  uint32_t fact_terms;
  term_list fluents;       /* what is true */
  term_list does;          /* atoms (does ROLE MOVE) */
  argument_values *values; /* made when somebody asks; see world_values */
} world;

world *world_open(const program *p, budget *b, arena *keep);
void world_close(world *w);

void world_set(world *w, term_list fluents, term_list does); /* the lists stay the caller's */

/* ---- questions ---- */

relation_id world_relation(const world *w, term_id atom); /* or RELATION_NONE */

/* Every way to make the atom hold: rows of values for its variables, which are ?0, ?1, ... in the
   order in which they first stand in it. */
typedef struct answer_rows {
  const term_id *values;
  uint32_t columns, count;
} answer_rows;

answer_rows world_answers(world *w, term_id atom);
bool world_holds(world *w, term_id atom); /* for some values of its variables */

/* The clause that has this ground atom as a fact; or ID_NONE. */
clause_id world_fact(const world *w, term_id atom);

/* Which values each argument can have in any state; found when somebody asks first. */
const argument_values *world_values(world *w);

/* ---- terms ---- */

/* `t` under bindings; variables without value are numbered from 0 as they come, and `*columns` is
   how many there are.  A term that is too large stays as it is. */
term_id world_instance(world *w, term_id t, const term_id *bindings, uint32_t *columns);

/* Binds variables of a head where the atom is ground.  False: the head can never give it. */
bool world_meet(const world *w, term_id atom, term_id head, term_id *bindings);

#endif
