/* Values that a head gives to a fluent and that no rule can read.

   That alone is no fault: a wall is read by nobody.  It is told where the value looks like a slip:
   its name is near to that of another value, or the others are roles. */
#include "rules/check/clause_slots.h"
#include "rules/check/keyword_uses.h"
#include "rules/check/value_words.h"

typedef struct unread_check {
  checker *c;
  id_vec roles;
  bitset is_asked;    /* by term: stands under `true` in a body as it is */
  clause_slots slots; /* of the clause at hand */
  /* the value at hand: */
  slot_value fluent;
  uint32_t argument;
  slot_value value;
} unread_check;

/* ---- who reads a value ---- */

static bool is_role(const unread_check *k, slot_value v) {
  for (uint32_t i = 0; i < k->roles.count; i++) {
    const term *role = term_get(k->c->p->terms, k->roles.items[i]);
    if (role->name == v.name && role->arg_count == v.arity) return true;
  }
  return false;
}

/* Only roles move, and have goals and percepts. */
static bool asks_for_role(relation_id r) {
  return r == SYM_LEGAL || r == SYM_GOAL || r == SYM_SEES;
}

/* The fluent of an atom, if it is the one at hand; else TERM_NONE. */
static term_id fluent_of(const unread_check *k, term_id atom) {
  const term_table *t = k->c->p->terms;
  const term_id fluent = term_arg(t, atom, 0);
  const term *it = term_get(t, fluent);
  const bool is_it =
      !it->is_variable && it->name == k->fluent.name && it->arg_count == k->fluent.arity;
  return is_it ? fluent : TERM_NONE;
}

typedef struct occurrences {
  uint32_t variable;
  uint32_t count;
} occurrences;

static void count_variable(void *context, uint32_t number) {
  occurrences *o = context;
  o->count += o->variable == number;
}

static uint32_t times_in(const unread_check *k, term_id t, uint32_t variable) {
  occurrences o = {.variable = variable};
  term_each_variable(k->c->p->terms, t, count_variable, &o);
  return o.count;
}

static uint32_t times_in_body(const unread_check *k, const clause *it, uint32_t variable) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < it->body_count; i++)
    count += times_in(k, literal_at(k->c, it->body + i)->atom, variable);
  return count;
}

/* A variable that only goes into the head reads nothing there if it must be a role and is none, or
   if the head is the fluent itself, kept as it was. */
static bool head_reads(const unread_check *k, const clause *it, uint32_t variable) {
  const term_table *t = k->c->p->terms;
  const relation_id r = atom_relation(k->c->p, it->head);
  const uint32_t times = times_in(k, it->head, variable);
  if (asks_for_role(r) && times == times_in(k, term_arg(t, it->head, 0), variable))
    return is_role(k, k->value);
  const term_id kept = r == SYM_NEXT ? fluent_of(k, it->head) : TERM_NONE;
  return kept == TERM_NONE || times != times_in(k, term_arg(t, kept, k->argument), variable);
}

static bool variable_reads(unread_check *k, const clause *it, term_id variable) {
  const uint32_t x = term_variable_number(k->c->p->terms, variable);
  clause_slots_read(&k->slots, it);
  if (!clause_term_can_be(&k->slots, variable, k->value)) return false;
  if (times_in_body(k, it, x) > 1 || times_in(k, it->head, x) == 0) return true;
  return head_reads(k, it, x);
}

static bool clause_reads(unread_check *k, const clause *it) {
  const term_table *t = k->c->p->terms;
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(k->c, it->body + i);
    if (l->kind == LITERAL_DISTINCT || atom_relation(k->c->p, l->atom) != SYM_TRUE) continue;
    if (term_is_variable(t, term_arg(t, l->atom, 0))) return true;
    const term_id fluent = fluent_of(k, l->atom);
    if (fluent == TERM_NONE) continue;
    const term_id x = term_arg(t, fluent, k->argument);
    if (term_is_variable(t, x) ? variable_reads(k, it, x)
                               : clause_term_can_be(&k->slots, x, k->value))
      return true;
  }
  return false;
}

/* Yes, too, when it would take too long to tell. */
static bool is_read(unread_check *k) {
  for (clause_id i = 0; i < k->c->p->clauses.count; i++)
    if (!check_may_go_on(k->c) || clause_reads(k, clause_at(k->c, i))) return true;
  return false;
}

