#include "machine/reference/reference_plan.h"

#include "base/graph.h"

#include <string.h>

/* ---- clauses ---- */

typedef struct occurrence {
  uint32_t variable;
  bool found;
} occurrence;

static void note_variable(void *context, uint32_t number) {
  occurrence *o = context;
  if (o->variable == number) o->found = true;
}

static bool has_variable(const term_table *t, term_id term, uint32_t variable) {
  occurrence o = {.variable = variable};
  term_each_variable(t, term, note_variable, &o);
  return o.found;
}

static bool is_in_positive_literal(const program *p, const clause *c, uint32_t variable) {
  for (uint32_t i = c->body; i < c->body + c->body_count; i++) {
    const literal *l = &p->literals.items[i];
    if (l->kind == LITERAL_POSITIVE && has_variable(p->terms, l->atom, variable)) return true;
  }
  return false;
}

/* `legal` and `goal` of a variable that nothing binds are meant for every role. */
static bool lacks_role(const program *p, const clause *c) {
  const relation_id head = atom_relation(p, c->head);
  if (head != SYM_LEGAL && head != SYM_GOAL) return false;
  const term_id role = term_arg(p->terms, c->head, 0);
  return term_is_variable(p->terms, role) &&
         !is_in_positive_literal(p, c, term_variable_number(p->terms, role));
}

static ref_condition condition_of(const program *p, const literal *l) {
  ref_condition c = {.kind = l->kind, .relation = RELATION_NONE, .atom = l->atom};
  if (l->kind != LITERAL_DISTINCT) c.relation = atom_relation(p, l->atom);
  if (c.relation == SYM_TRUE) c.atom = term_arg(p->terms, l->atom, 0);
  return c;
}

static void add_rule(ref_rules *r, clause_id id, arena *keep) {
  const program *p = r->program;
  const clause *c = &p->clauses.items[id];
  ref_clause rule = {.relation = atom_relation(p, c->head),
                     .head = c->head,
                     .variable_count = c->variable_count,
                     .origin = id};
  rule.body = arena_new_array(keep, ref_condition, c->body_count + 1);
  if (lacks_role(p, c)) {
    const term_id role = term_arg(p->terms, c->head, 0);
    const term_id atom = term_atom(r->terms, SYM_ROLE, &role, 1);
    rule.body[rule.body_count++] = (ref_condition){LITERAL_POSITIVE, SYM_ROLE, atom};
  }
  for (uint32_t i = 0; i < c->body_count; i++)
    rule.body[rule.body_count++] = condition_of(p, &p->literals.items[c->body + i]);
  if (rule.variable_count > r->variables_max) r->variables_max = rule.variable_count;
  if (rule.body_count > r->body_max) r->body_max = rule.body_count;
  vec_push(keep, &r->rules, rule);
}

static void add_clauses_of(ref_rules *r, relation_id id, arena *keep) {
  const program *p = r->program;
  const relation *from = &p->relations.items[id];
  ref_relation *to = &r->relations[id];
  to->first_rule = r->rules.count;
  /* Only a state and a joint move say what is true and done. */
  const uint32_t count = id == SYM_TRUE || id == SYM_DOES ? 0 : from->clause_count;
  for (uint32_t i = 0; i < count; i++) {
    const clause_id c = p->clauses_of_relation.items[from->first_clause + i];
    const clause *it = &p->clauses.items[c];
    if (it->body_count == 0 && term_is_ground(p->terms, it->head))
      vec_push(keep, &r->facts, it->head);
    else
      add_rule(r, c, keep);
  }
  to->rule_count = r->rules.count - to->first_rule;
  to->is_listed = to->rule_count == 0;
}

/* ---- what follows from one relation for those that use it ---- */

/* From each relation to the rules that have it in their body. */
static graph rules_that_use(const ref_rules *r, arena *scratch) {
  id_vec used = {0}, users = {0};
  for (uint32_t i = 0; i < r->rules.count; i++) {
    const ref_clause *c = &r->rules.items[i];
    for (uint32_t k = 0; k < c->body_count; k++) {
      if (c->body[k].kind == LITERAL_DISTINCT) continue;
      vec_push(scratch, &used, c->body[k].relation);
      vec_push(scratch, &users, i);
    }
  }
  return graph_new(scratch, r->program->relations.count, used.items, users.items, users.count);
}

