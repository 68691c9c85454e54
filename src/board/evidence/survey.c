#include "board/evidence/survey.h"

#include "board/evidence/joins.h"
#include "board/evidence/lattice.h"

/* ---- constants that split ---- */

static bool is_large(const fact_book *b, const id_vec *facts) {
  return b->shapes.count > SHAPE_MAX / 2 || facts->count < 4;
}

/* Numbers below zero may be called n3: facts lead through them all. */
static bool are_in_a_chain(fact_book *b, const statics *s, const id_vec *domain, arena *scratch) {
  return order_values(b->shared, s, domain, scratch).quality >= 3;
}

static bool may_split(fact_book *b, const statics *s, const id_vec *domain, split_form form,
                      arena *scratch) {
  if (form == SPLIT_NONE) return false;
  if (form == SPLIT_LETTER_NUMBER && are_in_a_chain(b, s, domain, scratch)) return false;
  return !lattice_denies_split(s, b->shared, domain, form);
}

static void split_leaves(fact_book *b, shape_id s, const statics *facts_of_rules, arena *scratch) {
  const id_vec facts = book_of_shape(b, s, scratch);
  if (is_large(b, &facts)) return;
  for (uint32_t leaf = 0; leaf < b->shapes.items[s].leaf_count; leaf++) {
    uint32_t at = 0;
    while (b->shapes.items[s].columns[at].leaf != leaf) at++;
    const id_vec domain = book_domain(b, &facts, at, scratch);
    const split_form form = split_form_of(b->shared, domain.items, domain.count);
    if (may_split(b, facts_of_rules, &domain, form, scratch)) book_split(b, s, leaf, form);
  }
}

static void split_constants(fact_book *b, const statics *facts_of_rules, arena *scratch) {
  for (shape_id s = 0; s < b->shapes.count; s++) split_leaves(b, s, facts_of_rules, scratch);
}

/* ---- columns ---- */

static bool has_roles_alone(const survey *v, const id_vec *domain) {
  for (uint32_t i = 0; i < domain->count; i++)
    if (!samples_is_role(v->samples, domain->items[i])) return false;
  return true;
}

/* Values that were never seen are dropped where only the seen ones are in order. */
static ordering order_column(survey *v, const fact_book *b, const shape_survey *x, uint32_t column,
                             arena *scratch) {
  names *n = b->shared;
  ordering all = order_values(n, &v->statics, &x->columns[column].domain, v->keep);
  if (ordering_is_coordinate(&all) || !x->seen.count) return all;
  const id_vec seen = book_domain(b, &x->seen, column, scratch);
  if (seen.count == x->columns[column].domain.count) return all;
  const ordering some = order_values(n, &v->statics, &seen, v->keep);
  return ordering_is_coordinate(&some) && some.items.count >= 3 ? some : all;
}

static bool is_nested(const shape *s) { return strchr(s->pattern + 1, '(') != NULL; }

static void survey_column(survey *v, const fact_book *b, shape_survey *x, uint32_t i,
                          arena *scratch) {
  const shape *s = &b->shapes.items[x->shape];
  column_survey *c = &x->columns[i];
  c->domain = book_domain(b, &x->facts, i, v->keep);
  c->order = order_column(v, b, x, i, scratch);
  c->has_roles_alone = has_roles_alone(v, &c->domain);
  if (!x->is_nested)
    c->hint = statics_hint(&v->statics, s->relation, s->leaf_count, s->columns[i].leaf);
}

/* ---- what was seen ---- */

static void survey_states(survey *v, shape_survey *x) {
  const samples *s = v->samples;
  x->seen_from = arena_zero_array(v->keep, uint32_t, s->states.count + 1);
  for (uint32_t i = 0; i < s->states.count; i++) {
    const fact_id *facts = state_facts(s, i);
    for (uint32_t k = 0; k < s->states.items[i].count; k++)
      if (s->fluents.facts.items[facts[k]].shape == x->shape) vec_push(v->keep, &x->seen, facts[k]);
    x->seen_from[i + 1] = x->seen.count;
    const uint32_t count = x->seen.count - x->seen_from[i];
    if (count > x->most_at_once) x->most_at_once = count;
  }
}

static shape_survey survey_shape(survey *v, const fact_book *b, shape_id s, bool in_states,
                                 arena *scratch) {
  shape_survey x = {.shape = s,
                    .facts = book_of_shape(b, s, v->keep),
                    .column_count = b->shapes.items[s].column_count,
                    .is_nested = is_nested(&b->shapes.items[s])};
  if (in_states) survey_states(v, &x);
  for (uint32_t i = 0; i < x.column_count; i++) survey_column(v, b, &x, i, scratch);
  return x;
}

/* This many shapes are lists of something, not a board. */
enum { SURVEYED_SHAPES = 200 };

static void survey_fluents(survey *v, arena *scratch) {
  const fact_book *b = &v->samples->fluents;
  for (shape_id i = v->shapes.count; i < b->shapes.count && i < SURVEYED_SHAPES; i++)
    vec_push(v->keep, &v->shapes, survey_shape(v, b, i, true, scratch));
}

void survey_make(survey *v, samples *s, const program *p, arena *keep) {
  arena *scratch = arena_new();
  *v = (survey){.keep = keep, .samples = s};
  statics_read(&v->statics, p, &s->fluents.values, keep);
  split_constants(&s->fluents, &v->statics, scratch);
  split_constants(&s->moves, &v->statics, scratch);
  survey_fluents(v, scratch);
  if (v->shapes.count < SURVEYED_SHAPES / 2) {
    find_joins(v);
    find_lists(v);
  }
  survey_fluents(v, scratch);
  for (shape_id i = 0; i < s->moves.shapes.count && i < SURVEYED_SHAPES; i++)
    vec_push(keep, &v->moves, survey_shape(v, &s->moves, i, false, scratch));
  arena_free(scratch);
}
