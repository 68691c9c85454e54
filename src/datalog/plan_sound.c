#include "datalog/plan_sound.h"

#include "base/bitset.h"

/* The plan as far as it has been followed. */
typedef struct follower {
  const flat_program *f;
  const table *tables;
  const flat_clause *clause;
  bitset bound; /* variables */
  bool is_sound;
} follower;

/* ---- values ---- */

static bool is_bound(const follower *w, uint32_t variable) {
  return variable < w->clause->variable_count && bitset_has(w->bound, variable);
}

static void require_bound(void *context, uint32_t variable) {
  follower *w = context;
  w->is_sound &= is_bound(w, variable);
}

/* Values are read when their variables are bound. */
static void read_value(follower *w, value v) {
  if (v.kind == VALUE_TERM)
    w->is_sound &= term_get(w->f->terms, v.id)->is_ground;
  else if (v.kind == VALUE_VARIABLE)
    require_bound(w, v.id);
  else
    term_each_variable(w->f->terms, v.id, require_bound, w);
}

static void read_values(follower *w, const value *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) read_value(w, values[i]);
}

/* A variable is bound once. */
static void bind(follower *w, uint32_t variable) {
  if (variable >= w->clause->variable_count || is_bound(w, variable))
    w->is_sound = false;
  else
    bitset_add(w->bound, variable);
}

/* ---- checks and steps ---- */

static void follow_checks(follower *w, const check *checks, uint32_t count) {
  for (uint32_t i = 0; i < count && w->is_sound; i++) {
    const check *c = &checks[i];
    const bool is_distinct = c->kind == LITERAL_DISTINCT;
    w->is_sound &= c->literal < w->clause->body_count && c->kind != LITERAL_POSITIVE &&
                   (is_distinct || c->relation < w->f->relations.count);
    if (!w->is_sound) return;
    read_values(w, c->values, is_distinct ? 2 : w->f->relations.items[c->relation].arity);
  }
}

/* After a match all variables of its pattern are bound. */
static void follow_action(follower *w, const cell_action *a) {
  if (a->kind == CELL_BIND) {
    w->is_sound &= a->with.kind == VALUE_VARIABLE;
    bind(w, a->with.id);
    return;
  }
  for (uint32_t i = 0; a->kind == CELL_MATCH && i < a->fresh_count; i++) bind(w, a->fresh[i]);
  read_value(w, a->with);
}

/* The key that this kind of step has. */
static bool key_is_sound(const follower *w, const step *s, uint32_t arity) {
  const table *t = &w->tables[s->relation];
  switch (s->kind) {
    case STEP_GIVEN:
    case STEP_SCAN: return s->key_count == 0;
    case STEP_LOOKUP:
      return s->index < t->indexes.count && t->indexes.items[s->index].column_count == s->key_count;
    case STEP_FIND: return s->key_count == arity;
  }
  return false;
}

/* Every column is in the key or has an action. */
static bool columns_are_sound(const step *s, uint32_t arity) {
  if (s->key_count + s->action_count != arity) return false;
  for (uint32_t i = 0; i < s->action_count; i++)
    if (s->actions[i].column >= arity || (i && s->actions[i].column <= s->actions[i - 1].column))
      return false;
  return true;
}

static void follow_step(follower *w, const step *s) {
  w->is_sound &= (s->literal == PLAN_HEAD || s->literal < w->clause->body_count) &&
                 s->relation < w->f->relations.count;
  if (!w->is_sound) return;
  const uint32_t arity = w->f->relations.items[s->relation].arity;
  w->is_sound &= key_is_sound(w, s, arity) && columns_are_sound(s, arity);
  if (!w->is_sound) return;
  read_values(w, s->key, s->key_count);
  for (uint32_t i = 0; i < s->action_count; i++) follow_action(w, &s->actions[i]);
  follow_checks(w, s->checks, s->check_count);
}

bool plan_is_sound(const plan *p, const flat_program *f, const table *tables) {
  if (p->clause >= f->clauses.count || p->last_head_step > p->step_count) return false;
  arena *scratch = arena_new();
  follower w = {.f = f, .tables = tables, .clause = &f->clauses.items[p->clause], .is_sound = true};
  w.bound = bitset_new(scratch, w.clause->variable_count);
  follow_checks(&w, p->checks, p->check_count);
  for (uint32_t i = 0; i < p->step_count && w.is_sound; i++) follow_step(&w, &p->steps[i]);
  if (w.is_sound) read_values(&w, p->head, f->relations.items[w.clause->head].arity);
  arena_free(scratch);
  return w.is_sound;
}
