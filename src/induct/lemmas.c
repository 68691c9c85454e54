#include "induct/lemmas.h"

enum { LEMMAS_AT_ONCE = 16, LITERALS_MAX = 400 };

/* The members that hold in the state, as in facts. */
static id_vec literals_of_state(const circuit *c, const sample *seen, unrolling *u,
                                arena *scratch) {
  id_vec found = {0};
  for (uint32_t i = 0; i < c->fluents.count && found.count < LITERALS_MAX; i++) {
    const wire now = c->fluents.items[i].now;
    if (wire_is_constant(now) || !unroll_has(u, now, 0)) continue;
    const bool holds = sat_value(unroll_solver(u), unroll_wire(u, now, 0));
    uint64_t was_seen = 0;
    for (uint32_t step = 0; step < seen->step_count && !was_seen; step++)
      was_seen = sample_value(seen, c, step, now ^ !holds);
    if (was_seen) vec_push(scratch, &found, i << 1 | !holds);
  }
  return found;
}

/* True when the guess is there now. */
static bool guess_not_both(fact_set *guesses, const fact_set *known, const circuit *c,
                           const sample *seen, uint32_t a, uint32_t b) {
  const uint32_t members[2] = {a ^ 1, b ^ 1};
  const uint32_t last = guesses->all.count, first = guesses->members.count;
  fact_add(guesses, FACT_AT_LEAST_ONE, members, 2);
  const fact f = vec_last(&guesses->all);
  guesses->all.count = last;
  const bool is_new = fact_find(guesses, guesses, &f, FACT_AT_LEAST_ONE) == ID_NONE &&
                      fact_find(known, guesses, &f, FACT_AT_LEAST_ONE) == ID_NONE;
  const bool is_likely =
      is_new && fact_holds_at_start(guesses, c, &f) && fact_holds_in_sample(guesses, c, &f, seen);
  if (is_likely)
    guesses->all.count = last + 1;
  else
    guesses->members.count = first;
  return is_likely;
}

/* Two that hold come before one that does and one that does not. */
void lemmas_guess(fact_set *guesses, const fact_set *known, const circuit *c, const sample *seen,
                  unrolling *u) {
  arena *scratch = arena_new();
  const id_vec literals = literals_of_state(c, seen, u, scratch);
  uint32_t count = 0;
  for (uint32_t negated = 0; negated < 2; negated++)
    for (uint32_t a = 0; a < literals.count; a++)
      for (uint32_t b = 0; b < literals.count && count < LEMMAS_AT_ONCE; b++) {
        const uint32_t left = literals.items[a], right = literals.items[b];
        if ((left & 1) || (right & 1) != negated || (!negated && b <= a)) continue;
        count += guess_not_both(guesses, known, c, seen, left, right);
      }
  arena_free(scratch);
}
