/* Rules that say nothing: they stand there already, or can never fire. */
#include "rules/check/check_parts.h"

#include <string.h>

/* ---- duplicates ---- */

/* Variables are numbered in the order of the text, so rules that differ in their names alone are
   the same numbers. */
static uint64_t rule_hash(const program *p, const rule *r) {
  uint64_t hash = hash_add(0, r->head);
  for (uint32_t i = r->body; i < r->body_end; i++) {
    const formula *f = &p->formulas.items[i];
    hash = hash_add(hash, (uint32_t)f->kind);
    hash = hash_add(hash, f->atom);
    hash = hash_add(hash, f->after - r->body);
  }
  return hash_mix(hash);
}

static bool is_same_rule(const program *p, const rule *a, const rule *b) {
  if (a->head != b->head || a->body_end - a->body != b->body_end - b->body) return false;
  for (uint32_t i = 0; i < a->body_end - a->body; i++) {
    const formula *f = &p->formulas.items[a->body + i];
    const formula *g = &p->formulas.items[b->body + i];
    if (f->kind != g->kind || f->atom != g->atom || f->after - a->body != g->after - b->body)
      return false;
  }
  return true;
}

static uint64_t hash_of_rule(const void *context, uint32_t id) {
  const program *p = context;
  return rule_hash(p, &p->rules.items[id]);
}

static void report_duplicate(checker *c, const rule *first, const rule *again) {
  const char *what = again->body == again->body_end ? "fact" : "rule";
  diag *g = diag_add(c->d, DIAG_W607, where(c, again->node), "this %s is repeated", what);
  diag_relate(c->d, g, where(c, first->node), "it was first written here");
  diag_hint(c->d, g, "remove one of the two");
  if (shown_notation(c) == NOTATION_KIF && c->p->tree)
    diag_mend(c->d, g, where(c, again->node), "%s", "");
}

static void check_duplicates(checker *c) {
  const program *p = c->p;
  id_table seen = {0};
  for (rule_id r = 0; r < p->rules.count; r++) {
    id_table_reserve(&seen, c->scratch, hash_of_rule, p);
    const rule *it = &p->rules.items[r];
    uint32_t at = id_table_first(&seen, rule_hash(p, it));
    while (seen.slots[at] != ID_NONE && !is_same_rule(p, &p->rules.items[seen.slots[at]], it))
      at = id_table_next(&seen, at);
    if (seen.slots[at] == ID_NONE)
      id_table_put(&seen, at, r);
    else
      report_duplicate(c, &p->rules.items[seen.slots[at]], it);
  }
}

/* ---- conditions that stand twice ---- */

static bool is_same_formula(const program *p, uint32_t a, uint32_t b) {
  const formula *f = &p->formulas.items[a];
  const uint32_t length = f->after - a;
  if (p->formulas.items[b].after - b != length) return false;
  for (uint32_t i = 0; i < length; i++) {
    const formula *x = &p->formulas.items[a + i], *y = &p->formulas.items[b + i];
    if (x->kind != y->kind || x->atom != y->atom || x->after - a != y->after - b) return false;
  }
  return true;
}

/* The first formula of a conjunction that is repeated; UINT32_MAX: there is none. */
static uint32_t repeated_formula(checker *c, uint32_t first, uint32_t end, uint32_t *earlier) {
  const program *p = c->p;
  for (uint32_t i = first; i < end; i = p->formulas.items[i].after)
    for (uint32_t k = first; k < i; k = p->formulas.items[k].after) {
      if (!check_may_go_on(c)) return UINT32_MAX;
      *earlier = k;
      if (is_same_formula(p, k, i)) return i;
    }
  return UINT32_MAX;
}