/* ---- slips ---- */

static bool others_are_roles(const unread_check *k, slot_id at) {
  const slot_values all = slots_common_values(k->c->values, &at, 1, k->c->scratch);
  uint32_t roles = 0;
  for (uint32_t i = 0; i < all.count; i++) roles += is_role(k, all.items[i]);
  return roles > 0 && roles + 1 == all.count && !is_role(k, k->value);
}

static void report(const unread_check *k, clause_id id, slot_id at, symbol_id nearest) {
  checker *c = k->c;
  const node_id fluent = node_of_argument(c, node_of_head(c, id), 0);
  diag *g = diag_add(c->d, DIAG_W620, where(c, node_of_argument(c, fluent, k->argument)),
                     "no rule reads %s as %s", shown_name(c, k->value.name), shown_slot(c, at));
  if (nearest != SYM_NONE) {
    diag_hint(c->d, g, "did you mean %s?", shown_name(c, nearest));
    mend_name(c, g, node_of_argument(c, fluent, k->argument), nearest);
  } else
    diag_hint(c->d, g, "it is not a role, unlike the other values of this argument: %s",
              shown_values_at(c, at));
}

/* Names of one or two letters are near to each other without being slips. */
static symbol_id meant_value(const unread_check *k, slot_id at) {
  enum { SHORTEST = 3 };
  if (symbol_folded(k->c->p->symbols, k->value.name).length < SHORTEST) return SYM_NONE;
  const symbol_id nearest = nearest_value(k->c, at, k->value.name);
  const bool is_short =
      nearest != SYM_NONE && symbol_folded(k->c->p->symbols, nearest).length < SHORTEST;
  return is_short ? SYM_NONE : nearest;
}

static void check_value(unread_check *k, clause_id id, slot_id at) {
  const symbol_id nearest = meant_value(k, at);
  if (nearest == SYM_NONE && !others_are_roles(k, at)) return;
  if (!is_read(k)) report(k, id, at, nearest);
}

static void check_head(unread_check *k, clause_id id) {
  const term_table *t = k->c->p->terms;
  const term_id fluent = keyword_thing(k->c, id);
  const term *it = term_get(t, fluent);
  if (it->is_variable || bitset_has(k->is_asked, fluent)) return;
  if (!clause_can_fire(k->c->values, id)) return;
  k->fluent = (slot_value){it->name, it->arg_count};
  for (uint32_t i = 0; i < it->arg_count; i++) {
    const term *x = term_get(t, term_arg(t, fluent, i));
    const slot_id at =
        slot_of_part(k->c->values, slot_of_argument(k->c->values, SYM_TRUE, 0), k->fluent, i);
    if (x->is_variable || x->arg_count || at == SLOT_NONE || slot_is_open(k->c->values, at))
      continue;
    k->argument = i;
    k->value = (slot_value){x->name, 0};
    check_value(k, id, at);
  }
}

/* A fluent that a condition names as it is has no value that nobody reads.  This leaves few for the
   slow questions above in rules that programs wrote. */
static bitset asked_fluents(const checker *c) {
  bitset asked = bitset_new(c->scratch, c->p->terms->terms.count);
  for (clause_id i = 0; i < c->p->clauses.count; i++) {
    const clause *it = clause_at(c, i);
    for (uint32_t j = 0; j < it->body_count; j++) {
      const literal *l = literal_at(c, it->body + j);
      if (l->kind != LITERAL_DISTINCT && atom_relation(c->p, l->atom) == SYM_TRUE)
        bitset_add(asked, term_arg(c->p->terms, l->atom, 0));
    }
  }
  return asked;
}

static void check_heads(unread_check *k, relation_id r) {
  for (uint32_t i = 0; i < k->c->p->relations.items[r].clause_count; i++)
    check_head(k, clause_of(k->c, r, i));
}

void check_unread(checker *c) {
  unread_check k = {.c = c,
                    .roles = program_roles(c->p, c->scratch),
                    .is_asked = asked_fluents(c),
                    .slots = {.c = c}};
  check_heads(&k, SYM_INIT);
  check_heads(&k, SYM_NEXT);
}
