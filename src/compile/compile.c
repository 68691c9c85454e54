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
    sizes_measure(&measured, &restricted, keep, limits);
    if (measured.cost >= best) continue;
    best = measured.cost;
    c->strata = restricted;
    c->sizes = measured;
    c->sizes.rules = &c->strata;
  }
}

/* What a stage has left undone when the limits were reached is of no use to the next. */
static bool is_timely(budget *limits, diag_sink *d) {
  if (!budget_check_now(limits)) return true;
  budget_report(limits, d, "the rules were being compiled");
  return false;
}

static bool find_normal_form(compilation *c, arena *keep, budget *limits, diag_sink *d) {
  sizes_measure(&c->sizes, &c->strata, keep, limits);
  if (!is_timely(limits, d)) return false;
  restrict_large(c, keep, limits);
  if (!is_timely(limits, d)) return false;
  inline_relations(&c->strata, &c->sizes, keep);
  normalise(&c->normal, &c->strata, &c->sizes, keep, limits);
  return is_timely(limits, d);
}

static bool find_labels(compilation *c, arena *keep, budget *limits, diag_sink *d) {
  labels_find(&c->labels, &c->normal, keep, limits);
  return is_timely(limits, d);
}

static bool find_inverted(compilation *c, arena *keep, budget *limits, diag_sink *d) {
  domains_find(&c->domains, &c->normal, keep, limits);
  if (!is_timely(limits, d)) return false;
  invert(&c->inverted, &c->domains, &c->labels, keep, limits);
  return is_timely(limits, d);
}

static bool write_c(compilation *c, const compile_options *o, arena *keep, budget *limits,
                    diag_sink *d, text *out) {
  if (!storage_plan(&c->storage, &c->inverted, o->kb, keep, limits, d)) return false;
  return is_timely(limits, d) &&
         (emit_game(&c->storage, o->name, keep, limits, out) || is_timely(limits, d));
}

/* The stages that have a text of their own. */
static bool write_stage(const compilation *c, compile_stage last, text *out) {
  switch (last) {
    case COMPILE_MINI: print_mini(c->program, out); break;
    case COMPILE_STRATA: strata_print(&c->strata, out); break;
    case COMPILE_NORMAL: normal_print(&c->normal, out); break;
    case COMPILE_LABELS: labels_print(&c->labels, out); break;
    case COMPILE_INVERTED: inverted_print(&c->inverted, out); break;
    case COMPILE_C: break;
  }
  return true;
}

bool compile_game(compilation *c, const program *p, const compile_options *o, compile_stage last,
                  arena *keep, budget *limits, diag_sink *d, text *out) {
  *c = (compilation){.program = p};
  if (limits) limits->stage = "compiling the rules";
  if (last == COMPILE_MINI) return write_stage(c, last, out);
  if (!strata_build(&c->strata, p, keep, limits, d)) return false;
  if (last == COMPILE_STRATA) return write_stage(c, last, out);
  if (!find_normal_form(c, keep, limits, d)) return false;
  if (last == COMPILE_NORMAL) return write_stage(c, last, out);
  if (!find_labels(c, keep, limits, d)) return false;
  if (last == COMPILE_LABELS) return write_stage(c, last, out);
  if (!find_inverted(c, keep, limits, d)) return false;
  if (last == COMPILE_INVERTED) return write_stage(c, last, out);
  return write_c(c, o, keep, limits, d, out);
}
