/* Ground rules as clauses over several steps: the checker's own encoding for the SAT solver,
   independent of circuits.

   An atom holds if and only if the body of one of its rules does; only atoms that are queried are
   encoded.  For recursive rules this has more models than the least one, so the answer 'no' is
   always right; when the answer is 'yes', the missing clauses are added (ground_least.c) and the
   query is repeated. */
#ifndef TABIA_CERTIFY_GROUND_CLAUSES_H
#define TABIA_CERTIFY_GROUND_CLAUSES_H

#include "ground/ground.h"
#include "sat/sat.h"

typedef sat_literal clause_literal;
typedef VEC(clause_literal) literal_vec;

/* The variables of one moment. */
typedef struct ground_moment {
  clause_literal *fluents; /* by fluent */
  clause_literal *moves;   /* by move */
  clause_literal *atoms;   /* by atom; 0: nothing has asked for it */
  clause_literal **levels; /* by atom, for the one model that counts; NULL: none yet */
} ground_moment;

typedef struct asked_atom {
  uint32_t time;
  atom_id atom;
} asked_atom;

typedef struct ground_clauses {
  const ground_program *g;
  arena *keep;
  budget *b;
  sat_solver *solver;
  clause_literal truth;
  VEC(ground_moment) moments;
  uint32_t *fluent_of;   /* by atom: it is `true` of that fluent, or ID_NONE */
  uint32_t *move_of;     /* by atom: it is `does` of that move, or ID_NONE */
  uint32_t *part;        /* by atom: its strongly connected component; NULL: not found yet */
  uint32_t *part_size;   /* by atom: atoms of its part, 0: it does not depend on itself */
  atom_id *order;        /* all atoms: those that an atom of another part needs come before it */
  VEC(asked_atom) asked; /* but for fluents and moves, which have no rules */
  uint32_t defined;      /* of these: their rules are clauses */
  uint32_t least;        /* of these: for them the one model that counts is left alone */
} ground_clauses;

void ground_clauses_init(ground_clauses *c, const ground_program *g, budget *b, arena *keep);
void ground_clauses_free(ground_clauses *c);

/* Starts over: no clauses, no moments. */
void ground_clauses_renew(ground_clauses *c);

/* A further moment: the first one has any state, each other one what the rules say of the one
   before. */
void ground_clauses_add_moment(ground_clauses *c);

/* The first moment is the start. */
void ground_clauses_start(ground_clauses *c);

/* In this moment each role makes exactly one move, a legal one, and the game has not ended. */
void ground_clauses_step(ground_clauses *c, uint32_t time);

clause_literal ground_clauses_atom(ground_clauses *c, atom_id a, uint32_t time);

/* Finds the strongly connected components, if it was not done before. */
void ground_clauses_find_parts(ground_clauses *c);

/* Allows the one model that counts alone, for all that was asked.  False: it was so before. */
bool ground_clauses_make_least(ground_clauses *c);

clause_literal clauses_new_variable(ground_clauses *c);
void clauses_add(ground_clauses *c, const clause_literal *clause, uint32_t count);

/* One holds exactly when the other does. */
void clauses_equate(ground_clauses *c, clause_literal a, clause_literal b);

/* A literal that holds exactly when one of these does, or when all do. */
clause_literal clauses_any(ground_clauses *c, const clause_literal *all, uint32_t count);
clause_literal clauses_all(ground_clauses *c, const clause_literal *all, uint32_t count);

/* Is there a model in which the literal holds?  `conflicts_max` of the solver, 0: any number. */
typedef enum clauses_answer { ANSWER_UNKNOWN, ANSWER_MODEL, ANSWER_NONE } clauses_answer;
clauses_answer clauses_ask(ground_clauses *c, clause_literal l, uint32_t conflicts_max);

#endif
