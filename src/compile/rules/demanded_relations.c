#include "compile/rules/demanded_relations.h"

#include "ground/rewrite/rewrite.h"

#include <string.h>

/* Whether its rules are stratified shows when they are there: no relation is ruled out before. */
static rewriting rewriting_of(const flat_program *f, bool hands_on, arena *keep) {
  rewriting w = {.program = *f,
                 .hands_on = hands_on,
                 .origin = arena_zero_array(keep, relation_origin, f->relations.count + 1),
                 .is_open = arena_new_array(keep, bool, f->relations.count + 1),
                 .came_from = arena_new_array(keep, flat_clause_id, f->clauses.count + 1)};
  memset(w.is_open, true, f->relations.count * sizeof *w.is_open);
  for (flat_clause_id c = 0; c < f->clauses.count; c++) w.came_from[c] = c;
  return w;
}

/* Takes those out that are in a part with a negation in itself.  True: there were any. */
static bool drop_denying(bool *chosen, uint32_t count, const order *o, const flat_program *f) {
  const uint32_t part = o->component[f->literals.items[o->offending_literal].relation];
  bool dropped = false;
  for (flat_id r = 0; r < count; r++) {
    if (!chosen[r] || o->component[r] != part) continue;
    chosen[r] = false;
    dropped = true;
  }
  return dropped;
}

/* Whether rules of a wanted relation have got a condition more. */
static bool has_restricted(const flat_program *f, const flat_program *result, const bool *wanted) {
  for (flat_clause_id c = 0; c < f->clauses.count; c++)
    if (wanted[f->clauses.items[c].head] &&
        result->clauses.items[c].body_count > f->clauses.items[c].body_count)
      return true;
  return false;
}

bool restrict_relations(flat_program *f, const bool *wanted, bool hands_on, arena *keep) {
  const uint32_t count = f->relations.count;
  const rewriting original = rewriting_of(f, hands_on, keep);
  bool *chosen = arena_zero_array(keep, bool, count + 1);
  memcpy(chosen, wanted, count * sizeof *chosen);
  flat_mark_readers(f, chosen);
  for (;;) {
    rewriting w;
    order o;
    rewriting_demand(&w, &original, chosen, keep);
    if (!has_restricted(f, &w.program, wanted)) return false;
    order_find(&o, &w.program, keep);
    if (o.offending_literal == UINT32_MAX) {
      *f = w.program;
      return true;
    }
    if (!drop_denying(chosen, count, &o, &w.program)) return false;
  }
}
