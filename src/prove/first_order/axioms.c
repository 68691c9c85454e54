#include "prove/first_order/axioms.h"

#include <string.h>

axiom *axiom_begin(axiom_set *s, uint32_t variables) {
  const axiom fresh = {
      .variables = variables, .body = s->statements.count, .choices = s->choices.count};
  vec_push(s->keep, &s->all, fresh);
  return &vec_last(&s->all);
}

void axiom_if(axiom_set *s, statement part) {
  assert(!vec_last(&s->all).choice_count);
  vec_push(s->keep, &s->statements, part);
  vec_last(&s->all).body_count++;
}

void axiom_choose(axiom_set *s) {
  const choice fresh = {.first = s->statements.count};
  vec_push(s->keep, &s->choices, fresh);
  vec_last(&s->all).choice_count++;
}

void axiom_then(axiom_set *s, statement part) {
  assert(vec_last(&s->all).choice_count);
  vec_push(s->keep, &s->statements, part);
  vec_last(&s->choices).count++;
}

/* ---- patterns ---- */

pattern_bindings pattern_begin(uint32_t variables, arena *keep) {
  pattern_bindings b = {.keep = keep, .values = arena_new_array(keep, term_id, variables + 1)};
  memset(b.values, 0xff, sizeof *b.values * (variables + 1));
  return b;
}

bool pattern_fits(const term_table *t, term_id pattern, term_id value, pattern_bindings *b) {
  const term *it = term_get(t, pattern);
  if (it->is_ground) return pattern == value;
  if (it->is_variable) {
    term_id *bound = &b->values[it->name];
    if (*bound != TERM_NONE) return *bound == value;
    *bound = value;
    vec_push(b->keep, &b->trail, it->name);
    return true;
  }
  const term *other = term_get(t, value);
  return !other->is_variable && term_same_name(it, other) &&
         pattern_arguments_fit(t, pattern, value, b);
}

bool pattern_arguments_fit(const term_table *t, term_id pattern, term_id value,
                           pattern_bindings *b) {
  for (uint32_t i = 0; i < term_get(t, pattern)->arg_count; i++)
    if (!pattern_fits(t, term_arg(t, pattern, i), term_arg(t, value, i), b)) return false;
  return true;
}

void pattern_undo(pattern_bindings *b, uint32_t mark) {
  while (b->trail.count > mark) b->values[vec_pop(&b->trail)] = TERM_NONE;
}

bool pattern_is_bound(const term_table *t, term_id pattern, const pattern_bindings *b) {
  const term *it = term_get(t, pattern);
  if (it->is_ground) return true;
  if (it->is_variable) return b->values[it->name] != TERM_NONE;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (!pattern_is_bound(t, term_arg(t, pattern, i), b)) return false;
  return true;
}
