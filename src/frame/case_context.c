#include "frame/case_context.h"

static term_table *terms_of(const case_context *s) { return s->x->p->terms; }

static void list_places(case_context *s) {
  s->places[0] = (frame_place){s->fluent, &s->x->m->fluents.items[s->x->name]};
  s->place_count = 1;
  for (uint32_t r = 0; r < s->x->c->role_count; r++)
    if (case_move(s->x, r)->name->count)
      s->places[s->place_count++] = (frame_place){s->actions[r], case_move(s->x, r)->name};
}

void context_begin(case_context *s, const frame_case *x, const analysis *a, arena *scratch) {
  const uint32_t roles = x->c->role_count;
  *s = (case_context){.x = x, .a = a, .scratch = scratch, .fluent = case_fluent(x)};
  s->roles = arena_new_array(scratch, term_id, roles + 1);
  s->actions = arena_new_array(scratch, term_id, roles + 1);
  s->places = arena_new_array(scratch, frame_place, roles + 1);
  for (uint32_t r = 0; r < roles; r++) {
    s->roles[r] = case_move(x, r)->role;
    s->actions[r] = case_move(x, r)->action;
  }
  list_places(s);
}

bool context_substitute(case_context *s, const term_id *bindings) {
  term_table *t = terms_of(s);
  bool fits = term_resolve(t, s->fluent, bindings, &s->fluent);
  for (uint32_t r = 0; r < s->x->c->role_count; r++)
    fits = fits && term_resolve(t, s->roles[r], bindings, &s->roles[r]) &&
           term_resolve(t, s->actions[r], bindings, &s->actions[r]);
  if (fits) list_places(s);
  return fits;
}

term_id context_fluent_atom(const case_context *s) {
  return term_atom(terms_of(s), SYM_TRUE, &s->fluent, 1);
}

term_id context_move_atom(const case_context *s, uint32_t role) {
  const term_id args[2] = {s->roles[role], s->actions[role]};
  return term_atom(terms_of(s), SYM_DOES, args, 2);
}

/* ---- deciding ---- */

static bool can_be_equal(const case_context *s, term_id a, term_id b) {
  term_table *t = terms_of(s);
  const arena_mark mark = arena_save(s->scratch);
  uint32_t bound = frame_variable_bound(t, a, 1);
  bound = frame_variable_bound(t, b, bound);
  uint32_t steps = TERM_STEPS_MAX;
  const bool can = term_unify_within(t, a, b, frame_bindings(s->scratch, bound), &steps);
  arena_restore(s->scratch, mark);
  return can || steps == 0;
}

static verdict decide_distinct(const case_context *s, term_id pair) {
  const term_id a = term_arg(terms_of(s), pair, 0);
  const term_id b = term_arg(terms_of(s), pair, 1);
  if (a == b) return VERDICT_FALSE;
  return can_be_equal(s, a, b) ? VERDICT_OPEN : VERDICT_TRUE;
}

static verdict decide_move(const case_context *s, term_id atom) {
  bool can_be_done = false;
  for (uint32_t r = 0; r < s->x->c->role_count; r++) {
    const term_id move = context_move_atom(s, r);
    if (move == atom) return VERDICT_TRUE;
    can_be_done |= can_be_equal(s, move, atom);
  }
  return can_be_done ? VERDICT_OPEN : VERDICT_FALSE;
}

/* Does the static atom hold for all values that its variables have in the place? */
static bool holds_throughout(const case_context *s, frame_place at, term_id atom,
                             const id_vec *variables) {
  table values;
  if (!frame_values(s->x->m, at, NULL, 0, variables->items, variables->count, &values, s->scratch))
    return false;
  const uint32_t bound = frame_variable_bound(terms_of(s), atom, 1);
  term_id *bindings = frame_bindings(s->scratch, bound);
  for (uint32_t row = 0; row < values.count; row++) {
    for (uint32_t v = 0; v < variables->count; v++)
      bindings[variables->items[v]] = table_row(&values, row)[v];
    term_id instance;
    if (!term_substitute(terms_of(s), atom, bindings, &instance) ||
        !frame_always_holds(s->x->m, instance))
      return false;
  }
  return true;
}

