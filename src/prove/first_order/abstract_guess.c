/* What may hold in every reachable state, guessed from how fluents are written in the rules.

   For each name of fluents: an argument has one value when the others are given, or in all; it is
   one of a few values, or one of a kind that the rules ask for; and there is such a fluent.  For
   fluents without variables that follow on one another: one of them holds, and no two. */
#include "prove/first_order/abstract.h"

#include <string.h>

enum {
  VALUES_MAX = 6,
  GROUP_MAX = 6,
  FLUENTS_MAX = 400,
  WIDTH_MAX = 32,     /* arguments of a fluent about which something is guessed */
  VARIABLES_MAX = 256 /* of a rule for `init` that is followed */
};

typedef struct guessing {
  const abstract_game *g;
  const program *p;
  term_table *t;
  abstract_facts *out;
  arena *keep;
  id_vec shapes; /* one fluent of every name and number of arguments, as it is first written */
} guessing;

static statement fluent_holds(guessing *x, term_id fluent) {
  return holds(term_atom(x->t, SYM_TRUE, &fluent, 1), 0);
}

/* A fluent of the shape, with variables first, first + 1, ... as its arguments; one of them is
   the variable `odd` at `place`. */
static term_id general_fluent(guessing *x, term_id shape, uint32_t first, uint32_t place,
                              term_id odd) {
  const term *it = term_get(x->t, shape);
  const symbol_id name = it->name;
  const uint32_t count = it->arg_count;
  term_id *args = arena_new_array(x->keep, term_id, count + 1);
  for (uint32_t i = 0; i < count; i++) args[i] = i == place ? odd : term_variable(x->t, first + i);
  return term_atom(x->t, name, args, count);
}

static uint32_t width(const guessing *x, term_id shape) { return term_get(x->t, shape)->arg_count; }

/* Has it a name, and not so many arguments that guesses about each of them take too long? */
static bool is_guessable(const guessing *x, term_id fluent) {
  return !term_is_variable(x->t, fluent) && width(x, fluent) <= WIDTH_MAX;
}

static fact_stage stage_of(const guessing *x, term_id shape, fact_stage usual) {
  return width(x, shape) <= 1 ? STAGE_FEW : usual;
}

static axiom_set *begin_guess(guessing *x, fact_stage stage, uint32_t body_variables,
                              uint32_t variables) {
  const abstract_fact fresh = {
      .form = x->out->forms.all.count, .body_variables = body_variables, .stage = stage};
  axiom_begin(&x->out->forms, variables);
  vec_push(x->keep, &x->out->all, fresh);
  return &x->out->forms;
}

/* ---- one value ---- */

/* "(cell ?0 ?1 ?2): one ?2 for each ?0 ?1" */
static const char *words_of_one_value(guessing *x, term_id fluent, uint32_t place,
                                      bool others_agree) {
  text words = text_new(x->keep);
  term_print(x->t, fluent, NOTATION_KIF, NULL, &words);
  text_add_format(&words, ": one ?%u", place);
  if (others_agree) text_add(&words, " for each");
  for (uint32_t i = 0; others_agree && i < width(x, fluent); i++)
    if (i != place) text_add_format(&words, " ?%u", i);
  return text_string(&words);
}

/* Of two fluents that agree in all other arguments, or in none, this one is the same. */
static void guess_one_value(guessing *x, term_id shape, uint32_t place, bool others_agree) {
  const uint32_t count = width(x, shape);
  const uint32_t shift = others_agree ? 0 : count + 1;
  const term_id second = term_variable(x->t, count);
  const term_id a = general_fluent(x, shape, 0, count, TERM_NONE);
  const term_id b = general_fluent(x, shape, shift, place, second);
  const uint32_t variables = shift + count + 1;
  axiom_set *out = begin_guess(x, stage_of(x, shape, STAGE_VALUES), variables, variables);
  vec_last(&x->out->all).group = words_of_one_value(x, a, place, others_agree);
  axiom_if(out, fluent_holds(x, a));
  axiom_if(out, fluent_holds(x, b));
  axiom_choose(out);
  axiom_then(out, are_equal(term_variable(x->t, place), second));
}

/* ---- some values ---- */

typedef struct value_set {
  term_id items[VALUES_MAX];
  uint32_t count;
  bool is_any; /* too many, or nobody knows */
} value_set;

static void add_value(value_set *v, term_id value) {
  for (uint32_t i = 0; i < v->count; i++)
    if (v->items[i] == value) return;
  if (v->count == VALUES_MAX)
    v->is_any = true;
  else
    v->items[v->count++] = value;
}

