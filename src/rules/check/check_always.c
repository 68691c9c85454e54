/* A negated condition, or a `distinct`, of what can never be: it always holds, so it says nothing.
   A misspelled name under `not` is found here, where no rule stops firing because of it. */
#include "rules/check/check_always.h"

#include "rules/check/clause_slots.h"
#include "rules/check/value_words.h"

typedef struct always_check {
  checker *c;
  idle_clauses *idle;
  clause_slots positive;   /* where the variables of the clause stand in its positive literals */
  variable_slots negative; /* and in the literal at hand */
  id_vec slots;
  misfit misfit;       /* why the literal at hand never holds, or: */
  slot_id slot, other; /* where a variable stands; they have no value in common */
  uint32_t variable;   /* UINT32_MAX: it is the misfit */
} always_check;

/* Rules with more alternatives are not looked at. */
enum { ALTERNATIVES_MAX = 64 };

static bool slots_meet(const always_check *k, slot_id a, slot_id b) {
  return slots_have_common_value(k->c->values, (const slot_id[]){a, b}, 2, k->c->scratch);
}

/* A variable that is something else in the positive literals than it would have to be here. */
static bool finds_other_variable(always_check *k) {
  for (uint32_t n = 0; n < k->negative.count; n++)
    for (uint32_t p = 0; p < k->positive.all.count; p++) {
      k->variable = k->negative.items[n].variable;
      k->slot = k->positive.all.items[p].slot;
      k->other = k->negative.items[n].slot;
      if (k->positive.all.items[p].variable == k->variable && !slots_meet(k, k->slot, k->other))
        return true;
    }
  return false;
}

/* That an idle rule would give it is told of that rule, and what nobody defines by W304. */
static bool never_holds(always_check *k, const literal *l) {
  const checker *c = k->c;
  const relation_id r = atom_relation(c->p, l->atom);
  k->negative.count = 0;
  k->variable = UINT32_MAX;
  if (!relation_can_hold(c->values, r) || atom_is_of_nobody(c, l->atom)) return false;
  if (atom_can_match(c->values, l->atom, 0, &k->negative, &k->misfit, c->scratch) &&
      !finds_other_variable(k))
    return false;
  return !idle_clauses_would_give(k->idle, l->atom, NULL);
}

/* ---- distinct ---- */

/* No slot of the variable has the constant: where it is taken from several, one may have excluded
   it on purpose. */
static bool can_never_be(always_check *k, uint32_t variable, slot_value constant) {
  bool stands = false;
  for (uint32_t i = 0; i < k->positive.all.count; i++) {
    if (k->positive.all.items[i].variable != variable) continue;
    stands = true;
    k->slot = k->positive.all.items[i].slot;
    if (slot_has(k->c->values, k->slot, constant)) return false;
  }
  return stands;
}

static bool constant_is_excluded_in_vain(always_check *k, term_id variable, term_id constant) {
  const term *x = term_get(k->c->p->terms, variable), *it = term_get(k->c->p->terms, constant);
  if (!x->is_variable || it->is_variable) return false;
  k->variable = x->name;
  return can_never_be(k, x->name, (slot_value){it->name, it->arg_count});
}

static bool excludes_nothing(always_check *k, const literal *l) {
  const term_id a = term_arg(k->c->p->terms, l->atom, 0), b = term_arg(k->c->p->terms, l->atom, 1);
  return constant_is_excluded_in_vain(k, a, b) || constant_is_excluded_in_vain(k, b, a);
}

/* ---- words ---- */

static void report_misfit(always_check *k, const literal *l, rule_id r) {
  checker *c = k->c;
  diag *g = diag_add(c->d, DIAG_W617, where(c, node_of_misfit(c, l->node, &k->misfit)),
                     "`not` of this always holds: %s is never %s", shown_term(c, k->misfit.term, r),
                     shown_slot(c, k->misfit.slot));
  const symbol_id nearest =
      nearest_value(c, k->misfit.slot, term_get(c->p->terms, k->misfit.term)->name);
  const char *can_be = shown_values_at(c, k->misfit.slot);
  if (nearest != SYM_NONE) {
    diag_hint(c->d, g, "did you mean %s? It can be %s", shown_name(c, nearest), can_be);
    mend_name(c, g, node_of_misfit(c, l->node, &k->misfit), nearest);
  } else
    diag_hint(c->d, g, "it can be %s", can_be);
}

