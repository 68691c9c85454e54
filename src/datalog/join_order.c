#include "datalog/join_order.h"

#include <assert.h>
#include <string.h>

enum {
  MASKED_VARIABLES = 64, /* those with a higher number are taken never to be bound */
  COMPARED_MAX = 9,      /* with more literals only the orders after each first one are compared */
  FIRSTS_MAX = 64,       /* with more, none; and only as many are looked at for the next place */
};

/* Rows looked at from which all orders are compared. */
static const double costly = 10000;

/* The share of heads that are expected to be new where many are met. */
static const double new_share = 0.1;

/* A positive literal. */
typedef struct candidate {
  uint32_t literal; /* in the body */
  table *rows;
  uint64_t variables;
  uint64_t *column_variables; /* by column */
} candidate;

typedef struct ordering {
  const flat_program *f;
  candidate *all;
  uint32_t count;
  candidate given;     /* the given rows; `rows` is NULL where there are none */
  uint64_t head;       /* variables of the head */
  bool each_head_once; /* no more than one solution for each head is wanted */
  uint32_t *columns;   /* room */
  arena *scratch;
} ordering;

/* ---- what is known about a literal ---- */

static void add_to_mask(void *context, uint32_t number) {
  if (number < MASKED_VARIABLES) *(uint64_t *)context |= UINT64_C(1) << number;
}

/* What holds a variable without a bit is never bound. */
static void note_high_variable(void *context, uint32_t number) {
  *(bool *)context |= number >= MASKED_VARIABLES;
}

static inline uint64_t variables_of(const ordering *o, term_id arg, bool *is_beyond) {
  uint64_t mask = 0;
  const term *it = term_get(o->f->terms, arg);
  if (it->is_ground) return 0;
  if (it->is_variable && it->name < MASKED_VARIABLES) return UINT64_C(1) << it->name;
  term_each_variable(o->f->terms, arg, add_to_mask, &mask);
  term_each_variable(o->f->terms, arg, note_high_variable, is_beyond);
  return mask;
}

static candidate candidate_of(const ordering *o, const flat_literal *l, uint32_t literal,
                              table *rows) {
  assert(rows->keep != o->scratch); /* it measures its columns meanwhile */
  candidate c = {.literal = literal,
                 .rows = rows,
                 .column_variables = arena_new_array(o->scratch, uint64_t, rows->arity)};
  for (uint32_t i = 0; i < rows->arity; i++) {
    bool is_beyond = false;
    const uint64_t mask = variables_of(o, flat_args(o->f, l->args)[i], &is_beyond);
    c.variables |= mask;
    c.column_variables[i] = is_beyond ? UINT64_MAX : mask;
  }
  return c;
}

static uint64_t variables_of_args(const ordering *o, uint32_t args, uint32_t count) {
  uint64_t all = 0;
  bool is_beyond = false;
  for (uint32_t i = 0; i < count; i++) all |= variables_of(o, flat_args(o->f, args)[i], &is_beyond);
  return is_beyond ? UINT64_MAX : all;
}

/* How many rows of the literal fit, on average, when these variables are bound. */
static double fitting_rows(const ordering *o, const candidate *c, uint64_t bound) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->rows->arity; i++)
    if (!(c->column_variables[i] & ~bound)) o->columns[count++] = i;
  if (count == c->rows->arity) return 0.25; /* one row at the most */
  return table_rows_per_key(c->rows, o->columns, count);
}

/* ---- the cost of an order ---- */

/* A join in the middle. */
typedef struct partial {
  uint64_t bound;
  double rows; /* ways to satisfy the literals so far */
  double cost; /* rows looked at so far */
} partial;

/* A literal that holds all variables of the head has as many rows as there are heads: where far
   more ways to satisfy it are expected, most of them lead to heads that are known. */
static bool repeats_heads(const ordering *o, const candidate *c, double rows) {
  return o->each_head_once && !(o->head & ~c->variables) && rows * new_share > c->rows->count;
}

static partial with_literal(const ordering *o, partial p, const candidate *c, double fitting) {
  const bool is_filter = o->each_head_once && !(o->head & ~p.bound);
  if (is_filter) { /* the first solution ends the search */
    p.cost += p.rows * (fitting < 2 ? fitting + 0.5 : 2);
    if (fitting < 1) p.rows *= fitting;
  } else {
    p.rows *= fitting;
    p.cost += p.rows + 0.1;
    if (repeats_heads(o, c, p.rows)) p.rows *= new_share;
  }
  p.bound |= c->variables;
  return p;
}

/* Extends `order`, which has `done` of its places filled, by the literal that multiplies the rows
   least, until so many are filled. */
static partial extend_greedily(const ordering *o, partial p, uint32_t *order, uint32_t done,
                               uint32_t until) {
  for (; done < until; done++) {
    uint32_t best = done;
    double least = 0;
    for (uint32_t i = done; i < o->count && i < done + FIRSTS_MAX; i++) {
      const double rows = fitting_rows(o, &o->all[order[i]], p.bound);
      if (i > done && (rows > least || (rows == least && order[i] > order[best]))) continue;
      best = i;
      least = rows;
    }
    const uint32_t chosen = order[best];
    memmove(order + done + 1, order + done, (best - done) * sizeof *order);
    order[done] = chosen;
    p = with_literal(o, p, &o->all[chosen], least);
  }
  return p;
}

static partial nothing_done(const ordering *o) {
  partial p = {.rows = 1};
  if (!o->given.rows) return p;
  p.bound = o->given.variables;
  if (o->given.rows->count) p.rows = o->given.rows->count;
  return p;
}