static bool is_shaped(const guessing *x, term_id fluent, term_id shape) {
  const term *a = term_get(x->t, fluent);
  const term *b = term_get(x->t, shape);
  return !a->is_variable && term_same_name(a, b);
}

/* The values that listed facts give the variable in this literal.  False: it says nothing. */
static bool add_listed_values(guessing *x, value_set *v, const literal *l, term_id variable) {
  const relation_id r = atom_relation(x->p, l->atom);
  if (l->kind != LITERAL_POSITIVE || x->g->a.is_dynamic[r] || x->g->state.rule_counts[r])
    return false;
  for (uint32_t i = 0; i < term_get(x->t, l->atom)->arg_count; i++) {
    if (term_arg(x->t, l->atom, i) != variable) continue;
    const id_vec *facts = listed_like(x->g->facts, r, l->atom, NULL);
    for (uint32_t k = 0; k < facts->count && !v->is_any; k++)
      add_value(v, term_arg(x->t, facts->items[k], i));
    return true;
  }
  return false;
}

/* Is the variable at this place of a fluent of the same name that holds before? */
static bool is_handed_on(const guessing *x, const literal *l, term_id variable, term_id shape,
                         uint32_t place) {
  if (l->kind != LITERAL_POSITIVE || atom_relation(x->p, l->atom) != SYM_TRUE) return false;
  const term_id fluent = term_arg(x->t, l->atom, 0);
  return is_shaped(x, fluent, shape) && term_arg(x->t, fluent, place) == variable;
}

static void add_values_of_clause(guessing *x, value_set *v, const clause *c, term_id shape,
                                 uint32_t place) {
  const term_id fluent = term_arg(x->t, c->head, 0);
  if (!is_shaped(x, fluent, shape)) return;
  const term_id value = term_arg(x->t, fluent, place);
  if (term_is_ground(x->t, value)) {
    add_value(v, value);
    return;
  }
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &x->p->literals.items[c->body + i];
    if (is_handed_on(x, l, value, shape, place) || add_listed_values(x, v, l, value)) return;
  }
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &x->p->literals.items[c->body + i];
    if (l->kind != LITERAL_POSITIVE || atom_relation(x->p, l->atom) != SYM_DOES) continue;
    if (term_arg(x->t, l->atom, 0) != value) continue;
    for (uint32_t k = 0; k < x->g->roles.count; k++) add_value(v, x->g->roles.items[k]);
    return;
  }
  v->is_any = true;
}

static void each_clause_of(guessing *x, relation_id r, value_set *v, term_id shape,
                           uint32_t place) {
  const relation *it = &x->p->relations.items[r];
  for (uint32_t i = 0; i < it->clause_count && !v->is_any; i++) {
    const clause_id c = x->p->clauses_of_relation.items[it->first_clause + i];
    add_values_of_clause(x, v, &x->p->clauses.items[c], shape, place);
  }
}

static void guess_values(guessing *x, term_id shape, uint32_t place) {
  value_set v = {0};
  each_clause_of(x, SYM_INIT, &v, shape, place);
  each_clause_of(x, SYM_NEXT, &v, shape, place);
  if (v.is_any || !v.count) return;
  const uint32_t count = width(x, shape);
  axiom_set *out = begin_guess(x, stage_of(x, shape, STAGE_VALUES), count, count);
  axiom_if(out, fluent_holds(x, general_fluent(x, shape, 0, count, TERM_NONE)));
  for (uint32_t i = 0; i < v.count; i++) {
    axiom_choose(out);
    axiom_then(out, are_equal(term_variable(x->t, place), v.items[i]));
  }
}

/* ---- kinds ---- */

static bool is_guessed(const guessing *x, term_id shape, uint32_t place, symbol_id kind) {
  for (uint32_t i = 0; i < x->out->all.count; i++) {
    const axiom *form = &x->out->forms.all.items[x->out->all.items[i].form];
    if (form->body_count != 1 || form->choice_count != 1) continue;
    const statement *if_part = &x->out->forms.statements.items[form->body];
    const statement *then_part =
        &x->out->forms.statements.items[x->out->forms.choices.items[form->choices].first];
    if (statement_is_equation(then_part) || term_get(x->t, then_part->a)->name != kind) continue;
    if (is_shaped(x, term_arg(x->t, if_part->a, 0), shape) &&
        term_arg(x->t, then_part->a, 0) == term_variable(x->t, place))
      return true;
  }
  return false;
}

