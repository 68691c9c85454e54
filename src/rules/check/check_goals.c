/* Goals: roles that can never win, values that a role alone lacks, and rules that overlap. */
#include "rules/check/clause_slots.h"
#include "rules/check/subsume.h"
#include "rules/goal_value.h"

/* More roles are not compared. */
enum { WIN = 100, ROLES_MAX = 64 };

/* The goal values that a role can have: 0 .. WIN. */
typedef struct role_goals {
  term_id role;
  bool can_have[WIN + 1];
  uint32_t count;
  bool is_open; /* it may have others */
} role_goals;

typedef struct goal_check {
  checker *c;
  VEC(role_goals) roles; /* but for nature */
  clause_slots slots;    /* of the clause at hand */
} goal_check;

/* ---- what each role can get ---- */

static void note_value(role_goals *of, int32_t value) {
  if (value < 0 || value > WIN || of->can_have[value]) return;
  of->can_have[value] = true;
  of->count++;
}

static void note_variable(goal_check *k, role_goals *of, uint32_t variable) {
  slot_values all;
  int32_t value;
  if (!clause_variable_values(&k->slots, variable, &all)) {
    of->is_open = true;
    return;
  }
  for (uint32_t i = 0; i < all.count; i++)
    if (all.items[i].arity == 0 && goal_value_of_name(k->c->p->symbols, all.items[i].name, &value))
      note_value(of, value);
}

static bool is_of_role(const goal_check *k, term_id who, term_id role) {
  const term *it = term_get(k->c->p->terms, role);
  return clause_term_can_be(&k->slots, who, (slot_value){it->name, it->arg_count});
}

/* A rule that never fires is reported elsewhere, and what follows from it is not. */
static void note_clause(goal_check *k, clause_id id) {
  const term_table *t = k->c->p->terms;
  const term_id head = clause_at(k->c, id)->head;
  int32_t value;
  clause_slots_read(&k->slots, clause_at(k->c, id));
  for (uint32_t i = 0; i < k->roles.count; i++) {
    role_goals *of = &k->roles.items[i];
    if (!is_of_role(k, term_arg(t, head, 0), of->role)) continue;
    if (term_is_variable(t, term_arg(t, head, 1)))
      note_variable(k, of, term_variable_number(t, term_arg(t, head, 1)));
    else if (goal_value(t, term_arg(t, head, 1), &value))
      note_value(of, value);
  }
}

static void find_goals(goal_check *k) {
  const id_vec roles = program_roles(k->c->p, k->c->scratch);
  for (uint32_t i = 0; i < roles.count && k->roles.count <= ROLES_MAX; i++) {
    const role_goals of = {.role = roles.items[i]};
    if (!role_is_nature(k->c->p->terms, roles.items[i])) vec_push(k->c->scratch, &k->roles, of);
  }
  for (uint32_t i = 0; i < k->c->p->relations.items[SYM_GOAL].clause_count; i++)
    note_clause(k, clause_of(k->c, SYM_GOAL, i));
}

/* ---- who cannot win, who cannot draw ---- */

/* Where a role is named; a role may be given by a rule. */
static span place_of_role(const goal_check *k, term_id role) {
  const checker *c = k->c;
  for (uint32_t i = 0; i < c->p->relations.items[SYM_ROLE].clause_count; i++) {
    const clause_id id = clause_of(c, SYM_ROLE, i);
    if (term_arg(c->p->terms, clause_at(c, id)->head, 0) == role)
      return where(c, node_of_head(c, id));
  }
  return SPAN_NONE;
}

static int32_t most(const role_goals *of) {
  int32_t value = WIN;
  while (value > 0 && !of->can_have[value]) value--;
  return value;
}

static void check_win(goal_check *k, const role_goals *of) {
  checker *c = k->c;
  if (of->is_open || of->count == 0 || of->can_have[WIN]) return;
  diag *g = diag_add(c->d, DIAG_W624, place_of_role(k, of->role),
                     "no rule gives %s the goal value 100; the most is %d",
                     shown_term(c, of->role, 0), most(of));
  diag_hint(c->d, g, "a role that has won should have 100");
}

static bool every_other_has(const goal_check *k, const role_goals *of, int32_t value) {
  for (uint32_t i = 0; i < k->roles.count; i++)
    if (&k->roles.items[i] != of && !k->roles.items[i].can_have[value]) return false;
  return true;
}

/* The values that some role has and this one does not: how many, and one of them. */
static uint32_t lacking(const goal_check *k, const role_goals *of, int32_t *one) {
  uint32_t count = 0;
  for (int32_t value = 0; value <= WIN; value++)
    for (uint32_t i = 0; i < k->roles.count && !of->can_have[value]; i++) {
      if (!k->roles.items[i].can_have[value]) continue;
      *one = value;
      count++;
      break;
    }
  return count;
}

/* If several roles lack something, they differ on purpose. */
static void check_lacking(goal_check *k) {
  checker *c = k->c;
  const role_goals *found = NULL;
  int32_t value = 0;
  for (uint32_t i = 0; i < k->roles.count; i++) {
    int32_t one = 0;
    const uint32_t count = lacking(k, &k->roles.items[i], &one);
    if (k->roles.items[i].is_open || count > 1 || (count && found)) return;
    if (count) found = &k->roles.items[i];
    if (count) value = one;
  }
  if (!found || value == WIN || found->count < 2 || !every_other_has(k, found, value)) return;
  diag *g = diag_add(c->d, DIAG_W626, place_of_role(k, found->role),
                     "every role but %s can have the goal value %d", shown_term(c, found->role, 0),
                     value);
  diag_hint(c->d, g, "is a rule for goal forgotten?");
}

/* ---- rules that overlap ---- */

static void check_pair(goal_check *k, clause_id wide, clause_id narrow) {
  checker *c = k->c;
  const term_table *t = c->p->terms;
  const clause *a = clause_at(c, wide), *b = clause_at(c, narrow);
  const term_id left = term_arg(t, a->head, 1), right = term_arg(t, b->head, 1);
  if (left == right || !term_is_ground(t, left) || !term_is_ground(t, right)) return;
  if (!clause_subsumes(c->p, a, term_arg(t, a->head, 0), b, term_arg(t, b->head, 0), c->scratch))
    return;
  diag *g = diag_add(c->d, DIAG_W625, where(c, node_of_head(c, narrow)),
                     "whenever this rule gives %s, another gives %s",
                     shown_term(c, b->head, b->rule), shown_term(c, a->head, a->rule));
  diag_relate(c->d, g, where(c, node_of_head(c, wide)), "it requires no more than this rule");
  diag_hint(c->d, g, "a role has one goal value: add to the other rule what this one excludes");
}

static void check_overlaps(goal_check *k) {
  const uint32_t count = k->c->p->relations.items[SYM_GOAL].clause_count;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t n = 0; n < count && check_may_go_on(k->c); n++) {
      const clause_id a = clause_of(k->c, SYM_GOAL, i), b = clause_of(k->c, SYM_GOAL, n);
      if (i != n && clause_can_fire(k->c->values, b)) check_pair(k, a, b);
    }
}

/* W606 reports values that are no goals. */
static void check_values_of_roles(goal_check *k) {
  find_goals(k);
  if (diag_count(k->c->d, DIAG_W606) || k->roles.count > ROLES_MAX) return;
  for (uint32_t i = 0; i < k->roles.count; i++) check_win(k, &k->roles.items[i]);
  if (k->roles.count > 1) check_lacking(k);
}

void check_goals(checker *c) {
  goal_check k = {.c = c, .slots = {.c = c}};
  check_values_of_roles(&k);
  check_overlaps(&k);
}
