/* Rules for different general joint moves that say the same: the moves that make no difference go.

   A move is idle when its arguments are variables that stand nowhere else in its rule.  Rules are
   joined when all is equal but for idle moves, and every general joint move of the covering that
   fits the rest is among them. */
#include "frame/ceasing.h"

#include <string.h>

typedef struct merging {
  ceasing_vec *rules;
  uint32_t first;
  const covering *c;
  const frame_domain *m;
  arena *scratch;
} merging;

static bool is_same_condition(condition a, condition b) {
  return a.kind == b.kind && a.atom == b.atom;
}

static bool has_same_core(const ceasing_rule *a, const ceasing_rule *b) {
  if (a->fluent != b->fluent || a->conditions.count != b->conditions.count) return false;
  for (uint32_t i = 0; i < a->conditions.count; i++)
    if (!is_same_condition(a->conditions.items[i], b->conditions.items[i])) return false;
  return true;
}

static void note_rest(const merging *g, const ceasing_rule *r, uint32_t but, id_vec *variables) {
  frame_add_variables(g->m->terms, r->fluent, variables, g->scratch);
  for (uint32_t i = 0; i < r->conditions.count; i++)
    frame_add_variables(g->m->terms, r->conditions.items[i].atom, variables, g->scratch);
  for (uint32_t i = 0; i < g->c->role_count; i++)
    if (i != but && r->moves[i] != TERM_NONE)
      frame_add_variables(g->m->terms, r->moves[i], variables, g->scratch);
}

/* Is the move an instance of nothing narrower than its action, and tied to nothing else? */
static bool move_is_idle(const merging *g, const ceasing_rule *r, uint32_t role) {
  if (r->moves[role] == TERM_NONE) return true;
  const arena_mark mark = arena_save(g->scratch);
  id_vec rest = {0};
  id_vec own = {0};
  note_rest(g, r, role, &rest);
  frame_add_variables(g->m->terms, r->moves[role], &own, g->scratch);
  const general_move *general = &covering_moves(g->c, r->joint)[role];
  id_vec widest = {0};
  frame_add_variables(g->m->terms, general->action, &widest, g->scratch);
  frame_add_variables(g->m->terms, general->role, &widest, g->scratch);
  bool idle = own.count == widest.count;
  for (uint32_t i = 0; i < own.count && idle; i++)
    idle = !frame_has_variables(g->m->terms, term_variable(g->m->terms, own.items[i]), &rest);
  arena_restore(g->scratch, mark);
  return idle;
}

static void find_idle(const merging *g, ceasing_rule *r) {
  r->idle = 0;
  for (uint32_t i = 0; i < g->c->role_count; i++)
    if (move_is_idle(g, r, i)) r->idle |= UINT32_C(1) << i;
}

static bool is_idle(const ceasing_rule *r, uint32_t role) { return r->idle >> role & 1; }

/* Does a general joint move agree with the rule in all roles but those of `but`, a bit each? */
static bool fits(const covering *c, uint32_t joint, const ceasing_rule *r, uint32_t but) {
  for (uint32_t i = 0; i < c->role_count; i++)
    if (!(but >> i & 1) && r->choices[i] != CHOICE_ANY &&
        covering_moves(c, joint)[i].choice != r->choices[i])
      return false;
  return true;
}

static bool is_implied(const ceasing_rule *r, const covering *c, uint32_t role, uint32_t without) {
  for (uint32_t j = 0; j < c->count; j++)
    if (fits(c, j, r, without) && covering_moves(c, j)[role].choice != r->choices[role])
      return false;
  return true;
}

uint32_t ceasing_rule_implied(const ceasing_rule *r, const covering *c) {
  uint32_t implied = 0;
  for (uint32_t i = 0; i < c->role_count && c->kind != COVER_GENERIC; i++)
    if (r->moves[i] != TERM_NONE && (r->idle >> i & 1) && !c->is_widened[i] &&
        is_implied(r, c, i, implied | UINT32_C(1) << i))
      implied |= UINT32_C(1) << i;
  return implied;
}

/* ---- all moves at once ---- */

static bool is_all_idle(const merging *g, const ceasing_rule *r) {
  return r->idle == (UINT32_C(1) << g->c->role_count) - 1;
}

static void forget_move(ceasing_rule *r, uint32_t role) {
  r->moves[role] = TERM_NONE;
  r->choices[role] = CHOICE_ANY;
}

static void remove_rule(merging *g, uint32_t at) {
  memmove(&g->rules->items[at], &g->rules->items[at + 1],
          (g->rules->count - at - 1) * sizeof *g->rules->items);
  g->rules->count--;
}

/* If rules like number `at` are there for every general joint move, one without moves takes their
   place. */
