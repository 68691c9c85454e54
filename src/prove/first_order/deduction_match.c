/* Instances of axioms that a model breaks: a join of their bodies with what holds in it.

   What was never spoken of does not hold in a model, unless it could by a rule that nothing leads
   to from what holds (a rule of negations): then the instance is made, and brings it up. */
#include "prove/first_order/deduction_parts.h"

#include <string.h>

typedef struct matching {
  deduction *d;
  const axiom_set *set;
  const axiom *it;
  uint32_t set_number;
  uint32_t number;
  pattern_bindings b;
  bool *is_done; /* by statement of the body */
  uint32_t found;
  bool is_led; /* from something that holds */
} matching;

static const statement *part(const matching *m, uint32_t i) {
  return &m->set->statements.items[m->it->body + i];
}

static bool is_bound(const matching *m, term_id pattern) {
  return pattern_is_bound(m->d->terms, pattern, &m->b);
}

static bool arguments_fit(matching *m, term_id pattern, term_id value) {
  return pattern_arguments_fit(m->d->terms, pattern, value, &m->b);
}

/* ---- values in the model ---- */

typedef enum truth { IS_FALSE, IS_TRUE, IS_UNSPOKEN } truth;

/* Of an atom in normal form. */
static truth value_of(const deduction *d, term_id atom, uint32_t time) {
  const uint32_t id = deduction_find_normal(d, atom, time);
  if (id != ID_NONE) return d->atoms.items[id].value ? IS_TRUE : IS_FALSE;
  const relation_id r = deduction_relation(d, atom);
  const settled known = deduction_settled(d, r, atom, time);
  if (known != SETTLED_NOT) return known == SETTLED_TRUE ? IS_TRUE : IS_FALSE;
  if (r == d->t->p->relations.count) return IS_FALSE;
  const atom_source from = theory_source(d->t, r, time);
  const bool could_hold = !from.is_free && d->t->rule_counts[from.relation] > 0;
  return could_hold && !d->t->is_forward[from.relation] ? IS_UNSPOKEN : IS_FALSE;
}

/* The two sides of a statement whose variables are bound; an atom has one.  False: a term would be
   too deep. */
TERM_MUST_ASK static bool sides_of(const matching *m, const statement *s, term_id *a, term_id *b) {
  term_table *t = m->d->terms;
  return term_substitute(t, s->a, m->b.values, a) &&
         (!statement_is_equation(s) || term_substitute(t, s->b, m->b.values, b));
}

/* A statement whose variables are bound.  Without an instance less is known, which is sound. */
static bool is_against(const matching *m, const statement *s) {
  term_id a, b = TERM_NONE;
  if (!sides_of(m, s, &a, &b)) return true;
  if (statement_is_equation(s)) return (a == b) == s->is_negated;
  const truth value = value_of(m->d, a, s->time);
  return s->is_negated ? value == IS_TRUE : value == IS_FALSE;
}

/* ---- instances ---- */

static uint64_t hash_of_instance(const void *context, uint32_t id) {
  const deduction *d = context;
  const instance_key *k = &d->instances.items[id];
  return hash_ids(vec_from(&d->words, k->first), k->count);
}

static bool is_same_instance(const deduction *d, const instance_key *a, const instance_key *b) {
  return a->count == b->count &&
         memcmp(vec_from(&d->words, a->first), vec_from(&d->words, b->first),
                sizeof *d->words.items * a->count) == 0;
}

/* Notes the instance.  False: it was there. */
static bool note_instance(matching *m) {
  deduction *d = m->d;
  const instance_key key = {.first = d->words.count, .count = m->it->variables + 2};
  vec_push(d->scratch, &d->words, m->set_number);
  vec_push(d->scratch, &d->words, m->number);
  vec_append(d->scratch, &d->words, m->b.values, m->it->variables);
  id_table_reserve(&d->instance_index, d->scratch, hash_of_instance, d);
  uint32_t at =
      id_table_first(&d->instance_index, hash_ids(vec_from(&d->words, key.first), key.count));
  for (; d->instance_index.slots[at] != ID_NONE; at = id_table_next(&d->instance_index, at)) {
    if (!is_same_instance(d, &d->instances.items[d->instance_index.slots[at]], &key)) continue;
    d->words.count = key.first;
    return false;
  }
  vec_push(d->scratch, &d->instances, key);
  id_table_put(&d->instance_index, at, d->instances.count - 1);
  if (d->instances.count >= d->most.instances) d->is_over = true;
  return true;
}

