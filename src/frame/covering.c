#include "frame/covering.h"

static const char *const names[] = {"generic", "direct", "pruned"};

const char *frame_cover_name(frame_cover c) { return names[c]; }

static const frame_name anything = {0};

typedef struct covering_search {
  covering *c;
  const frame_domain *m;
  covering_possible *possible;
  void *context;
  arena *keep;
  uint32_t *chosen; /* by role */
  uint32_t tried;   /* choices for all roles, possible or not */
} covering_search;

static void make_generic(covering *c, const frame_domain *m, arena *keep) {
  for (uint32_t r = 0; r < c->role_count; r++) {
    const general_move move = {.role = term_variable(m->terms, c->first_variable + 2 * r),
                               .action = term_variable(m->terms, c->first_variable + 2 * r + 1),
                               .name = &anything};
    vec_push(keep, &c->moves, move);
  }
  c->count = 1;
  c->variable_bound = c->first_variable + 2 * c->role_count;
}

/* ---- direct and pruned ---- */

static uint32_t choices_of(const covering_search *s, uint32_t role) {
  return s->c->is_widened[role] ? 1 : s->m->roles.items[role].action_count;
}

static general_move move_of(covering_search *s, uint32_t role, uint32_t *variable) {
  term_table *t = s->m->terms;
  const frame_role *r = &s->m->roles.items[role];
  if (s->c->is_widened[role])
    return (general_move){
        .role = r->term, .action = term_variable(t, (*variable)++), .name = &anything};
  const frame_name *n = &s->m->actions.items[r->first_action + s->chosen[role]];
  arena *scratch = arena_new();
  term_id *apart = arena_new_array(scratch, term_id, n->variable_count + 1);
  for (uint32_t i = 0; i < n->variable_count; i++) apart[i] = term_variable(t, (*variable)++);
  const term_id action = term_relabel(t, n->pattern, apart);
  arena_free(scratch);
  return (general_move){.role = r->term, .action = action, .name = n, .choice = s->chosen[role]};
}

static void add_joint_move(covering_search *s) {
  uint32_t variable = s->c->first_variable;
  for (uint32_t r = 0; r < s->c->role_count; r++)
    vec_push(s->keep, &s->c->moves, move_of(s, r, &variable));
  if (variable > s->c->variable_bound) s->c->variable_bound = variable;
  s->c->count++;
}

/* Does the choice of the last role go with those before it? */
static bool goes_together(const covering_search *s, uint32_t last) {
  if (!s->possible || s->c->is_widened[last]) return true;
  for (uint32_t r = 0; r < last; r++)
    if (!s->c->is_widened[r] && !s->possible(s->context, r, s->chosen[r], last, s->chosen[last]))
      return false;
  return true;
}

/* Counts or adds every choice for role `r` and those after it.  The roles are few. */
static uint64_t choose(covering_search *s, uint32_t r, bool adds, uint64_t limit) {
  if (r == s->c->role_count) {
    if (adds) add_joint_move(s);
    return 1;
  }
  uint64_t found = 0;
  for (uint32_t i = 0; i < choices_of(s, r) && found <= limit; i++) {
    s->chosen[r] = i;
    if (goes_together(s, r)) found += choose(s, r + 1, adds, limit - found);
  }
  return found;
}

static uint32_t widest_role(const covering_search *s) {
  uint32_t widest = 0;
  for (uint32_t r = 1; r < s->c->role_count; r++)
    if (choices_of(s, r) > choices_of(s, widest)) widest = r;
  return widest;
}

static uint64_t product_of_choices(const covering_search *s) {
  uint64_t product = 1;
  for (uint32_t r = 0; r < s->c->role_count && product < UINT32_MAX; r++)
    product *= choices_of(s, r);
  return product;
}

void covering_make(covering *c, frame_cover kind, const frame_domain *m, uint32_t first_variable,
                   covering_possible *possible, void *context, arena *keep) {
  *c = (covering){.kind = kind,
                  .role_count = m->roles.count,
                  .first_variable = first_variable,
                  .variable_bound = first_variable};
  c->is_widened = arena_zero_array(keep, bool, c->role_count + 1);
  if (kind == COVER_GENERIC) {
    make_generic(c, m, keep);
    return;
  }
  covering_search s = {.c = c, .m = m, .possible = possible, .context = context, .keep = keep};
  s.chosen = arena_zero_array(keep, uint32_t, c->role_count + 1);
  while (choose(&s, 0, false, COVERING_MAX) > COVERING_MAX) c->is_widened[widest_role(&s)] = true;
  choose(&s, 0, true, COVERING_MAX);
  c->pruned = (uint32_t)(product_of_choices(&s) - c->count);
}
