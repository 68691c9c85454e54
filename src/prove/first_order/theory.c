#include "prove/first_order/theory.h"

/* ---- what matters ---- */

static void need(bool *is_needed, id_vec *queue, arena *scratch, relation_id r) {
  if (is_needed[r]) return;
  is_needed[r] = true;
  vec_push(scratch, queue, r);
}

const bool *theory_needs(const analysis *a, arena *keep, relation_id *recursive) {
  static const relation_id starts[] = {SYM_LEGAL, SYM_TERMINAL, SYM_NEXT, SYM_INIT};
  bool *is_needed = arena_zero_array(keep, bool, a->program->relations.count + 1);
  id_vec queue = {0};
  *recursive = RELATION_NONE;
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    need(is_needed, &queue, keep, starts[i]);
  while (queue.count) {
    const relation_id r = vec_pop(&queue);
    if (a->is_recursive[r] && a->is_dynamic[r]) *recursive = r;
    for (uint32_t e = a->edges_of[r]; e < a->edges_of[r + 1]; e++)
      need(is_needed, &queue, keep, a->edges.items[e].body);
  }
  return is_needed;
}

/* ---- sources ---- */

atom_source theory_source(const theory *t, relation_id r, uint32_t time) {
  const atom_source by_itself = {
      .relation = r, .time = time, .is_complete = !t->a->is_recursive[r]};
  const atom_source free_to_hold = {.relation = r, .time = time, .is_free = true};
  if (r == SYM_DOES) return free_to_hold;
  if (r != SYM_TRUE) return by_itself;
  if (t->kind == THEORY_START)
    return (atom_source){.relation = SYM_INIT, .is_complete = !t->a->is_recursive[SYM_INIT]};
  if (t->kind == THEORY_STEP && time == 1)
    return (atom_source){.relation = SYM_NEXT, .is_complete = !t->a->is_recursive[SYM_NEXT]};
  return free_to_hold;
}

statement theory_statement(const theory *t, const literal *l, uint32_t time) {
  const term_table *terms = t->p->terms;
  if (l->kind == LITERAL_DISTINCT)
    return opposite(are_equal(term_arg(terms, l->atom, 0), term_arg(terms, l->atom, 1)));
  const statement s = holds(l->atom, t->a->is_dynamic[atom_relation(t->p, l->atom)] ? time : 0);
  return l->kind == LITERAL_NEGATIVE ? opposite(s) : s;
}

/* ---- rules as axioms ---- */

static void add_rule(theory *t, const clause *c, term_id head, uint32_t head_time,
                     uint32_t body_time) {
  axiom_begin(&t->rules, c->variable_count)->is_rule = true;
  for (uint32_t i = 0; i < c->body_count; i++)
    axiom_if(&t->rules, theory_statement(t, &t->p->literals.items[c->body + i], body_time));
  axiom_choose(&t->rules);
  axiom_then(&t->rules, holds(head, head_time));
}

static void add_rules_of(theory *t, relation_id r) {
  term_table *terms = t->p->terms;
  const relation *it = &t->p->relations.items[r];
  const bool gives_fluents = r == SYM_NEXT || r == SYM_INIT;
  const bool is_twice = t->kind == THEORY_STEP && t->a->is_dynamic[r];
  if ((r == SYM_NEXT && t->kind != THEORY_STEP) || (r == SYM_INIT && t->kind != THEORY_START))
    return;
  for (uint32_t i = 0; i < it->clause_count; i++) {
    const clause c = t->p->clauses.items[t->p->clauses_of_relation.items[it->first_clause + i]];
    if (clause_is_listed(t->p, &c)) continue;
    const term_id head =
        gives_fluents ? term_atom(terms, SYM_TRUE, term_args(terms, c.head), 1) : c.head;
    add_rule(t, &c, head, r == SYM_NEXT, 0);
    if (is_twice && r != SYM_NEXT) add_rule(t, &c, head, 1, 1);
  }
}

/* ---- what is found from what holds ---- */

static bool rule_is_forward(const theory *t, const clause *c) {
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &t->p->literals.items[c->body + i];
    if (l->kind == LITERAL_POSITIVE && t->is_forward[atom_relation(t->p, l->atom)]) return true;
  }
  return !c->body_count;
}

static bool relation_is_forward(const theory *t, relation_id r) {
  const relation *it = &t->p->relations.items[r];
  if (!t->a->is_dynamic[r]) return false;
  for (uint32_t i = 0; i < it->clause_count; i++) {
    const clause_id c = t->p->clauses_of_relation.items[it->first_clause + i];
    if (!rule_is_forward(t, &t->p->clauses.items[c])) return false;
  }
  return true;
}

/* A relation comes after those that it depends on; in a cycle none is taken to be forward. */
static void find_forward(theory *t, arena *keep) {
  const uint32_t count = t->p->relations.count;
  t->is_forward = arena_zero_array(keep, bool, count + 1);
  t->is_forward[SYM_TRUE] = t->is_forward[SYM_DOES] = true;
  id_vec *parts = arena_zero_array(keep, id_vec, t->a->component_count + 1);
  for (relation_id r = 0; r < count; r++) vec_push(keep, &parts[t->a->component[r]], r);
  for (uint32_t part = 0; part < t->a->component_count; part++)
    for (uint32_t i = 0; i < parts[part].count; i++) {
      const relation_id r = parts[part].items[i];
      if (r != SYM_TRUE && r != SYM_DOES) t->is_forward[r] = relation_is_forward(t, r);
    }
}

/* ---- the theory ---- */

static const uint32_t *count_rules(const program *p, arena *keep) {
  uint32_t *counts = arena_zero_array(keep, uint32_t, p->relations.count + 1);
  for (clause_id c = 0; c < p->clauses.count; c++)
    counts[atom_relation(p, p->clauses.items[c].head)] +=
        !clause_is_listed(p, &p->clauses.items[c]);
  return counts;
}

void theory_init(theory *t, theory_kind kind, const analysis *a, const bool *is_needed,
                 const listed_facts *facts, arena *keep) {
  *t = (theory){.keep = keep,
                .p = a->program,
                .a = a,
                .facts = facts,
                .kind = kind,
                .rules = {.keep = keep},
                .is_needed = is_needed};
  t->rule_counts = count_rules(t->p, keep);
  find_forward(t, keep);
  for (relation_id r = 0; r < t->p->relations.count; r++)
    if (is_needed[r]) add_rules_of(t, r);
}
