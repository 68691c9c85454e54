#include "compile/plan/fluent_counts.h"

#include "ground/bases.h"

/* The memory is what stops it; the time is for rules that look at much and find little. */
#define COUNT_BYTES ((size_t)256 << 20)
#define COUNT_SECONDS 20

static void count_fluents(const bases *b, const flat_program *f, uint32_t *counts, arena *scratch) {
  uint32_t atom_count;
  const term_id *atoms = bases_atoms(b, SYM_TRUE, scratch, &atom_count);
  for (uint32_t i = 0; i < atom_count; i++)
    for (flat_id r = 0; r < f->relations.count; r++) {
      const flat_relation *it = &f->relations.items[r];
      if (it->relation != SYM_TRUE) continue;
      const arena_mark mark = arena_save(scratch);
      term_id *row = arena_new_array(scratch, term_id, it->arity + 1);
      counts[r] += flat_match(f, r, atoms[i], row);
      arena_restore(scratch, mark);
    }
}

const uint32_t *fluent_counts(const program *p, const flat_program *f, arena *keep,
                              budget *limits) {
  budget own = budget_within(limits, COUNT_SECONDS, COUNT_BYTES);
  arena *scratch = arena_new();
  diag_sink unheard;
  bases b;
  uint32_t *counts = arena_zero_array(keep, uint32_t, f->relations.count + 1);
  diag_sink_init(&unheard, scratch);
  budget_watch(&own, scratch);
  const bool ok = bases_compute_alone(&b, p, BASES_ONESTEP, scratch, &own, &unheard);
  if (ok) count_fluents(&b, f, counts, scratch);
  bases_free(&b);
  arena_free(scratch);
  return ok ? counts : NULL;
}
