/* A rulesheet as data: rules as written, then clauses without `or`.

   rules_build() turns a tree into rules; clauses come from rules by disjunctive normal form,
   with `and` and nested `not` gone and equality (a negated `distinct`) solved away.  Every
   later stage reads clauses; the checker and the frame translation also read rules. */
#ifndef TABIA_RULES_PROGRAM_H
#define TABIA_RULES_PROGRAM_H

#include "read/tree.h"
#include "rules/term.h"

typedef uint32_t rule_id;
typedef uint32_t clause_id;
typedef uint32_t relation_id;

#define RELATION_NONE UINT32_MAX
#define RULE_NONE UINT32_MAX /* of a clause that was made, not read */

/* A body as written.  The operands of a connective follow it in program.formulas, each
   ended by its `after`. */
typedef enum formula_kind {
  FORMULA_ATOM,
  FORMULA_DISTINCT, /* atom is distinct(a, b) */
  FORMULA_NOT,
  FORMULA_AND,
  FORMULA_OR
} formula_kind;

typedef struct formula {
  formula_kind kind;
  uint32_t after; /* index of the first formula behind this one and its operands */
  term_id atom;   /* TERM_NONE for connectives */
  node_id node;   /* where it is written */
} formula;

typedef struct rule {
  term_id head;
  node_id node;      /* the whole rule */
  node_id head_node; /* the head in it */
  uint32_t body;     /* formulas body .. body_end-1; equal for a fact */
  uint32_t body_end;
  uint32_t variable_count;
  uint32_t variables; /* where the names of its variables start in program.variable_names */
} rule;

typedef enum literal_kind { LITERAL_POSITIVE, LITERAL_NEGATIVE, LITERAL_DISTINCT } literal_kind;

typedef struct literal {
  literal_kind kind;
  term_id atom; /* for LITERAL_DISTINCT: distinct(a, b) */
  node_id node; /* where it is written */
} literal;

/* head <= literals, a conjunction.  Variables are numbered as in the rule it comes from. */
typedef struct clause {
  term_id head;
  rule_id rule;
  uint32_t body; /* literals body .. body + body_count - 1 */
  uint32_t body_count;
  uint32_t variable_count;
} clause;

/* A relation is a name with a number of arguments.  The keyword relations come first: the
   relation of `true` has the number SYM_TRUE, and so on to SYM_SEES. */
typedef struct relation {
  symbol_id name;
  uint32_t arity;
  uint32_t first_clause; /* clauses_of_relation[first_clause ..+ clause_count-1] define it */
  uint32_t clause_count;
  node_id first_use; /* in a body; or UINT32_MAX */
} relation;

enum { KEYWORD_RELATION_COUNT = SYM_SEES + 1 };

/* Nesting of `not`, `and` and `or`; clauses that one rule may become; literals that all rules which
   become many clauses may have then, and how many are not yet many. */
enum {
  FORMULA_DEPTH_MAX = 200,
  RULE_CLAUSES_MAX = 4096,
  EXPANDED_LITERALS_MAX = 1 << 20,
  FEW_CLAUSES = 16
};

typedef struct program {
  arena *keep;
  const tree *tree; /* NULL for a program that was not read but made */
  symbol_table *symbols;
  term_table *terms;
  VEC(rule) rules; /* facts are rules with an empty body */
  VEC(formula) formulas;
  VEC(symbol_id) variable_names; /* with their `?` */
  VEC(clause) clauses;
  VEC(literal) literals;
  VEC(relation) relations;
  id_vec clauses_of_relation;
  id_table relation_index;
  /* A relation with one argument that is a question, too, besides those that keywords name: its
     atoms become the marks of ground rules and circuits.  SYM_NONE: there is none. */
  symbol_id mark;
} program;

/* Makes rules and clauses from a tree.  Reports everything that the grammar forbids and
   leaves the faulty rules out.  False when there was an error. */
bool rules_build(program *p, const tree *t, arena *keep, diag_sink *d);

/* An empty program, to be filled by program_add_clause; `symbols` is shared. */
void program_init(program *p, symbol_table *symbols, arena *keep);

/* A program with the terms and rules of `from` but without clauses, to be given others. */
void program_derive(program *derived, const program *from, arena *keep);

/* Adds head <= body; the literals are copied.  program_index_relations must follow the last. */
clause_id program_add_clause(program *p, term_id head, rule_id from, const literal *body,
                             uint32_t body_count, uint32_t variable_count);
void program_index_relations(program *p);

/* Adds the clauses of some relations of `from`; or of all, when `is_wanted` is NULL. */
void program_copy_clauses(program *to, const program *from, const bool *is_wanted);

/* By relation: a question that a game is asked (roles, start, moves, next state, goals, end,
   percepts) depends on it. */
bool *program_needed(const program *p, arena *keep);

/* Do rules say what roles see (GDL-II)?  Then they know nothing else of the state. */
static inline bool program_has_sees(const program *p) {
  return p->relations.items[SYM_SEES].clause_count > 0;
}

/* The part of a game on which base and input depend: roles, start, moves and next state.  Goals and
   ends may have far more facts, or ground rules. */
void program_for_bases(program *part, const program *p, arena *keep);

/* The clauses of p->rules[r], by disjunctive normal form; *literals_left is what is left of
   EXPANDED_LITERALS_MAX.  False: too many (reported). */
bool rule_to_clauses(program *p, rule_id r, uint32_t *literals_left, arena *scratch, diag_sink *d);

/* The roles that facts name, each once; there may be more that a rule gives. */
id_vec program_roles(const program *p, arena *keep);

/* Puts all roles of the game into their order: those that facts name, as in the rulesheet; then
   those that rules give, by their text.  In `terms` the terms of the program have their numbers. */
void program_order_roles(const program *p, term_table *terms, term_id *roles, uint32_t count);

/* The role `random`, which chance plays: it draws its moves, and needs no goal. */
bool role_is_nature(const term_table *terms, term_id role);

/* The relation of an atom; RELATION_NONE when no clause mentions it. */
relation_id program_relation(const program *p, symbol_id name, uint32_t arity);
relation_id atom_relation(const program *p, term_id atom);

/* More than the number of any variable in a rule or clause. */
uint32_t program_most_variables(const program *p);

/* The span of a node, or SPAN_NONE for a program that was made. */
span program_span(const program *p, node_id n);

/* The text of stages: `tabia show rules`.  Numbered variables make texts comparable. */
void rule_print(const program *p, rule_id r, notation n, text *out);

/* ` at line 2:1: RULE`, with the beginning of the rule that is there; nothing where the program was
   not read from a text. */
void program_print_place(const program *p, span where, text *out);

void rule_print_numbered(const program *p, rule_id r, notation n, text *out);
void clause_print(const program *p, clause_id c, notation n, text *out);

#endif
