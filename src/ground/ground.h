/* Ground rules: the game without variables.

   Atoms are numbers.  `true` and `does` atoms are inputs (a state, a joint move); every other atom
   holds if all literals of one of its rules do.  Everything that does not depend on the state has
   been evaluated; a circuit is built from the rest.  There are only atoms that legal, next, goal,
   terminal, sees or marks depend on. */
#ifndef TABIA_GROUND_GROUND_H
#define TABIA_GROUND_GROUND_H

#include "ground/bases.h"

typedef uint32_t atom_id;
typedef uint32_t ground_literal; /* an atom, times two, plus one when negated */

#define ATOM_NONE UINT32_MAX

static inline ground_literal literal_of_atom(atom_id a, bool negated) { return a << 1 | negated; }
static inline atom_id literal_atom(ground_literal l) { return l >> 1; }
static inline bool literal_is_negated(ground_literal l) { return l & 1; }

typedef struct ground_rule {
  atom_id head;
  uint32_t body; /* in ground_program.literals */
  uint32_t body_count;
} ground_rule;

typedef struct ground_fluent {
  term_id term;
  atom_id holds; /* true(term), or ATOM_NONE: nothing asks */
  atom_id next;  /* next(term), or ATOM_NONE: never */
  bool initially;
} ground_fluent;

typedef struct ground_move {
  term_id term;
  atom_id does;  /* or ATOM_NONE: nothing asks */
  atom_id legal; /* or ATOM_NONE: never */
} ground_move;

typedef struct ground_role {
  term_id term;
  uint32_t first_move; /* in ground_program.moves */
  uint32_t move_count;
} ground_role;

/* A goal value or a percept of a role. */
typedef struct ground_outcome {
  uint32_t role;
  term_id term;
  atom_id atom;
} ground_outcome;

/* An atom of the program's relation `mark`. */
typedef struct ground_mark {
  term_id term; /* its argument */
  atom_id atom;
} ground_mark;

typedef struct ground_program {
  arena *keep;
  term_table *terms;
  VEC(term_id) atoms;     /* names, as terms, once ground_name_atoms has been called */
  id_vec name_parts;      /* where names that are not made yet come from: see atom_names.c */
  VEC(ground_rule) rules; /* sorted by head */
  VEC(ground_literal) literals;
  uint32_t *rules_of;         /* rules_of[a] .. rules_of[a+1]-1 are the rules with head a */
  uint32_t rules_of_room;     /* numbers that it has room for */
  VEC(ground_role) roles;     /* in the order of program_order_roles */
  VEC(ground_fluent) fluents; /* sorted by text */
  VEC(ground_move) moves;     /* by role, then by text */
  VEC(ground_outcome) goals;
  VEC(ground_outcome) percepts;
  VEC(ground_mark) marks;
  atom_id terminal; /* or ATOM_NONE: never */
  bool is_derived;  /* its rules give every head that they have from the first state on, if all
                       negations are taken to hold */
} ground_program;

typedef enum ground_method { METHOD_NATIVE, METHOD_ASP, METHOD_PROLOG } ground_method;

const char *ground_method_name(ground_method m); /* "native" */
bool ground_method_find(const char *name, ground_method *m);

typedef struct ground_options {
  ground_method method;
  bases_method bases;
  bool optimise; /* decompose, propagate constants, drop subsumed rules, complement move sets */
} ground_options;

typedef struct ground_stats {
  uint32_t fluents, moves;
  uint64_t facts; /* of relations that do not depend on the state */
  uint64_t
      instances; /* rules made by instantiation, before any was simplified away; 0: not known */
  uint64_t rules, literals, components;
  double seconds_bases, seconds_instantiate, seconds_simplify, seconds_total;
  size_t peak_bytes;
} ground_stats;

/* Grounds a program.  False: a limit was reached or the program cannot be grounded (reported). */
bool ground_rules(ground_program *g, const program *p, ground_options options, arena *keep,
                  budget *limits, diag_sink *d, ground_stats *stats);

/* Makes the names of atoms, which only those who print or compare them need.  Made atoms have names
   that no rulesheet has; some of gringo's have none (TERM_NONE). */
void ground_name_atoms(const ground_program *g);

/* Puts the roles into their order, before they have moves. */
void ground_order_roles(ground_program *g, const program *p);

/* Sorts the rules by head and then by body, drops repeated ones, and finds rules_of. */
void ground_index_rules(ground_program *g);

/* Counts as grounding-asp counts a propositional network: propositions, conjunctions,
   disjunctions, negations. */
uint64_t ground_components(const ground_program *g);

typedef enum ground_format { GROUND_KIF, GROUND_PROLOG, GROUND_ASP } ground_format;

/* The rules as text; with role, init, base and input facts, so that KIF is again a rulesheet. */
void ground_print(const ground_program *g, ground_format format, text_sink to);

/* {"roles", "atoms", "fluents", "moves", "goals", "sees", "terminal", "rules"}: terms as KIF text,
   atoms by number, a rule as [head, literal, ...] where a negated atom a is -1 - a. */
void ground_write_json(const ground_program *g, const char *game, text_sink to);

#endif
