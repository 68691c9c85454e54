/* Atoms that hold always or never are evaluated away: see simplify.h. */
#include "ground/simplify.h"

#include "ground/wellfounded.h"

static bool literal_fails(const wellfounded *m, ground_literal l) {
  return literal_is_negated(l) ? bitset_has(m->certain, literal_atom(l))
                               : !bitset_has(m->possible, literal_atom(l));
}

static bool literal_holds(const wellfounded *m, ground_literal l) {
  return literal_is_negated(l) ? !bitset_has(m->possible, literal_atom(l))
                               : bitset_has(m->certain, literal_atom(l));
}

/* Removes literals that hold.  False: one fails. */
static bool fold_body(const wellfounded *m, const ground_program *g, ground_rule *r) {
  ground_literal *body = vec_from(&g->literals, r->body);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = body[i];
    if (literal_fails(m, l)) return false;
    body[kept] = l;
    kept += !literal_holds(m, l);
  }
  r->body_count = kept;
  return true;
}

static void fold_rules(ground_program *g, const wellfounded *m, arena *scratch) {
  const bitset has_rule = bitset_new(scratch, g->atoms.count); /* of those that are certain */
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->rules.count; i++) {
    ground_rule r = g->rules.items[i];
    if (bitset_has(m->certain, r.head)) {
      if (!bitset_insert(has_rule, r.head)) continue;
      r.body_count = 0;
    } else if (!fold_body(m, g, &r)) {
      continue;
    }
    g->rules.items[kept++] = r;
  }
  g->rules.count = kept;
}

void ground_fold_constants(ground_program *g, bool through_states, budget *limits) {
  arena *scratch = arena_new();
  wellfounded m;
  wellfounded_find(&m, g, through_states, scratch, limits);
  if (!bitset_is_empty(m.certain) || bitset_count(m.possible) < g->atoms.count)
    fold_rules(g, &m, scratch);
  g->is_derived = false; /* not for certain any more */
  arena_free(scratch);
}