/* The first of each relation: whoever writes rules by a program repeats it in all of them. */
static void check_repeated(checker *c) {
  bool *is_told = arena_zero_array(c->scratch, bool, c->p->relations.count);
  for (rule_id r = 0; r < c->p->rules.count; r++) {
    const rule *it = &c->p->rules.items[r];
    const relation_id of = atom_relation(c->p, it->head);
    uint32_t earlier = 0;
    if (of != RELATION_NONE && is_told[of]) continue;
    const uint32_t again = repeated_formula(c, it->body, it->body_end, &earlier);
    if (again == UINT32_MAX) continue;
    if (of != RELATION_NONE) is_told[of] = true;
    diag *g = diag_add(c->d, DIAG_W627, where(c, c->p->formulas.items[again].node),
                       "this condition occurs twice in its rule");
    diag_relate(c->d, g, where(c, c->p->formulas.items[earlier].node), "it was first written here");
    diag_hint(c->d, g, "should one of the two differ? If not, remove it");
  }
}

/* ---- literals that never hold ---- */

typedef struct idle_check {
  checker *c;
  bitset is_fact;      /* by term: a ground fact of the program */
  bitset is_head;      /* by term: a ground head */
  bitset is_made;      /* by term: a fluent of `init` or `next`, as it is */
  bitset is_move;      /* by term: a move of `legal`, as it is */
  bitset is_denied;    /* by term: negated in the clause at hand */
  bool *has_open_head; /* by relation: a clause has a head with variables */
  uint64_t steps_left; /* comparisons; a huge text is not checked to its end */
} idle_check;

static term_id last_argument(const checker *c, term_id atom) {
  return term_arg(c->p->terms, atom, term_get(c->p->terms, atom)->arg_count - 1u);
}

static void note_source(idle_check *k, term_id head) {
  const relation_id r = atom_relation(k->c->p, head);
  if (r == SYM_INIT || r == SYM_NEXT) bitset_add(k->is_made, last_argument(k->c, head));
  if (r == SYM_LEGAL) bitset_add(k->is_move, last_argument(k->c, head));
}

static idle_check new_check(checker *c) {
  idle_check k = {.c = c,
                  .steps_left = 50u * 1000 * 1000,
                  .is_fact = bitset_new(c->scratch, c->p->terms->terms.count),
                  .is_head = bitset_new(c->scratch, c->p->terms->terms.count),
                  .is_made = bitset_new(c->scratch, c->p->terms->terms.count),
                  .is_move = bitset_new(c->scratch, c->p->terms->terms.count),
                  .is_denied = bitset_new(c->scratch, c->p->terms->terms.count),
                  .has_open_head = arena_zero_array(c->scratch, bool, c->p->relations.count)};
  for (clause_id i = 0; i < c->p->clauses.count; i++) {
    const clause *it = clause_at(c, i);
    note_source(&k, it->head);
    if (!term_is_ground(c->p->terms, it->head)) {
      k.has_open_head[atom_relation(c->p, it->head)] = true;
      continue;
    }
    bitset_add(k.is_head, it->head);
    if (it->body_count == 0) bitset_add(k.is_fact, it->head);
  }
  return k;
}

static bool heads_meet(idle_check *k, relation_id r, term_id atom) {
  const bool is_ground = term_is_ground(k->c->p->terms, atom);
  if (is_ground && bitset_has(k->is_head, atom)) return true;
  if (is_ground && !k->has_open_head[r]) return false;
  const uint32_t count = k->c->p->relations.items[r].clause_count;
  if (k->steps_left < count) return true;
  k->steps_left -= count;
  return some_head_meets(k->c, r, atom);
}

/* Does a clause of the keyword have a head with these arguments? */
static bool source_meets(idle_check *k, symbol_id keyword, term_id atom) {
  const checker *c = k->c;
  const uint32_t count = c->p->relations.items[keyword].clause_count;
  if (k->steps_left < count) return true;
  k->steps_left -= count;
  for (uint32_t i = 0; i < count; i++) {
    const term_id head = clause_at(c, clause_of(c, keyword, i))->head;
    if (terms_meet(c->unifier, last_argument(c, atom), last_argument(c, head))) return true;
  }
  return false;
}

/* What is true comes from init and next; what is done comes from legal.  What has no source at
   all was reported by other checks. */
