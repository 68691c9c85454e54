#include "compile/compile.h"

static void print_mini(const program *p, text *out) {
  for (clause_id c = 0; c < p->clauses.count; c++) {
    clause_print(p, c, NOTATION_KIF, out);
    text_add_char(out, '\n');
  }
}

bool compile_game(compilation *c, const program *p, const compile_options *o, compile_stage last,
                  arena *keep, budget *limits, diag_sink *d, text *out) {
  *c = (compilation){.program = p};
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
