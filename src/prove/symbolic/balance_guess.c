#include "prove/symbolic/balance_guess.h"

#include "prove/counters.h"

#include "base/hash.h"

#include <stdlib.h>

/* Sums are of latches that have a name and an argument in common; of names of few latches each
   counts by itself.  The equations are solved modulo a prime: what is a small fraction is guessed. */
enum {
  FEATURES_MAX = 500,
  FEW_LATCHES = 64,
  ROWS_MAX = 2000,
  PRIME = 2147483647,
  DENOMINATOR_MAX = 12,
  WEIGHT_MAX = 100,
  COUNTER_MIN = 3,
  COUNTER_MAX = 256,
  COUNTER_WORK_MAX = 100 * 1000 * 1000 /* latches times gates */
};

typedef struct feature {
  id_vec latches;
  uint32_t name_count; /* all latches of their name */
  bool is_counter;     /* a latch counts as often as its place says */
} feature;

typedef struct guesser {
  const circuit *c;
  const sample *seen;
  arena *keep;
  arena *scratch;
  bool with_counters;
  budget *b;
  VEC(feature) features;
  VEC(uint64_t *) rows; /* by rank: reduced, with 1 at the pivot */
  id_vec pivots;        /* by rank: a feature */
} guesser;

/* ---- features ---- */

static const term *fluent_of(const guesser *g, uint32_t latch) {
  return term_get(g->c->terms, g->c->fluents.items[g->c->latches.items[latch].fluent].term);
}

static term_id argument_of(const guesser *g, uint32_t latch, uint32_t i) {
  return term_arg(g->c->terms, g->c->fluents.items[g->c->latches.items[latch].fluent].term, i);
}

static void add_feature(guesser *g, const id_vec *name, const id_vec *latches) {
  const feature fresh = {*latches, name->count, false};
  if (g->features.count < FEATURES_MAX) vec_push(g->scratch, &g->features, fresh);
}

/* What latches are put together by: their name, or an argument. */
typedef uint64_t latch_key(const guesser *g, uint32_t latch, uint32_t i);

static uint64_t name_key(const guesser *g, uint32_t latch, uint32_t i) {
  const term *t = fluent_of(g, latch);
  (void)i;
  return (uint64_t)t->name << 32 | t->arg_count;
}

static uint64_t argument_key(const guesser *g, uint32_t latch, uint32_t i) {
  return argument_of(g, latch, i);
}

/* All arguments but one. */
static uint64_t others_key(const guesser *g, uint32_t latch, uint32_t i) {
  uint64_t key = 0;
  for (uint32_t k = 0; k < fluent_of(g, latch)->arg_count; k++)
    if (k != i) key = hash_add(key, argument_of(g, latch, k));
  return key;
}

typedef struct keyed_latch {
  uint64_t key;
  uint32_t at; /* its place in the list */
} keyed_latch;