/* What is said to exist gets a new name. */
static term_id *all_bindings(matching *m) {
  term_id *bindings = arena_new_array(m->d->round, term_id, m->it->variables + 1);
  for (uint32_t i = 0; i < m->it->variables; i++)
    bindings[i] = m->b.values[i] == TERM_NONE ? deduction_unknown(m->d) : m->b.values[i];
  return bindings;
}

static sat_literal choice_literal(matching *m, const choice *c, const term_id *bindings) {
  sat_literal *parts = arena_new_array(m->d->round, sat_literal, c->count + 1);
  for (uint32_t i = 0; i < c->count; i++)
    parts[i] = deduction_literal(m->d, &m->set->statements.items[c->first + i], bindings);
  return deduction_all(m->d, parts, c->count);
}

static void add_instance(matching *m) {
  deduction *d = m->d;
  const axiom *it = m->it;
  if (!note_instance(m)) return;
  m->found++;
  const term_id *bindings = all_bindings(m);
  sat_literal *clause =
      arena_new_array(d->round, sat_literal, it->body_count + it->choice_count + 1);
  uint32_t length = 0;
  for (uint32_t i = 0; i < it->body_count; i++)
    clause[length++] = -deduction_literal(d, part(m, i), bindings);
  for (uint32_t i = 0; i < it->choice_count; i++)
    clause[length++] = choice_literal(m, &m->set->choices.items[it->choices + i], bindings);
  sat_add(d->sat, clause, length);
}

/* Does a choice hold already?  Those that bring in new things are not asked. */
static bool is_satisfied(const matching *m) {
  for (uint32_t i = 0; i < m->it->choice_count; i++) {
    const choice *c = &m->set->choices.items[m->it->choices + i];
    const statement *s = &m->set->statements.items[c->first];
    if (c->count != 1 || !is_bound(m, s->a)) continue;
    if (statement_is_equation(s) && !is_bound(m, s->b)) continue;
    term_id a, b = TERM_NONE;
    if (!sides_of(m, s, &a, &b)) continue;
    const bool is_true = statement_is_equation(s) ? a == b : value_of(m->d, a, s->time) == IS_TRUE;
    if (is_true != s->is_negated) return true;
  }
  return false;
}

/* All atoms that must hold do, or may. */
static void finish(matching *m) {
  if (m->it->is_rule && !m->is_led) return;
  for (uint32_t i = 0; i < m->it->body_count; i++) {
    const statement *s = part(m, i);
    if (!is_bound(m, s->a) || (statement_is_equation(s) && !is_bound(m, s->b))) return;
    if ((statement_is_equation(s) || s->is_negated) && is_against(m, s)) return;
  }
  if (!is_satisfied(m)) add_instance(m);
}

/* ---- the join ---- */

static void join(matching *m);

static const id_vec *facts_for(const matching *m, const statement *s, relation_id r) {
  static const id_vec none;
  if (r == m->d->t->p->relations.count || r == RELATION_NONE) return &none;
  const atom_source from = theory_source(m->d->t, r, s->time);
  if (from.is_free) return &none;
  const id_vec *facts = listed_like(m->d->t->facts, from.relation, s->a, m->b.values);
  return facts->count <= m->d->few || m->it->is_eager ? facts : &none;
}

static uint32_t fewest(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t cost_of(const matching *m, const statement *s) {
  if (is_bound(m, s->a)) return 0;
  const relation_id r = deduction_relation(m->d, s->a);
  if (r == RELATION_NONE) return 0;
  return 1 + deduction_list(m->d, r, s->time)->count + fewest(facts_for(m, s, r)->count, m->d->few);
}

/* The atom of the body that is cheapest to go on with; or body_count. */
static uint32_t pick(const matching *m) {
  uint32_t best = m->it->body_count;
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 0; i < m->it->body_count && least; i++) {
    const statement *s = part(m, i);
    if (m->is_done[i] || s->is_negated || statement_is_equation(s)) continue;
    const uint32_t cost = cost_of(m, s);
    if (cost >= least) continue;
    best = i;
    least = cost;
  }
  return best;
}

