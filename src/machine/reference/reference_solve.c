#include "machine/reference/reference_solve.h"

#include <assert.h>
#include <string.h>

/* The progress of a step through its solutions. */
typedef struct cursor {
  bool is_single;       /* a test that holds: one solution, without bindings */
  const question *from; /* reading answers; at is the next row */
  const id_vec *facts;  /* looking through facts; at is the next of them, or ID_NONE */
  const uint32_t *next; /* the chain to follow; NULL: all facts in order */
  uint32_t at;
} cursor;

struct solver {
  const ref_rules *rules;
  budget *budget;
  machine_trouble *trouble;
  ref_tables *tables;
  term_table *terms; /* those of the tables */
  arena *keep;       /* of the tables: plans and all that stays */
  ref_plan **plans;  /* by rule */
  id_vec variables;  /* the terms ?0, ?1, ... */
  id_vec arguments;  /* a stack, for terms being made */
  bool is_too_deep;  /* why the last term could not be made */

  /* the rule under way */
  term_id *bindings;
  uint64_t *bound_words;
  cursor *cursors; /* by step */
  term_id *row;    /* the answer being made */
  uint32_t row_size;
};

/* ---- trouble ---- */

static void fail(solver *s, diag_kind kind, const ref_clause *c, const char *message) {
  const program *p = s->rules->program;
  if (s->trouble->is_there) return;
  *s->trouble =
      (machine_trouble){.is_there = true, .kind = kind, .where = SPAN_NONE, .message = message};
  if (!c) return;
  const rule_id r = p->clauses.items[c->origin].rule;
  if (r != RULE_NONE) s->trouble->where = program_span(p, p->rules.items[r].node);
}

/* A term of the rule could not be made: it has a variable that nothing binds, or is too deep. */
static void blame_if_too_deep(solver *s, const ref_clause *c, const char *message) {
  if (s->is_too_deep) fail(s, DIAG_E804, c, message);
}

static bool is_over(solver *s) {
  if (s->trouble->is_there) return true;
  if (!budget_is_spent(s->budget)) return false;
  fail(s, DIAG_E801, NULL, "a state was not evaluated to its end");
  return true;
}

/* ---- terms ---- */

static term_id canonical_variable(solver *s, uint32_t number) {
  while (s->variables.count <= number) {
    const term_id variable = term_variable(s->terms, s->variables.count);
    vec_push(s->keep, &s->variables, variable);
  }
  return s->variables.items[number];
}

/* A free variable gets the number of its place among the free ones.  False: it is not among them.
 */
static bool variable_value(solver *s, uint32_t variable, const ref_step *step, term_id *made) {
  *made = s->bindings[variable];
  if (*made != TERM_NONE) return true;
  for (uint32_t i = 0; step && i < step->free_count; i++)
    if (step->free[i] == variable) {
      *made = canonical_variable(s, i);
      return true;
    }
  return false;
}

TERM_MUST_ASK static bool instantiate(solver *s, term_id t, const ref_step *step, term_id *made);

/* The arguments wait on a stack, as the table may move while they are made. */
static bool push_arguments(solver *s, const term it, const ref_step *step) {
  for (uint32_t i = 0; i < it.arg_count; i++) {
    term_id argument;
    if (!instantiate(s, s->terms->args.items[it.args + i], step, &argument)) return false;
    vec_push(s->keep, &s->arguments, argument);
  }
  return true;
}

static bool instantiate_compound(solver *s, const term it, const ref_step *step, term_id *made) {
  const uint32_t base = s->arguments.count;
  const bool has_arguments = push_arguments(s, it, step);
  s->arguments.count = base;
  if (!has_arguments) return false;
  s->is_too_deep =
      !term_compound(s->terms, it.name, vec_from(&s->arguments, base), it.arg_count, made);
  return !s->is_too_deep;
}

/* `t` under the bindings.  False: a variable stays free that is not free in the step, or it is too
   deep. */
static bool instantiate(solver *s, term_id t, const ref_step *step, term_id *made) {
  const term it = *term_get(s->terms, t);
  s->is_too_deep = false;
  *made = t;
  if (it.is_ground) return true;
  return it.is_variable ? variable_value(s, it.name, step, made)
                        : instantiate_compound(s, it, step, made);
}

