/* Facts about every reachable state, proved by induction, all of them together. */
#include "prove/first_order/abstract.h"

/* Of one question; most guesses are wrong. */
static const deduction_limits limits = {.models = 400, .instances = 3000};

/* ---- a fact at a time ---- */

static statement at_time(const abstract_game *g, statement s, uint32_t time) {
  if (!statement_is_equation(&s) && g->a.is_dynamic[atom_relation(g->p, s.a)]) s.time = time;
  return s;
}

static const axiom *form_of(const abstract_facts *f, const abstract_fact *it) {
  return &f->forms.all.items[it->form];
}

static void say_fact(const abstract_facts *f, const abstract_fact *it, const abstract_game *g,
                     axiom_set *out, uint32_t time) {
  const axiom *form = form_of(f, it);
  axiom_begin(out, form->variables);
  for (uint32_t i = 0; i < form->body_count; i++)
    axiom_if(out, at_time(g, f->forms.statements.items[form->body + i], time));
  for (uint32_t k = 0; k < form->choice_count; k++) {
    const choice *c = &f->forms.choices.items[form->choices + k];
    axiom_choose(out);
    for (uint32_t i = 0; i < c->count; i++)
      axiom_then(out, at_time(g, f->forms.statements.items[c->first + i], time));
  }
}

/* The things of which the fact does not hold. */
static term_id case_atom(const abstract_fact *it, const abstract_game *g, arena *scratch) {
  term_table *t = g->p->terms;
  term_id *things = arena_new_array(scratch, term_id, it->body_variables + 1);
  for (uint32_t i = 0; i < it->body_variables; i++) things[i] = term_variable(t, i);
  return term_atom(t, CASE_NAME, things, it->body_variables);
}

/* There are things for which the body holds and none of the choices does. */
static void deny_fact(const abstract_facts *f, const abstract_fact *it, const abstract_game *g,
                      axiom_set *out, uint32_t time) {
  const axiom *form = form_of(f, it);
  const statement things = holds(case_atom(it, g, out->keep), 0);
  axiom_begin(out, it->body_variables);
  axiom_choose(out);
  axiom_then(out, things);
  for (uint32_t i = 0; i < form->body_count; i++)
    axiom_then(out, at_time(g, f->forms.statements.items[form->body + i], time));
  for (uint32_t k = 0; k < form->choice_count; k++) {
    const choice *c = &f->forms.choices.items[form->choices + k];
    axiom_begin(out, form->variables)->is_eager = true;
    axiom_if(out, things);
    for (uint32_t i = 0; i < c->count; i++)
      axiom_if(out, at_time(g, f->forms.statements.items[c->first + i], time));
  }
}

void abstract_say_facts(const abstract_facts *f, const abstract_game *g, axiom_set *out,
                        uint32_t time) {
  for (uint32_t i = 0; i < f->all.count; i++) say_fact(f, &f->all.items[i], g, out, time);
}

/* ---- the first state, where it is listed ---- */

/* A fact is tried on the fluents that `init` lists. */
typedef struct listing {
  const abstract_game *g;
  const abstract_facts *f;
  const axiom *form;
  pattern_bindings b;
  uint32_t steps_left;
} listing;

enum { LISTING_STEPS = 2 * 1000 * 1000 };

typedef bool listing_next(listing *l, const statement *s, uint32_t count);

/* For some facts that are like the first statement: does `next` say `wanted` of the others? */
static bool some_fact(listing *l, const statement *s, uint32_t count, listing_next *next,
                      bool wanted) {
  const program *p = l->g->p;
  const relation_id r = atom_relation(p, s->a) == SYM_TRUE ? SYM_INIT : atom_relation(p, s->a);
  const id_vec *facts = listed_like(l->g->facts, r, s->a, l->b.values);
  bool is_found = false;
  for (uint32_t i = 0; i < facts->count && !is_found && l->steps_left; i++) {
    const uint32_t mark = l->b.trail.count;
    l->steps_left--;
    is_found = pattern_arguments_fit(p->terms, s->a, facts->items[i], &l->b) &&
               next(l, s + 1, count - 1) == wanted;
    pattern_undo(&l->b, mark);
  }
  return is_found;
}

static bool choice_holds(listing *l, const statement *s, uint32_t count) {
  term_table *t = l->g->p->terms;
  if (!count) return true;
  if (!statement_is_equation(s)) return some_fact(l, s, count, choice_holds, true);
  term_id a, b;
  if (!term_substitute(t, s->a, l->b.values, &a) || !term_substitute(t, s->b, l->b.values, &b))
    return false;
  return (a == b) != s->is_negated && choice_holds(l, s + 1, count - 1);
}