static void guess_kind(guessing *x, term_id shape, uint32_t place, symbol_id kind) {
  if (is_guessed(x, shape, place, kind)) return;
  const uint32_t count = width(x, shape);
  const term_id thing = term_variable(x->t, place);
  axiom_set *out = begin_guess(x, STAGE_KINDS, count, count);
  axiom_if(out, fluent_holds(x, general_fluent(x, shape, 0, count, TERM_NONE)));
  axiom_choose(out);
  axiom_then(out, holds(term_atom(x->t, kind, &thing, 1), 0));
}

/* The clause has the fluent, and a condition on one of its arguments that never changes. */
static void guess_kinds_of_fluent(guessing *x, const clause *c, term_id fluent) {
  if (!is_guessable(x, fluent)) return;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &x->p->literals.items[c->body + i];
    const relation_id r = l->kind == LITERAL_POSITIVE ? atom_relation(x->p, l->atom) : SYM_TRUE;
    if (x->g->a.is_dynamic[r] || !x->g->is_needed[r]) continue;
    if (x->p->relations.items[r].arity != 1) continue;
    for (uint32_t k = 0; k < width(x, fluent); k++)
      if (term_arg(x->t, fluent, k) == term_arg(x->t, l->atom, 0) &&
          term_is_variable(x->t, term_arg(x->t, fluent, k)))
        guess_kind(x, fluent, k, x->p->relations.items[r].name);
  }
}

static void guess_kinds(guessing *x, const clause *c) {
  const relation_id head = atom_relation(x->p, c->head);
  if (head == SYM_INIT || head == SYM_NEXT || head == SYM_BASE)
    guess_kinds_of_fluent(x, c, term_arg(x->t, c->head, 0));
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &x->p->literals.items[c->body + i];
    if (l->kind == LITERAL_POSITIVE && atom_relation(x->p, l->atom) == SYM_TRUE)
      guess_kinds_of_fluent(x, c, term_arg(x->t, l->atom, 0));
  }
}

/* ---- there is one ---- */

static void guess_existence(guessing *x, term_id shape) {
  const uint32_t count = width(x, shape);
  axiom_set *out = begin_guess(x, stage_of(x, shape, STAGE_PRESENCE), 0, count);
  axiom_choose(out);
  axiom_then(out, fluent_holds(x, general_fluent(x, shape, 0, count, TERM_NONE)));
}

static bool is_static_condition(const guessing *x, const literal *l) {
  return l->kind == LITERAL_DISTINCT || !x->g->a.is_dynamic[atom_relation(x->p, l->atom)];
}

/* Wherever the rule for `init` put something there is something, if not the same. */
static void guess_presence(guessing *x, const clause *c, uint32_t place) {
  const term_id fluent = term_arg(x->t, c->head, 0);
  for (uint32_t i = 0; i < c->body_count; i++)
    if (!is_static_condition(x, &x->p->literals.items[c->body + i])) return;
  term_id *args = arena_new_array(x->keep, term_id, width(x, fluent) + 1);
  memcpy(args, term_args(x->t, fluent), sizeof *args * width(x, fluent));
  args[place] = term_variable(x->t, c->variable_count);
  term_id changed;
  if (!term_compound(x->t, term_get(x->t, fluent)->name, args, width(x, fluent), &changed)) return;
  axiom_set *out = begin_guess(x, STAGE_PRESENCE, c->variable_count, c->variable_count + 1);
  for (uint32_t i = 0; i < c->body_count; i++)
    axiom_if(out, theory_statement(&x->g->state, &x->p->literals.items[c->body + i], 0));
  axiom_choose(out);
  axiom_then(out, fluent_holds(x, changed));
}

static void guess_presences(guessing *x) {
  const relation *init = &x->p->relations.items[SYM_INIT];
  for (uint32_t i = 0; i < init->clause_count; i++) {
    const clause *c = &x->p->clauses.items[x->p->clauses_of_relation.items[init->first_clause + i]];
    const term_id fluent = term_arg(x->t, c->head, 0);
    if (clause_is_listed(x->p, c) || !is_guessable(x, fluent)) continue;
    if (c->variable_count > VARIABLES_MAX) continue;
    for (uint32_t k = 0; k < width(x, fluent); k++)
      if (term_is_ground(x->t, term_arg(x->t, fluent, k))) guess_presence(x, c, k);
  }
}

/* ---- fluents that follow on one another ---- */

static const char *words_of_pair(guessing *x, term_id a, term_id b) {
  text words = text_new(x->keep);
  term_print(x->t, a, NOTATION_KIF, NULL, &words);
  text_add(&words, " or ");
  term_print(x->t, b, NOTATION_KIF, NULL, &words);
  return text_string(&words);
}

