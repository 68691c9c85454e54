#include "frame/ceasing.h"

#include <string.h>

/* Options are bits of a word; alternatives beyond the limit are not multiplied out. */
enum { OPTIONS_MAX = 64, ALTERNATIVES_MAX = 48 };

typedef struct ceasing_search {
  const frame_case *x;
  const analysis *a;
  auxiliaries *helpers;
  arena *keep;
  arena *scratch;
  case_context context;
  condition options[OPTIONS_MAX];
  uint32_t option_count;
  uint64_t alternatives[ALTERNATIVES_MAX * OPTIONS_MAX];
  uint32_t alternative_count;
  bool is_too_large;
} ceasing_search;

/* ---- one way, and its opposite ---- */

/* Leaves only conditions that are open.  False: the way is never open. */
static bool simplify_way(ceasing_search *s, frame_way *w) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->conditions.count; i++) {
    const condition c = w->conditions.items[i];
    const verdict v = context_decide(&s->context, &c);
    if (v == VERDICT_FALSE) return false;
    if (v == VERDICT_OPEN) w->conditions.items[kept++] = c;
  }
  w->conditions.count = kept;
  return true;
}

/* The option's bit; 0: there is no room. */
static uint64_t option_bit(ceasing_search *s, condition c) {
  for (uint32_t i = 0; i < s->option_count; i++)
    if (s->options[i].kind == c.kind && s->options[i].atom == c.atom) return UINT64_C(1) << i;
  if (s->option_count == OPTIONS_MAX) return 0;
  s->options[s->option_count++] = c;
  return UINT64_C(1) << (s->option_count - 1);
}

static uint64_t add_option(ceasing_search *s, condition_kind kind, term_id atom) {
  const uint64_t bit = option_bit(s, (condition){kind, atom});
  if (!bit) s->is_too_large = true;
  return bit;
}

static id_vec own_variables(ceasing_search *s, const frame_way *w, const condition *c) {
  id_vec all = {0};
  id_vec own = {0};
  frame_add_variables(s->x->p->terms, c->atom, &all, s->scratch);
  for (uint32_t i = 0; i < all.count; i++)
    if (all.items[i] >= w->own) vec_push(s->scratch, &own, all.items[i]);
  return own;
}

static bool shares_variable(const id_vec *a, const id_vec *b) {
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < b->count; k++)
      if (a->items[i] == b->items[k]) return true;
  return false;
}

/* Takes the conditions that hang together with the first one through own variables out of
   `left`. */
static condition_vec take_block(ceasing_search *s, const frame_way *w, condition_vec *left) {
  condition_vec block = {0};
  id_vec variables = own_variables(s, w, &left->items[0]);
  vec_push(s->scratch, &block, left->items[0]);
  left->items[0] = vec_pop(left);
  for (bool grows = true; grows;) {
    grows = false;
    for (uint32_t i = 0; i < left->count; i++) {
      const id_vec own = own_variables(s, w, &left->items[i]);
      if (!shares_variable(&own, &variables)) continue;
      vec_append(s->scratch, &variables, own.items, own.count);
      vec_push(s->scratch, &block, left->items[i]);
      left->items[i] = vec_pop(left);
      grows = true;
      break;
    }
  }
  return block;
}

static uint64_t option_of_helper(ceasing_search *s, const condition_vec *conditions, uint32_t own) {
  term_id atom;
  if (auxiliary_for(s->helpers, &s->context, conditions, own, &atom))
    return add_option(s, CONDITION_FAILS, atom);
  s->is_too_large = true;
  return 0;
}

/* The options of which one must hold for the way to be closed. */
static uint64_t options_of_way(ceasing_search *s, const frame_way *w) {
  condition_vec left = {0};
  vec_append(s->scratch, &left, w->conditions.items, w->conditions.count);
  uint64_t options = 0;
  while (left.count && !s->is_too_large) {
    const condition first = left.items[0];
    if (own_variables(s, w, &first).count == 0) {
      left.items[0] = vec_pop(&left);
      options |= add_option(s, (condition_kind)(first.kind ^ 1), first.atom);
      continue;
    }
    const condition_vec block = take_block(s, w, &left);
    options |= option_of_helper(s, &block, w->own);
  }
  return options;
}

