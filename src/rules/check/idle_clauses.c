#include "rules/check/idle_clauses.h"

/* ---- why a clause never fires ---- */

static const literal *literal_of(const idle_clauses *k, const clause *it, uint32_t i) {
  return literal_at(k->c, it->body + i);
}

static bool finds_missing_value(idle_clauses *k, const clause *it, lack *out) {
  k->standing.count = 0;
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_of(k, it, i);
    if (l->kind != LITERAL_POSITIVE) continue;
    out->literal = l;
    out->kind = LACKS_RELATION;
    if (!relation_can_hold(k->c->values, atom_relation(k->c->p, l->atom))) return true;
    out->kind = LACKS_VALUE;
    if (!atom_can_match(k->c->values, l->atom, i, &k->standing, &out->misfit, k->c->scratch))
      return true;
  }
  return false;
}

static bool slots_meet(const idle_clauses *k, slot_id a, slot_id b) {
  return slots_have_common_value(k->c->values, (const slot_id[]){a, b}, 2, k->c->scratch);
}

/* Two places of the variable that have no value in common; when only more than two have none, the
   first and the last. */
static void blame_two_places(idle_clauses *k, const clause *it, uint32_t variable, lack *out) {
  const variable_slot *first = NULL;
  for (uint32_t i = 0; i < k->standing.count; i++) {
    const variable_slot *b = &k->standing.items[i];
    if (b->variable != variable) continue;
    if (!first) first = b;
    out->literal = literal_of(k, it, first->literal);
    out->slot = first->slot;
    out->other = literal_of(k, it, b->literal);
    out->other_slot = b->slot;
    if (!slots_meet(k, first->slot, b->slot)) return;
  }
}

static bool finds_empty_variable(idle_clauses *k, const clause *it, lack *out) {
  for (uint32_t x = 0; x < it->variable_count; x++) {
    k->slots.count = 0;
    for (uint32_t i = 0; i < k->standing.count; i++)
      if (k->standing.items[i].variable == x)
        vec_push(k->c->scratch, &k->slots, k->standing.items[i].slot);
    if (k->slots.count < 2 ||
        slots_have_common_value(k->c->values, k->slots.items, k->slots.count, k->c->scratch))
      continue;
    out->kind = LACKS_COMMON;
    out->variable = x;
    blame_two_places(k, it, x, out);
    return true;
  }
  return false;
}

/* The variable that a `distinct` with a constant speaks of; UINT32_MAX: none. */
static uint32_t restricted_variable(const idle_clauses *k, const literal *l) {
  const term_table *t = k->c->p->terms;
  for (uint32_t i = 0; l->kind == LITERAL_DISTINCT && i < 2; i++) {
    const term_id a = term_arg(t, l->atom, i), b = term_arg(t, l->atom, 1 - i);
    if (term_is_variable(t, a) && !term_is_variable(t, b)) return term_variable_number(t, a);
  }
  return UINT32_MAX;
}

static const variable_slot *place_of_variable(const idle_clauses *k, uint32_t variable) {
  for (uint32_t i = 0; i < k->standing.count; i++)
    if (k->standing.items[i].variable == variable) return &k->standing.items[i];
  return NULL;
}

/* What is left: `distinct` takes the last value of a variable. */
static void blame_distinct(idle_clauses *k, const clause *it, lack *out) {
  out->literal = NULL;
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_of(k, it, i);
    const uint32_t x = restricted_variable(k, l);
    const variable_slot *at = x == UINT32_MAX ? NULL : place_of_variable(k, x);
    if (!at) continue;
    *out = (lack){.clause = out->clause,
                  .kind = LACKS_OTHER,
                  .literal = l,
                  .other = literal_of(k, it, at->literal),
                  .variable = x,
                  .slot = at->slot};
  }
}

static void find_lack(idle_clauses *k, clause_id id) {
  const clause *it = clause_at(k->c, id);
  lack out = {.clause = id};
  if (!finds_missing_value(k, it, &out) && !finds_empty_variable(k, it, &out))
    blame_distinct(k, it, &out);
  if (out.literal) vec_push(k->c->scratch, &k->all, out);
}

/* ---- who waits for whom ---- */

static void index_lacks(idle_clauses *k) {
  const uint32_t relations = k->c->p->relations.count;
  k->first_of = arena_new_array(k->c->scratch, uint32_t, relations);
  k->next_of = arena_new_array(k->c->scratch, uint32_t, k->all.count);
  for (relation_id r = 0; r < relations; r++) k->first_of[r] = UINT32_MAX;
  for (uint32_t i = k->all.count; i-- > 0;) {
    const relation_id r = atom_relation(k->c->p, clause_at(k->c, k->all.items[i].clause)->head);
    k->next_of[i] = k->first_of[r];
    k->first_of[r] = i;
  }
}

/* Have the arguments of the head and of the atom a common instance, one by one? */
static bool head_gives(idle_clauses *k, clause_id id, term_id atom) {
  const term_table *t = k->c->p->terms;
  const term_id head = clause_at(k->c, id)->head;
  for (uint32_t i = 0; i < term_get(t, atom)->arg_count; i++)
    if (!terms_meet(k->c->unifier, term_arg(t, head, i), term_arg(t, atom, i))) return false;
  return true;
}

uint32_t relation_givers(relation_id r, relation_id givers[2]) {
  givers[0] = r == SYM_TRUE ? SYM_INIT : r == SYM_DOES ? SYM_LEGAL : r;
  givers[1] = SYM_NEXT;
  return r == SYM_TRUE ? 2 : 1;
}

bool idle_clauses_would_give(idle_clauses *k, term_id atom, id_vec *found) {
  relation_id of[2];
  const uint32_t count = relation_givers(atom_relation(k->c->p, atom), of);
  bool is_found = false;
  for (uint32_t g = 0; g < count; g++)
    for (uint32_t i = k->first_of[of[g]]; i != UINT32_MAX && k->steps_left; i = k->next_of[i]) {
      k->steps_left--;
      if (!head_gives(k, k->all.items[i].clause, atom)) continue;
      if (!found) return true;
      vec_push(k->c->scratch, found, i);
      is_found = true;
    }
  return is_found;
}

idle_clauses idle_clauses_find(checker *c) {
  idle_clauses k = {.c = c, .steps_left = 20u * 1000 * 1000};
  for (clause_id i = 0; i < c->p->clauses.count; i++)
    if (!clause_can_fire(c->values, i)) find_lack(&k, i);
  index_lacks(&k);
  return k;
}
