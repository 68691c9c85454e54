/* Step 4: the ways in which a fluent can stay while a general joint move is made.

   For an atom next(a) and a general joint move M, every frame rule r whose fluent has a's name is
   unified with them: its fluent with a, and each of its does atoms with one of M's, in all possible
   ways (the most general unifiers U*).  The rest of the rule is a conjunction over the variables of
   a and M and over variables of its own, which are existentially quantified:

     cond_r and Eq(phi)

   The translation T(a, M) is then

     fnext(a) <= true(a), M, all roles of M different, and none of the ways is open. */
#ifndef TABIA_FRAME_PERSISTENCE_H
#define TABIA_FRAME_PERSISTENCE_H

#include "frame/covering.h"
#include "frame/frame_rules.h"

/* The kinds come in pairs that exclude each other: kind ^ 1 is the opposite. */
typedef enum condition_kind {
  CONDITION_HOLDS,
  CONDITION_FAILS,
  CONDITION_DIFFER, /* atom is distinct(a, b) */
  CONDITION_EQUAL
} condition_kind;

typedef struct condition {
  condition_kind kind;
  term_id atom; /* the terms of distinct(a, b) are in the order of their numbers */
} condition;

typedef VEC(condition) condition_vec;

/* One way to stay: all conditions hold, for some values of the variables from `own` on. */
typedef struct frame_way {
  uint32_t rule; /* in frame_rules.all */
  uint32_t own;  /* the first variable that is neither a's nor M's */
  condition_vec conditions;
} frame_way;

typedef VEC(frame_way) way_vec;

/* More ways than this are not listed, nor those of a rule with more does atoms. */
enum { WAYS_MAX = 512, MOVES_OF_RULE_MAX = 16 };

/* A fluent name and a general joint move. */
typedef struct frame_case {
  const program *p;
  const frame_domain *m;
  const frame_rules *rules;
  const covering *c;
  uint32_t name;  /* in frame_domain.fluents: a is its pattern */
  uint32_t joint; /* of the covering */
} frame_case;

static inline term_id case_fluent(const frame_case *x) {
  return x->m->fluents.items[x->name].pattern;
}

static inline const general_move *case_move(const frame_case *x, uint32_t role) {
  return &covering_moves(x->c, x->joint)[role];
}

/* False: there are too many. */
bool frame_ways_find(way_vec *ways, const frame_case *x, arena *keep);

condition condition_of(term_table *t, condition_kind kind, term_id atom);

/* distinct(a, b) in the order of the terms' numbers. */
term_id frame_pair(term_table *t, term_id a, term_id b);

#endif
