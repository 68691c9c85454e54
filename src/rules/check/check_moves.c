/* Moves: those that change nothing, and roles that are left without one, or without a choice. */
#include "rules/check/clause_slots.h"
#include "rules/check/keyword_uses.h"
#include "rules/check/value_words.h"

typedef struct move_check {
  checker *c;
  keyword_uses uses;
  id_vec roles;
  clause_slots slots; /* of the clause at hand */
  id_vec readers;     /* clauses that read `does` */
} move_check;

static slot_value role_value(const move_check *k, term_id role) {
  const term *it = term_get(k->c->p->terms, role);
  return (slot_value){it->name, it->arg_count};
}

/* ---- moves without effect ---- */

/* Can a literal of the clause be `does ROLE MOVE`? */
static bool clause_reads_move(move_check *k, const clause *it, term_id role, term_id move) {
  const program *p = k->c->p;
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(k->c, it->body + i);
    if (l->kind == LITERAL_DISTINCT || atom_relation(p, l->atom) != SYM_DOES) continue;
    if (!terms_meet(k->c->unifier, term_arg(p->terms, l->atom, 1), move)) continue;
    clause_slots_read(&k->slots, it);
    if (clause_term_can_be(&k->slots, term_arg(p->terms, l->atom, 0), role_value(k, role)))
      return true;
  }
  return false;
}

/* Yes, too, when it would take too long to tell. */
static bool is_effective(move_check *k, term_id role, term_id move) {
  for (uint32_t i = 0; i < k->readers.count; i++)
    if (!check_may_go_on(k->c) ||
        clause_reads_move(k, clause_at(k->c, k->readers.items[i]), role, move))
      return true;
  return false;
}

static void find_readers(move_check *k) {
  const program *p = k->c->p;
  for (clause_id i = 0; i < p->clauses.count; i++)
    for (uint32_t n = 0; n < p->clauses.items[i].body_count; n++) {
      const literal *l = literal_at(k->c, p->clauses.items[i].body + n);
      if (l->kind == LITERAL_DISTINCT || atom_relation(p, l->atom) != SYM_DOES) continue;
      vec_push(k->c->scratch, &k->readers, i);
      break;
    }
}

/* A move without arguments may well be a pass. */
static bool check_effect(move_check *k, clause_id id, term_id role) {
  checker *c = k->c;
  const term_id move = keyword_thing(c, id);
  if (term_is_variable(c->p->terms, move) || term_get(c->p->terms, move)->arg_count == 0)
    return false;
  clause_slots_read(&k->slots, clause_at(c, id));
  const term_id who = term_arg(c->p->terms, clause_at(c, id)->head, 0);
  if (!clause_term_can_be(&k->slots, who, role_value(k, role)) || is_effective(k, role, move))
    return false;
  const rule_id r = clause_at(c, id)->rule;
  diag *g = diag_add(c->d, DIAG_W621, where(c, node_of_argument(c, node_of_head(c, id), 1)),
                     "%s of %s changes nothing: no rule reads it", shown_term(c, move, r),
                     shown_term(c, role, r));
  diag_hint(c->d, g, "write a rule for next that says what the move does");
  return true;
}

static void check_effects(move_check *k) {
  find_readers(k);
  const relation *legal = &k->c->p->relations.items[SYM_LEGAL];
  for (uint32_t i = 0; i < legal->clause_count; i++) {
    const clause_id id = clause_of(k->c, SYM_LEGAL, i);
    if (!clause_can_fire(k->c->values, id)) continue;
    for (uint32_t n = 0; n < k->roles.count; n++)
      if (check_effect(k, id, k->roles.items[n])) break;
  }
}

/* ---- what a role can do ---- */

/* The clauses of legal that can be the role's. */
static id_vec legal_clauses(move_check *k, term_id role) {
  id_vec all = {0};
  for (uint32_t i = 0; i < k->c->p->relations.items[SYM_LEGAL].clause_count; i++) {
    const clause_id id = clause_of(k->c, SYM_LEGAL, i);
    const term_id who = term_arg(k->c->p->terms, clause_at(k->c, id)->head, 0);
    clause_slots_read(&k->slots, clause_at(k->c, id));
    if (clause_can_fire(k->c->values, id) &&
        clause_term_can_be(&k->slots, who, role_value(k, role)))
      vec_push(k->c->scratch, &all, id);
  }
  return all;
}

typedef struct choice_search {
  move_check *k;
  term_id who; /* its variable is the role */
  bool has_choice;
} choice_search;

static void visit_variable(void *context, uint32_t number) {
  choice_search *s = context;
  const term_table *t = s->k->c->p->terms;
  if (term_is_variable(t, s->who) && term_variable_number(t, s->who) == number) return;
  if (clause_variable_choice(&s->k->slots, number) > 1) s->has_choice = true;
}