/* Binds free variables of the pattern so that it becomes the ground term. */
static bool match(const term_table *t, term_id pattern, term_id ground, term_id *bindings) {
  if (pattern == ground) return true;
  const term *it = term_get(t, pattern);
  if (it->is_ground) return false;
  if (it->is_variable) {
    if (bindings[it->name] == TERM_NONE) bindings[it->name] = ground;
    return bindings[it->name] == ground;
  }
  const term *other = term_get(t, ground);
  if (it->name != other->name || it->arg_count != other->arg_count) return false;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (!match(t, t->args.items[it->args + i], t->args.items[other->args + i], bindings))
      return false;
  return true;
}

static void unbind(solver *s, const ref_step *step) {
  for (uint32_t i = 0; i < step->free_count; i++) s->bindings[step->free[i]] = TERM_NONE;
}

/* ---- looking up facts ---- */

/* The value by which an argument can be looked up; TERM_NONE: it is not known. */
static term_id known_value(const solver *s, term_id argument, const term_id *bindings) {
  const term *it = term_get(s->terms, argument);
  if (it->is_ground) return argument;
  return it->is_variable ? bindings[it->name] : TERM_NONE;
}

static cursor all_of(const fact_group *g) {
  return (cursor){.facts = &g->facts, .at = g->facts.count ? 0 : ID_NONE};
}

static cursor facts_of_group(const solver *s, fact_store *f, fact_group *g, term_id pattern,
                             const term_id *bindings) {
  for (uint32_t i = 0; i < g->arity; i++) {
    const term_id value = known_value(s, term_arg(s->terms, pattern, i), bindings);
    if (value == TERM_NONE) continue;
    const fact_index *index = facts_index(f, g, i);
    return (cursor){
        .facts = &g->facts, .next = index->next, .at = fact_index_first(f, g, index, i, value)};
  }
  return all_of(g);
}

/* The facts that may match; a pattern that is a variable is free. */
static cursor facts_for(const solver *s, fact_store *f, term_id pattern, const term_id *bindings) {
  const term *it = term_get(s->terms, pattern);
  if (it->is_variable) return all_of(&f->all);
  fact_group *g = facts_group(f, it->name, it->arg_count);
  if (!g) return (cursor){.facts = &f->all.facts, .at = ID_NONE};
  return facts_of_group(s, f, g, pattern, bindings);
}

static term_id next_fact(cursor *c) {
  if (c->at == ID_NONE) return TERM_NONE;
  const uint32_t at = c->at;
  if (c->next)
    c->at = c->next[at];
  else
    c->at = at + 1 < c->facts->count ? at + 1 : ID_NONE;
  return c->facts->items[at];
}

/* ---- an answer from the head of a rule ---- */

static void clear_row(solver *s, uint32_t columns) {
  if (columns > s->row_size) {
    s->row = arena_new_array(s->keep, term_id, columns * 2);
    s->row_size = columns * 2;
  }
  if (columns) memset(s->row, 0xff, columns * sizeof *s->row);
}

/* A part of the head, so many levels below it.  False: see instantiate; the head would be too deep.
 */
static bool instantiate_part(solver *s, term_id part, uint32_t level, term_id *made) {
  if (!instantiate(s, part, NULL, made)) return false;
  s->is_too_deep = term_get(s->terms, *made)->depth + level > TERM_DEPTH_MAX;
  return !s->is_too_deep;
}

/* Fills the row with what the variables of the question's atom stand for in the head. */
static bool match_head(solver *s, term_id asked, term_id head, uint32_t level) {
  const term it = *term_get(s->terms, asked);
  const term other = *term_get(s->terms, head);
  if (other.is_ground) return match(s->terms, asked, head, s->row);
  if (it.is_variable || other.is_variable) {
    term_id value;
    return instantiate_part(s, head, level, &value) && match(s->terms, asked, value, s->row);
  }
  if (it.name != other.name || it.arg_count != other.arg_count) return false;
  for (uint32_t i = 0; i < it.arg_count; i++)
    if (!match_head(s, s->terms->args.items[it.args + i], s->terms->args.items[other.args + i],
                    level + 1))
      return false;
  return true;
}

