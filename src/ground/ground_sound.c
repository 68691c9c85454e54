#include "ground/ground_sound.h"

static bool has_atom(const ground_program *g, atom_id a) { return a < g->atoms.count; }

static bool is_atom_or_none(const ground_program *g, atom_id a) {
  return a == ATOM_NONE || has_atom(g, a);
}

/* What a state or a joint move gives has no rules. */
static bool is_given_or_none(const ground_program *g, atom_id a) {
  return a == ATOM_NONE || (has_atom(g, a) && g->rules_of[a] == g->rules_of[a + 1]);
}

static bool body_is_sound(const ground_program *g, const ground_rule *r) {
  if ((uint64_t)r->body + r->body_count > g->literals.count) return false;
  for (uint32_t i = 0; i < r->body_count; i++)
    if (!has_atom(g, literal_atom(g->literals.items[r->body + i]))) return false;
  return true;
}

/* The rules are where rules_of says, and nowhere else. */
static bool rules_are_sound(const ground_program *g) {
  uint32_t next = 0;
  for (atom_id a = 0; a < g->atoms.count; a++) {
    if (g->rules_of[a] != next || g->rules_of[a + 1] > g->rules.count) return false;
    for (; next < g->rules_of[a + 1]; next++)
      if (g->rules.items[next].head != a || !body_is_sound(g, &g->rules.items[next])) return false;
  }
  return next == g->rules.count;
}

static bool fluents_are_sound(const ground_program *g) {
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    const ground_fluent *f = &g->fluents.items[i];
    if (!is_given_or_none(g, f->holds) || !is_atom_or_none(g, f->next)) return false;
  }
  return true;
}

static bool moves_are_sound(const ground_program *g) {
  for (uint32_t i = 0; i < g->moves.count; i++) {
    const ground_move *m = &g->moves.items[i];
    if (!is_given_or_none(g, m->does) || !is_atom_or_none(g, m->legal)) return false;
  }
  return true;
}

/* Each move is one of exactly one role.  Where a role without moves begins says nothing. */
static bool roles_are_sound(const ground_program *g) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < g->roles.count; i++) {
    const ground_role *r = &g->roles.items[i];
    if (r->move_count == 0) continue;
    if (r->first_move != next || r->move_count > g->moves.count - next) return false;
    next += r->move_count;
  }
  return next == g->moves.count;
}

static bool outcomes_are_sound(const ground_program *g, const ground_outcome *outcomes,
                               uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (outcomes[i].role >= g->roles.count || !has_atom(g, outcomes[i].atom)) return false;
  return true;
}

static bool marks_are_sound(const ground_program *g) {
  for (uint32_t i = 0; i < g->marks.count; i++)
    if (!has_atom(g, g->marks.items[i].atom)) return false;
  return true;
}

bool ground_is_sound(const ground_program *g) {
  return rules_are_sound(g) && fluents_are_sound(g) && moves_are_sound(g) && roles_are_sound(g) &&
         outcomes_are_sound(g, g->goals.items, g->goals.count) &&
         outcomes_are_sound(g, g->percepts.items, g->percepts.count) && marks_are_sound(g) &&
         is_atom_or_none(g, g->terminal);
}
