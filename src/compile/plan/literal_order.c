#include "compile/plan/literal_order.h"

#include <math.h>
#include <string.h>

/* Expected share of the ways so far that a condition on known values lets pass. */
#define TEST_PASSES 0.5

/* So many conditions are tried as the first, and so many that may come are looked at for each place
   behind it. */
enum { FIRST_CHOICES_MAX = 24, NEXT_CHOICES_MAX = 64 };

typedef struct chain {
  const strata *s;
  const sizes *sizes;
  const flat_clause *c;
  uint32_t *atoms; /* the literals to be ordered */
  uint32_t atom_count;
  bool *is_bound;        /* by variable */
  bool *is_used;         /* by atom */
  uint32_t *columns;     /* room for a key */
  uint32_t first_unused; /* no atom before it is left */
  uint32_t *taken;       /* the order so far */
  uint32_t taken_count;
} chain;

static const flat_literal *atom_at(const chain *x, uint32_t i) {
  return &x->s->flat.literals.items[x->atoms[i]];
}

static uint32_t arity_of(const chain *x, const flat_literal *l) {
  return x->s->flat.relations.items[l->relation].arity;
}

static bool is_known(const chain *x, term_id arg) {
  const term_table *t = x->s->flat.terms;
  return !term_is_variable(t, arg) || x->is_bound[term_variable_number(t, arg)];
}

static uint32_t find_known_columns(chain *x, const flat_literal *l) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < arity_of(x, l); i++)
    if (is_known(x, flat_args(&x->s->flat, l->args)[i])) x->columns[count++] = i;
  return count;
}

/* How many ways each way so far becomes; HUGE_VAL: it may not come yet. */
static double growth(chain *x, const flat_literal *l) {
  const uint32_t known = find_known_columns(x, l);
  if (known == arity_of(x, l)) return TEST_PASSES;
  if (l->kind == LITERAL_NEGATIVE) return HUGE_VAL;
  return sizes_matches(x->sizes, l->relation, x->columns, known);
}

static void take(chain *x, uint32_t i) {
  const flat_literal *l = atom_at(x, i);
  const term_table *t = x->s->flat.terms;
  x->is_used[i] = true;
  x->taken[x->taken_count++] = x->atoms[i];
  for (uint32_t k = 0; l->kind == LITERAL_POSITIVE && k < arity_of(x, l); k++) {
    const term_id arg = flat_args(&x->s->flat, l->args)[k];
    if (term_is_variable(t, arg)) x->is_bound[term_variable_number(t, arg)] = true;
  }
}

static bool is_recursive_literal(const chain *x, const flat_literal *l) {
  const uint32_t *component = x->s->order.component;
  return l->kind == LITERAL_POSITIVE && component[l->relation] == component[x->c->head];
}

/* Conditions without variables are asked before anything else, but for recursion, which begins
   with a recursive condition. */
static void take_known(chain *x) {
  for (uint32_t i = 0; i < x->atom_count; i++)
    if (!x->is_used[i] && find_known_columns(x, atom_at(x, i)) == arity_of(x, atom_at(x, i)))
      take(x, i);
}

/* The condition that multiplies the ways least, of the first that may come. */
static uint32_t best_next(chain *x, double *least) {
  uint32_t best = ID_NONE, looked_at = 0;
  *least = HUGE_VAL;
  for (; x->is_used[x->first_unused]; x->first_unused++) continue;
  for (uint32_t i = x->first_unused; i < x->atom_count && looked_at < NEXT_CHOICES_MAX; i++) {
    if (x->is_used[i]) continue;
    const double g = growth(x, atom_at(x, i));
    looked_at += g < HUGE_VAL;
    if (best != ID_NONE && g >= *least) continue;
    best = i;
    *least = g;
  }
  return best;
}

/* Goes on from the first condition with what multiplies least; returns the cost of all. */
static double run_chain(chain *x, uint32_t first, double first_rows) {
  memset(x->is_bound, 0, x->c->variable_count * sizeof *x->is_bound);
  memset(x->is_used, 0, x->atom_count * sizeof *x->is_used);
  x->taken_count = x->first_unused = 0;
  double ways = first_rows;
  double cost = ways;
  if (!is_recursive_literal(x, atom_at(x, first))) take_known(x);
  if (!x->is_used[first]) take(x, first);
  while (x->taken_count < x->atom_count) {
    double least;
    const uint32_t best = best_next(x, &least);
    ways *= least;
    cost += ways;
    take(x, best);
  }
  return cost;
}

/* Recursive conditions come first, then positive ones; negation alone when there is no other. */
static uint32_t rank_as_first(const chain *x, const flat_literal *l) {
  return is_recursive_literal(x, l) ? 2 : l->kind == LITERAL_POSITIVE;
}

static double rows_as_first(chain *x, uint32_t i) {
  memset(x->is_bound, 0, x->c->variable_count * sizeof *x->is_bound);
  const flat_literal *l = atom_at(x, i);
  const uint32_t known = find_known_columns(x, l);
  if (known == arity_of(x, l)) return TEST_PASSES;
  return sizes_matches(x->sizes, l->relation, x->columns, known);
}

static void choose_first(chain *x, uint32_t *result) {
  uint32_t rank = 0;
  uint32_t tried = 0;
  double least = HUGE_VAL;
  for (uint32_t i = 0; i < x->atom_count; i++) {
    const uint32_t own = rank_as_first(x, atom_at(x, i));
    if (own > rank) rank = own;
  }
  for (uint32_t i = 0; i < x->atom_count; i++) {
    if (rank_as_first(x, atom_at(x, i)) != rank || tried++ >= FIRST_CHOICES_MAX) continue;
    const double cost = run_chain(x, i, rows_as_first(x, i));
    if (cost >= least) continue;
    least = cost;
    memcpy(result, x->taken, x->atom_count * sizeof *result);
  }
}

uint32_t literal_order_find(const strata *s, const sizes *sizes, const flat_clause *c,
                            uint32_t *result, arena *scratch) {
  chain x = {.s = s,
             .sizes = sizes,
             .c = c,
             .atoms = arena_new_array(scratch, uint32_t, c->body_count + 1),
             .is_bound = arena_zero_array(scratch, bool, c->variable_count + 1),
             .is_used = arena_zero_array(scratch, bool, c->body_count + 1),
             .taken = arena_new_array(scratch, uint32_t, c->body_count + 1)};
  uint32_t widest = 0;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &s->flat.literals.items[c->body + i];
    if (l->kind == LITERAL_DISTINCT) continue;
    x.atoms[x.atom_count++] = c->body + i;
    if (arity_of(&x, l) > widest) widest = arity_of(&x, l);
  }
  x.columns = arena_new_array(scratch, uint32_t, widest + 1);
  memcpy(result, x.atoms, x.atom_count * sizeof *result);
  if (x.atom_count > 1) choose_first(&x, result);
  return x.atom_count;
}
