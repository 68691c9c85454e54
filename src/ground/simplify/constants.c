/* Atoms that hold always or never are evaluated away: see simplify.h. */
#include "ground/simplify/simplify.h"

#include "ground/simplify/wellfounded.h"

static bool reads_some(const ground_program *g, const ground_rule *r, bitset atoms) {
  for (uint32_t i = 0; i < r->body_count; i++)
    if (bitset_has(atoms, literal_atom(g->literals.items[r->body + i]))) return true;
  return false;
}

/* Removes literals that hold.  False: one fails. */
static bool fold_body(const wellfounded *m, bitset known, const ground_program *g, ground_rule *r) {
  ground_literal *body = vec_from(&g->literals, r->body);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = body[i];
    if (!bitset_has(known, literal_atom(l)))
      body[kept++] = l;
    else if (bitset_has(m->certain, literal_atom(l)) == literal_is_negated(l))
      return false;
  }
  r->body_count = kept;
  return true;
}

static void fold_rules(ground_program *g, const wellfounded *m, bitset known, arena *scratch) {
  const bitset has_rule = bitset_new(scratch, g->atoms.count); /* of those that are certain */
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->rules.count; i++) {
    ground_rule r = g->rules.items[i];
    if (bitset_has(m->certain, r.head)) {
      if (!bitset_insert(has_rule, r.head)) continue;
      r.body_count = 0;
    } else if (reads_some(g, &r, known) && !fold_body(m, known, g, &r)) {
      continue;
    }
    g->rules.items[kept++] = r;
  }
  g->rules.count = kept;
}

/* Atoms that always hold, or never. */
static bitset known_atoms(const wellfounded *m, arena *scratch) {
  const bitset known = bitset_new(scratch, m->certain.size);
  for (uint32_t i = 0; i < bitset_words(known); i++)
    known.words[i] = m->certain.words[i] | ~m->possible.words[i];
  return known;
}

void ground_fold_constants(ground_program *g, bool through_states, budget *limits) {
  arena *scratch = arena_new();
  wellfounded m;
  wellfounded_find(&m, g, through_states, scratch, limits);
  if (!bitset_is_empty(m.certain) || bitset_count(m.possible) < g->atoms.count)
    fold_rules(g, &m, known_atoms(&m, scratch), scratch);
  g->is_derived = false; /* not for certain any more */
  arena_free(scratch);
}
