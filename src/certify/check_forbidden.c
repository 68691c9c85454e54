/* What a property forbids, as clauses over ground rules. */
#include "certify/evidence.h"
#include "certify/goal_number.h"

static clause_literal stuck(checker *k, ground_clauses *c, uint32_t time) {
  const ground_program *g = k->g;
  VEC(clause_literal) stuck_roles = {0};
  for (uint32_t role = 0; role < g->roles.count; role++) {
    VEC(clause_literal) legal = {0};
    const ground_role *r = &g->roles.items[role];
    for (uint32_t i = r->first_move; i < r->first_move + r->move_count; i++)
      vec_push(k->keep, &legal, ground_clauses_atom(c, g->moves.items[i].legal, time));
    vec_push(k->keep, &stuck_roles, -clauses_any(c, legal.items, legal.count));
  }
  const clause_literal any = clauses_any(c, stuck_roles.items, stuck_roles.count);
  const clause_literal goes_on = -ground_clauses_atom(c, g->terminal, time);
  return clauses_all(c, (const clause_literal[]){any, goes_on}, 2);
}

static bool is_nature(checker *k, uint32_t role) {
  return role_is_nature(k->g->terms, k->g->roles.items[role].term);
}

/* A role has no goal, several, or one out of range. */
static clause_literal unjudged(checker *k, ground_clauses *c, uint32_t time) {
  const ground_program *g = k->g;
  VEC(clause_literal) wrongs = {0};
  for (uint32_t role = 0; role < g->roles.count; role++) {
    clause_literal some = -c->truth;
    if (is_nature(k, role)) continue;
    for (uint32_t i = 0; i < g->goals.count; i++) {
      int32_t value;
      if (g->goals.items[i].role != role || !goal_number(g->terms, g->goals.items[i].term, &value))
        continue;
      const clause_literal holds = ground_clauses_atom(c, g->goals.items[i].atom, time);
      const bool in_range = value >= 0 && value <= 100;
      vec_push(k->keep, &wrongs,
               in_range ? clauses_all(c, (const clause_literal[]){some, holds}, 2) : holds);
      some = clauses_any(c, (const clause_literal[]){some, holds}, 2);
    }
    vec_push(k->keep, &wrongs, -some);
  }
  return clauses_any(c, wrongs.items, wrongs.count);
}

static clause_literal misjudged(checker *k, ground_clauses *c, uint32_t time) {
  const clause_literal any = unjudged(k, c, time);
  const clause_literal terminal = ground_clauses_atom(c, k->g->terminal, time);
  return clauses_all(c, (const clause_literal[]){any, terminal}, 2);
}

clause_literal goals_fall(checker *k, ground_clauses *c, uint32_t time) {
  const ground_program *g = k->g;
  VEC(clause_literal) ways = {0};
  for (uint32_t i = 0; i < g->goals.count; i++)
    for (uint32_t n = 0; n < g->goals.count; n++) {
      int32_t had, has;
      const ground_outcome *before = &g->goals.items[i], *after = &g->goals.items[n];
      if (before->role != after->role || is_nature(k, before->role) ||
          !goal_number(g->terms, before->term, &had) || !goal_number(g->terms, after->term, &has) ||
          has >= had)
        continue;
      const clause_literal both[] = {ground_clauses_atom(c, before->atom, time),
                                     ground_clauses_atom(c, after->atom, time + 1)};
      vec_push(k->keep, &ways, clauses_all(c, both, 2));
    }
  return clauses_any(c, ways.items, ways.count);
}

static clause_literal won(checker *k, ground_clauses *c, uint32_t role, uint32_t time) {
  const ground_program *g = k->g;
  VEC(clause_literal) ways = {0};
  for (uint32_t i = 0; i < g->goals.count; i++) {
    const ground_outcome *o = &g->goals.items[i];
    int32_t value;
    if (o->role == role && goal_number(g->terms, o->term, &value) && value == 100)
      vec_push(k->keep, &ways, ground_clauses_atom(c, o->atom, time));
  }
  const clause_literal any = clauses_any(c, ways.items, ways.count);
  const clause_literal terminal = ground_clauses_atom(c, g->terminal, time);
  return clauses_all(c, (const clause_literal[]){any, terminal}, 2);
}

clause_literal forbidden_states(checker *k, ground_clauses *c, const evidence *e, uint32_t time) {
  const clause_literal *fluents = c->moments.items[time].fluents;
  switch (e->kind) {
    case CERTIFIED_PLAYABLE: return stuck(k, c, time);
    case CERTIFIED_GOALS: return misjudged(k, c, time);
    case CERTIFIED_MONOTONE: return unjudged(k, c, time);
    case CERTIFIED_WINNABLE: return won(k, c, e->role, time);
    case CERTIFIED_UNREACHABLE: return state_formula_literal(&e->formula, c, fluents, k->keep);
    case CERTIFIED_INVARIANT: return -state_formula_literal(&e->formula, c, fluents, k->keep);
    default: return -c->truth; /* of terminates and mutex no state is forbidden */
  }
}
