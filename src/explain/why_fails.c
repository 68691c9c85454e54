/* What does not hold: how far each rule gets that could give it. */
#include "explain/body_run.h"
#include "explain/explanation.h"

#include <string.h>

/* A rule whose head fits. */
typedef struct attempt {
  const ref_clause *clause;
  const ref_plan *plan; /* NULL: it has no conditions that fail */
  uint32_t step;        /* the first that fails, as far as it ever gets */
  term_id *bindings;    /* there */
  uint32_t others;      /* other bindings that fail at the same step */
} attempt;

typedef struct failure {
  explanation *e;
  const explain_choice *how;
  uint32_t depth;
  VEC(attempt) attempts;
} failure;

/* ---- trying the rules ---- */

static bool go_on(void *context, const term_id *bindings) {
  (void)context;
  (void)bindings;
  return true;
}

typedef struct stuck_search {
  explanation *e;
  attempt *a;
} stuck_search;

static void note_stuck(void *context, const ref_plan *plan, uint32_t step,
                       const term_id *bindings) {
  const stuck_search *s = context;
  attempt *a = s->a;
  const uint32_t count = a->clause->variable_count;
  if (a->plan && step < a->step) return;
  if (a->plan && step == a->step) {
    a->others++;
    return;
  }
  a->plan = plan;
  a->step = step;
  a->others = 0;
  a->bindings = arena_new_array(s->e->keep, term_id, count + (size_t)1);
  if (count) memcpy(a->bindings, bindings, count * sizeof *bindings);
}

static void try_clause(failure *f, const ref_clause *c, term_id atom, term_id *bindings) {
  attempt a = {.clause = c};
  stuck_search s = {f->e, &a};
  const body_visitor v = {.context = &s, .solved = go_on, .stuck = note_stuck};
  if (c->variable_count) memset(bindings, 0xff, c->variable_count * sizeof *bindings);
  if (!world_meet(f->e->world, atom, c->head, bindings)) return;
  body_run(f->e->world, c, bindings, &v);
  if (a.plan) vec_push(f->e->keep, &f->attempts, a);
}

static uint32_t conditions_left(const attempt *a) { return a->plan->step_count - a->step; }

/* A rule that carries what holds over to the next state. */
static bool is_frame_rule(const ref_clause *c, const term_table *t) {
  if (c->relation != SYM_NEXT) return false;
  for (uint32_t i = 0; i < c->body_count; i++)
    if (c->body[i].kind == LITERAL_POSITIVE && c->body[i].relation == SYM_TRUE &&
        c->body[i].atom == term_arg(t, c->head, 0))
      return true;
  return false;
}

/* Frame rules, then those that lack the least, each in the order of the text. */
static void sort_attempts(failure *f) {
  const term_table *t = f->e->world->terms;
  for (uint32_t i = 1; i < f->attempts.count; i++)
    for (uint32_t k = i; k; k--) {
      attempt *a = &f->attempts.items[k - 1];
      const bool frame = is_frame_rule(a[1].clause, t);
      const bool other = is_frame_rule(a->clause, t);
      if (frame == other ? conditions_left(&a[1]) >= conditions_left(a) : other) break;
      const attempt later = a[0];
      a[0] = a[1];
      a[1] = later;
    }
}

/* ---- telling ---- */

/* The place of a condition of a clause in the text. */
static span condition_span(const program *p, const ref_clause *c, term_id atom) {
  const clause *it = &p->clauses.items[c->origin];
  for (uint32_t i = 0; i < it->body_count; i++)
    if (p->literals.items[it->body + i].atom == atom)
      return program_span(p, p->literals.items[it->body + i].node);
  return SPAN_NONE;
}

static void tell_distinct(failure *f, const ref_step *s, const attempt *a, uint32_t depth) {
  world *w = f->e->world;
  const term_id atom = world_instance(w, s->atom, a->bindings, NULL);
  why_step *step = explanation_add(f->e, WHY_DISTINCT, depth, false, atom);
  step->where = condition_span(w->program, a->clause, s->atom);
  step->words =
      s->kind == STEP_UNSAFE ? "nothing gives its variables a value" : "both are the same";
}

static term_id first_answer(world *w, term_id atom) {
  const answer_rows rows = world_answers(w, atom);
  return rows.count ? world_instance(w, atom, rows.values, NULL) : atom;
}

static void tell_negative(failure *f, term_id atom, uint32_t depth) {
  explain_choice below = *f->how;
  why_step *step = explanation_add(f->e, WHY_NOT, depth, false, atom);
  step->is_negated = true;
  if (!below.failure_levels) return;
  below.failure_levels--;
  explain_holds(f->e, first_answer(f->e->world, atom), depth + 1, &below);
}

static void tell_positive(failure *f, term_id pattern, term_id atom, uint32_t depth) {
  explain_choice below = *f->how;
  const uint32_t at = f->e->steps.count;
  below.failure_levels = below.failure_levels ? below.failure_levels - 1 : 0;
  below.attempts_max = below.attempts_max > 3 ? 3 : below.attempts_max;
  explain_fails(f->e, atom, depth, &below);
  const char *never = explain_never(f->e->world, pattern, f->e->keep);
  if (never) f->e->steps.items[at].words = never;
}

static void tell_failing(failure *f, const attempt *a, uint32_t depth) {
  world *w = f->e->world;
  const ref_step *s = &a->plan->steps[a->step];
  if (s->kind == STEP_DISTINCT || s->kind == STEP_UNSAFE) {
    tell_distinct(f, s, a, depth);
    return;
  }
  const term_id pattern = step_atom(w, s);
  const term_id atom = world_instance(w, pattern, a->bindings, NULL);
  const uint32_t at = f->e->steps.count;
  if (s->kind == STEP_DENY || s->kind == STEP_NO_FACT)
    tell_negative(f, atom, depth);
  else
    tell_positive(f, pattern, atom, depth);
  why_step *step = &f->e->steps.items[at];
  step->where = condition_span(w->program, a->clause, pattern);
  step->names = free_names(w, a->clause->origin, pattern, a->bindings, f->e->keep);
}

