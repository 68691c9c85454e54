#include "frame/persistence.h"

#include <string.h>

term_id frame_pair(term_table *t, term_id a, term_id b) {
  const term_id args[2] = {a < b ? a : b, a < b ? b : a};
  return term_atom(t, SYM_DISTINCT, args, 2);
}

condition condition_of(term_table *t, condition_kind kind, term_id atom) {
  if (kind >= CONDITION_DIFFER) atom = frame_pair(t, term_arg(t, atom, 0), term_arg(t, atom, 1));
  return (condition){kind, atom};
}

typedef struct way_search {
  const frame_case *x;
  way_vec *ways;
  arena *keep;
  arena *scratch;
  const frame_rule *rule;
  uint32_t rule_number;
  uint32_t own;     /* the rule's variables are shifted by this */
  uint32_t bound;   /* all variables are below */
  term_id *shift;   /* by variable of the rule */
  bool is_too_many; /* ways, or names in a term of one */
} way_search;

static term_id shifted(const way_search *s, term_id id) {
  return term_relabel(s->x->p->terms, id, s->shift);
}

/* A variable of a or M that stands for one of the rule's own is better the other way round. */
static void prefer_outer(const way_search *s, term_id *bindings) {
  const term_table *t = s->x->p->terms;
  for (uint32_t v = 0; v < s->own; v++) {
    if (bindings[v] == TERM_NONE) continue;
    const term_id end = term_representative(t, bindings[v], bindings);
    if (!term_is_variable(t, end) || term_variable_number(t, end) < s->own) continue;
    bindings[v] = TERM_NONE;
    bindings[term_variable_number(t, end)] = term_variable(s->x->p->terms, v);
  }
}

static const condition_kind kind_of_literal[] = {
    [LITERAL_POSITIVE] = CONDITION_HOLDS,
    [LITERAL_NEGATIVE] = CONDITION_FAILS,
    [LITERAL_DISTINCT] = CONDITION_DIFFER,
};

/* The constraints of the unifier on the variables of a and M.  False: a term is too large. */
static bool add_equalities(way_search *s, const term_id *bindings, frame_way *w) {
  term_table *t = s->x->p->terms;
  for (uint32_t v = 0; v < s->own; v++) {
    const term_id variable = term_variable(t, v);
    term_id value;
    if (!term_resolve(t, variable, bindings, &value)) return false;
    if (value == variable) continue;
    const condition c = {CONDITION_EQUAL, frame_pair(t, variable, value)};
    vec_push(s->keep, &w->conditions, c);
  }
  return true;
}

/* The rule's own conditions.  False: a term is too large. */
static bool add_conditions(way_search *s, const term_id *bindings, frame_way *w) {
  term_table *t = s->x->p->terms;
  for (uint32_t i = 0; i < s->rule->condition_count; i++) {
    const literal *l = &s->x->rules->conditions.items[s->rule->condition + i];
    term_id atom;
    if (!term_resolve(t, shifted(s, l->atom), bindings, &atom)) return false;
    vec_push(s->keep, &w->conditions, condition_of(t, kind_of_literal[l->kind], atom));
  }
  return true;
}

static void add_way(way_search *s, const term_id *unifier) {
  frame_way w = {.rule = s->rule_number, .own = s->own};
  term_id *bindings = arena_new_array(s->scratch, term_id, s->bound + 1);
  memcpy(bindings, unifier, s->bound * sizeof *bindings);
  prefer_outer(s, bindings);
  s->is_too_many = s->ways->count == WAYS_MAX || !add_equalities(s, bindings, &w) ||
                   !add_conditions(s, bindings, &w);
  if (!s->is_too_many) vec_push(s->keep, s->ways, w);
}

/* Matches does atom `at` of the rule, and those after it, with the moves of the joint move. */
static void place_move(way_search *s, uint32_t at, const term_id *bindings) {
  term_table *t = s->x->p->terms;
  if (s->is_too_many) return;
  if (at == s->rule->move_count) {
    add_way(s, bindings);
    return;
  }
  const term_id atom = shifted(s, s->x->rules->moves.items[s->rule->moves + at]);
  for (uint32_t r = 0; r < s->x->c->role_count; r++) {
    const general_move *move = case_move(s->x, r);
    const arena_mark mark = arena_save(s->scratch);
    term_id *own = arena_new_array(s->scratch, term_id, s->bound + 1);
    memcpy(own, bindings, s->bound * sizeof *own);
    if (term_unify(t, term_arg(t, atom, 0), move->role, own) &&
        term_unify(t, term_arg(t, atom, 1), move->action, own))
      place_move(s, at + 1, own);
    arena_restore(s->scratch, mark);
  }
}

static void add_ways_of_rule(way_search *s) {
  term_table *t = s->x->p->terms;
  if (s->rule->move_count > MOVES_OF_RULE_MAX) {
    s->is_too_many = true;
    return;
  }
  s->bound = s->own + s->rule->variable_count;
  s->shift = arena_new_array(s->scratch, term_id, s->rule->variable_count + 1);
  for (uint32_t i = 0; i < s->rule->variable_count; i++) s->shift[i] = term_variable(t, s->own + i);
  term_id *bindings = frame_bindings(s->scratch, s->bound);
  if (term_unify(t, shifted(s, s->rule->fluent), case_fluent(s->x), bindings))
    place_move(s, 0, bindings);
}

bool frame_ways_find(way_vec *ways, const frame_case *x, arena *keep) {
  way_search s = {
      .x = x, .ways = ways, .keep = keep, .scratch = arena_new(), .own = x->c->variable_bound};
  for (uint32_t i = 0; i < x->rules->all.count; i++) {
    s.rule = &x->rules->all.items[i];
    s.rule_number = i;
    if (s.rule->name != x->name) continue;
    const arena_mark mark = arena_save(s.scratch);
    add_ways_of_rule(&s);
    arena_restore(s.scratch, mark);
  }
  arena_free(s.scratch);
  return !s.is_too_many;
}