/* ---- multiplying out ---- */

static bool is_absorbed(const uint64_t *all, uint32_t count, uint64_t it) {
  for (uint32_t i = 0; i < count; i++)
    if ((all[i] & it) == all[i]) return true;
  return false;
}

/* Do two of the options exclude each other? */
static bool is_contradictory(const ceasing_search *s, uint64_t it) {
  for (uint32_t i = 0; i < s->option_count; i++) {
    if (!(it >> i & 1)) continue;
    for (uint32_t k = i + 1; k < s->option_count; k++)
      if ((it >> k & 1) && s->options[i].atom == s->options[k].atom &&
          (s->options[i].kind ^ 1) == s->options[k].kind)
        return true;
  }
  return false;
}

/* Adds `it` to the alternatives `all`, without those that it makes superfluous. */
static void add_alternative(const ceasing_search *s, uint64_t *all, uint32_t *count, uint64_t it) {
  if (is_contradictory(s, it) || is_absorbed(all, *count, it)) return;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *count; i++)
    if ((all[i] & it) != it) all[kept++] = all[i];
  all[kept++] = it;
  *count = kept;
}

/* Every alternative with every option.  False: there would be too many; nothing has changed. */
static bool multiply(ceasing_search *s, uint64_t options) {
  uint64_t product[ALTERNATIVES_MAX * OPTIONS_MAX];
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->alternative_count; i++)
    if (s->alternatives[i] & options) add_alternative(s, product, &count, s->alternatives[i]);
  for (uint32_t i = 0; i < s->alternative_count; i++) {
    if (s->alternatives[i] & options) continue;
    for (uint32_t bit = 0; bit < s->option_count; bit++)
      if (options >> bit & 1)
        add_alternative(s, product, &count, s->alternatives[i] | UINT64_C(1) << bit);
    if (count > ALTERNATIVES_MAX) return false;
  }
  memcpy(s->alternatives, product, count * sizeof *product);
  s->alternative_count = count;
  return true;
}

/* Closes one way in every alternative. */
static void close_way(ceasing_search *s, frame_way *w) {
  if (!simplify_way(s, w)) return;
  const uint64_t options = options_of_way(s, w);
  if (s->is_too_large || multiply(s, options)) return;
  multiply(s, option_of_helper(s, &w->conditions, w->own));
}

/* ---- one alternative ---- */

typedef struct alternative {
  case_context context;
  condition_vec conditions;
} alternative;

/* Applies the bindings.  False: the alternative can never hold. */
static bool substitute(ceasing_search *s, alternative *it, const term_id *bindings) {
  term_table *t = s->x->p->terms;
  if (!context_substitute(&it->context, bindings)) s->is_too_large = true;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < it->conditions.count && !s->is_too_large; i++) {
    condition c = it->conditions.items[i];
    if (!term_resolve(t, c.atom, bindings, &c.atom)) {
      s->is_too_large = true;
      break;
    }
    c = condition_of(t, c.kind, c.atom);
    const verdict v = context_decide(&it->context, &c);
    if (v == VERDICT_FALSE) return false;
    if (v == VERDICT_OPEN) it->conditions.items[kept++] = c;
  }
  it->conditions.count = kept;
  return !s->is_too_large;
}

/* The action of the context that a role makes, if the condition says what it does; a role makes one
   move, so the two are equal. */
static term_id action_of_role(const ceasing_search *s, const alternative *it, const condition *c) {
  const term_table *t = s->x->p->terms;
  if (c->kind != CONDITION_HOLDS || atom_relation(s->x->p, c->atom) != SYM_DOES) return TERM_NONE;
  const term_id role = term_arg(t, c->atom, 0);
  for (uint32_t r = 0; r < s->x->c->role_count; r++)
    if (it->context.roles[r] == role) return it->context.actions[r];
  return TERM_NONE;
}