/* Whenever the rest of the body holds, a choice does. */
static bool rest_holds(listing *l, const statement *s, uint32_t count) {
  if (count) return !some_fact(l, s, count, rest_holds, false);
  for (uint32_t k = 0; k < l->form->choice_count; k++) {
    const choice *c = &l->f->forms.choices.items[l->form->choices + k];
    if (choice_holds(l, vec_from(&l->f->forms.statements, c->first), c->count)) return true;
  }
  return false;
}

/* Only listed relations can be looked up. */
static bool can_be_looked_up(const abstract_game *g, const statement *s) {
  if (statement_is_equation(s)) return true;
  const relation_id r = atom_relation(g->p, s->a);
  const relation_id source = r == SYM_TRUE ? SYM_INIT : r;
  return !s->is_negated && r != SYM_DOES && !g->start.rule_counts[source];
}

static bool holds_as_listed(const abstract_facts *f, const abstract_fact *it,
                            const abstract_game *g) {
  const axiom *form = form_of(f, it);
  const uint32_t end =
      form->choice_count ? f->forms.choices.items[form->choices + form->choice_count - 1].first +
                               f->forms.choices.items[form->choices + form->choice_count - 1].count
                         : form->body + form->body_count;
  for (uint32_t i = form->body; i < end; i++)
    if (!can_be_looked_up(g, &f->forms.statements.items[i])) return false;
  for (uint32_t i = 0; i < form->body_count; i++)
    if (statement_is_equation(&f->forms.statements.items[form->body + i])) return false;
  listing l = {.g = g, .f = f, .form = form, .steps_left = LISTING_STEPS};
  l.b = pattern_begin(form->variables, f->forms.keep);
  return rest_holds(&l, vec_from(&f->forms.statements, form->body), form->body_count) &&
         l.steps_left;
}

/* ---- induction ---- */

static bool holds_at_start(const abstract_facts *f, const abstract_fact *it, abstract_game *g,
                           budget *b) {
  arena *scratch = arena_new();
  axiom_set denial = {.keep = scratch};
  deny_fact(f, it, g, &denial, 0);
  const axiom_set *sets[] = {&denial, NULL};
  const bool is_proved = abstract_deduce(g, &g->start, sets, limits, b).is_contradiction;
  arena_free(scratch);
  return is_proved || holds_as_listed(f, it, g);
}

/* The facts before the step are in `assumed`. */
static bool is_kept(const abstract_facts *f, const abstract_fact *it, abstract_game *g,
                    const axiom_set *assumed, budget *b) {
  arena *scratch = arena_new();
  axiom_set denial = {.keep = scratch};
  deny_fact(f, it, g, &denial, 1);
  const axiom_set *sets[] = {&g->moves, assumed, &denial, NULL};
  const bool is_proved = abstract_deduce(g, &g->step, sets, limits, b).is_contradiction;
  arena_free(scratch);
  return is_proved;
}

/* Drops what is not kept from `first` on, given all that are left; those before it are kept.
   True: something was dropped. */
static bool drop_broken(abstract_facts *f, uint32_t first, abstract_game *g, budget *b) {
  arena *scratch = arena_new();
  axiom_set assumed = {.keep = scratch};
  if (g->options.not_terminal) abstract_say_not_terminal(g, &g->step, &assumed, 0);
  abstract_say_facts(f, g, &assumed, 0);
  uint32_t kept = first;
  for (uint32_t i = first; i < f->all.count; i++) {
    const abstract_fact it = f->all.items[i];
    if (!budget_is_spent(b) && is_kept(f, &it, g, &assumed, b)) f->all.items[kept++] = it;
  }
  const bool is_less = kept < f->all.count;
  f->all.count = kept;
  arena_free(scratch);
  return is_less;
}

/* Guesses of one stage, with what was proved in those before. */
static void prove_stage(abstract_facts *f, const abstract_facts *guesses, fact_stage stage,
                        abstract_game *g, budget *b) {
  const uint32_t first = f->all.count;
  for (uint32_t i = 0; i < guesses->all.count && !budget_is_spent(b); i++) {
    const abstract_fact it = guesses->all.items[i];
    if (it.stage == stage && holds_at_start(guesses, &it, g, b))
      vec_push(f->forms.keep, &f->all, it);
  }
  while (f->all.count > first && drop_broken(f, first, g, b)) {}
}

void abstract_prove_facts(abstract_facts *f, abstract_game *g, budget *b) {
  const abstract_facts guesses = *f;
  f->all = (__typeof__(f->all)){0};
  for (fact_stage stage = 0; stage < FACT_STAGES; stage++) prove_stage(f, &guesses, stage, g, b);
}