static void guess_group(guessing *x, const id_vec *group) {
  axiom_set *out = begin_guess(x, STAGE_FEW, 0, 0);
  for (uint32_t i = 0; i < group->count; i++) {
    axiom_choose(out);
    axiom_then(out, fluent_holds(x, group->items[i]));
  }
  for (uint32_t i = 0; i < group->count; i++)
    for (uint32_t k = 0; k < i; k++) {
      out = begin_guess(x, STAGE_FEW, 0, 0);
      vec_last(&x->out->all).group = words_of_pair(x, group->items[k], group->items[i]);
      axiom_if(out, fluent_holds(x, group->items[k]));
      axiom_if(out, fluent_holds(x, group->items[i]));
    }
}

static uint32_t index_in(const id_vec *v, term_id item) {
  uint32_t i = 0;
  while (i < v->count && v->items[i] != item) i++;
  return i;
}

/* Adds the fluents that lead to one of the group by a rule for `next` that has no variables there,
   and those that one of the group leads to.  Grows while it is gone through. */
static void grow_group(guessing *x, id_vec *group) {
  const relation *next = &x->p->relations.items[SYM_NEXT];
  for (uint32_t n = 0; n < group->count && group->count <= GROUP_MAX; n++)
    for (uint32_t i = 0; i < next->clause_count; i++) {
      const clause *c =
          &x->p->clauses.items[x->p->clauses_of_relation.items[next->first_clause + i]];
      const term_id head = term_arg(x->t, c->head, 0);
      for (uint32_t k = 0; k < c->body_count && term_is_ground(x->t, head); k++) {
        const literal *l = &x->p->literals.items[c->body + k];
        if (l->kind != LITERAL_POSITIVE || atom_relation(x->p, l->atom) != SYM_TRUE) continue;
        const term_id from = term_arg(x->t, l->atom, 0);
        if (!term_is_ground(x->t, from)) continue;
        if (from == group->items[n] && index_in(group, head) == group->count)
          vec_push(x->keep, group, head);
        if (head == group->items[n] && index_in(group, from) == group->count)
          vec_push(x->keep, group, from);
      }
    }
}

static void guess_groups(guessing *x) {
  const relation *next = &x->p->relations.items[SYM_NEXT];
  id_vec seen = {0};
  for (uint32_t i = 0; i < next->clause_count && seen.count < FLUENTS_MAX; i++) {
    const clause *c = &x->p->clauses.items[x->p->clauses_of_relation.items[next->first_clause + i]];
    const term_id head = term_arg(x->t, c->head, 0);
    if (!term_is_ground(x->t, head) || index_in(&seen, head) < seen.count) continue;
    id_vec group = {0};
    vec_push(x->keep, &group, head);
    grow_group(x, &group);
    vec_append(x->keep, &seen, group.items, group.count);
    if (group.count > 1 && group.count <= GROUP_MAX) guess_group(x, &group);
  }
}

/* ---- all ---- */

static void note_shape(guessing *x, term_id fluent) {
  if (!is_guessable(x, fluent)) return;
  for (uint32_t i = 0; i < x->shapes.count; i++)
    if (is_shaped(x, fluent, x->shapes.items[i])) return;
  vec_push(x->keep, &x->shapes, fluent);
}

static void note_shapes(guessing *x, relation_id r) {
  const relation *it = &x->p->relations.items[r];
  for (uint32_t i = 0; i < it->clause_count && x->shapes.count < FLUENTS_MAX; i++) {
    const clause_id c = x->p->clauses_of_relation.items[it->first_clause + i];
    note_shape(x, term_arg(x->t, x->p->clauses.items[c].head, 0));
  }
}

static void guess_for_shape(guessing *x, term_id shape) {
  guess_existence(x, shape);
  for (uint32_t place = 0; place < width(x, shape); place++) {
    guess_values(x, shape, place);
    if (width(x, shape) > 1) guess_one_value(x, shape, place, true);
    guess_one_value(x, shape, place, false);
  }
}

void abstract_guess(abstract_facts *out, const abstract_game *g) {
  guessing x = {.g = g, .p = g->p, .t = g->p->terms, .out = out, .keep = out->forms.keep};
  note_shapes(&x, SYM_INIT);
  note_shapes(&x, SYM_NEXT);
  for (uint32_t i = 0; i < x.shapes.count; i++) guess_for_shape(&x, x.shapes.items[i]);
  guess_presences(&x);
  guess_groups(&x);
  for (clause_id c = 0; c < g->p->clauses.count; c++) guess_kinds(&x, &g->p->clauses.items[c]);
}