/* Updates the head of the rule after a change of `used`; returns whether it changed. */
typedef bool rule_update(ref_rules *r, const ref_clause *c, relation_id used);

static void spread(ref_rules *r, const graph *users, id_vec *changed, rule_update *update,
                   arena *scratch) {
  while (changed->count) {
    const relation_id used = vec_pop(changed);
    for (uint32_t i = users->from[used]; i < users->from[used + 1]; i++) {
      const ref_clause *c = &r->rules.items[users->to[i]];
      if (update(r, c, used)) vec_push(scratch, changed, c->relation);
    }
  }
}

static bool raise_layer(ref_rules *r, const ref_clause *c, relation_id used) {
  ref_relation *head = &r->relations[c->relation];
  if (r->relations[used].layer <= head->layer) return false;
  head->layer = r->relations[used].layer;
  return true;
}

static void find_layers(ref_rules *r, const graph *users, arena *scratch) {
  id_vec changed = {0};
  r->relations[SYM_TRUE].layer = LAYER_STATE;
  r->relations[SYM_DOES].layer = LAYER_MOVE;
  vec_push(scratch, &changed, SYM_TRUE);
  vec_push(scratch, &changed, SYM_DOES);
  spread(r, users, &changed, raise_layer, scratch);
}

/* ---- arguments that must be given ---- */

static uint64_t argument_bit(uint32_t i) { return UINT64_C(1) << (i < 63 ? i : 63); }

static bool provides(const ref_rules *r, const ref_condition *c, uint32_t variable) {
  const term_table *t = r->terms;
  if (c->kind != LITERAL_POSITIVE) return false;
  const uint64_t needs = r->relations[c->relation].needs;
  if (!needs) return has_variable(t, c->atom, variable);
  for (uint32_t i = 0; i < term_get(t, c->atom)->arg_count; i++)
    if (!(needs & argument_bit(i)) && has_variable(t, term_arg(t, c->atom, i), variable))
      return true;
  return false;
}

static void note_provided(void *context, uint32_t variable) {
  bitset_add(*(const bitset *)context, variable);
}

static void add_provided(const ref_rules *r, const ref_condition *c, bitset *provided) {
  const term_table *t = r->terms;
  if (c->kind != LITERAL_POSITIVE) return;
  const uint64_t needs = r->relations[c->relation].needs;
  if (!needs) term_each_variable(t, c->atom, note_provided, provided);
  for (uint32_t i = 0; needs && i < term_get(t, c->atom)->arg_count; i++)
    if (!(needs & argument_bit(i)))
      term_each_variable(t, term_arg(t, c->atom, i), note_provided, provided);
}

typedef struct missing_search {
  bitset provided;
  bool found;
} missing_search;

static void note_missing(void *context, uint32_t variable) {
  missing_search *s = context;
  s->found |= !bitset_has(s->provided, variable);
}

static uint64_t needs_of_rule(const ref_rules *r, const ref_clause *c) {
  const term_table *t = r->terms;
  bitset provided = {.words = r->room, .size = c->variable_count};
  uint64_t needs = 0;
  bitset_clear(provided);
  for (uint32_t i = 0; i < c->body_count; i++) add_provided(r, &c->body[i], &provided);
  for (uint32_t i = 0; i < term_get(t, c->head)->arg_count; i++) {
    missing_search s = {.provided = provided};
    term_each_variable(t, term_arg(t, c->head, i), note_missing, &s);
    if (s.found) needs |= argument_bit(i);
  }
  return needs;
}

static bool raise_needs(ref_rules *r, const ref_clause *c, relation_id used) {
  ref_relation *head = &r->relations[c->relation];
  const uint64_t needs = head->needs | needs_of_rule(r, c);
  (void)used;
  if (needs == head->needs) return false;
  head->needs = needs;
  return true;
}

static void find_needs(ref_rules *r, const graph *users, arena *scratch) {
  id_vec changed = {0};
  for (uint32_t i = 0; i < r->rules.count; i++) {
    const ref_clause *c = &r->rules.items[i];
    if (raise_needs(r, c, c->relation)) vec_push(scratch, &changed, c->relation);
  }
  spread(r, users, &changed, raise_needs, scratch);
}

