/* Terms as numbers.

   Equal terms are the same number.  A constant is a compound without arguments.  Rules hold
   variables too: ?0, ?1, ... by their place in the rule, so one table serves all rules.
   Atoms are terms whose name is a relation. */
#ifndef TABIA_RULES_TERM_H
#define TABIA_RULES_TERM_H

#include "base/hash.h"
#include "read/format.h"
#include "read/symbol.h"

typedef uint32_t term_id;

#define TERM_NONE UINT32_MAX

typedef struct term {
  symbol_id name; /* for a variable: its number */
  uint32_t args;  /* where its arguments start in term_table.args */
  uint32_t size;  /* how many names and variables are written in it */
  uint16_t arg_count;
  uint16_t depth : 14; /* 0 for constants and variables */
  uint16_t is_variable : 1;
  uint16_t is_ground : 1;
} term;

typedef struct term_table {
  arena *keep;
  symbol_table *symbols;
  VEC(term) terms;
  VEC(term_id) args;
  id_table index;
  id_vec constants; /* by symbol: its term, if it was asked for here; else TERM_NONE */
  id_vec variables; /* by number: the same */
} term_table;

/* Nothing larger is ever made, so that functions over terms may recurse, and walk through all that
   is written in one: parts that are shared can make few terms stand for a text without end. */
enum {
  TERM_ARGS_MAX = UINT16_MAX,
  TERM_DEPTH_MAX = 4000,
  TERM_SIZE_MAX = 1000 * 1000,
  TERM_STEPS_MAX = 1000 * 1000
};

/* Of an atom that a rule derives: so the atom is as deep as one that is read may be. */
enum { ARGUMENT_DEPTH_MAX = TERM_DEPTH_MAX - 1 };

/* The result says whether there is a term at all; code that ignores it does not compile. */
#define TERM_MUST_ASK __attribute__((warn_unused_result))

void terms_init(term_table *t, symbol_table *symbols, arena *keep);

term_id term_constant(term_table *t, symbol_id name);
term_id term_variable(term_table *t, uint32_t number);
/* `args` may point into t->args itself.  False: the term would be wider than TERM_ARGS_MAX, deeper
   than TERM_DEPTH_MAX or larger than TERM_SIZE_MAX; `*made` is left alone. */
TERM_MUST_ASK bool term_compound(term_table *t, symbol_id name, const term_id *args,
                                 uint32_t arg_count, term_id *made);

/* The name of a relation around terms that are there, at most TERM_ARGS_MAX: an atom may be one
   level deeper than other terms, so there always is one.  Atoms are no arguments of atoms. */
term_id term_atom(term_table *t, symbol_id name, const term_id *args, uint32_t arg_count);

static inline const term *term_get(const term_table *t, term_id id) { return &t->terms.items[id]; }
static inline bool term_is_variable(const term_table *t, term_id id) {
  return term_get(t, id)->is_variable;
}
static inline bool term_is_ground(const term_table *t, term_id id) {
  return term_get(t, id)->is_ground;
}
static inline const term_id *term_args(const term_table *t, term_id id) {
  return vec_from(&t->args, term_get(t, id)->args);
}
static inline term_id term_arg(const term_table *t, term_id id, uint32_t i) {
  return term_args(t, id)[i];
}
/* Neither is a variable. */
static inline bool term_same_name(const term *a, const term *b) {
  return a->name == b->name && a->arg_count == b->arg_count;
}
static inline uint32_t term_variable_number(const term_table *t, term_id id) {
  return term_get(t, id)->name;
}

/* `id` with variable i replaced by bindings[i], where that is not TERM_NONE.  False: it would be
   too deep or too large; `*made` is left alone. */
TERM_MUST_ASK bool term_substitute(term_table *t, term_id id, const term_id *bindings,
                                   term_id *made);

/* The same where the bindings are constants and variables: the result is as deep as `id`. */
term_id term_relabel(term_table *t, term_id id, const term_id *leaves);

/* Whether the two terms are equal under the bindings of all their variables, which are ground.
   Makes no term. */
bool term_equal_under(const term_table *t, term_id a, term_id b, const term_id *bindings);

/* Binds variables so that the two terms become equal (a most general unifier); the bindings
   are chains: term_resolve follows them.  False: they have no common instance, and bindings are
   as they were left.  `bindings` has one place for every variable, TERM_NONE where free.
   Equations can stand for terms of any size: after TERM_STEPS_MAX steps the answer is false.
   term_unify_within counts `steps` down, to 0 when it gave up. */
bool term_unify(term_table *t, term_id a, term_id b, term_id *bindings);
bool term_unify_within(term_table *t, term_id a, term_id b, term_id *bindings, uint32_t *steps);

/* `id` under chains of bindings.  False: it would be too deep or too large; `*made` is left alone.
 */
TERM_MUST_ASK bool term_resolve(term_table *t, term_id id, const term_id *bindings, term_id *made);

/* `id` itself, or for a bound variable what stands at the end of its chain. */
static inline term_id term_representative(const term_table *t, term_id id,
                                          const term_id *bindings) {
  while (term_is_variable(t, id) && bindings[term_variable_number(t, id)] != TERM_NONE)
    id = bindings[term_variable_number(t, id)];
  return id;
}

/* Calls `visit` for every variable in the term, as often as it occurs. */
void term_each_variable(const term_table *t, term_id id,
                        void (*visit)(void *context, uint32_t number), void *context);

/* Canonical KIF: lower case, one space between arguments, escapes where a name needs them, so that
   different terms have different texts and each reads back as its term.  Variables print as ?0, ?1,
   or as `variables[i]` when that is given. */
void term_print(const term_table *t, term_id id, notation n, const symbol_id *variables, text *out);

/* The order of the canonical KIF text, byte by byte. */
int term_compare(const term_table *t, term_id a, term_id b);

#endif
