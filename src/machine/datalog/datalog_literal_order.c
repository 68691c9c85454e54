#include "machine/datalog/datalog_literal_order.h"

#include <math.h>
#include <string.h>

enum {
  STARTS_MAX = 16,  /* longer bodies are not tried with every first literal */
  SEARCHED_MAX = 9, /* for longer bodies not all orders are looked at */
  TRIES_MAX = 4000  /* orders begun for one clause */
};

/* The costs of looking up one fact, and of the value of a function, in rows. */
static const double test_cost = 0.4, function_cost = 0.6;

typedef struct attempt {
  const dl_rules *r;
  const dl_layout *layouts;
  const flat_clause *clause;
  arena *functions_keep;
  bitset bound;  /* variables */
  bitset placed; /* body literals */
  uint32_t *order;
  uint32_t count;
  double ways; /* solutions of what is placed */
  double cost; /* rows looked at */
} attempt;

/* ---- variables ---- */

typedef struct bound_check {
  bitset variables;
  bool all;
} bound_check;

static void check_variable(void *context, uint32_t number) {
  bound_check *c = context;
  c->all &= bitset_has(c->variables, number);
}

bool dl_is_bound(const term_table *t, term_id arg, bitset variables) {
  bound_check c = {variables, true};
  term_each_variable(t, arg, check_variable, &c);
  return c.all;
}

static void bind_variable(void *context, uint32_t number) {
  bitset_add(*(const bitset *)context, number);
}

/* Adds the variables of the arguments. */
static void dl_bind_args(const term_table *t, const term_id *args, uint32_t count,
                         bitset variables) {
  for (uint32_t i = 0; i < count; i++) term_each_variable(t, args[i], bind_variable, &variables);
}

/* ---- estimates ---- */

static const flat_literal *literal_at(const attempt *a, uint32_t i) {
  return &a->r->dynamic.literals.items[a->clause->body + i];
}

/* What joining a literal would mean. */
typedef struct estimate {
  double rows;  /* that agree with what is bound */
  double cost;  /* of looking at them */
  bool is_test; /* nothing is left to bind */
} estimate;

static estimate estimate_of(const attempt *a, uint32_t i) {
  const flat_literal *l = literal_at(a, i);
  const dl_layout *layout = &a->layouts[l->relation];
  const double all = a->r->expected[l->relation] + 0.05;
  double rows = all;
  uint32_t bound = 0;
  uint32_t columns = 0;
  for (uint32_t c = 0; c < layout->arity; c++) {
    if (!dl_is_bound(&a->r->terms, flat_args(&a->r->dynamic, l->args)[c], a->bound)) continue;
    bound++;
    columns |= c < DL_ARITY_MAX ? UINT32_C(1) << c : 0;
    if (layout->size && layout->columns[c].value_count) rows /= layout->columns[c].value_count;
  }
  if (bound == layout->arity) return (estimate){rows, test_cost, true};
  if (layout->size && dl_is_function(a->r, l->relation, columns, a->functions_keep))
    return (estimate){fmin(rows, 1), function_cost, false};
  if (!layout->size && layout->arity) rows = pow(all, 1 - (double)bound / layout->arity);
  return (estimate){rows, rows + 1, false};
}

static void put_next(attempt *a, uint32_t i) {
  const estimate e = estimate_of(a, i);
  a->cost += a->ways * e.cost;
  a->ways *= e.rows;
  bitset_add(a->placed, i);
  a->order[a->count++] = i;
  const flat_literal *l = literal_at(a, i);
  dl_bind_args(&a->r->terms, flat_args(&a->r->dynamic, l->args), a->layouts[l->relation].arity,
               a->bound);
}

/* ---- orders ---- */

static bool is_choice(const attempt *a, uint32_t i) {
  return literal_at(a, i)->kind == LITERAL_POSITIVE && !bitset_has(a->placed, i);
}

static uint32_t best_literal(const attempt *a) {
  uint32_t best = UINT32_MAX;
  double least = 0;
  for (uint32_t i = 0; i < a->clause->body_count; i++) {
    if (!is_choice(a, i)) continue;
    const double rows = estimate_of(a, i).rows;
    if (best != UINT32_MAX && rows >= least) continue;
    best = i;
    least = rows;
  }
  return best;
}