static void join_atoms(matching *m, const statement *s, relation_id r) {
  const bool was_led = m->is_led;
  const uint32_t count = deduction_list(m->d, r, s->time)->count;
  m->is_led = true;
  for (uint32_t i = 0; i < count && m->found < INSTANCES_AT_ONCE && !m->d->is_over; i++) {
    const ground_atom *a = &m->d->atoms.items[deduction_list(m->d, r, s->time)->items[i]];
    const uint32_t mark = m->b.trail.count;
    if (a->value && arguments_fit(m, s->a, a->normal)) join(m);
    pattern_undo(&m->b, mark);
  }
  m->is_led = was_led;
}

static void join_facts(matching *m, const statement *s, relation_id r) {
  const id_vec *facts = facts_for(m, s, r);
  for (uint32_t i = 0; i < fewest(facts->count, m->d->few) && m->found < INSTANCES_AT_ONCE; i++) {
    const uint32_t mark = m->b.trail.count;
    if (arguments_fit(m, s->a, facts->items[i])) join(m);
    pattern_undo(&m->b, mark);
  }
}

static void join_bound(matching *m, const statement *s) {
  const bool was_led = m->is_led;
  if (is_against(m, s)) return;
  term_id a;
  m->is_led |= term_substitute(m->d->terms, s->a, m->b.values, &a) &&
               deduction_find_normal(m->d, a, s->time) != ID_NONE;
  join(m);
  m->is_led = was_led;
}

/* As deep as the body is long. */
static void join(matching *m) {
  const uint32_t at = pick(m);
  if (budget_is_spent(m->d->b)) m->d->is_over = true;
  if (m->d->is_over) return;
  if (at == m->it->body_count) {
    finish(m);
    return;
  }
  const statement *s = part(m, at);
  m->is_done[at] = true;
  if (is_bound(m, s->a)) {
    join_bound(m, s);
  } else {
    const relation_id r = deduction_relation(m->d, s->a);
    if (r != RELATION_NONE) {
      join_atoms(m, s, r);
      join_facts(m, s, r);
    }
  }
  m->is_done[at] = false;
}

/* ---- axioms ---- */

/* From atoms that do not hold to the rules by which they would. */
static void match_backward(matching *m) {
  const statement *head = &m->set->statements.items[m->set->choices.items[m->it->choices].first];
  const relation_id r = deduction_relation(m->d, head->a);
  const uint32_t count = deduction_list(m->d, r, head->time)->count;
  m->is_led = true;
  for (uint32_t i = 0; i < count && m->found < INSTANCES_AT_ONCE && !m->d->is_over; i++) {
    const ground_atom *a = &m->d->atoms.items[deduction_list(m->d, r, head->time)->items[i]];
    const uint32_t mark = m->b.trail.count;
    if (!a->value && arguments_fit(m, head->a, a->normal)) join(m);
    pattern_undo(&m->b, mark);
  }
  m->is_led = false;
}

static uint32_t match_axiom(deduction *d, uint32_t set_number, uint32_t number) {
  matching m = {.d = d, .set = d->sets[set_number], .set_number = set_number, .number = number};
  m.it = &m.set->all.items[number];
  if (m.it->body_count > BODY_MAX) return 0;
  m.b = pattern_begin(m.it->variables, d->round);
  m.is_done = arena_zero_array(d->round, bool, m.it->body_count + 1);
  join(&m);
  if (m.it->is_rule) match_backward(&m);
  return m.found;
}

bool deduction_instantiate(deduction *d, bool of_rules) {
  bool is_news = false;
  for (uint32_t s = 0; s < d->set_count; s++)
    for (uint32_t i = 0; i < d->sets[s]->all.count && !d->is_over; i++)
      if (d->sets[s]->all.items[i].is_rule == of_rules) is_news |= match_axiom(d, s, i) > 0;
  return is_news;
}
