#include "frame/frame_rules.h"

#include <stdlib.h>
#include <string.h>

/* Clauses that one frame rule may become, and steps of unfolding on the way there. */
enum { UNFOLDED_MAX = 64 };

/* A clause in the making. */
typedef struct draft {
  term_id head;
  literal *body;
  uint32_t body_count;
  uint32_t variable_count;
} draft;

typedef VEC(draft) draft_vec;

typedef struct frame_search {
  frame_rules *f;
  const program *p;
  const analysis *a;
  const frame_domain *m;
  arena *scratch;
  bool *unfolds; /* by relation: is replaced by its definition */
} frame_search;

/* ---- recognising ---- */

static bool is_literal_of(const program *p, const literal *l, symbol_id keyword) {
  return l->kind == LITERAL_POSITIVE && atom_relation(p, l->atom) == keyword;
}

static const literal *body_of(const program *p, const clause *c) {
  return c->body_count ? &p->literals.items[c->body] : NULL;
}

static bool clause_is_frame_rule(const program *p, const clause *c) {
  const literal *body = body_of(p, c);
  for (uint32_t i = 0; i < c->body_count; i++)
    if (is_literal_of(p, &body[i], SYM_TRUE) &&
        term_arg(p->terms, body[i].atom, 0) == term_arg(p->terms, c->head, 0))
      return true;
  return false;
}

/* ---- relations that are replaced by their definition ---- */

static bool has_distinct(const program *p, const clause *c) {
  for (uint32_t i = 0; i < c->body_count; i++)
    if (p->literals.items[c->body + i].kind == LITERAL_DISTINCT) return true;
  return false;
}

static bool uses_unfolded(const frame_search *s, const clause *c) {
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &s->p->literals.items[c->body + i];
    if (l->kind == LITERAL_POSITIVE && s->unfolds[atom_relation(s->p, l->atom)]) return true;
  }
  return false;
}

static bool is_by_distinct(const frame_search *s, relation_id r) {
  const relation *it = &s->p->relations.items[r];
  if (s->a->is_dynamic[r] || s->a->is_recursive[r] || r < KEYWORD_RELATION_COUNT) return false;
  if (it->clause_count == 0 || it->clause_count > UNFOLDED_MAX / 4) return false;
  bool found = false;
  for (uint32_t i = 0; i < it->clause_count; i++) {
    const clause *c = &s->p->clauses.items[s->p->clauses_of_relation.items[it->first_clause + i]];
    found |= has_distinct(s->p, c) || uses_unfolded(s, c);
  }
  return found;
}

static void choose_unfolded(frame_search *s) {
  s->unfolds = arena_zero_array(s->scratch, bool, s->p->relations.count);
  for (uint32_t i = 0; i < s->p->relations.count; i++)
    s->unfolds[s->a->order[i]] = is_by_distinct(s, s->a->order[i]);
}

/* ---- unfolding ---- */

/* False: a term would be too large. */
static bool instantiate(term_table *t, draft *d, const term_id *bindings) {
  if (!term_resolve(t, d->head, bindings, &d->head)) return false;
  for (uint32_t i = 0; i < d->body_count; i++)
    if (!term_resolve(t, d->body[i].atom, bindings, &d->body[i].atom)) return false;
  return true;
}

typedef enum fit { FIT_NONE, FIT_MADE, FIT_TOO_LARGE } fit;

/* `d` where `a` and `b` are the same. */
static fit fit_together(frame_search *s, draft *d, term_id a, term_id b) {
  term_id *bindings = frame_bindings(s->scratch, d->variable_count);
  uint32_t steps = TERM_STEPS_MAX;
  if (!term_unify_within(s->p->terms, a, b, bindings, &steps))
    return steps ? FIT_NONE : FIT_TOO_LARGE;
  return instantiate(s->p->terms, d, bindings) ? FIT_MADE : FIT_TOO_LARGE;
}

/* `d` with body literal `at` replaced by the body of a clause. */
static fit unfold_with(frame_search *s, const draft *d, uint32_t at, const clause *c,
                       draft *result) {
  term_table *t = s->p->terms;
  term_id *apart = arena_new_array(s->scratch, term_id, c->variable_count + 1);
  for (uint32_t i = 0; i < c->variable_count; i++)
    apart[i] = term_variable(t, d->variable_count + i);
  *result = (draft){.head = d->head,
                    .variable_count = d->variable_count + c->variable_count,
                    .body = arena_new_array(s->scratch, literal, d->body_count + c->body_count)};
  for (uint32_t i = 0; i < d->body_count; i++)
    if (i != at) result->body[result->body_count++] = d->body[i];
  for (uint32_t i = 0; i < c->body_count; i++) {
    literal l = s->p->literals.items[c->body + i];
    l.atom = term_relabel(t, l.atom, apart);
    result->body[result->body_count++] = l;
  }
  return fit_together(s, result, term_relabel(t, c->head, apart), d->body[at].atom);
}

static uint32_t literal_to_unfold(const frame_search *s, const draft *d) {
  for (uint32_t i = 0; i < d->body_count; i++)
    if (d->body[i].kind == LITERAL_POSITIVE && s->unfolds[atom_relation(s->p, d->body[i].atom)])
      return i;
  return d->body_count;
}