static bool can_hold(idle_check *k, term_id atom) {
  const relation_id r = atom_relation(k->c->p, atom);
  const relation_id source_of_r = r == SYM_TRUE ? SYM_NEXT : r == SYM_DOES ? SYM_LEGAL : r;
  if (k->c->p->relations.items[source_of_r].clause_count == 0) return true;
  if (r == SYM_TRUE && bitset_has(k->is_made, last_argument(k->c, atom))) return true;
  if (r == SYM_DOES && bitset_has(k->is_move, last_argument(k->c, atom))) return true;
  if (r == SYM_TRUE) return source_meets(k, SYM_INIT, atom) || source_meets(k, SYM_NEXT, atom);
  return r == SYM_DOES ? source_meets(k, SYM_LEGAL, atom) : heads_meet(k, r, atom);
}

static void mark_denied(idle_check *k, const clause *it, void mark(bitset, uint32_t)) {
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(k->c, it->body + i);
    if (l->kind == LITERAL_NEGATIVE) mark(k->is_denied, l->atom);
  }
}

/* Why a literal of the clause can never hold; NULL when it can. */
static const char *reason(idle_check *k, const literal *l) {
  if (l->kind == LITERAL_NEGATIVE && term_is_ground(k->c->p->terms, l->atom) &&
      bitset_has(k->is_fact, l->atom))
    return "is a fact, so its negation never holds";
  if (l->kind != LITERAL_POSITIVE) return NULL;
  if (bitset_has(k->is_denied, l->atom)) return "is required and negated in one rule";
  if (can_hold(k, l->atom)) return NULL;
  switch (atom_relation(k->c->p, l->atom)) {
    case SYM_TRUE: return "is never made true by init or next";
    case SYM_DOES: return "is never legal";
    default: return "never holds: no fact or rule gives it";
  }
}

static const literal *idle_literal(idle_check *k, const clause *it, const char **why) {
  const literal *found = NULL;
  mark_denied(k, it, bitset_add);
  for (uint32_t i = 0; i < it->body_count && !found; i++) {
    const literal *l = literal_at(k->c, it->body + i);
    if ((*why = reason(k, l))) found = l;
  }
  mark_denied(k, it, bitset_remove);
  return found;
}

static void report_idle(checker *c, rule_id r, const literal *l, const char *why) {
  diag *g = diag_add(c->d, DIAG_W608, where(c, l->node), "this rule never fires: %s %s",
                     shown_term(c, l->atom, r), why);
  diag_hint(c->d, g, "correct the condition, or remove the rule");
}

/* A rule whose every alternative was found impossible when clauses were made. */
static void report_impossible(checker *c, rule_id id) {
  const rule *r = &c->p->rules.items[id];
  node_id n = r->node;
  const char *condition = NULL;
  for (uint32_t i = r->body; i < r->body_end && !condition; i++) {
    const formula *f = &c->p->formulas.items[i];
    if (f->kind != FORMULA_DISTINCT) continue;
    condition = shown_term(c, f->atom, id);
    n = f->node;
  }
  diag *g = condition ? diag_add(c->d, DIAG_W608, where(c, n),
                                 "this rule never fires because of %s", condition)
                      : diag_add(c->d, DIAG_W608, where(c, n), "this rule never fires");
  diag_hint(c->d, g, "correct the condition, or remove the rule");
}

/* A rule is idle when all its clauses are. */
static void check_rule(idle_check *k, rule_id r, clause_id first, clause_id end) {
  if (first == end) {
    k->c->is_idle[r] = true;
    report_impossible(k->c, r);
    return;
  }
  const literal *blamed = NULL;
  const char *why = NULL;
  for (clause_id i = first; i < end; i++) {
    const char *reason_here;
    const literal *l = idle_literal(k, clause_at(k->c, i), &reason_here);
    if (!l) return;
    if (!blamed) why = reason_here;
    if (!blamed) blamed = l;
  }
  k->c->is_idle[r] = true;
  report_idle(k->c, r, blamed, why);
}

static void check_idle(checker *c) {
  idle_check k = new_check(c);
  clause_id next = 0;
  for (rule_id r = 0; r < c->p->rules.count; r++) {
    const clause_id first = next;
    while (next < c->p->clauses.count && clause_at(c, next)->rule == r) next++;
    check_rule(&k, r, first, next);
  }
}

void check_firing(checker *c) {
  check_duplicates(c);
  check_repeated(c);
  if (c->is_whole) check_idle(c);
}