/* Unifies what must be equal.  False: it cannot be. */
static bool solve_equalities(ceasing_search *s, alternative *it, term_id *bindings) {
  term_table *t = s->x->p->terms;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < it->conditions.count; i++) {
    const condition c = it->conditions.items[i];
    const term_id action = action_of_role(s, it, &c);
    if (action == TERM_NONE && c.kind != CONDITION_EQUAL) {
      it->conditions.items[kept++] = c;
      continue;
    }
    const term_id left = action == TERM_NONE ? term_arg(t, c.atom, 0) : action;
    if (!term_unify(t, left, term_arg(t, c.atom, 1), bindings)) return false;
  }
  it->conditions.count = kept;
  return true;
}

/* Binds what can have one value only, until nothing more can be bound. */
static bool narrow(ceasing_search *s, alternative *it) {
  for (;;) {
    term_id *bindings = frame_bindings(s->scratch, s->x->c->variable_bound);
    bool has_bound = false;
    if (!context_narrow(&it->context, &it->conditions, bindings, &has_bound)) return false;
    if (!has_bound) return true;
    if (!substitute(s, it, bindings)) return false;
  }
}

static bool has_condition(const condition_vec *v, condition c) {
  for (uint32_t i = 0; i < v->count; i++)
    if (v->items[i].kind == c.kind && v->items[i].atom == c.atom) return true;
  return false;
}

static void add_ceasing_rule(ceasing_search *s, const alternative *it, ceasing_vec *rules) {
  const uint32_t roles = s->x->c->role_count;
  renumbering n = renumbering_new(s->x->p->terms, s->x->c->variable_bound, s->scratch);
  ceasing_rule r = {.name = s->x->name,
                    .joint = s->x->joint,
                    .fluent = renumber(&n, it->context.fluent),
                    .moves = arena_new_array(s->keep, term_id, roles + 1),
                    .choices = arena_new_array(s->keep, uint32_t, roles + 1)};
  for (uint32_t i = 0; i < it->conditions.count; i++) {
    const condition c = renumber_condition(&n, it->conditions.items[i]);
    if (!has_condition(&r.conditions, c)) vec_push(s->keep, &r.conditions, c);
  }
  for (uint32_t i = 0; i < roles; i++) {
    r.moves[i] = renumber(&n, context_move_atom(&it->context, i));
    r.choices[i] = case_move(s->x, i)->choice;
  }
  r.variable_count = n.count;
  vec_push(s->keep, rules, r);
}

static void finish_alternative(ceasing_search *s, uint64_t options, ceasing_vec *rules) {
  alternative it = {0};
  context_begin(&it.context, s->x, s->a, s->scratch);
  for (uint32_t i = 0; i < s->option_count; i++)
    if (options >> i & 1) vec_push(s->scratch, &it.conditions, s->options[i]);
  term_id *bindings = frame_bindings(s->scratch, s->x->c->variable_bound);
  if (solve_equalities(s, &it, bindings) && substitute(s, &it, bindings) && narrow(s, &it))
    add_ceasing_rule(s, &it, rules);
}

bool ceasing_rules_of(ceasing_vec *rules, auxiliaries *helpers, const frame_case *x,
                      const analysis *a, arena *keep) {
  arena *scratch = arena_new();
  ceasing_search *s = arena_alloc_zero(scratch, sizeof *s);
  *s = (ceasing_search){
      .x = x, .a = a, .helpers = helpers, .keep = keep, .scratch = scratch, .alternative_count = 1};
  context_begin(&s->context, x, a, scratch);
  way_vec ways = {0};
  if (!frame_ways_find(&ways, x, scratch)) s->is_too_large = true;
  for (uint32_t i = 0; i < ways.count && !s->is_too_large; i++) close_way(s, &ways.items[i]);
  for (uint32_t i = 0; i < s->alternative_count && !s->is_too_large; i++)
    finish_alternative(s, s->alternatives[i], rules);
  const bool ok = !s->is_too_large;
  arena_free(scratch);
  return ok;
}
