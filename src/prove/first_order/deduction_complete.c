/* Predicate completion, atom by atom: what holds does so by a listed fact or by a rule. */
#include "prove/first_order/deduction_parts.h"

#include <string.h>

enum { RULES_MAX = 400, FACTS_SEEN_MAX = 4096 };

/* A head that is to be equal to an atom.  The variables of the head get values of the atom where
   they can, and the rest becomes equations. */
typedef struct alignment {
  deduction *d;
  term_id *bindings;
  VEC(sat_literal) parts; /* all must hold */
  VEC(statement) later;   /* terms of the head with variables, and the unknowns they are equal to */
  bool is_clash;
} alignment;

static void add_part(alignment *x, sat_literal l) {
  if (l == -x->d->truth) x->is_clash = true;
  vec_push(x->d->round, &x->parts, l);
}

static void align(alignment *x, term_id pattern, term_id value) {
  const term_table *t = x->d->terms;
  const term *it = term_get(t, pattern);
  if (x->is_clash) return;
  if (it->is_variable) {
    term_id *bound = &x->bindings[it->name];
    if (*bound == TERM_NONE)
      *bound = value;
    else
      add_part(x, deduction_equation(x->d, *bound, value));
  } else if (it->is_ground) {
    add_part(x, deduction_equation(x->d, pattern, value));
  } else if (term_is_variable(t, value)) {
    vec_push(x->d->round, &x->later, are_equal(pattern, value));
  } else if (it->name != term_get(t, value)->name ||
             it->arg_count != term_get(t, value)->arg_count) {
    x->is_clash = true;
  } else {
    for (uint32_t i = 0; i < term_get(t, pattern)->arg_count; i++)
      align(x, term_arg(t, pattern, i), term_arg(t, value, i));
  }
}

static void align_arguments(alignment *x, term_id head, term_id atom) {
  const term_table *t = x->d->terms;
  for (uint32_t i = 0; i < term_get(t, head)->arg_count && !x->is_clash; i++)
    align(x, term_arg(t, head, i), term_arg(t, atom, i));
}

/* What has no value yet is unknown. */
static void bind_rest(alignment *x, uint32_t variables) {
  for (uint32_t i = 0; i < variables; i++)
    if (x->bindings[i] == TERM_NONE) x->bindings[i] = deduction_unknown(x->d);
  for (uint32_t i = 0; i < x->later.count && !x->is_clash; i++) {
    term_id whole;
    if (term_substitute(x->d->terms, x->later.items[i].a, x->bindings, &whole))
      add_part(x, deduction_equation(x->d, whole, x->later.items[i].b));
    else
      x->d->is_over = x->is_clash = true;
  }
}

static alignment alignment_new(deduction *d, uint32_t variables) {
  alignment x = {.d = d, .bindings = arena_new_array(d->round, term_id, variables + 1)};
  memset(x.bindings, 0xff, sizeof *x.bindings * (variables + 1));
  return x;
}

/* That the atom holds by this rule; `-truth`: it cannot. */
static sat_literal by_rule(deduction *d, const ground_atom *a, const clause *c, uint32_t time) {
  alignment x = alignment_new(d, c->variable_count);
  align_arguments(&x, c->head, a->term);
  if (x.is_clash) return -d->truth;
  bind_rest(&x, c->variable_count);
  for (uint32_t i = 0; i < c->body_count && !x.is_clash; i++) {
    const statement s = theory_statement(d->t, &d->t->p->literals.items[c->body + i], time);
    add_part(&x, deduction_literal(d, &s, x.bindings));
  }
  return x.is_clash ? -d->truth : deduction_all(d, x.parts.items, x.parts.count);
}

static sat_literal by_fact(deduction *d, const ground_atom *a, term_id fact) {
  alignment x = alignment_new(d, 0);
  align_arguments(&x, fact, a->term);
  return x.is_clash ? -d->truth : deduction_all(d, x.parts.items, x.parts.count);
}

typedef VEC(sat_literal) literal_list;

/* False: too many facts may be meant. */
static bool add_facts(deduction *d, const ground_atom *a, relation_id r, literal_list *ways) {
  const id_vec *like = listed_like(d->t->facts, r, a->term, NULL);
  if (like->count > FACTS_SEEN_MAX) return false;
  uint32_t count = 0;
  for (uint32_t i = 0; i < like->count; i++) {
    const sat_literal l = by_fact(d, a, like->items[i]);
    if (l == -d->truth) continue;
    if (++count > d->few) return false;
    vec_push(d->round, ways, l);
  }
  return true;
}

/* False: too many facts may be meant for now. */
static bool complete_atom(deduction *d, const ground_atom *a) {
  const program *p = d->t->p;
  if (a->relation == p->relations.count) return true;
  const atom_source from = theory_source(d->t, a->relation, a->time);
  if (from.is_free || !from.is_complete || d->t->rule_counts[from.relation] > RULES_MAX)
    return true;
  literal_list ways = {0};
  vec_push(d->round, &ways, -a->is_true);
  if (!add_facts(d, a, from.relation, &ways)) return false;
  const relation *r = &p->relations.items[from.relation];
  for (uint32_t i = 0; i < r->clause_count; i++) {
    const clause *c = &p->clauses.items[p->clauses_of_relation.items[r->first_clause + i]];
    if (clause_is_listed(p, c)) continue;
    const sat_literal l = by_rule(d, a, c, from.time);
    if (l != -d->truth) vec_push(d->round, &ways, l);
  }
  sat_add(d->sat, ways.items, ways.count);
  return true;
}

/* An atom whose normal form is there too need not be looked at: that one will be. */
static bool is_represented(const deduction *d, const ground_atom *a) {
  return a->normal != a->term &&
         d->atoms.items[deduction_find_normal(d, a->normal, a->time)].term == a->normal;
}

bool deduction_complete(deduction *d) {
  const uint32_t count = d->atoms.count;
  bool is_news = false;
  for (uint32_t i = 0; i < count && !d->is_over; i++) {
    const ground_atom a = d->atoms.items[i];
    if (!a.value || a.completed >= d->few || is_represented(d, &a)) continue;
    const bool is_done = complete_atom(d, &a);
    d->atoms.items[i].completed = is_done ? UINT32_MAX : d->few;
    is_news |= is_done;
  }
  return is_news;
}
