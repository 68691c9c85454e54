/* What holds: the shortest derivation as steps. */
#include "explain/derivation.h"
#include "explain/explanation.h"

#include <string.h>

/* A literal that is still to be shown. */
typedef struct pending {
  literal_kind kind;
  term_id atom;
  uint32_t depth;
  span where;
  const symbol_id *names; /* of its free variables */
} pending;

typedef struct teller {
  explanation *e;
  const explain_choice *how;
  derivation d;
  arena *scratch;
  VEC(pending) to_tell; /* the last first */
} teller;

static bool was_shown(const explanation *e, term_id atom) {
  for (uint32_t i = 0; i < e->shown.count; i++)
    if (e->shown.items[i] == atom) return true;
  return false;
}

/* The conditions as they are written, the last first. */
static void push_conditions(teller *t, const rule_instance *it, uint32_t depth) {
  world *w = t->e->world;
  const program *p = w->program;
  const clause *c = &p->clauses.items[it->clause->origin];
  for (uint32_t i = c->body_count; i-- > 0;) {
    const literal *l = &p->literals.items[c->body + i];
    const pending next = {l->kind, world_instance(w, l->atom, it->bindings, NULL), depth,
                          program_span(p, l->node),
                          free_names(w, it->clause->origin, l->atom, it->bindings, t->e->keep)};
    vec_push(t->scratch, &t->to_tell, next);
  }
}

static void tell_rule(teller *t, const pending *p, uint32_t instance) {
  const rule_instance *it = &t->d.instances.items[instance];
  why_step *s = explanation_add(t->e, WHY_RULE, p->depth, true, p->atom);
  s->clause = it->clause->origin;
  s->bindings = it->bindings;
  s->where = clause_span(t->e->world->program, s->clause);
  vec_push(t->e->keep, &t->e->shown, p->atom);
  push_conditions(t, it, p->depth + 1);
}

static void tell_leaf(teller *t, const pending *p) {
  world *w = t->e->world;
  const relation_id r = world_relation(w, p->atom);
  if (r == SYM_TRUE || r == SYM_DOES) {
    explanation_add(t->e, r == SYM_TRUE ? WHY_FLUENT : WHY_MOVE, p->depth, true, p->atom)->where =
        p->where;
    return;
  }
  why_step *s = explanation_add(t->e, WHY_FACT, p->depth, true, p->atom);
  s->clause = world_fact(w, p->atom);
  s->where = clause_span(w->program, s->clause);
}

static void tell_positive(teller *t, const pending *p) {
  const goal_id g = derivation_goal(&t->d, p->atom);
  if (g == GOAL_ID_NONE) return; /* the budget is spent */
  const derived_goal *goal = &t->d.goals.items[g];
  if (goal->is_leaf)
    tell_leaf(t, p);
  else if (was_shown(t->e, p->atom))
    explanation_add(t->e, WHY_AGAIN, p->depth, true, p->atom);
  else if (goal->instance != ID_NONE)
    tell_rule(t, p, goal->instance);
}

static void tell_negative(teller *t, const pending *p) {
  why_step *s = explanation_add(t->e, WHY_NOT, p->depth, true, p->atom);
  s->is_negated = true;
  s->where = p->where;
  s->names = p->names;
  explain_choice below = *t->how;
  if (below.failure_levels == 0) return;
  below.failure_levels = 1;
  below.attempts_max = 3;
  const uint32_t at = t->e->steps.count;
  explain_fails(t->e, p->atom, p->depth + 1, &below);
  t->e->steps.items[at].names = p->names;
}

static void tell(teller *t, const pending *p) {
  switch (p->kind) {
    case LITERAL_POSITIVE: tell_positive(t, p); break;
    case LITERAL_NEGATIVE: tell_negative(t, p); break;
    case LITERAL_DISTINCT:
      explanation_add(t->e, WHY_DISTINCT, p->depth, true, p->atom)->where = p->where;
      break;
  }
}

void explain_holds(explanation *e, term_id atom, uint32_t depth, const explain_choice *how) {
  teller t = {.e = e, .how = how, .scratch = arena_new()};
  if (derivation_find(&t.d, e->world, atom, e->keep)) {
    const pending first = {LITERAL_POSITIVE, atom, depth, SPAN_NONE, NULL};
    vec_push(t.scratch, &t.to_tell, first);
    while (t.to_tell.count) {
      const pending next = vec_pop(&t.to_tell);
      tell(&t, &next);
    }
  }
  arena_free(t.scratch);
}
