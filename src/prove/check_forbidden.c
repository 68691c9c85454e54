/* What a property forbids, as clauses over ground rules. */
#include "prove/check_section.h"

#include <stdlib.h>
#include <string.h>

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

/* Goals count as the machines count them: those that are numbers. */
static bool goal_value(checker *k, const ground_outcome *o, long *value) {
  char *end;
  const char *words = checker_term_text(k, o->term);
  *value = strtol(words, &end, 10);
  return *words && !*end;
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
      long value;
      if (g->goals.items[i].role != role || !goal_value(k, &g->goals.items[i], &value)) continue;
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
      long had, has;
      const ground_outcome *before = &g->goals.items[i], *after = &g->goals.items[n];
      if (before->role != after->role || is_nature(k, before->role) ||
          !goal_value(k, before, &had) || !goal_value(k, after, &has) || has >= had)
        continue;
      const clause_literal both[] = {ground_clauses_atom(c, before->atom, time),
                                     ground_clauses_atom(c, after->atom, time + 1)};
      vec_push(k->keep, &ways, clauses_all(c, both, 2));
    }
  return clauses_any(c, ways.items, ways.count);
}

/* Complains when there is no such role. */
static uint32_t find_role(checker *k, const char *name) {
  uint32_t role = 0;
  while (role < k->g->roles.count &&
         strcmp(checker_term_text(k, k->g->roles.items[role].term), name) != 0)
    role++;
  if (role == k->g->roles.count) checker_complain(k, "there is no such role", name);
  return role;
}

static clause_literal won(checker *k, ground_clauses *c, uint32_t role, uint32_t time) {
  const ground_program *g = k->g;
  VEC(clause_literal) ways = {0};
  for (uint32_t i = 0; i < g->goals.count; i++) {
    const ground_outcome *o = &g->goals.items[i];
    long value;
    if (o->role == role && goal_value(k, o, &value) && value == 100)
      vec_push(k->keep, &ways, ground_clauses_atom(c, o->atom, time));
  }
  const clause_literal any = clauses_any(c, ways.items, ways.count);
  const clause_literal terminal = ground_clauses_atom(c, g->terminal, time);
  return clauses_all(c, (const clause_literal[]){any, terminal}, 2);
}

/* A formula of fluents.  Nodes lie in the order of the text: gone over backwards, the parts of a
   formula come before the formula. */
static clause_literal formula_literal(checker *k, ground_clauses *c, node_id formula,
                                      uint32_t time) {
  const tree *t = k->t;
  const node_id end = node_after(t, formula);
  clause_literal *made = arena_zero_array(k->keep, clause_literal, end - formula);
  bool *is_inside = arena_zero_array(k->keep, bool, end - formula); /* of a fluent */
  for (node_id n = formula; n != end; n++) {
    const bool is_logical =
        node_is_list(t, n) && (checker_is_named(k, n, "and") || checker_is_named(k, n, "or") ||
                               checker_is_named(k, n, "not") || checker_is_named(k, n, "true"));
    for (node_id i = n + 1; !is_logical && !is_inside[n - formula] && i != node_after(t, n); i++)
      is_inside[i - formula] = true;
    if (is_logical) is_inside[node_first(n) - formula] = true;
  }
  for (node_id n = end; n-- > formula;) {
    if (is_inside[n - formula]) continue;
    const bool is_or = checker_is_named(k, n, "or"), is_not = checker_is_named(k, n, "not");
    uint32_t fluent = 0;
    VEC(clause_literal) parts = {0};
    if (!node_is_list(t, n) ||
        !(is_or || is_not || checker_is_named(k, n, "and") || checker_is_named(k, n, "true"))) {
      made[n - formula] =
          checker_find_fluent(k, n, &fluent) ? c->moments.items[time].fluents[fluent] : c->truth;
      continue;
    }
    for (node_id i = node_after(t, node_first(n)); i != node_after(t, n); i = node_after(t, i))
      vec_push(k->keep, &parts, made[i - formula]);
    const clause_literal joined =
        is_or ? clauses_any(c, parts.items, parts.count) : clauses_all(c, parts.items, parts.count);
    made[n - formula] = is_not ? -joined : joined;
  }
  return made[0];
}

clause_literal section_forbidden(checker *k, ground_clauses *c, const section *s, uint32_t time) {
  const node_id list = s->property;
  const node_id kind = node_after(k->t, node_first(list));
  const uint32_t count = node_element_count(k->t, list);
  const node_id argument = count > 2 ? node_after(k->t, kind) : kind;
  if (count == 2 && checker_is_named(k, kind, "playable")) return stuck(k, c, time);
  if (count == 2 && checker_is_named(k, kind, "goals")) return misjudged(k, c, time);
  if (count == 2 && checker_is_named(k, kind, "monotone")) return unjudged(k, c, time);
  if (count == 2 && checker_is_named(k, kind, "mutex")) return -c->truth;
  if (count == 3 && checker_is_named(k, kind, "winnable"))
    return won(k, c, find_role(k, checker_node_text(k, argument)), time);
  if (count == 3 && checker_is_named(k, kind, "unreachable"))
    return formula_literal(k, c, argument, time);
  if (count == 3 && checker_is_named(k, kind, "invariant"))
    return -formula_literal(k, c, argument, time);
  checker_complain(k, "no certificate can be given for", checker_node_text(k, list));
  return c->truth;
}