static int compare_keyed(const void *a, const void *b) {
  const keyed_latch *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

typedef VEC(id_vec) latch_lists;

/* Latches with equal keys together, in the order of the first of each. */
static latch_lists by_key(guesser *g, const id_vec *latches, latch_key *key, uint32_t i) {
  const uint32_t count = latches->count;
  latch_lists lists = {0};
  keyed_latch *sorted = arena_new_array(g->scratch, keyed_latch, count + (size_t)1);
  uint32_t *begins = arena_new_array(g->scratch, uint32_t, count + (size_t)1);
  memset(begins, 0xff, count * sizeof *begins);
  for (uint32_t k = 0; k < count; k++) sorted[k] = (keyed_latch){key(g, latches->items[k], i), k};
  qsort(sorted, count, sizeof *sorted, compare_keyed);
  for (uint32_t k = 0; k < count; k++)
    if (!k || sorted[k].key != sorted[k - 1].key) begins[sorted[k].at] = k;
  for (uint32_t k = 0; k < count; k++) {
    id_vec list = {0};
    for (uint32_t m = begins[k]; m < count && sorted[m].key == sorted[begins[k]].key; m++)
      vec_push(g->scratch, &list, latches->items[sorted[m].at]);
    if (list.count) vec_push(g->scratch, &lists, list);
  }
  return lists;
}

static bool is_large(const guesser *g, const id_vec *latches) {
  return latches->count > COUNTER_MAX ||
         (uint64_t)latches->count * g->c->gates.count > COUNTER_WORK_MAX;
}

static void add_counters_of(guesser *g, const id_vec *name) {
  const uint32_t arguments = fluent_of(g, name->items[0])->arg_count;
  for (uint32_t i = 0; i < arguments && g->features.count < FEATURES_MAX; i++) {
    const latch_lists like = by_key(g, name, others_key, i);
    for (uint32_t k = 0; k < like.count && !budget_is_spent(g->b); k++) {
      feature counter = {like.items[k], name->count, true};
      if (counter.latches.count < COUNTER_MIN || is_large(g, &counter.latches)) continue;
      if (counter_sort(&counter.latches, g->c, g->scratch))
        vec_push(g->scratch, &g->features, counter);
    }
  }
}

static void add_features_of(guesser *g, const id_vec *name) {
  const uint32_t arguments = fluent_of(g, name->items[0])->arg_count;
  if (g->with_counters) add_counters_of(g, name);
  for (uint32_t k = 0; k < name->count && name->count <= FEW_LATCHES; k++) {
    id_vec one = {0};
    vec_push(g->scratch, &one, name->items[k]);
    add_feature(g, name, &one);
  }
  for (uint32_t i = 0; i < arguments && g->features.count < FEATURES_MAX; i++) {
    const latch_lists same = by_key(g, name, argument_key, i);
    for (uint32_t k = 0; k < same.count; k++)
      if (same.items[k].count > 1) add_feature(g, name, &same.items[k]);
  }
}

static void find_features(guesser *g) {
  id_vec all = {0};
  for (uint32_t l = 0; l < g->c->latches.count; l++) vec_push(g->scratch, &all, l);
  const latch_lists names = by_key(g, &all, name_key, 0);
  for (uint32_t k = 0; k < names.count; k++) add_features_of(g, &names.items[k]);
}

static int compare_features(const void *left, const void *right) {
  const feature *a = left, *b = right;
  if (a->name_count != b->name_count) return a->name_count < b->name_count ? -1 : 1;
  if (a->is_counter != b->is_counter) return a->is_counter ? -1 : 1;
  if (a->latches.count != b->latches.count) return a->latches.count < b->latches.count ? -1 : 1;
  return a->latches.items[0] < b->latches.items[0] ? -1 : a->latches.items[0] > b->latches.items[0];
}

/* A sum is made of one feature and of some before it.  So turns and counters are first related to
   each other, and boards then to them. */
static void sort_features(guesser *g) {
  if (!g->features.count) return;
  qsort(g->features.items, g->features.count, sizeof *g->features.items, compare_features);
}

/* ---- linear algebra ---- */

static uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1, base = base * base % PRIME)
    if (exponent & 1) result = result * base % PRIME;
  return result;
}

static void subtract(uint64_t *row, const uint64_t *other, uint64_t times, uint32_t count) {
  for (uint32_t i = 0; i < count && times; i++)
    row[i] = (row[i] + (PRIME - times) * other[i]) % PRIME;
}

/* Takes a row in, if it does not depend on those that are there. */
static void add_row(guesser *g, uint64_t *row) {
  const uint32_t count = g->features.count;
  uint32_t pivot = 0;
  for (uint32_t r = 0; r < g->rows.count; r++)
    subtract(row, g->rows.items[r], row[g->pivots.items[r]], count);
  while (pivot < count && !row[pivot]) pivot++;
  if (pivot == count) return;
  const uint64_t inverse = power(row[pivot], PRIME - 2);
  uint64_t *kept = arena_new_array(g->scratch, uint64_t, count + 1);
  for (uint32_t i = 0; i < count; i++) kept[i] = row[i] * inverse % PRIME;
  for (uint32_t r = 0; r < g->rows.count; r++)
    subtract(g->rows.items[r], kept, g->rows.items[r][pivot], count);
  vec_push(g->scratch, &g->rows, kept);
  vec_push(g->scratch, &g->pivots, pivot);
}

static int32_t weight_in(const feature *f, uint32_t place) {
  return f->is_counter ? (int32_t)place : 1;
}

