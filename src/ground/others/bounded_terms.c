#include "ground/others/bounded_terms.h"

/* Terms of a few shapes are finitely many; a relation that holds any term may have no end. */
static bool has_any_term(const flat_program *f) {
  for (flat_id r = 0; r < f->relations.count; r++)
    if (!f->relations.items[r].is_exact) return true;
  return false;
}

static bool may_have_no_end(const program *p, bases_method m, arena *scratch, budget *limits,
                            diag_sink *d) {
  program linked;
  flat_program flat;
  bases_link_copy(&linked, p, m, scratch);
  return flatten(&flat, &linked, scratch, limits, d) && has_any_term(&flat);
}

/* The relaxation has every term that a state can have. */
static void find_facts(const program *p, bases_method m, arena *scratch, budget *limits,
                       diag_sink *d) {
  bases b;
  if (!may_have_no_end(p, m, scratch, limits, d)) return;
  bases_compute(&b, p, m, scratch, limits, d);
  bases_free(&b);
}

bool terms_are_bounded(const program *p, bases_method m, budget *limits, diag_sink *d) {
  const diag_sink before = *d;
  arena *scratch = arena_new();
  budget_watch(limits, scratch);
  find_facts(p, m, scratch, limits, d);
  budget_unwatch(limits, scratch);
  arena_free(scratch);
  for (uint32_t i = before.all.count; i < d->all.count; i++)
    if (d->all.items[i].kind == DIAG_E804) return false;
  diag_take_back(d, &before);
  return true;
}
