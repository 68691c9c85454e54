#include "prove/first_order/proof_tree.h"

#include <string.h>

enum {
  BODIES_MAX = 128,      /* that one clause may become */
  ALL_BODIES_MAX = 2000, /* after which clauses stay as they are */
  RULES_MAX = 8,         /* of a relation that is unfolded */
  VARIABLES_MAX = 256    /* of a body that is unfolded further */
};

typedef struct unfolding {
  const analysis *a;
  const program *p;
  arena *keep;
  unfolded_vec work; /* bodies that may have to be unfolded further */
  uint32_t made;
} unfolding;

static bool is_defined_by_few_rules(const unfolding *u, relation_id r) {
  const relation *it = &u->p->relations.items[r];
  if (r < KEYWORD_RELATION_COUNT || u->a->is_recursive[r]) return false;
  if (!it->clause_count || it->clause_count > RULES_MAX) return false;
  for (uint32_t i = 0; i < it->clause_count; i++) {
    const clause_id c = u->p->clauses_of_relation.items[it->first_clause + i];
    if (!u->p->clauses.items[c].body_count) return false;
  }
  return true;
}

/* The first literal that can be replaced, or `count`. */
static uint32_t find_defined(const unfolding *u, const unfolded_body *b) {
  uint32_t i = 0;
  for (; i < b->count; i++) {
    if (b->literals[i].kind != LITERAL_POSITIVE) continue;
    if (is_defined_by_few_rules(u, atom_relation(u->p, b->literals[i].atom))) break;
  }
  return i;
}

/* Adds a literal under the bindings.  False: it can never hold. */
static bool add_resolved(const unfolding *u, literal *out, uint32_t *count, literal l,
                         const term_id *bindings, bool *is_whole) {
  term_table *t = u->p->terms;
  if (!term_resolve(t, l.atom, bindings, &l.atom)) {
    *is_whole = false;
    return true;
  }
  if (l.kind == LITERAL_DISTINCT && term_arg(t, l.atom, 0) == term_arg(t, l.atom, 1)) return false;
  out[(*count)++] = l;
  return true;
}

/* The numbers of the variables of the clause come after those of the body. */
static term_id *renaming(const unfolding *u, const unfolded_body *b, const clause *c) {
  term_id *names = arena_new_array(u->keep, term_id, c->variable_count + 1);
  for (uint32_t i = 0; i < c->variable_count; i++)
    names[i] = term_variable(u->p->terms, b->variables + i);
  return names;
}

/* The body with its literal `at` replaced by the body of the clause.  False: it cannot be made (too
   large), and the literal has to stay. */
static bool replace(unfolding *u, const unfolded_body *b, uint32_t at, const clause *c) {
  term_table *t = u->p->terms;
  const term_id *names = renaming(u, b, c);
  const uint32_t variables = b->variables + c->variable_count;
  term_id *bindings = arena_new_array(u->keep, term_id, variables + 1);
  memset(bindings, 0xff, sizeof *bindings * (variables + 1));
  uint32_t steps = TERM_STEPS_MAX;
  const term_id head = term_relabel(t, c->head, names);
  if (!term_unify_within(t, b->literals[at].atom, head, bindings, &steps)) return steps > 0;
  literal *literals = arena_new_array(u->keep, literal, b->count + c->body_count);
  unfolded_body made = {.literals = literals, .variables = variables};
  bool is_whole = true;
  for (uint32_t i = 0; i < b->count; i++)
    if (i != at && !add_resolved(u, literals, &made.count, b->literals[i], bindings, &is_whole))
      return true;
  for (uint32_t i = 0; i < c->body_count; i++) {
    literal l = u->p->literals.items[c->body + i];
    l.atom = term_relabel(t, l.atom, names);
    if (!add_resolved(u, literals, &made.count, l, bindings, &is_whole)) return true;
  }
  if (!is_whole || !term_resolve(t, b->head, bindings, &made.head)) return false;
  vec_push(u->keep, &u->work, made);
  u->made++;
  return true;
}

/* False: the body stays as it is. */
static bool unfold_body(unfolding *u, const unfolded_body *b) {
  const uint32_t at = find_defined(u, b);
  if (at == b->count || u->made >= BODIES_MAX || b->variables > VARIABLES_MAX) return false;
  const relation *r = &u->p->relations.items[atom_relation(u->p, b->literals[at].atom)];
  const uint32_t before = u->work.count;
  for (uint32_t i = 0; i < r->clause_count; i++) {
    const clause_id c = u->p->clauses_of_relation.items[r->first_clause + i];
    if (replace(u, b, at, &u->p->clauses.items[c])) continue;
    u->work.count = before;
    return false;
  }
  return true;
}

void clause_unfold(unfolded_vec *out, const analysis *a, clause_id c, arena *keep) {
  const program *p = a->program;
  const clause *it = &p->clauses.items[c];
  unfolding u = {.a = a, .p = p, .keep = keep};
  if (out->count > ALL_BODIES_MAX) u.made = BODIES_MAX;
  const unfolded_body first = {.head = it->head,
                               .literals = vec_from(&p->literals, it->body),
                               .count = it->body_count,
                               .variables = it->variable_count};
  vec_push(keep, &u.work, first);
  while (u.work.count) {
    const unfolded_body b = vec_pop(&u.work);
    if (!unfold_body(&u, &b)) vec_push(keep, out, b);
  }
}
