/* Can a role force an end with at least a given goal?  Answered for single states by depth-first
   proof-number search (df-pn: Nagai 2002), without visiting all states.

   One side is the seeker, which needs an end: the role, if play without end is worth too little to
   it, else the others, who then seek an end that is worth too little.  A proof that the seeker
   succeeds is a tree with ends as leaves, so it holds whatever was played before.  That it fails
   may rest on a return to a state of the path (graph history interaction); such a refutation is
   accepted only after a set of states was found that the seeker cannot leave and that has none of
   the ends which it seeks.

   With transpositions, sums of numbers count leaves many times; so the number of a state is the
   largest of its successors' numbers, plus one for each further undecided successor (weak
   proof-number search: Ueda et al. 2008). */
#ifndef TABIA_SOLVE_PN_SEARCH_H
#define TABIA_SOLVE_PN_SEARCH_H

#include "solve/pn_table.h"
#include "solve/space.h"

typedef struct pn_question {
  uint32_t role;
  int32_t least;       /* can it guarantee this goal? */
  bool cycles_suffice; /* a play that never ends is worth as much */
  /* What was met while it was asked, wherever that was. */
  bool met_cycles, met_faults;
} pn_question;

typedef enum pn_answer { PN_NO, PN_YES, PN_OPEN } pn_answer;

typedef struct pn_child {
  pn_numbers n;
  bool is_leaf; /* an end, or the game goes wrong there */
  uint64_t hash;
} pn_child;

/* A state of the path. */
typedef struct pn_frame {
  uint64_t hash;
  uint32_t before; /* as `marks`: the last but one with such a hash */
  bool seeker_moves;
  uint32_t first, count; /* its successors */
  uint32_t at;           /* that is being looked at */
  uint32_t visits;       /* how often one was */
  uint32_t most_yes, most_no;
  uint64_t work;
} pn_frame;

enum { PN_MARKS = 1 << 14 };

typedef struct pn_search {
  const solve_space *s;
  budget *b;
  pn_table table;
  arena *paths, *steps, *looks;
  lane_expander e, look;
  VEC(pn_question) questions;
  uint32_t question; /* that is being asked */
  VEC(pn_frame) path;
  VEC(uint8_t) path_states;
  VEC(pn_child) children;
  VEC(uint8_t) child_states;
  uint32_t *marks;    /* by hash: the last state of the path, counted from 1; 0: there is none */
  const char *reason; /* the game is not one for this; or NULL */
  bool is_against_chance; /* `random` plays against the role; else no such game is one for this */
  bool met_uneven_ends;   /* in some end the goals of all roles do not add up to WHOLE_SUM */
  uint64_t nodes;         /* states whose successors were made */
  bool is_over;           /* the budget is spent, or there is a reason */
} pn_search;

/* The space need not have been walked.  Its symmetries are used. */
void pn_search_init(pn_search *x, const solve_space *s, size_t table_bytes, budget *b);
void pn_search_free(pn_search *x);

/* Returns its number. */
uint32_t pn_search_add(pn_search *x, pn_question q);

/* The answer for a state, as the space keeps it, from the table alone.  PN_OPEN: it is not
   there. */
pn_answer pn_search_known(const pn_search *x, uint32_t question, const uint8_t *state);

/* The same, by a search.  PN_OPEN: the budget is spent, or `reason` says why not. */
pn_answer pn_search_ask(pn_search *x, uint32_t question, const uint8_t *state);

#endif
