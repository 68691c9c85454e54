#include "prove/first_order/deduction_parts.h"

enum { CONFLICTS_MAX = 20000, SITUATION_ATOMS = 12 };

static void begin(deduction *d, const theory *t, const axiom_set *const *sets, budget *b,
                  arena *scratch) {
  *d = (deduction){.t = t,
                   .terms = t->p->terms,
                   .scratch = scratch,
                   .round = arena_new(),
                   .b = b,
                   .few = FACTS_FEW};
  budget_watch(b, d->round);
  d->sets[d->set_count++] = &t->rules;
  for (; *sets; sets++) {
    assert(d->set_count < SETS_MAX);
    d->sets[d->set_count++] = *sets;
  }
  d->atoms_of = arena_zero_array(scratch, id_vec, (t->p->relations.count + 1) * TIMES);
  d->sat = sat_new(b, scratch);
  sat_prefer_false(d->sat);
  d->truth = sat_variable(d->sat);
  sat_add_1(d->sat, d->truth);
}

static void read_model(deduction *d) {
  arena_clear(d->round);
  d->models++;
  for (uint32_t i = 0; i < d->atoms.count; i++)
    d->atoms.items[i].value = sat_value(d->sat, d->atoms.items[i].is_true);
  for (uint32_t i = 0; i < d->equations.count; i++)
    d->equations.items[i].value = sat_value(d->sat, d->equations.items[i].is_true);
}

/* Moves first, then what holds before them. */
static const char *describe(const deduction *d, arena *keep) {
  static const relation_id shown[] = {SYM_DOES, SYM_TRUE};
  text words = text_new(keep);
  uint32_t count = 0;
  for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
    for (uint32_t i = 0; i < d->atoms.count && count < SITUATION_ATOMS; i++) {
      const ground_atom *a = &d->atoms.items[i];
      if (a->relation != shown[k] || a->time || !a->value) continue;
      if (deduction_find_normal(d, a->normal, 0) != i) continue;
      if (count++) text_add_char(&words, ' ');
      term_print(d->terms, a->normal, NOTATION_KIF, NULL, &words);
    }
  return text_string(&words);
}

/* Asks the solver, mends what is wrong with its model, and asks again. */
static sat_answer search(deduction *d) {
  while (d->models < d->most.models && !d->is_over) {
    const sat_answer answer = sat_solve(d->sat, NULL, 0, CONFLICTS_MAX);
    if (answer != SAT_YES) return answer;
    read_model(d);
    if (!deduction_respects_equality(d)) continue;
    if (deduction_instantiate(d, false) || deduction_complete(d) || deduction_instantiate(d, true))
      continue;
    if (d->is_over) break;
    if (d->few == FACTS_MORE) return SAT_YES;
    d->few = FACTS_MORE;
  }
  return SAT_UNKNOWN;
}

deduction_result deduce(const theory *t, const axiom_set *const *sets, deduction_limits most,
                        budget *b, arena *keep) {
  arena *scratch = arena_new();
  deduction d;
  budget_watch(b, scratch);
  begin(&d, t, sets, b, scratch);
  d.most = most;
  const sat_answer answer = search(&d);
  const deduction_result r = {.is_contradiction = answer == SAT_NO,
                              .is_cut_short = answer == SAT_UNKNOWN,
                              .models = d.models,
                              .instances = d.instances.count,
                              .situation = answer == SAT_YES ? describe(&d, keep) : NULL};
  sat_free(d.sat);
  budget_unwatch(b, d.round);
  budget_unwatch(b, scratch);
  arena_free(d.round);
  arena_free(scratch);
  return r;
}