static bool has_free_variable(solver *s, term_id t) {
  const term *it = term_get(s->terms, t);
  if (it->is_ground) return false;
  if (it->is_variable) return s->bindings[it->name] == TERM_NONE;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (has_free_variable(s, term_arg(s->terms, t, i))) return true;
  return false;
}

static void answer_from_head(solver *s, question *owner, const ref_clause *c) {
  clear_row(s, owner->columns);
  s->is_too_deep = false;
  if (match_head(s, owner->atom, c->head, 0))
    ref_answer_add(s->tables, owner, s->row);
  else if (has_free_variable(s, c->head))
    fail(s, DIAG_E401, c, "a variable in the head of this rule is not bound");
  else
    blame_if_too_deep(s, c, "this rule makes ever larger terms");
}

/* ---- running a rule ---- */

static const cursor no_solution = {.at = ID_NONE};
static const cursor holds = {.is_single = true, .at = ID_NONE};

static fact_store *facts_of_step(solver *s, const ref_step *step) {
  return &s->tables->layers[step->layer].facts;
}

static bool some_fact_matches(solver *s, const ref_step *step) {
  cursor c = facts_for(s, facts_of_step(s, step), step->atom, s->bindings);
  bool found = false;
  for (term_id fact; !found && (fact = next_fact(&c)) != TERM_NONE; unbind(s, step))
    found = match(s->terms, step->atom, fact, s->bindings);
  return found;
}

static bool is_fact(solver *s, const ref_step *step) {
  if (step->free_count) return some_fact_matches(s, step);
  term_id fact;
  return instantiate(s, step->atom, NULL, &fact) && facts_have(facts_of_step(s, step), fact);
}

static bool is_distinct(const solver *s, const ref_step *step) {
  return !term_equal_under(s->terms, term_arg(s->terms, step->atom, 0),
                           term_arg(s->terms, step->atom, 1), s->bindings);
}

/* The question that a step asks; NULL: its atom cannot be made.  Rules that take terms apart, as in
   (<= (p ?x) (p (s ?x))), ask without end even where they have few answers. */
static question *question_of(solver *s, const ref_plan *plan, const ref_step *step) {
  term_id atom;
  if (instantiate(s, step->atom, step, &atom))
    return ref_question(s->tables, atom, step->relation, step->free_count);
  blame_if_too_deep(s, plan->clause, "this rule asks about ever larger terms");
  return NULL;
}

static cursor ask(solver *s, question *owner, const ref_plan *plan, uint32_t at) {
  const ref_step *step = &plan->steps[at];
  question *q = question_of(s, plan, step);
  if (!q) return no_solution;
  if (step->once && q->answer_count) return holds;
  if (q->is_complete) return (cursor){.from = q};
  ref_read_answers(s->tables, (rule_place){owner, plan, at}, s->bindings, q);
  return no_solution;
}

static cursor deny(solver *s, question *owner, const ref_plan *plan, uint32_t at) {
  const ref_step *step = &plan->steps[at];
  question *q = question_of(s, plan, step);
  if (!q) return no_solution;
  if (q->answer_count) return no_solution;
  if (q->is_complete) return holds;
  ref_wait_for(s->tables, (rule_place){owner, plan, at}, s->bindings, q);
  return no_solution;
}

static cursor begin_step(solver *s, question *owner, const ref_plan *plan, uint32_t at) {
  const ref_step *step = &plan->steps[at];
  switch (step->kind) {
    case STEP_FACTS: return facts_for(s, facts_of_step(s, step), step->atom, s->bindings);
    case STEP_FACT: return is_fact(s, step) ? holds : no_solution;
    case STEP_NO_FACT: return is_fact(s, step) ? no_solution : holds;
    case STEP_ASK: return ask(s, owner, plan, at);
    case STEP_DENY: return deny(s, owner, plan, at);
    case STEP_DISTINCT: return is_distinct(s, step) ? holds : no_solution;
    case STEP_UNSAFE: break;
  }
  fail(s, DIAG_E403, plan->clause, "a variable in `distinct` is not bound");
  return no_solution;
}

static void bind_answer(solver *s, const ref_step *step, const question *q, uint32_t row) {
  const term_id *values = ref_answer(q, row);
  for (uint32_t i = 0; i < step->free_count; i++) s->bindings[step->free[i]] = values[i];
}