/* Replaces until nothing is left to replace.  False: there would be too many, or too large ones. */
static bool unfold_all(frame_search *s, const draft *from, draft_vec *done) {
  draft_vec pending = {0};
  vec_push(s->scratch, &pending, *from);
  for (uint32_t steps = 0; pending.count; steps++) {
    if (steps > 4 * UNFOLDED_MAX || done->count > UNFOLDED_MAX) return false;
    const draft d = vec_pop(&pending);
    const uint32_t at = literal_to_unfold(s, &d);
    if (at == d.body_count) {
      vec_push(s->scratch, done, d);
      continue;
    }
    const relation *r = &s->p->relations.items[atom_relation(s->p, d.body[at].atom)];
    for (uint32_t i = r->clause_count; i > 0; i--) {
      const clause_id id = s->p->clauses_of_relation.items[r->first_clause + i - 1];
      draft next;
      const fit how = unfold_with(s, &d, at, &s->p->clauses.items[id], &next);
      if (how == FIT_TOO_LARGE) return false;
      if (how == FIT_MADE) vec_push(s->scratch, &pending, next);
    }
  }
  return true;
}

/* ---- taking apart ---- */

static void add_frame_rule(frame_search *s, const draft *d, clause_id source, uint32_t name) {
  frame_rules *f = s->f;
  const term_id fluent = term_arg(s->p->terms, d->head, 0);
  frame_rule r = {.source = source,
                  .name = name,
                  .fluent = fluent,
                  .moves = f->moves.count,
                  .condition = f->conditions.count,
                  .variable_count = d->variable_count};
  for (uint32_t i = 0; i < d->body_count; i++) {
    const literal l = d->body[i];
    if (is_literal_of(s->p, &l, SYM_DOES)) {
      vec_push(f->keep, &f->moves, l.atom);
      r.move_count++;
    } else if (!is_literal_of(s->p, &l, SYM_TRUE) || term_arg(s->p->terms, l.atom, 0) != fluent) {
      vec_push(f->keep, &f->conditions, l);
      r.condition_count++;
    }
  }
  vec_push(f->keep, &f->all, r);
}

static draft draft_of(const frame_search *s, const clause *c, uint32_t more_variables) {
  draft d = {.head = c->head,
             .body_count = c->body_count,
             .variable_count = c->variable_count + more_variables,
             .body = arena_new_array(s->scratch, literal, c->body_count)};
  memcpy(d.body, body_of(s->p, c), c->body_count * sizeof *d.body);
  return d;
}

/* A clause for the fluents of one name.  What would be too large stays as it is written, for all
   fluents. */
static fit draft_for_name(frame_search *s, const clause *c, const frame_name *n, draft *d) {
  term_table *t = s->p->terms;
  term_id *apart = arena_new_array(s->scratch, term_id, n->variable_count + 1);
  for (uint32_t i = 0; i < n->variable_count; i++)
    apart[i] = term_variable(t, c->variable_count + i);
  *d = draft_of(s, c, n->variable_count);
  const fit how = fit_together(s, d, term_relabel(t, n->pattern, apart), term_arg(t, c->head, 0));
  if (how == FIT_TOO_LARGE) *d = draft_of(s, c, n->variable_count);
  return how;
}

/* The rule for the fluents of one name, if it has any. */
static void add_for_name(frame_search *s, clause_id id, uint32_t name) {
  draft d;
  if (draft_for_name(s, &s->p->clauses.items[id], &s->m->fluents.items[name], &d) == FIT_NONE)
    return;
  draft_vec done = {0};
  if (unfold_all(s, &d, &done))
    for (uint32_t i = 0; i < done.count; i++) add_frame_rule(s, &done.items[i], id, name);
  else
    add_frame_rule(s, &d, id, name);
}

static int compare_by_name(const void *left, const void *right) {
  const frame_rule *a = left;
  const frame_rule *b = right;
  if (a->name != b->name) return a->name < b->name ? -1 : 1;
  if (a->source != b->source) return a->source < b->source ? -1 : 1;
  return a->condition < b->condition ? -1 : a->condition > b->condition;
}

void frame_rules_find(frame_rules *f, const program *p, const analysis *a, const frame_domain *m,
                      arena *keep) {
  *f = (frame_rules){.keep = keep};
  f->is_frame_rule = arena_zero_array(keep, bool, p->clauses.count + 1);
  frame_search s = {.f = f, .p = p, .a = a, .m = m, .scratch = arena_new()};
  choose_unfolded(&s);
  const relation *next = &p->relations.items[SYM_NEXT];
  for (uint32_t i = 0; i < next->clause_count; i++) {
    const clause_id id = p->clauses_of_relation.items[next->first_clause + i];
    if (!clause_is_frame_rule(p, &p->clauses.items[id])) continue;
    f->is_frame_rule[id] = true;
    f->count++;
    for (uint32_t n = 0; n < m->fluents.count; n++) add_for_name(&s, id, n);
  }
  if (f->all.count) qsort(f->all.items, f->all.count, sizeof *f->all.items, compare_by_name);
  arena_free(s.scratch);
}