void ref_rules_build(ref_rules *r, const program *p, term_table *terms, arena *keep) {
  arena *scratch = arena_new();
  *r = (ref_rules){.program = p, .terms = terms};
  r->relations = arena_zero_array(keep, ref_relation, p->relations.count);
  for (relation_id i = 0; i < p->relations.count; i++) add_clauses_of(r, i, keep);
  const graph users = rules_that_use(r, scratch);
  r->room = arena_new_array(keep, uint64_t, r->variables_max / 64 + 1);
  find_layers(r, &users, scratch);
  find_needs(r, &users, scratch);
  arena_free(scratch);
}

/* ---- the order of conditions ---- */

/* Conditions of a rule that are put in order, and its variables; choosing takes cubic time at
   worst. */
enum { ORDERED_MAX = 300, ORDERED_VARIABLES_MAX = 1000 };

typedef struct planner {
  const ref_rules *rules;
  const ref_clause *clause;
  const term_table *terms;
  arena *keep;
  bitset bound; /* variables, so far */
  bitset used;  /* conditions, so far */
  bitset noted; /* of variables; empty but while free ones are searched for */
} planner;

typedef struct free_search {
  bitset bound, noted;
  arena *keep;
  id_vec free; /* each once, in the order of the atom */
} free_search;

static void note_free(void *context, uint32_t variable) {
  free_search *s = context;
  if (bitset_has(s->bound, variable) || !bitset_insert(s->noted, variable)) return;
  vec_push(s->keep, &s->free, variable);
}

static id_vec free_variables(const planner *x, term_id term) {
  free_search s = {.bound = x->bound, .noted = x->noted, .keep = x->keep};
  term_each_variable(x->terms, term, note_free, &s);
  for (uint32_t i = 0; i < s.free.count; i++) bitset_remove(x->noted, s.free.items[i]);
  return s.free;
}

static bool is_bound(const planner *x, term_id term) { return free_variables(x, term).count == 0; }

static bool is_listed(const planner *x, const ref_condition *c) {
  return c->kind != LITERAL_DISTINCT && x->rules->relations[c->relation].is_listed;
}

static bool has_bound_argument(const planner *x, const ref_condition *c) {
  for (uint32_t i = 0; i < term_get(x->terms, c->atom)->arg_count; i++)
    if (is_bound(x, term_arg(x->terms, c->atom, i))) return true;
  return false;
}

static bool has_needs(const planner *x, const ref_condition *c) {
  const uint64_t needs = x->rules->relations[c->relation].needs;
  if (!needs) return true;
  for (uint32_t i = 0; i < term_get(x->terms, c->atom)->arg_count; i++)
    if ((needs & argument_bit(i)) && !is_bound(x, term_arg(x->terms, c->atom, i))) return false;
  return true;
}

/* Will a condition that is not used yet bind the variable? */
static bool is_still_provided(const planner *x, uint32_t variable) {
  for (uint32_t i = 0; i < x->clause->body_count; i++)
    if (!bitset_has(x->used, i) && provides(x->rules, &x->clause->body[i], variable)) return true;
  return false;
}

static bool is_ready(const planner *x, const ref_condition *c) {
  if (c->kind == LITERAL_POSITIVE) return has_needs(x, c);
  const id_vec free = free_variables(x, c->atom);
  if (c->kind == LITERAL_DISTINCT) return free.count == 0;
  for (uint32_t i = 0; i < free.count; i++)
    if (is_still_provided(x, free.items[i])) return false;
  return true;
}

typedef bool condition_test(const planner *x, const ref_condition *c);

static bool is_cheap_test(const planner *x, const ref_condition *c) {
  if (c->kind == LITERAL_DISTINCT) return is_ready(x, c);
  return is_listed(x, c) && is_bound(x, c->atom);
}

static bool is_narrow_fact(const planner *x, const ref_condition *c) {
  return c->kind == LITERAL_POSITIVE && is_listed(x, c) && has_bound_argument(x, c);
}

static bool is_wide_fact(const planner *x, const ref_condition *c) {
  return c->kind == LITERAL_POSITIVE && is_listed(x, c) && !has_bound_argument(x, c);
}

static bool is_any(const planner *x, const ref_condition *c) {
  (void)x;
  (void)c;
  return true;
}

