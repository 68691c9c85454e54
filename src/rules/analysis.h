/* What the clauses imply about the relations: their dependence, the order in which they can be
   evaluated, and which of them change with the state. */
#ifndef TABIA_RULES_ANALYSIS_H
#define TABIA_RULES_ANALYSIS_H

#include "base/bitset.h"
#include "rules/program.h"

/* head depends on body relation; one edge for each pair and sign. */
typedef struct dependency {
  relation_id head;
  relation_id body;
  bool negative;
  clause_id clause; /* the first that makes it */
  uint32_t literal; /* in that clause, an index of program.literals */
} dependency;

/* How long a fact lives (forward-chaining-compiler, Algorithm 1). */
typedef enum lifetime {
  LIFETIME_PERMANENT,  /* true in every state */
  LIFETIME_PERSISTENT, /* once true in a game, true until it ends */
  LIFETIME_EPHEMERAL   /* true in its state alone */
} lifetime;

typedef struct analysis {
  const program *program;
  VEC(dependency) edges; /* sorted by head */
  uint32_t *edges_of;    /* edges_of[r] .. edges_of[r+1]-1 are the edges with head r */
  uint32_t *component;   /* by relation: its strongly connected component; they are numbered so
                            that one comes after all that it depends on */
  uint32_t component_count;
  relation_id *order; /* all relations, by component */
  uint32_t *stratum;  /* by relation */
  uint32_t stratum_count;
  bool *is_recursive;    /* by relation: in a cycle */
  bool *is_dynamic;      /* by relation: depends on true or does */
  bool *depends_on_does; /* by relation */
  bool *is_open;         /* by relation: dynamic, or depends on a relation that depends on its own
                            negation; what is not open has the same facts in every state */
  lifetime *lifetimes;   /* by relation */
  bool stratified;       /* no relation depends on its own negation */
} analysis;

void rules_analyse(analysis *a, const program *p, arena *keep);

#endif