/* Tries each literal first, and goes on greedily. */
static double compare_first_literals(const ordering *o, uint32_t *order, double cost) {
  uint32_t *other = arena_new_array(o->scratch, uint32_t, o->count);
  for (uint32_t first = 0; first < o->count; first++) {
    for (uint32_t i = 0; i < o->count; i++) other[i] = i;
    other[0] = first;
    other[first] = 0;
    partial p = nothing_done(o);
    p = with_literal(o, p, &o->all[first], fitting_rows(o, &o->all[first], p.bound));
    p = extend_greedily(o, p, other, 1, o->count);
    if (p.cost >= cost) continue;
    cost = p.cost;
    memcpy(order, other, o->count * sizeof *order);
  }
  return cost;
}

/* The cheapest way to each set of literals, from smaller sets to larger ones. */
static double compare_all_orders(const ordering *o, uint32_t *order) {
  const uint32_t sets = 1u << o->count;
  partial *best = arena_new_array(o->scratch, partial, sets);
  uint8_t *last = arena_new_array(o->scratch, uint8_t, sets);
  for (uint32_t s = 1; s < sets; s++) best[s].cost = -1;
  best[0] = nothing_done(o);
  for (uint32_t s = 0; s + 1 < sets; s++)
    for (uint32_t i = 0; i < o->count; i++) {
      if (s >> i & 1) continue;
      const uint32_t larger = s | 1u << i;
      const candidate *c = &o->all[i];
      const partial p = with_literal(o, best[s], c, fitting_rows(o, c, best[s].bound));
      if (best[larger].cost >= 0 && best[larger].cost <= p.cost) continue;
      best[larger] = p;
      last[larger] = (uint8_t)i;
    }
  uint32_t s = sets - 1;
  for (uint32_t i = o->count; i-- > 0; s &= ~(1u << last[s])) order[i] = last[s];
  return best[sets - 1].cost;
}

/* ---- given rows that come late ---- */

/* An order in which some literals bind the head, then given rows are tried, then come the others.
   Returns how many come before; 0 when that is impossible or costs more than `cost`. */
static uint32_t bind_head_first(const ordering *o, uint32_t *order, double cost) {
  uint32_t *other = arena_new_array(o->scratch, uint32_t, o->count);
  for (uint32_t i = 0; i < o->count; i++) other[i] = i;
  partial p = {.rows = 1};
  uint32_t before = 0;
  for (; before < o->count && o->head & ~p.bound; before++)
    p = extend_greedily(o, p, other, before, before + 1);
  if (o->head & ~p.bound || before == 0) return 0;
  const double given = o->given.rows->count;
  const double fitting = fitting_rows(o, &o->given, p.bound);
  const double tried = fitting > 1 ? given / fitting : given;
  if (p.cost + p.rows * new_share * tried > cost * new_share) return 0;
  p.bound |= o->given.variables;
  extend_greedily(o, p, other, before, o->count);
  memcpy(order, other, o->count * sizeof *order);
  return before;
}

/* ---- everything ---- */

static void collect_candidates(ordering *o, table *tables, const flat_clause *c, uint32_t given) {
  uint32_t widest = 1;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &o->f->literals.items[c->body + i];
    if (l->kind == LITERAL_POSITIVE && tables[l->relation].arity > widest)
      widest = tables[l->relation].arity;
  }
  o->columns = arena_new_array(o->scratch, uint32_t, widest);
  o->all = arena_new_array(o->scratch, candidate, c->body_count);
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &o->f->literals.items[c->body + i];
    if (l->kind != LITERAL_POSITIVE || i == given) continue;
    o->all[o->count++] = candidate_of(o, l, i, &tables[l->relation]);
  }
}

static void note_given(ordering *o, table *tables, const flat_clause *c, uint32_t given) {
  o->head = variables_of_args(o, c->head_args, o->f->relations.items[c->head].arity);
  o->each_head_once = given != PLAN_HEAD;
  const flat_literal head = {LITERAL_POSITIVE, c->head, c->head_args};
  if (given == PLAN_NOTHING) return;
  const flat_literal *l = given == PLAN_HEAD ? &head : &o->f->literals.items[c->body + given];
  o->given = candidate_of(o, l, given, &tables[l->relation]);
}

join_order join_order_find(const flat_program *f, table *tables, const flat_clause *c,
                           uint32_t given, arena *keep) {
  join_order found = {.literals = arena_new_array(keep, uint32_t, c->body_count)};
  const arena_mark mark = arena_save(keep);
  ordering o = {.f = f, .scratch = keep};
  collect_candidates(&o, tables, c, given);
  note_given(&o, tables, c, given);
  found.count = o.count;
  for (uint32_t i = 0; i < o.count; i++) found.literals[i] = i;
  double cost = extend_greedily(&o, nothing_done(&o), found.literals, 0, o.count).cost;
  if (cost > costly && o.count > 1 && o.count <= FIRSTS_MAX)
    cost = o.count <= COMPARED_MAX ? compare_all_orders(&o, found.literals)
                                   : compare_first_literals(&o, found.literals, cost);
  if (cost > costly && given < c->body_count && !(o.given.variables & o.head))
    found.before_given = bind_head_first(&o, found.literals, cost);
  for (uint32_t i = 0; i < o.count; i++) found.literals[i] = o.all[found.literals[i]].literal;
  arena_restore(keep, mark);
  return found;
}