/* Can the move of the clause be several? */
static bool has_several(move_check *k, clause_id id) {
  choice_search s = {.k = k, .who = term_arg(k->c->p->terms, clause_at(k->c, id)->head, 0)};
  clause_slots_read(&k->slots, clause_at(k->c, id));
  term_each_variable(k->c->p->terms, keyword_thing(k->c, id), visit_variable, &s);
  return s.has_choice;
}

static bool has_choice(move_check *k, const id_vec *legal) {
  for (uint32_t i = 0; i < legal->count; i++) {
    if (keyword_thing(k->c, legal->items[i]) != keyword_thing(k->c, legal->items[0])) return true;
    if (has_several(k, legal->items[i])) return true;
  }
  return false;
}

static void report_no_choice(move_check *k, term_id role, const id_vec *legal) {
  checker *c = k->c;
  const rule_id r = clause_at(c, legal->items[0])->rule;
  diag *g = diag_add(c->d, DIAG_W622, where(c, node_of_head(c, legal->items[0])),
                     "%s never has a choice: its only move is %s", shown_term(c, role, r),
                     shown_term(c, keyword_thing(c, legal->items[0]), r));
  diag_hint(c->d, g, "can it ever be its turn?");
}

/* ---- moves out of turn ---- */

/* The fluent with one argument, the role that moves, that the clause asks for: (control ROLE). */
static symbol_id turn_asked_for(const move_check *k, const clause *it, symbol_id wanted) {
  const term_table *t = k->c->p->terms;
  for (uint32_t i = 0; i < it->body_count; i++) {
    const literal *l = literal_at(k->c, it->body + i);
    if (l->kind != LITERAL_POSITIVE || atom_relation(k->c->p, l->atom) != SYM_TRUE) continue;
    const term *fluent = term_get(t, term_arg(t, l->atom, 0));
    if (fluent->is_variable || fluent->arg_count != 1) continue;
    const term_id who = term_arg(t, term_arg(t, l->atom, 0), 0);
    if (who == term_arg(t, it->head, 0) && (wanted == SYM_NONE || wanted == fluent->name))
      return fluent->name;
  }
  return SYM_NONE;
}

/* Can it be another role's turn? */
static bool turn_can_be_of_other(const move_check *k, symbol_id turn, term_id role) {
  const slot_id at = slot_of_part(k->c->values, slot_of_argument(k->c->values, SYM_TRUE, 0),
                                  (slot_value){turn, 1}, 0);
  for (uint32_t i = 0; at != SLOT_NONE && i < k->roles.count; i++)
    if (k->roles.items[i] != role && !slot_is_open(k->c->values, at) &&
        slot_has(k->c->values, at, role_value(k, k->roles.items[i])))
      return true;
  return false;
}

static void check_turn(move_check *k, term_id role, const id_vec *legal) {
  checker *c = k->c;
  symbol_id turn = SYM_NONE;
  for (uint32_t i = 0; i < legal->count; i++) {
    turn = turn_asked_for(k, clause_at(c, legal->items[i]), turn);
    if (turn == SYM_NONE) return;
  }
  if (turn == SYM_NONE || !turn_can_be_of_other(k, turn, role)) return;
  const rule_id r = clause_at(c, legal->items[0])->rule;
  diag *g = diag_add(c->d, DIAG_W623, where(c, node_of_head(c, legal->items[0])),
                     "%s has no move when %s is another's", shown_term(c, role, r),
                     shown_thing(c, (slot_value){turn, 1}));
  diag_hint(c->d, g, "every role must have a move in every state: give it a move such as noop");
}

/* If no role has a choice, none is at a disadvantage. */
static void check_choices(move_check *k, const id_vec *legal) {
  bool *has = arena_zero_array(k->c->scratch, bool, k->roles.count);
  bool some_has = false;
  for (uint32_t i = 0; i < k->roles.count; i++) some_has |= has[i] = has_choice(k, &legal[i]);
  for (uint32_t i = 0; some_has && i < k->roles.count; i++) {
    const bool is_left_out = legal[i].count && !has[i];
    if (is_left_out && !role_is_nature(k->c->p->terms, k->roles.items[i]))
      report_no_choice(k, k->roles.items[i], &legal[i]);
  }
}

/* Every role is asked of every rule. */
static bool is_too_much(const move_check *k) {
  const uint32_t rules = k->c->p->relations.items[SYM_LEGAL].clause_count;
  return (uint64_t)k->roles.count * rules > 1000 * 1000;
}

void check_moves(checker *c) {
  move_check k = {
      .c = c, .uses = move_uses(c), .roles = program_roles(c->p, c->scratch), .slots = {.c = c}};
  if (is_too_much(&k)) return;
  if (!k.uses.reads_any) check_effects(&k);
  if (k.roles.count < 2) return;
  id_vec *legal = arena_new_array(c->scratch, id_vec, k.roles.count);
  for (uint32_t i = 0; i < k.roles.count; i++) legal[i] = legal_clauses(&k, k.roles.items[i]);
  for (uint32_t i = 0; i < k.roles.count; i++) check_turn(&k, k.roles.items[i], &legal[i]);
  check_choices(&k, legal);
}
