#include "compile/compile.h"

#include "compile/plan/inline_relations.h"

static void print_mini(const program *p, text *out) {
  for (clause_id c = 0; c < p->clauses.count; c++) {
    clause_print(p, c, NOTATION_KIF, out);
    text_add_char(out, '\n');
  }
}

/* A relation with fewer facts in a state is not worth asking for them one by one. */
#define LARGE_ROWS 50

/* Restricts large relations to what is asked of them, in the way by which a sample of states
   becomes cheapest, if that is much cheaper. */
static void restrict_large(compilation *c, arena *keep, budget *limits) {
  const strata plain = c->strata;
  const uint32_t relations = plain.plain.relations.count;
  bool *wanted = arena_zero_array(keep, bool, relations + 1);
  bool found = false;
  double best = c->sizes.cost / 2;
  for (flat_id r = 0; r < relations; r++)
    found |= wanted[r] = !plain.is_permanent[r] && c->sizes.rows[r] >= LARGE_ROWS;
  for (int hands_on = 0; found && hands_on < 2; hands_on++) {
    strata restricted;
    sizes measured;
    if (!strata_restrict(&restricted, &plain, wanted, hands_on, keep, limits)) continue;
    sizes_measure(&measured, &restricted, keep);
    if (measured.cost >= best) continue;
    best = measured.cost;
    c->strata = restricted;
    c->sizes = measured;
    c->sizes.rules = &c->strata;
  }
}

bool compile_game(compilation *c, const program *p, const compile_options *o, compile_stage last,
                  arena *keep, budget *limits, diag_sink *d, text *out) {
  *c = (compilation){.program = p};
  if (limits) limits->stage = "compiling the rules";
  if (last == COMPILE_MINI) {
    print_mini(p, out);
    return true;
  }
  if (!strata_build(&c->strata, p, keep, limits, d)) return false;
  if (last == COMPILE_STRATA) {
    strata_print(&c->strata, out);
    return true;
  }
  sizes_measure(&c->sizes, &c->strata, keep);
  restrict_large(c, keep, limits);
  checks_put_in_place(&c->strata, &c->sizes, keep);
  normalise(&c->normal, &c->strata, &c->sizes, keep);
  if (last == COMPILE_NORMAL) {
    normal_print(&c->normal, out);
    return true;
  }
  labels_find(&c->labels, &c->normal, keep);
  if (last == COMPILE_LABELS) {
    labels_print(&c->labels, out);
    return true;
  }
  domains_find(&c->domains, &c->normal, keep);
  invert(&c->inverted, &c->domains, &c->labels, keep);
  if (last == COMPILE_INVERTED) {
    inverted_print(&c->inverted, out);
    return true;
  }
  if (!storage_plan(&c->storage, &c->inverted, o->kb, keep, d)) return false;
  emit_game(&c->storage, o->name, keep, out);
  return true;
}