/* By how much the features of a state differ from those of the first one. */
static void read_row(const guesser *g, uint32_t step, uint32_t game, uint64_t *row) {
  for (uint32_t f = 0; f < g->features.count; f++) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < g->features.items[f].latches.count; i++) {
      const circuit_latch *l = &g->c->latches.items[g->features.items[f].latches.items[i]];
      const int64_t is_held =
          sample_value(g->seen, g->c, step, wire_of(l->gate, false)) >> game & 1;
      sum += (is_held - l->initially) * weight_in(&g->features.items[f], i);
    }
    row[f] = (uint64_t)(sum + PRIME) % PRIME;
  }
}

static void read_rows(guesser *g) {
  uint64_t *row = arena_new_array(g->scratch, uint64_t, g->features.count + 1);
  const uint32_t states = g->seen->step_count * 64;
  const uint32_t stride = states / ROWS_MAX + 1;
  for (uint32_t i = 0; i < states && !budget_is_spent(g->b); i += stride) {
    read_row(g, i / 64, i % 64, row);
    add_row(g, row);
  }
}

/* ---- guesses ---- */

/* A number modulo the prime as a small one; false: it is none. */
static bool small_number(uint64_t n, int32_t *small) {
  if (n > WEIGHT_MAX && PRIME - n > WEIGHT_MAX) return false;
  *small = n <= WEIGHT_MAX ? (int32_t)n : -(int32_t)(PRIME - n);
  return true;
}

/* The solution in which of the features that are no pivots this one counts alone. */
static bool scale(const guesser *g, uint32_t feature, uint64_t times, int32_t *by_feature) {
  memset(by_feature, 0, g->features.count * sizeof *by_feature);
  by_feature[feature] = (int32_t)times;
  for (uint32_t r = 0; r < g->rows.count; r++) {
    const uint64_t n = (PRIME - g->rows.items[r][feature]) % PRIME * times % PRIME;
    if (!small_number(n, &by_feature[g->pivots.items[r]])) return false;
  }
  return true;
}

static void add_guess(guesser *g, balance_vec *all, const int32_t *by_feature) {
  const uint32_t latches = g->c->latches.count;
  balance x = {.weights = arena_zero_array(g->keep, int32_t, latches + 1)};
  for (uint32_t f = 0; f < g->features.count; f++)
    for (uint32_t i = 0; i < g->features.items[f].latches.count; i++)
      x.weights[g->features.items[f].latches.items[i]] +=
          by_feature[f] * weight_in(&g->features.items[f], i);
  bool is_empty = true; /* as where two features have the same latches */
  for (uint32_t l = 0; l < latches; l++) {
    x.start += g->c->latches.items[l].initially ? x.weights[l] : 0;
    is_empty &= !x.weights[l];
  }
  if (!is_empty) vec_push(g->keep, all, x);
}

/* Sums without a counter were guessed when there were none. */
static bool is_news(const guesser *g, const int32_t *by_feature) {
  for (uint32_t f = 0; f < g->features.count; f++)
    if (by_feature[f] && g->features.items[f].is_counter) return true;
  return !g->with_counters;
}

static void add_guesses(guesser *g, balance_vec *all) {
  const bitset pivots = bitset_new(g->scratch, g->features.count + 1);
  int32_t *by_feature = arena_new_array(g->scratch, int32_t, g->features.count + 1);
  for (uint32_t r = 0; r < g->rows.count; r++) bitset_add(pivots, g->pivots.items[r]);
  for (uint32_t f = 0; f < g->features.count; f++) {
    uint64_t times = 1;
    if (bitset_has(pivots, f)) continue;
    while (times <= DENOMINATOR_MAX && !scale(g, f, times, by_feature)) times++;
    if (times <= DENOMINATOR_MAX && is_news(g, by_feature)) add_guess(g, all, by_feature);
  }
}

void balances_guess(balance_vec *all, bool with_counters, const circuit *c, const sample *seen,
                    arena *keep, budget *b) {
  guesser g = {.c = c,
               .seen = seen,
               .keep = keep,
               .scratch = arena_new(),
               .with_counters = with_counters,
               .b = b};
  find_features(&g);
  sort_features(&g);
  read_rows(&g);
  add_guesses(&g, all);
  arena_free(g.scratch);
}
