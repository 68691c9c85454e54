/* Ranks: variables of a game whose values never grow.

   A group of fluents of which exactly one holds is a variable with several values (one of which at
   most one holds has 'none' as well, and every fluent by itself has two).  Which value can follow
   which is asked of the circuit; the strongly connected components of that graph, numbered so that
   steps lead to the same or a smaller number, give each value a rank that never grows.

   When steps can leave all ranks as they are, the same is asked again of those steps alone: that
   may give further ranks, of the next level. */
#ifndef TABIA_PROVE_SYMBOLIC_RANKING_H
#define TABIA_PROVE_SYMBOLIC_RANKING_H

#include "induct/unroll.h"
#include "prove/measure.h"

enum { RANKED_VALUES_MAX = 2000 };

#define NO_VALUE ID_NONE /* stands for 'none of the others' */

typedef struct variable {
  uint32_t first, count; /* values, in ranking.values */
  uint32_t parts;        /* into how many ranks its values have been divided so far */
  bool is_group;         /* and no single fluent */
} variable;

/* A variable with ranks for its values. */
typedef struct ranked {
  uint32_t variable;
  const uint32_t *ranks; /* by value */
  uint32_t rank_max;
  uint32_t level;
} ranked;

typedef struct ranking {
  const circuit *c;
  arena *keep;
  const fact_set *facts;
  budget *b;
  const fact *only; /* look at no other fact, and at what it depends on alone; or NULL */
  unrolling *u;     /* a step from any state with the facts that leaves all ranks as they are */
  id_vec values;    /* members, as in fact_set, or NO_VALUE */
  VEC(variable) variables;
  VEC(ranked) all; /* by level */
} ranking;

/* Adds a group as a variable; every group and every latch. */
void ranking_add_group(ranking *r, const fact *f);
void ranking_add_all(ranking *r);

/* Adds a latch that was proved to change one way only, with its ranks of level 0. */
void ranking_add_one_way(ranking *r, uint32_t latch, bool falls);

/* Finds ranks of the next level.  False: there are none. */
bool ranking_next_level(ranking *r, uint32_t level);

/* The facts hold at `time` and a step is made. */
void ranking_require_step(const ranking *r, unrolling *u, uint32_t time);

/* The rank of a variable is the same before and after the step at `time`, if `guard` holds; 0: in
   any case. */
void ranking_require_same(ranking *r, unrolling *u, const ranked *of, uint32_t time,
                          sat_literal guard);

/* A literal under which a step at time 0 makes the rank larger. */
sat_literal ranking_rise(ranking *r, unrolling *u, const ranked *of);

/* A step that leaves all ranks as they are. */
void ranking_require_rest(ranking *r, unrolling *u, uint32_t time);

/* Can `steps` steps leave all ranks as they are? */
bool ranking_can_rest(ranking *r, uint32_t steps);

/* Leaves out ranks that the proof does not need, which is that no `steps` steps leave all of them
   as they are, so that the rest can fall less often (ranking_core.c).  The budget is for that
   alone. */
void ranking_reduce(ranking *r, uint32_t steps, budget *b);

/* The ranks as sums. */
void ranking_write(const ranking *r, measure_list *out);

#endif