static bool merge_whole(merging *g, uint32_t at) {
  ceasing_rule *r = &g->rules->items[at];
  if (!is_all_idle(g, r)) return false;
  bool *seen = arena_zero_array(g->scratch, bool, g->c->count + 1);
  uint32_t count = 0;
  for (uint32_t i = at; i < g->rules->count; i++) {
    const ceasing_rule *other = &g->rules->items[i];
    if (seen[other->joint] || !is_all_idle(g, other) || !has_same_core(r, other)) continue;
    seen[other->joint] = true;
    count++;
  }
  if (count != g->c->count) return false;
  for (uint32_t i = g->rules->count; i > at + 1; i--)
    if (has_same_core(r, &g->rules->items[i - 1]) && is_all_idle(g, &g->rules->items[i - 1]))
      remove_rule(g, i - 1);
  for (uint32_t i = 0; i < g->c->role_count; i++) forget_move(r, i);
  return true;
}

/* ---- the move of one role ---- */

static bool differs_in_role_only(const merging *g, const ceasing_rule *a, const ceasing_rule *b,
                                 uint32_t role) {
  if (!has_same_core(a, b)) return false;
  for (uint32_t i = 0; i < g->c->role_count; i++)
    if (i != role && (a->choices[i] != b->choices[i] || a->moves[i] != b->moves[i])) return false;
  return true;
}

/* Another rule that says the same for the role's action `choice`; 0: there is none. */
static uint32_t rule_for_choice(const merging *g, uint32_t at, uint32_t role, uint32_t choice) {
  for (uint32_t i = at; i < g->rules->count; i++) {
    const ceasing_rule *other = &g->rules->items[i];
    if (other->choices[role] == choice &&
        differs_in_role_only(g, &g->rules->items[at], other, role) && is_idle(other, role))
      return i + 1;
  }
  return 0;
}

static bool merge_role(merging *g, uint32_t at, uint32_t role) {
  ceasing_rule *r = &g->rules->items[at];
  if (r->moves[role] == TERM_NONE || !is_idle(r, role)) return false;
  const uint32_t actions = g->m->roles.items[role].action_count;
  bool *is_wanted = arena_zero_array(g->scratch, bool, actions + 1);
  uint32_t wanted = 0;
  for (uint32_t j = 0; j < g->c->count; j++) {
    if (!fits(g->c, j, r, UINT32_C(1) << role) || is_wanted[covering_moves(g->c, j)[role].choice])
      continue;
    is_wanted[covering_moves(g->c, j)[role].choice] = true;
    wanted++;
  }
  if (wanted < 2) return false;
  for (uint32_t k = 0; k < actions; k++)
    if (is_wanted[k] && !rule_for_choice(g, at, role, k)) return false;
  for (uint32_t k = 0; k < actions; k++) {
    const uint32_t other = is_wanted[k] ? rule_for_choice(g, at, role, k) : 0;
    if (other > at + 1) remove_rule(g, other - 1);
  }
  forget_move(&g->rules->items[at], role);
  return true;
}

/* Moves are the last in the numbering, so what is equal but for a move may be numbered apart:
   variables are numbered again without the moves that went. */
static void number_again(merging *g, ceasing_rule *r) {
  renumbering n = renumbering_new(g->m->terms, r->variable_count, g->scratch);
  r->fluent = renumber(&n, r->fluent);
  for (uint32_t i = 0; i < r->conditions.count; i++)
    r->conditions.items[i] = renumber_condition(&n, r->conditions.items[i]);
  for (uint32_t i = 0; i < g->c->role_count; i++)
    if (r->moves[i] != TERM_NONE) r->moves[i] = renumber(&n, r->moves[i]);
  r->variable_count = n.count;
  find_idle(g, r);
}

static void drop_repeated(merging *g) {
  for (uint32_t i = g->rules->count; i > g->first; i--)
    for (uint32_t k = g->first; k + 1 < i; k++)
      if (differs_in_role_only(g, &g->rules->items[i - 1], &g->rules->items[k], ID_NONE)) {
        remove_rule(g, i - 1);
        break;
      }
}

void ceasing_rules_merge(ceasing_vec *rules, uint32_t first, const covering *c,
                         const frame_domain *m) {
  merging g = {.rules = rules, .first = first, .c = c, .m = m, .scratch = arena_new()};
  drop_repeated(&g);
  for (uint32_t i = first; i < rules->count; i++) find_idle(&g, &rules->items[i]);
  for (uint32_t i = first; i < rules->count; i++) merge_whole(&g, i);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = first; i < rules->count; i++)
      for (uint32_t role = 0; role < c->role_count; role++) {
        if (!merge_role(&g, i, role)) continue;
        number_again(&g, &rules->items[i]);
        changed = true;
      }
  }
  drop_repeated(&g);
  arena_free(g.scratch);
}