static attempt empty_attempt(const dl_rules *r, const dl_layout *layouts, const flat_clause *clause,
                             arena *keep) {
  return (attempt){.r = r,
                   .layouts = layouts,
                   .clause = clause,
                   .functions_keep = r->linked.keep,
                   .ways = 1,
                   .bound = bitset_new(keep, clause->variable_count),
                   .placed = bitset_new(keep, clause->body_count),
                   .order = arena_new_array(keep, uint32_t, clause->body_count)};
}

/* The order that begins with `first`, or with the best when that is DL_NOTHING. */
static attempt order_from(const dl_rules *r, const dl_layout *layouts, const flat_clause *clause,
                          uint32_t first, arena *keep) {
  attempt a = empty_attempt(r, layouts, clause, keep);
  if (first != DL_NOTHING) put_next(&a, first);
  for (uint32_t i; (i = best_literal(&a)) != UINT32_MAX;) put_next(&a, i);
  return a;
}

/* All orders, as far as they are cheaper than the best and the tries last. */
typedef struct order_search {
  attempt best;
  uint32_t tries;
  arena *scratch;
} order_search;

static bitset bitset_copy(bitset from, arena *keep) {
  const bitset to = bitset_new(keep, from.size);
  memcpy(to.words, from.words, bitset_words(from) * sizeof *from.words);
  return to;
}

static attempt attempt_copy(const attempt *a, arena *keep) {
  attempt copy = *a;
  copy.bound = bitset_copy(a->bound, keep);
  copy.placed = bitset_copy(a->placed, keep);
  copy.order = arena_new_array(keep, uint32_t, a->clause->body_count);
  memcpy(copy.order, a->order, a->count * sizeof *copy.order);
  return copy;
}

/* A literal that only tests is taken at once. */
static uint32_t first_test(const attempt *a) {
  for (uint32_t i = 0; i < a->clause->body_count; i++)
    if (is_choice(a, i) && estimate_of(a, i).is_test) return i;
  return UINT32_MAX;
}

static void search_orders(order_search *x, const attempt *a);

static void search_behind(order_search *x, const attempt *a, uint32_t i) {
  const arena_mark mark = arena_save(x->scratch);
  attempt longer = attempt_copy(a, x->scratch);
  put_next(&longer, i);
  search_orders(x, &longer);
  arena_restore(x->scratch, mark);
}

/* Calls itself for each literal of a body of SEARCHED_MAX at most. */
static void search_orders(order_search *x, const attempt *a) {
  if (a->cost >= x->best.cost || x->tries == 0) return;
  x->tries--;
  if (a->count == x->best.count) {
    memcpy(x->best.order, a->order, a->count * sizeof *a->order);
    x->best.cost = a->cost;
    return;
  }
  const uint32_t test = first_test(a);
  for (uint32_t i = 0; i < a->clause->body_count; i++)
    if (test == UINT32_MAX ? is_choice(a, i) : i == test) search_behind(x, a, i);
}

uint32_t *dl_order(const dl_rules *r, const dl_layout *layouts, flat_clause_id c, uint32_t given,
                   arena *keep, uint32_t *count) {
  const flat_clause *clause = &r->dynamic.clauses.items[c];
  order_search x = {.best = order_from(r, layouts, clause, given, keep), .tries = TRIES_MAX};
  for (uint32_t i = 0; given == DL_NOTHING && x.best.count <= STARTS_MAX && i < clause->body_count;
       i++) {
    if (literal_at(&x.best, i)->kind != LITERAL_POSITIVE) continue;
    const attempt other = order_from(r, layouts, clause, i, keep);
    if (other.cost < x.best.cost) x.best = other;
  }
  if (x.best.count > 2 && x.best.count <= SEARCHED_MAX) {
    x.scratch = arena_new();
    attempt none = empty_attempt(r, layouts, clause, x.scratch);
    if (given != DL_NOTHING) put_next(&none, given);
    search_orders(&x, &none);
    arena_free(x.scratch);
  }
  *count = x.best.count;
  return x.best.order;
}