static void report_variable(always_check *k, const literal *l, rule_id r) {
  checker *c = k->c;
  const symbol_id name = variable_name(c, r, k->variable);
  const char *shown = shown_name(c, name);
  diag *g = diag_add(c->d, DIAG_W617, where(c, node_of_symbol(c, l->node, name)),
                     "`not` of this always holds: %s is %s, which is never %s", shown,
                     shown_slot(c, k->slot), shown_slot(c, k->other));
  diag_hint(c->d, g, "%s can be %s; %s can be %s", shown_slot(c, k->slot),
            shown_values_at(c, k->slot), shown_slot(c, k->other), shown_values_at(c, k->other));
}

static void report_distinct(always_check *k, const literal *l, rule_id r) {
  checker *c = k->c;
  diag *g =
      diag_add(c->d, DIAG_W617, where(c, l->node), "%s always holds", shown_term(c, l->atom, r));
  diag_hint(c->d, g, "%s is %s, which can be %s", shown_name(c, variable_name(c, r, k->variable)),
            shown_slot(c, k->slot), shown_values_at(c, k->slot));
}

/* ---- rules ---- */

static bool always_holds(always_check *k, const literal *l) {
  return l->kind == LITERAL_NEGATIVE   ? never_holds(k, l)
         : l->kind == LITERAL_DISTINCT ? excludes_nothing(k, l)
                                       : false;
}

static const literal *written_at(const always_check *k, const clause *it, node_id n) {
  for (uint32_t i = 0; i < it->body_count; i++)
    if (literal_at(k->c, it->body + i)->node == n) return literal_at(k->c, it->body + i);
  return NULL;
}

/* It holds in all alternatives of the rule that have it. */
static bool holds_in_all(always_check *k, clause_id first, clause_id end, node_id n) {
  for (clause_id i = first; i < end; i++) {
    const literal *l = written_at(k, clause_at(k->c, i), n);
    if (!l || !clause_can_fire(k->c->values, i)) continue;
    clause_slots_read(&k->positive, clause_at(k->c, i));
    if (!always_holds(k, l)) return false;
  }
  return true;
}

static void report(always_check *k, const literal *l, rule_id r) {
  if (l->kind == LITERAL_DISTINCT)
    report_distinct(k, l, r);
  else if (k->variable == UINT32_MAX)
    report_misfit(k, l, r);
  else
    report_variable(k, l, r);
}

/* Is this the first alternative that has the literal? */
static bool is_first_with(const always_check *k, clause_id first, clause_id i, node_id n) {
  for (; first < i; first++)
    if (clause_can_fire(k->c->values, first) && written_at(k, clause_at(k->c, first), n))
      return false;
  return true;
}

static void check_clause(always_check *k, clause_id first, clause_id end, clause_id i) {
  const clause *it = clause_at(k->c, i);
  if (!clause_can_fire(k->c->values, i)) return;
  for (uint32_t n = 0; n < it->body_count; n++) {
    const literal *l = literal_at(k->c, it->body + n);
    if (l->kind == LITERAL_POSITIVE) continue;
    clause_slots_read(&k->positive, it);
    if (!always_holds(k, l) || !is_first_with(k, first, i, l->node)) continue;
    if (!holds_in_all(k, i + 1, end, l->node)) continue;
    clause_slots_read(&k->positive, it);
    always_holds(k, l); /* the reason, once more */
    report(k, l, it->rule);
  }
}

void check_always(checker *c, idle_clauses *idle) {
  always_check k = {.c = c, .idle = idle, .positive = {.c = c}};
  if (!diag_is_on(c->d, DIAG_W617)) return;
  for (clause_id first = 0, end; first < c->p->clauses.count; first = end) {
    end = first + 1;
    while (end < c->p->clauses.count && clause_at(c, end)->rule == clause_at(c, first)->rule) end++;
    for (clause_id i = first; i < end && end - first <= ALTERNATIVES_MAX; i++)
      check_clause(&k, first, end, i);
  }
}
