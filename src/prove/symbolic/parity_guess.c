/* Sums modulo two, guessed by linear algebra on bits (balance_guess.h). */
#include "prove/symbolic/balance_guess.h"

#include "base/bitset.h"

#include <string.h>

/* Of a name of fewer latches, or of very many, nothing is guessed. */
enum { LATCHES_MIN = 4, LATCHES_MAX = 1000 };

typedef struct parity_guesser {
  const circuit *c;
  const sample *seen;
  arena *keep;
  arena *scratch;
  id_vec latches;   /* of the name: column i of the equations */
  VEC(bitset) rows; /* by rank: reduced, with a bit at the pivot */
  id_vec pivots;    /* by rank: a column */
} parity_guesser;

static void add_to(bitset row, bitset other) {
  for (uint32_t i = 0; i < bitset_words(row); i++) row.words[i] ^= other.words[i];
}

/* Takes a row in, if it does not depend on those that are there. */
static void add_row(parity_guesser *g, bitset row) {
  uint32_t pivot = 0;
  for (uint32_t r = 0; r < g->rows.count; r++)
    if (bitset_has(row, g->pivots.items[r])) add_to(row, g->rows.items[r]);
  while (pivot < g->latches.count && !bitset_has(row, pivot)) pivot++;
  if (pivot == g->latches.count) return;
  const bitset kept = bitset_new(g->scratch, g->latches.count);
  add_to(kept, row);
  for (uint32_t r = 0; r < g->rows.count; r++)
    if (bitset_has(g->rows.items[r], pivot)) add_to(g->rows.items[r], kept);
  vec_push(g->scratch, &g->rows, kept);
  vec_push(g->scratch, &g->pivots, pivot);
}

/* Which latches differ from the first state. */
static void read_row(const parity_guesser *g, uint32_t step, uint32_t game, bitset row) {
  memset(row.words, 0, bitset_words(row) * sizeof *row.words);
  for (uint32_t i = 0; i < g->latches.count; i++) {
    const circuit_latch *l = &g->c->latches.items[g->latches.items[i]];
    const uint64_t now = sample_value(g->seen, g->c, step, wire_of(l->gate, false));
    if ((now >> game & 1) != l->initially) bitset_add(row, i);
  }
}

static void read_rows(parity_guesser *g, budget *b) {
  const bitset row = bitset_new(g->scratch, g->latches.count);
  for (uint32_t step = 0; step < g->seen->step_count && !budget_is_spent(b); step++)
    for (uint32_t game = 0; game < 64; game++) {
      read_row(g, step, game, row);
      add_row(g, row);
    }
}

static void put_weight(const parity_guesser *g, balance *x, uint32_t column) {
  const uint32_t latch = g->latches.items[column];
  x->weights[latch] = 1;
  x->start += g->c->latches.items[latch].initially;
}

/* The solution in which of the columns that are no pivots this one counts alone. */
static void add_guess(const parity_guesser *g, balance_vec *all, uint32_t column) {
  balance x = {.is_parity = true};
  x.weights = arena_zero_array(g->keep, int32_t, g->c->latches.count + 1);
  put_weight(g, &x, column);
  for (uint32_t r = 0; r < g->rows.count; r++)
    if (bitset_has(g->rows.items[r], column)) put_weight(g, &x, g->pivots.items[r]);
  vec_push(g->keep, all, x);
}

static void guess_of_name(parity_guesser *g, balance_vec *all, budget *b) {
  const bitset pivots = bitset_new(g->scratch, g->latches.count);
  g->rows.items = NULL;
  g->pivots.items = NULL;
  g->rows.count = g->rows.capacity = g->pivots.count = g->pivots.capacity = 0;
  read_rows(g, b);
  for (uint32_t r = 0; r < g->rows.count; r++) bitset_add(pivots, g->pivots.items[r]);
  for (uint32_t i = 0; i < g->latches.count; i++)
    if (!bitset_has(pivots, i)) add_guess(g, all, i);
}

static uint32_t name_of_latch(const circuit *c, uint32_t latch) {
  return term_get(c->terms, c->fluents.items[c->latches.items[latch].fluent].term)->name;
}

/* The latches that have the name of this one; none when it is not the first of them. */
static void gather_name(parity_guesser *g, uint32_t first) {
  const uint32_t name = name_of_latch(g->c, first);
  g->latches.count = 0;
  for (uint32_t l = 0; l < first; l++)
    if (name_of_latch(g->c, l) == name) return;
  for (uint32_t l = first; l < g->c->latches.count; l++)
    if (name_of_latch(g->c, l) == name) vec_push(g->keep, &g->latches, l);
}

void parities_guess(balance_vec *all, const circuit *c, const sample *seen, arena *keep,
                    budget *b) {
  parity_guesser g = {.c = c, .seen = seen, .keep = keep, .scratch = arena_new()};
  for (uint32_t l = 0; l < c->latches.count && !budget_is_spent(b); l++) {
    gather_name(&g, l);
    if (g.latches.count < LATCHES_MIN || g.latches.count > LATCHES_MAX) continue;
    const arena_mark mark = arena_save(g.scratch);
    guess_of_name(&g, all, b);
    arena_restore(g.scratch, mark);
  }
  arena_free(g.scratch);
}