static bool next_matching_fact(solver *s, const ref_step *step, cursor *c) {
  for (term_id fact; (fact = next_fact(c)) != TERM_NONE; unbind(s, step))
    if (match(s->terms, step->atom, fact, s->bindings)) return true;
  return false;
}

static bool advance(solver *s, const ref_step *step, cursor *c) {
  if (c->is_single) return true;
  if (c->facts) return next_matching_fact(s, step, c);
  if (!c->from || c->at == c->from->answer_count) return false;
  bind_answer(s, step, c->from, c->at++);
  return true;
}

/* Takes the step to its next solution. */
static bool next_solution(solver *s, const ref_step *step, cursor *c) {
  if (step->kind != STEP_DENY && step->kind != STEP_NO_FACT) unbind(s, step);
  if (!advance(s, step, c)) return false;
  if (c->is_single || step->once) *c = no_solution;
  return true;
}

/* Finds all solutions of the steps from `first` on, each in turn of its solutions: `at` goes up
   when a step has a solution and down when it has no more. */
static void run(solver *s, question *owner, const ref_plan *plan, uint32_t first) {
  if (first < plan->step_count) s->cursors[first] = begin_step(s, owner, plan, first);
  for (uint32_t at = first; !is_over(s);) {
    if (at == plan->step_count) {
      answer_from_head(s, owner, plan->clause);
    } else if (next_solution(s, &plan->steps[at], &s->cursors[at])) {
      if (++at < plan->step_count) s->cursors[at] = begin_step(s, owner, plan, at);
      continue;
    }
    if (at == first || owner->is_complete) return;
    at--;
  }
}

static void take_up(solver *s, const reader *r) {
  const uint32_t count = r->rule.plan->clause->variable_count;
  if (count) memcpy(s->bindings, r->bindings, count * sizeof *s->bindings);
}

/* Goes on for every answer that was not read yet. */
static void read_on(solver *s, reader *r) {
  const ref_step *step = &r->rule.plan->steps[r->rule.step];
  r->is_queued = false;
  while (r->next_answer < r->source->answer_count && !r->rule.owner->is_complete && !is_over(s)) {
    take_up(s, r);
    bind_answer(s, step, r->source, r->next_answer++);
    if (step->once) r->next_answer = UINT32_MAX;
    run(s, r->rule.owner, r->rule.plan, r->rule.step + 1);
  }
}

/* ---- expanding a question: its facts and its rules ---- */

static void answer_from_facts(solver *s, question *q) {
  fact_store *f = &s->tables->layers[LAYER_STATIC].facts;
  clear_row(s, q->columns);
  cursor c = facts_for(s, f, q->atom, s->row);
  for (term_id fact; (fact = next_fact(&c)) != TERM_NONE; clear_row(s, q->columns))
    if (match(s->terms, q->atom, fact, s->row)) ref_answer_add(s->tables, q, s->row);
}

/* Binds the variables of the head that the question gives a value.  False: the head can never
   answer it. */
static bool meet_head(solver *s, term_id asked, term_id head) {
  const term *it = term_get(s->terms, asked);
  const term *other = term_get(s->terms, head);
  if (it->is_variable || asked == head) return true;
  if (other->is_variable) {
    if (!it->is_ground) return true;
    if (s->bindings[other->name] == TERM_NONE) s->bindings[other->name] = asked;
    return s->bindings[other->name] == asked;
  }
  if (it->name != other->name || it->arg_count != other->arg_count) return false;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (!meet_head(s, s->terms->args.items[it->args + i], s->terms->args.items[other->args + i]))
      return false;
  return true;
}

static bitset bound_variables(solver *s, const ref_clause *c) {
  const bitset bound = {.words = s->bound_words, .size = c->variable_count};
  bitset_clear(bound);
  for (uint32_t i = 0; i < c->variable_count; i++)
    if (s->bindings[i] != TERM_NONE) bitset_add(bound, i);
  return bound;
}