/* The first unused condition, in the order of the text, that passes; body_count: there is none. */
static uint32_t first_that(const planner *x, condition_test *test) {
  uint32_t i = 0;
  while (i < x->clause->body_count && (bitset_has(x->used, i) || !test(x, &x->clause->body[i])))
    i++;
  return i;
}

static uint32_t choose(const planner *x) {
  const uint32_t none = x->clause->body_count;
  uint32_t choice = first_that(x, is_cheap_test);
  if (choice != none) return choice;
  choice = first_that(x, is_ready);
  if (choice == none) return first_that(x, is_any);
  if (!is_wide_fact(x, &x->clause->body[choice])) return choice;
  const uint32_t narrow = first_that(x, is_narrow_fact);
  return narrow == none ? choice : narrow;
}

static step_kind kind_of_step(const planner *x, const ref_condition *c, uint32_t free_count) {
  if (c->kind == LITERAL_DISTINCT) return free_count ? STEP_UNSAFE : STEP_DISTINCT;
  const bool listed = is_listed(x, c);
  if (c->kind == LITERAL_NEGATIVE) return listed ? STEP_NO_FACT : STEP_DENY;
  if (!listed) return STEP_ASK;
  return free_count ? STEP_FACTS : STEP_FACT;
}

static ref_step make_step(const planner *x, const ref_condition *c) {
  const id_vec free = free_variables(x, c->atom);
  ref_step s = {.kind = kind_of_step(x, c, free.count),
                .relation = c->relation,
                .atom = c->atom,
                .free = free.items,
                .free_count = free.count};
  if (c->kind != LITERAL_DISTINCT) s.layer = x->rules->relations[c->relation].layer;
  return s;
}

/* Is a variable that the step binds used in the head or behind it? */
static bool is_used_after(const planner *x, const ref_plan *p, uint32_t step) {
  for (uint32_t i = 0; i < p->steps[step].free_count; i++) {
    const uint32_t variable = p->steps[step].free[i];
    if (has_variable(x->terms, x->clause->head, variable)) return true;
    for (uint32_t k = step + 1; k < p->step_count; k++)
      if (has_variable(x->terms, p->steps[k].atom, variable)) return true;
  }
  return false;
}

static void bind_all(planner *x, const ref_step *s) {
  for (uint32_t i = 0; i < s->free_count; i++) bitset_add(x->bound, s->free[i]);
}

static void add_step(planner *x, ref_plan *p, uint32_t i) {
  const ref_step s = make_step(x, &x->clause->body[i]);
  bitset_add(x->used, i);
  if (x->clause->body[i].kind == LITERAL_POSITIVE) bind_all(x, &s);
  p->steps[p->step_count++] = s;
}

static void order_conditions(planner *x, ref_plan *p) {
  while (p->step_count < x->clause->body_count) add_step(x, p, choose(x));
  for (uint32_t i = 0; i < p->step_count; i++) p->steps[i].once = !is_used_after(x, p, i);
}

/* In linear time. */
static void order_very_many(planner *x, ref_plan *p) {
  for (uint32_t i = 0; i < x->clause->body_count; i++)
    if (x->clause->body[i].kind == LITERAL_POSITIVE) add_step(x, p, i);
  for (uint32_t i = 0; i < x->clause->body_count; i++)
    if (x->clause->body[i].kind != LITERAL_POSITIVE) add_step(x, p, i);
}

static bitset copy_of(bitset s, arena *keep) {
  const bitset copy = bitset_new(keep, s.size);
  memcpy(copy.words, s.words, bitset_words(s) * sizeof *s.words);
  return copy;
}

ref_plan *ref_plan_new(const ref_rules *r, const ref_clause *c, bitset bound, arena *keep) {
  ref_plan *p = arena_alloc_zero(keep, sizeof *p);
  p->clause = c;
  p->bound = copy_of(bound, keep);
  p->steps = arena_new_array(keep, ref_step, c->body_count);
  planner x = {.rules = r, .clause = c, .terms = r->terms, .keep = keep};
  x.bound = copy_of(bound, keep);
  x.used = bitset_new(keep, c->body_count);
  x.noted = bitset_new(keep, c->variable_count);
  if (c->body_count <= ORDERED_MAX && c->variable_count <= ORDERED_VARIABLES_MAX)
    order_conditions(&x, p);
  else
    order_very_many(&x, p);
  return p;
}
