#include "compile/plan/inline_relations.h"

#include "compile/plan/literal_order.h"
#include "compile/rules/distincts.h"

#include <assert.h>
#include <string.h>

enum {
  ROUNDS_MAX = 4,     /* of relations that become checks once others have */
  CONDITIONS_MAX = 4, /* of a check: with more, asking once for a state is cheaper */
};

typedef struct placing {
  strata *s;
  const sizes *sizes;
  flat_clause *rule; /* by flat relation: its only rule, if `is_check` */
  bool *is_check;    /* by flat relation */
  arena *keep;
  arena *scratch; /* cleared for each clause */
} placing;

static const flat_literal *literal_at(const placing *x, uint32_t i) {
  return &x->s->flat.literals.items[i];
}

static bool asks_check(const placing *x, const flat_literal *l) {
  return l->kind != LITERAL_DISTINCT && x->is_check[l->relation];
}

/* ---- which relations ---- */

/* By their rules alone. */
static void find_candidates(placing *x) {
  const strata *s = x->s;
  const flat_clause_id *only_rule = flat_only_clauses(&s->flat, x->keep);
  for (flat_id r = 0; r < s->flat.relations.count; r++) {
    x->is_check[r] = false;
    if (only_rule[r] == ID_NONE || s->is_permanent[r] || s->order.is_recursive[r] ||
        s->flat.relations.items[r].relation < KEYWORD_RELATION_COUNT)
      continue;
    x->rule[r] = s->flat.clauses.items[only_rule[r]];
    x->is_check[r] = x->rule[r].body_count && x->rule[r].body_count <= CONDITIONS_MAX &&
                     flat_head_is_open(&s->flat, &x->rule[r]);
  }
}

static bool reads_check(const placing *x, const flat_clause *c) {
  for (uint32_t i = c->body; i < c->body + c->body_count; i++)
    if (asks_check(x, literal_at(x, i))) return true;
  return false;
}

static bool is_bound(const placing *x, const flat_literal *l, const bool *bound) {
  const flat_program *f = &x->s->flat;
  for (uint32_t i = 0; i < flat_arg_count(f, l); i++) {
    const term_id arg = flat_args(f, l->args)[i];
    if (term_is_variable(f->terms, arg) && !bound[term_variable_number(f->terms, arg)])
      return false;
  }
  return true;
}

static void bind(const placing *x, const flat_literal *l, bool *bound) {
  const flat_program *f = &x->s->flat;
  for (uint32_t i = 0; i < flat_arg_count(f, l); i++) {
    const term_id arg = flat_args(f, l->args)[i];
    if (term_is_variable(f->terms, arg)) bound[term_variable_number(f->terms, arg)] = true;
  }
}

/* Takes those out that the clause denies, or gets values from in the order that is best for it. */
static void drop_what_binds(placing *x, const flat_clause *c) {
  arena_clear(x->scratch);
  uint32_t *in_order = arena_new_array(x->scratch, uint32_t, c->body_count + 1);
  bool *bound = arena_zero_array(x->scratch, bool, c->variable_count + 1);
  const uint32_t count = literal_order_find(x->s, x->sizes, c, in_order, x->scratch);
  for (uint32_t i = 0; i < count; i++) {
    const flat_literal *l = literal_at(x, in_order[i]);
    if (l->kind == LITERAL_NEGATIVE || !is_bound(x, l, bound)) x->is_check[l->relation] = false;
    if (l->kind == LITERAL_POSITIVE) bind(x, l, bound);
  }
}

/* One that reads another waits for the next round. */
static bool find_checks(placing *x) {
  const flat_program *f = &x->s->flat;
  bool found = false;
  find_candidates(x);
  for (flat_clause_id c = 0; c < f->clauses.count; c++)
    if (reads_check(x, &f->clauses.items[c])) drop_what_binds(x, &f->clauses.items[c]);
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const flat_clause *it = &f->clauses.items[c];
    if (x->is_check[it->head] && reads_check(x, it)) x->is_check[it->head] = false;
  }
  for (flat_id r = 0; r < f->relations.count; r++) found |= x->is_check[r];
  return found;
}

/* ---- their conditions in their place ---- */

/* The value that the literal gives to an argument in the rule of its relation. */
static term_id value_of(const placing *x, const flat_literal *l, term_id arg) {
  const flat_program *f = &x->s->flat;
  if (!term_is_variable(f->terms, arg)) return arg;
  const term_id *names = flat_args(f, x->rule[l->relation].head_args);
  uint32_t column = 0;
  while (names[column] != arg) column++;
  return flat_args(f, l->args)[column];
}

static bool has_literal(const placing *x, uint32_t body, const flat_literal *l) {
  const flat_program *f = &x->s->flat;
  for (uint32_t i = body; i < f->literals.count; i++) {
    const flat_literal *other = literal_at(x, i);
    if (other->kind == l->kind && other->relation == l->relation &&
        memcmp(flat_args(f, other->args), flat_args(f, l->args),
               flat_arg_count(f, l) * sizeof(term_id)) == 0)
      return true;
  }
  return false;
}

static void put_conditions(placing *x, uint32_t body, const flat_literal *asked) {
  flat_program *f = &x->s->flat;
  const flat_clause *rule = &x->rule[asked->relation];
  for (uint32_t i = rule->body; i < rule->body + rule->body_count; i++) {
    flat_literal l = *literal_at(x, i);
    const uint32_t from = l.args;
    const uint32_t arity = flat_arg_count(f, &l);
    l.args = f->args.count;
    for (uint32_t k = 0; k < arity; k++)
      vec_push(x->keep, &f->args, value_of(x, asked, flat_args(f, from)[k]));
    if (!has_literal(x, body, &l)) vec_push(x->keep, &f->literals, l);
  }
}

static void rewrite_clause(placing *x, flat_clause *c) {
  flat_program *f = &x->s->flat;
  const uint32_t body = f->literals.count;
  for (uint32_t i = c->body; i < c->body + c->body_count; i++) {
    const flat_literal l = *literal_at(x, i);
    if (asks_check(x, &l))
      put_conditions(x, body, &l);
    else if (!has_literal(x, body, &l))
      vec_push(x->keep, &f->literals, l);
  }
  c->body = body;
  c->body_count = f->literals.count - body;
}

static void rewrite_readers(placing *x) {
  flat_program *f = &x->s->flat;
  for (flat_clause_id c = 0; c < f->clauses.count; c++)
    if (reads_check(x, &f->clauses.items[c])) rewrite_clause(x, &f->clauses.items[c]);
}

void inline_relations(strata *s, const sizes *sizes, arena *keep) {
  const uint32_t relations = s->flat.relations.count;
  placing x = {.s = s,
               .sizes = sizes,
               .rule = arena_new_array(keep, flat_clause, relations + 1),
               .is_check = arena_zero_array(keep, bool, relations + 1),
               .keep = keep,
               .scratch = arena_new()};
  for (uint32_t round = 0; round < ROUNDS_MAX && find_checks(&x); round++) {
    rewrite_readers(&x);
    /* Constants have come where variables were; they differ, or the clause never fires. */
    const bool solved = distincts_solve(&s->flat, keep);
    assert(solved);
    (void)solved;
    strata_clauses_changed(s, keep);
  }
  arena_free(x.scratch);
}
