#include "explain/body_run.h"

#include <string.h>

/* The progress of a condition through its solutions. */
typedef struct place_in_answers {
  answer_rows rows; /* values of the step's free variables */
  uint32_t at;
} place_in_answers;

typedef struct run {
  world *world;
  const ref_plan *plan;
  term_id *bindings;
  place_in_answers *places; /* by step */
} run;

term_id step_atom(world *w, const ref_step *s) {
  return s->relation == SYM_TRUE ? term_atom(w->terms, SYM_TRUE, &s->atom, 1) : s->atom;
}

static bool is_positive(const ref_step *s) {
  return s->kind == STEP_FACTS || s->kind == STEP_FACT || s->kind == STEP_ASK;
}

static const answer_rows none = {0};
static const answer_rows one = {.count = 1};

static bool is_distinct(const run *r, const ref_step *s) {
  const term_table *t = r->world->terms;
  return !term_equal_under(t, term_arg(t, s->atom, 0), term_arg(t, s->atom, 1), r->bindings);
}

/* The free variables of a step are numbered as the answers' columns are. */
static answer_rows solutions_of(run *r, const ref_step *s) {
  if (s->kind == STEP_UNSAFE) return none;
  if (s->kind == STEP_DISTINCT) return is_distinct(r, s) ? one : none;
  const term_id atom = world_instance(r->world, step_atom(r->world, s), r->bindings, NULL);
  const answer_rows rows = world_answers(r->world, atom);
  if (is_positive(s)) return rows;
  return rows.count || r->world->trouble.is_there ? none : one;
}

static void begin(run *r, uint32_t step) {
  r->places[step] = (place_in_answers){solutions_of(r, &r->plan->steps[step]), 0};
}

/* Takes the step to its next solution. */
static bool advance(run *r, uint32_t step) {
  const ref_step *s = &r->plan->steps[step];
  place_in_answers *p = &r->places[step];
  if (p->at == p->rows.count) return false;
  for (uint32_t i = 0; i < p->rows.columns; i++)
    r->bindings[s->free[i]] = p->rows.values[(size_t)p->at * p->rows.columns + i];
  p->at++;
  return true;
}

static void unbind(run *r, uint32_t step) {
  const ref_step *s = &r->plan->steps[step];
  for (uint32_t i = 0; is_positive(s) && i < s->free_count; i++)
    r->bindings[s->free[i]] = TERM_NONE;
}

static bool is_over(world *w) { return w->trouble.is_there || budget_is_spent(w->budget); }

/* `at` goes up when a step has a solution and down when it has no more. */
static void run_steps(run *r, const body_visitor *v) {
  const uint32_t count = r->plan->step_count;
  if (count) begin(r, 0);
  for (uint32_t at = 0; !is_over(r->world);) {
    if (at == count) {
      if (!v->solved(v->context, r->bindings)) return;
    } else if (advance(r, at)) {
      if (++at < count) begin(r, at);
      continue;
    } else {
      unbind(r, at);
      if (!r->places[at].rows.count && v->stuck) v->stuck(v->context, r->plan, at, r->bindings);
    }
    if (at-- == 0) return;
  }
}

static bitset bound_variables(const ref_clause *c, const term_id *bindings, arena *keep) {
  const bitset bound = bitset_new(keep, c->variable_count);
  for (uint32_t i = 0; i < c->variable_count; i++)
    if (bindings[i] != TERM_NONE) bitset_add(bound, i);
  return bound;
}

void body_run(world *w, const ref_clause *c, term_id *bindings, const body_visitor *v) {
  const bitset bound = bound_variables(c, bindings, w->keep);
  run r = {.world = w, .bindings = bindings};
  r.plan = ref_plan_new(&w->rules, c, bound, w->keep);
  r.places = arena_zero_array(w->keep, place_in_answers, c->body_count + (size_t)1);
  run_steps(&r, v);
}