static const ref_plan *plan_for(solver *s, uint32_t rule) {
  const ref_clause *c = &s->rules->rules.items[rule];
  const bitset bound = bound_variables(s, c);
  const size_t bytes = bitset_words(bound) * sizeof *bound.words;
  ref_plan *p = s->plans[rule];
  while (p && bytes && memcmp(p->bound.words, bound.words, bytes) != 0) p = p->other;
  if (p) return p;
  p = ref_plan_new(s->rules, c, bound, s->keep);
  p->other = s->plans[rule];
  return s->plans[rule] = p;
}

static void try_rule(solver *s, question *q, uint32_t rule) {
  const ref_clause *c = &s->rules->rules.items[rule];
  if (c->variable_count) memset(s->bindings, 0xff, c->variable_count * sizeof *s->bindings);
  if (meet_head(s, q->atom, c->head)) run(s, q, plan_for(s, rule), 0);
}

static void expand(solver *s, question *q) {
  const ref_relation *r = &s->rules->relations[q->relation];
  answer_from_facts(s, q);
  for (uint32_t i = 0; i < r->rule_count && !q->is_complete; i++) try_rule(s, q, r->first_rule + i);
}

/* ---- when nothing is left to do ---- */

static void work(solver *s) {
  ref_tables *t = s->tables;
  while (!is_over(s)) {
    if (t->to_read.count)
      read_on(s, vec_pop(&t->to_read));
    else if (t->to_expand.count)
      expand(s, vec_pop(&t->to_expand));
    else
      return;
  }
}

static void go_on(solver *s, const reader *r) {
  if (r->rule.owner->is_complete || r->source->answer_count) return;
  take_up(s, r);
  run(s, r->rule.owner, r->rule.plan, r->rule.step + 1);
}

/* What the woken do next may make others wait.  False: there is nobody to wake. */
static bool wake(solver *s) {
  const ref_tables *t = s->tables;
  ref_wake(s->tables);
  for (uint32_t i = 0; i < t->woken.count && !is_over(s); i++) go_on(s, t->woken.items[i]);
  if (t->woken.count) return true;
  if (t->waiting.count)
    fail(s, DIAG_E501, t->waiting.items[0]->rule.plan->clause,
         "in this state, a condition of this rule depends on its own negation");
  return false;
}

static void solve(solver *s) {
  do {
    work(s);
    ref_complete_questions(s->tables);
  } while (!is_over(s) && wake(s));
}

/* ---- the solver from outside ---- */

solver *solver_new(const ref_rules *r, budget *b, machine_trouble *trouble) {
  ref_tables *t = ref_tables_new(r, b);
  solver *s = arena_alloc_zero(t->keep, sizeof *s);
  *s = (solver){.rules = r,
                .budget = b,
                .trouble = trouble,
                .tables = t,
                .terms = &t->terms,
                .keep = t->keep};
  s->plans = arena_zero_array(s->keep, ref_plan *, r->rules.count);
  s->bindings = arena_new_array(s->keep, term_id, r->variables_max);
  s->bound_words = arena_new_array(s->keep, uint64_t, r->variables_max / 64 + 1);
  s->cursors = arena_zero_array(s->keep, cursor, r->body_max);
  return s;
}

void solver_free(solver *s) {
  if (s) ref_tables_free(s->tables);
}

size_t solver_bytes(const solver *s) { return ref_tables_bytes(s->tables); }

term_table *solver_terms(solver *s) { return s->terms; }

void solver_set_state(solver *s, const term_id *fluents, uint32_t count) {
  ref_tables_fill(s->tables, LAYER_STATE, fluents, count);
  ref_tables_fill(s->tables, LAYER_MOVE, NULL, 0);
}

void solver_set_moves(solver *s, const term_id *does, uint32_t count) {
  ref_tables_fill(s->tables, LAYER_MOVE, does, count);
}

static void note_highest(void *context, uint32_t number) {
  uint32_t *columns = context;
  if (number >= *columns) *columns = number + 1;
}

const question *solver_ask(solver *s, term_id atom) {
  uint32_t columns = 0;
  if (is_over(s)) return NULL;
  term_each_variable(s->terms, atom, note_highest, &columns);
  const term *it = term_get(s->terms, atom);
  const relation_id relation = program_relation(s->rules->program, it->name, it->arg_count);
  const question *q = ref_question(s->tables, atom, relation, columns);
  if (!q->is_complete) solve(s);
  return s->trouble->is_there ? NULL : q;
}