static void tell_holding(failure *f, const attempt *a, uint32_t depth) {
  world *w = f->e->world;
  for (uint32_t i = 0; i < a->step; i++) {
    const ref_step *s = &a->plan->steps[i];
    const bool is_distinct = s->kind == STEP_DISTINCT;
    const term_id pattern = is_distinct ? s->atom : step_atom(w, s);
    const term_id atom = world_instance(w, pattern, a->bindings, NULL);
    why_step *step = explanation_add(f->e, WHY_HOLDS, depth, true, atom);
    step->is_negated = s->kind == STEP_DENY || s->kind == STEP_NO_FACT;
    step->where = condition_span(w->program, a->clause, pattern);
    step->names = free_names(w, a->clause->origin, pattern, a->bindings, f->e->keep);
  }
}

static void tell_attempt(failure *f, const attempt *a) {
  why_step *s = explanation_add(f->e, WHY_ATTEMPT, f->depth + 1, false, TERM_NONE);
  text words = text_new(f->e->keep);
  s->clause = a->clause->origin;
  s->bindings = a->bindings;
  s->where = clause_span(f->e->world->program, s->clause);
  if (a->plan->step_count > 1)
    text_add_format(&words, "condition %u of %u fails", a->step + 1, a->plan->step_count);
  else
    text_add(&words, "its condition fails");
  if (a->others)
    text_add_format(&words, "; so too for %u other choice%s of values", a->others,
                    plural(a->others));
  s->words = text_string(&words);
  tell_failing(f, a, f->depth + 2);
  tell_holding(f, a, f->depth + 2);
}

static void tell_rest(failure *f) {
  const uint32_t count = f->attempts.count - f->how->attempts_max;
  text words = text_new(f->e->keep);
  text_add_format(&words, "%u more rule%s could give it, and get%s no further", count,
                  plural(count), count == 1 ? "s" : "");
  explanation_add(f->e, WHY_NOTE, f->depth + 1, false, TERM_NONE)->words = text_string(&words);
}

/* ---- heads that do not fit ---- */

enum { HEADS_SHOWN = 4 };

static void tell_heads(failure *f, relation_id r) {
  const program *p = f->e->world->program;
  const relation *it = &p->relations.items[r];
  for (uint32_t i = 0; i < it->clause_count && i < HEADS_SHOWN; i++) {
    const clause_id c = p->clauses_of_relation.items[it->first_clause + i];
    why_step *s = explanation_add(f->e, WHY_NOTE, f->depth + 1, false, TERM_NONE);
    s->clause = c;
    s->where = clause_span(p, c);
    s->words = "gives something else";
  }
}

static void try_all(failure *f, relation_id r, term_id atom) {
  const world *w = f->e->world;
  const ref_relation *it = &w->rules.relations[r];
  term_id *bindings = arena_new_array(f->e->keep, term_id, w->rules.variables_max + (size_t)1);
  for (uint32_t i = 0; i < it->rule_count; i++)
    try_clause(f, &w->rules.rules.items[it->first_rule + i], atom, bindings);
  sort_attempts(f);
}

static void tell_rules(failure *f, relation_id r, term_id atom) {
  const uint32_t at = f->e->steps.count - 1;
  try_all(f, r, atom);
  for (uint32_t i = 0; i < f->attempts.count && i < f->how->attempts_max; i++)
    tell_attempt(f, &f->attempts.items[i]);
  if (f->attempts.count > f->how->attempts_max) tell_rest(f);
  if (f->attempts.count) return;
  if (!f->e->steps.items[at].words) f->e->steps.items[at].words = "no rule can give it";
  tell_heads(f, r);
}

static bool was_shown(explanation *e, term_id atom) {
  for (uint32_t i = 0; i < e->shown.count; i++)
    if (e->shown.items[i] == atom) return true;
  vec_push(e->keep, &e->shown, atom);
  return false;
}

static const char *leaf_words(explanation *e, term_id atom, relation_id r,
                              const explain_choice *how) {
  const char *lost = NULL;
  if (r == SYM_TRUE && how->history)
    lost = how->history(how->context, term_arg(e->world->terms, atom, 0));
  const char *near = explain_nearest(e->world, atom, e->keep);
  if (!near && r == SYM_TRUE) near = "nothing like it is in the state";
  if (!lost || !near) return near ? near : lost;
  text words = text_new(e->keep);
  text_add_format(&words, "%s; %s", near, lost);
  return text_string(&words);
}

void explain_fails(explanation *e, term_id atom, uint32_t depth, const explain_choice *how) {
  const relation_id r = world_relation(e->world, atom);
  const bool is_leaf = r == SYM_TRUE || r == SYM_DOES;
  failure f = {.e = e, .how = how, .depth = depth};
  const why_kind kind = r == SYM_TRUE ? WHY_FLUENT : r == SYM_DOES ? WHY_MOVE : WHY_FAILS;
  why_step *s = explanation_add(e, kind, depth, false, atom);
  if (r == RELATION_NONE) {
    s->words = explain_never(e->world, atom, e->keep);
    return;
  }
  const bool is_listed = e->world->rules.relations[r].is_listed;
  if (is_leaf || is_listed) s->words = leaf_words(e, atom, r, how);
  if (is_leaf || is_listed || !how->failure_levels) return;
  if (was_shown(e, atom))
    e->steps.items[e->steps.count - 1].kind = WHY_AGAIN;
  else
    tell_rules(&f, r, atom);
}
