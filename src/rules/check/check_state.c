/* Conditions on the state that cannot be meant: an end that no state decides, and two values of a
   fluent that has one at a time. */
#include "rules/check/keyword_uses.h"

/* ---- terminal ---- */

static bool depends_on_state(const checker *c, const clause *it) {
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(c, it->body + i);
    if (l->kind != LITERAL_DISTINCT && c->a->is_dynamic[atom_relation(c->p, l->atom)]) return true;
  }
  return false;
}

static void check_terminal(checker *c, clause_id id) {
  if (!clause_can_fire(c->values, id) || depends_on_state(c, clause_at(c, id))) return;
  diag *g =
      diag_add(c->d, DIAG_W630, where(c, node_of_head(c, id)),
               "this rule does not depend on the state: by it the game ends at once or never");
  diag_hint(c->d, g, "is `true` forgotten around a fluent?");
}

/* ---- two at once ---- */

/* The fluent of a condition like (true (control white)); TERM_NONE: it is none. */
static term_id single_fluent(const checker *c, const literal *l) {
  const term_table *t = c->p->terms;
  if (l->kind != LITERAL_POSITIVE || atom_relation(c->p, l->atom) != SYM_TRUE) return TERM_NONE;
  const term_id fluent = term_arg(t, l->atom, 0);
  const term *it = term_get(t, fluent);
  return !it->is_variable && it->is_ground && it->arg_count == 1 ? fluent : TERM_NONE;
}

static bool keeps_its_fluent(const checker *c, clause_id id) {
  const clause *it = clause_at(c, id);
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(c, it->body + i);
    if (l->kind == LITERAL_POSITIVE && atom_relation(c->p, l->atom) == SYM_TRUE &&
        term_arg(c->p->terms, l->atom, 0) == keyword_thing(c, id))
      return true;
  }
  return false;
}

/* The initial state has one fact of that name, and none is kept beside a new one. */
static bool is_one_at_a_time(const checker *c, const keyword_uses *uses, term_id fluent) {
  const term *it = term_get(c->p->terms, fluent);
  const keyword_use *f = keyword_use_of(uses, (slot_value){it->name, it->arg_count});
  if (!f || f->starts.count != 1 || clause_at(c, f->starts.items[0])->body_count) return false;
  for (uint32_t i = 0; i < f->steps.count; i++)
    if (keeps_its_fluent(c, f->steps.items[i])) return false;
  return !uses->gives_any;
}

static bool check_two(checker *c, const clause *it, uint32_t i, const keyword_uses *uses) {
  const literal *second = literal_at(c, it->body + i);
  const term_id fluent = single_fluent(c, second);
  if (fluent == TERM_NONE || !is_one_at_a_time(c, uses, fluent)) return false;
  for (uint32_t n = 0; n < i; n++) {
    const literal *first = literal_at(c, it->body + n);
    const term_id other = single_fluent(c, first);
    if (other == TERM_NONE || other == fluent ||
        term_get(c->p->terms, other)->name != term_get(c->p->terms, fluent)->name)
      continue;
    diag *g = diag_add(c->d, DIAG_W631, where(c, second->node),
                       "%s and %s are probably never true at once", shown_term(c, other, it->rule),
                       shown_term(c, fluent, it->rule));
    diag_relate(c->d, g, where(c, first->node), "the other is required here");
    diag_hint(c->d, g, "the initial state has only one of these fluents; is `or` meant?");
    return true;
  }
  return false;
}

static void check_clause(checker *c, const clause *it, const keyword_uses *uses) {
  for (uint32_t i = 1; i < it->body_count && check_may_go_on(c); i++)
    if (check_two(c, it, i, uses)) return;
}

void check_state(checker *c) {
  const keyword_uses uses = fluent_uses(c);
  for (uint32_t i = 0; i < c->p->relations.items[SYM_TERMINAL].clause_count; i++)
    check_terminal(c, clause_of(c, SYM_TERMINAL, i));
  for (clause_id i = 0; i < c->p->clauses.count; i++) check_clause(c, clause_at(c, i), &uses);
}