static verdict decide_static(const case_context *s, term_id atom) {
  const arena_mark mark = arena_save(s->scratch);
  id_vec variables = {0};
  frame_add_variables(terms_of(s), atom, &variables, s->scratch);
  bool holds = variables.count == 0 && frame_always_holds(s->x->m, atom);
  for (uint32_t i = 0; i < s->place_count && !holds && variables.count; i++)
    holds = holds_throughout(s, s->places[i], atom, &variables);
  arena_restore(s->scratch, mark);
  return holds ? VERDICT_TRUE : VERDICT_OPEN;
}

static verdict decide_atom(const case_context *s, term_id atom) {
  const relation_id r = atom_relation(s->x->p, atom);
  if (r == SYM_TRUE) return atom == context_fluent_atom(s) ? VERDICT_TRUE : VERDICT_OPEN;
  if (r == SYM_DOES) return decide_move(s, atom);
  if (r == RELATION_NONE || s->a->is_open[r]) return VERDICT_OPEN;
  return decide_static(s, atom);
}

static verdict opposite(verdict v) {
  return v == VERDICT_OPEN ? v : v == VERDICT_TRUE ? VERDICT_FALSE : VERDICT_TRUE;
}

verdict context_decide(const case_context *s, const condition *c) {
  const verdict v =
      c->kind >= CONDITION_DIFFER ? decide_distinct(s, c->atom) : decide_atom(s, c->atom);
  return c->kind & 1 ? opposite(v) : v;
}

/* ---- narrowing ---- */

/* The variables of the `distinct` atoms that the place decides. */
static id_vec variables_to_narrow(const case_context *s, frame_place at, const term_id *distincts,
                                  uint32_t count) {
  id_vec own = {0};
  id_vec asked = {0};
  frame_add_variables(terms_of(s), at.term, &own, s->scratch);
  for (uint32_t i = 0; i < count; i++)
    if (frame_has_variables(terms_of(s), distincts[i], &own))
      frame_add_variables(terms_of(s), distincts[i], &asked, s->scratch);
  return asked;
}

static bool column_has_one_value(const table *values, uint32_t column) {
  for (uint32_t row = 1; row < values->count; row++)
    if (table_row(values, row)[column] != table_row(values, 0)[column]) return false;
  return true;
}

/* False: no instance meets the conditions. */
static bool narrow_place(const case_context *s, frame_place at, const term_id *distincts,
                         uint32_t count, term_id *bindings, bool *has_bound) {
  const id_vec variables = variables_to_narrow(s, at, distincts, count);
  table values;
  if (variables.count == 0 || !frame_values(s->x->m, at, distincts, count, variables.items,
                                            variables.count, &values, s->scratch))
    return true;
  if (values.count == 0) return false;
  for (uint32_t v = 0; v < variables.count; v++) {
    if (!column_has_one_value(&values, v)) continue;
    bindings[variables.items[v]] = table_row(&values, 0)[v];
    *has_bound = true;
  }
  return true;
}

bool context_narrow(const case_context *s, const condition_vec *conditions, term_id *bindings,
                    bool *has_bound) {
  const arena_mark mark = arena_save(s->scratch);
  term_id *distincts = arena_new_array(s->scratch, term_id, conditions->count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < conditions->count; i++)
    if (conditions->items[i].kind == CONDITION_DIFFER)
      distincts[count++] = conditions->items[i].atom;
  bool can_hold = true;
  for (uint32_t i = 0; i < s->place_count && can_hold; i++)
    can_hold = narrow_place(s, s->places[i], distincts, count, bindings, has_bound);
  arena_restore(s->scratch, mark);
  return can_hold;
}
