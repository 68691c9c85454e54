/* What the files of the prover share (deduction.h).

   Terms here have variables for Skolem's constants: variable i is the unknown i.  Terms of axioms
   have variables of their own; they are replaced, all at once, when an instance is made. */
#ifndef TABIA_PROVE_FIRST_ORDER_DEDUCTION_PARTS_H
#define TABIA_PROVE_FIRST_ORDER_DEDUCTION_PARTS_H

#include "prove/first_order/deduction.h"
#include "sat/sat.h"

enum {
  SETS_MAX = 4,
  TIMES = 2,
  BODY_MAX = 256, /* statements of an axiom that is put to use */
  FACTS_FEW = 2,  /* listed facts that are tried, one after another, at first */
  FACTS_MORE = 8, /* when nothing else is left to do */
  UNKNOWNS_MAX = 3000,
  INSTANCES_AT_ONCE = 40 /* of one axiom */
};

typedef struct ground_atom {
  term_id term;
  uint32_t time;
  relation_id relation;
  sat_literal is_true;
  bool value;         /* in the model */
  term_id normal;     /* with equal things put together, in the model */
  uint32_t completed; /* the `few` with which it was; 0: not yet; UINT32_MAX: done with it */
} ground_atom;

/* An unknown is equal to a term. */
typedef struct equation {
  term_id unknown;
  term_id other;
  sat_literal is_true;
  bool value;
} equation;

/* The numbers of set, axiom and values in deduction.words. */
typedef struct instance_key {
  uint32_t first;
  uint32_t count;
} instance_key;

typedef struct deduction {
  const theory *t;
  term_table *terms;
  const axiom_set *sets[SETS_MAX];
  uint32_t set_count;
  deduction_limits most;
  arena *scratch;
  arena *round; /* cleared with every model */
  budget *b;
  sat_solver *sat;
  sat_literal truth; /* always true */
  VEC(ground_atom) atoms;
  id_table atom_index;   /* by term and time */
  id_table normal_index; /* by normal form and time, in the model */
  id_vec *atoms_of;      /* by relation and time */
  VEC(equation) equations;
  id_table equation_index;
  uint32_t unknowns;
  term_id *values; /* by unknown: what it is equal to, in the model */
  VEC(instance_key) instances;
  id_vec words;
  id_table instance_index;
  uint32_t few; /* listed facts that are tried now */
  uint32_t models;
  bool is_over; /* a limit was reached */
} deduction;

/* ---- deduction_atoms.c: statements as literals of the solver ---- */

typedef enum settled { SETTLED_NOT, SETTLED_TRUE, SETTLED_FALSE } settled;

static inline id_vec *deduction_list(const deduction *d, relation_id r, uint32_t time) {
  return &d->atoms_of[r * TIMES + time];
}

relation_id deduction_relation(const deduction *d, term_id atom);
term_id deduction_unknown(deduction *d);

/* What the listed facts say of an atom already. */
settled deduction_settled(const deduction *d, relation_id r, term_id atom, uint32_t time);

sat_literal deduction_equation(deduction *d, term_id a, term_id b);
/* Under bindings for all its variables.  A term that would be too deep is not made: then is_over is
   set, and nothing may be concluded any more. */
sat_literal deduction_literal(deduction *d, const statement *s, const term_id *bindings);

/* A literal that says that all of them hold. */
sat_literal deduction_all(deduction *d, const sat_literal *literals, uint32_t count);

/* The atom with that normal form, or ID_NONE. */
uint32_t deduction_find_normal(const deduction *d, term_id normal, uint32_t time);
void deduction_index_normals(deduction *d);

/* ---- deduction_equal.c ---- */

/* Puts equal things together; false: the model does not respect equality, and a clause says so. */
bool deduction_respects_equality(deduction *d);

/* ---- deduction_complete.c ---- */

/* Says by what the atoms that hold in the model can hold; false: nothing new. */
bool deduction_complete(deduction *d);

/* ---- deduction_match.c ---- */

/* Adds instances of axioms that the model breaks, of rules or of those that are none; false: there
   was nothing to add. */
bool deduction_instantiate(deduction *d, bool of_rules);

#endif
