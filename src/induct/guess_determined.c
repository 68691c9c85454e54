/* Guesses that some arguments of a fluent determine another.

   (piece ?p ?life ?direction): a piece has one life at a time, though it may have two directions at
   once.  So of all fluents of the piece no two with different lives hold together.  That is said by
   groups with one fluent for each life: with as many ways to choose as there are lines in the plane
   over a field of numbers modulo a prime, every two fluents of different lives are in a group. */
#include "induct/guess.h"

#include "base/bitset.h"

#include <stdlib.h>

/* Arguments that are looked at; groups that one choice of arguments may take, and of them the first
   values. */
enum { ARGS_MAX = 4, GROUPS_MAX = 2000, FIRST_MAX = 200 };

/* Fluents of a name, sorted by the arguments that determine, and then by that which is. */
typedef struct determined {
  const circuit *c;
  const sample *seen;
  uint32_t by; /* arguments that determine: a bit for each */
  uint32_t at; /* the argument that is determined */
  arena *scratch;
} determined;

static term_id argument(const circuit *c, uint32_t fluent, uint32_t i) {
  return term_arg(c->terms, c->fluents.items[fluent].term, i);
}

static const term *name_of(const circuit *c, uint32_t fluent) {
  return term_get(c->terms, c->fluents.items[fluent].term);
}

static int compare_ids(uint32_t a, uint32_t b) { return a < b ? -1 : a > b; }

static int compare_keys(const determined *d, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < ARGS_MAX; i++) {
    const int order = d->by >> i & 1 ? compare_ids(argument(d->c, a, i), argument(d->c, b, i)) : 0;
    if (order) return order;
  }
  return 0;
}

static int compare_values(const determined *d, uint32_t a, uint32_t b) {
  return compare_ids(argument(d->c, a, d->at), argument(d->c, b, d->at));
}

static int compare_fluents(const void *left, const void *right, void *context) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  const int by_key = compare_keys(context, a, b);
  const int by_value = by_key ? by_key : compare_values(context, a, b);
  return by_value ? by_value : compare_ids(a, b);
}

/* ---- what was seen ---- */

/* The fluents of one key, by value. */
typedef struct key_fluents {
  const uint32_t *fluents;
  uint32_t count;
  id_vec starts; /* by value, and one more: where its fluents begin */
} key_fluents;

static uint64_t seen_of_value(const determined *d, const key_fluents *k, uint32_t value,
                              uint32_t step, uint64_t *twice) {
  uint64_t any = 0;
  for (uint32_t i = k->starts.items[value]; i < k->starts.items[value + 1]; i++) {
    const uint64_t it = sample_value(d->seen, d->c, step, d->c->fluents.items[k->fluents[i]].now);
    *twice |= any & it;
    any |= it;
  }
  return any;
}

/* Have two values been seen at once?  `twice`: two fluents of one value have. */
static bool has_two_values(const determined *d, const key_fluents *k, bool *twice) {
  uint64_t of_one = 0;
  for (uint32_t step = 0; step < d->seen->step_count; step++) {
    uint64_t any = 0;
    for (uint32_t value = 0; value + 1 < k->starts.count; value++) {
      const uint64_t it = seen_of_value(d, k, value, step, &of_one);
      if (any & it) return true;
      any |= it;
    }
  }
  *twice |= of_one != 0;
  return false;
}

/* ---- groups ---- */

static bool is_prime(uint32_t n) {
  for (uint32_t i = 2; i * i <= n; i++)
    if (n % i == 0) return false;
  return n > 1;
}

/* A prime that is no smaller than the number of values and of the fluents of any. */
static uint32_t prime_for(const key_fluents *k) {
  uint32_t least = k->starts.count - 1;
  for (uint32_t value = 0; value + 1 < k->starts.count; value++) {
    const uint32_t size = k->starts.items[value + 1] - k->starts.items[value];
    if (size > least) least = size;
  }
  while (!is_prime(least)) least++;
  return least;
}

/* A fluent for each value: two of different values have one line in common. */
static void add_line(fact_set *to, const key_fluents *k, uint32_t slope, uint32_t from,
                     uint32_t prime, arena *scratch) {
  id_vec members = {0};
  for (uint32_t value = 0; value + 1 < k->starts.count; value++) {
    const uint32_t at = k->starts.items[value] + (slope * value + from) % prime;
    if (at < k->starts.items[value + 1]) vec_push(scratch, &members, k->fluents[at] << 1);
  }
  if (members.count > 1) fact_add(to, FACT_AT_MOST_ONE, members.items, members.count);
}

/* No more than `most` and one. */
static void add_lines(fact_set *to, const key_fluents *k, uint32_t most, arena *scratch) {
  const bool has_one_value = k->starts.count < 3;
  const uint64_t prime = has_one_value ? 0 : prime_for(k);
  for (uint64_t i = 0; i < prime * prime && to->all.count <= most; i++) {
    const arena_mark mark = arena_save(scratch);
    add_line(to, k, (uint32_t)(i / prime), (uint32_t)(i % prime), (uint32_t)prime, scratch);
    arena_restore(scratch, mark);
  }
}

/* ---- a choice of arguments ---- */

static key_fluents next_key(const determined *d, const id_vec *order, uint32_t first) {
  key_fluents k = {.fluents = order->items + first};
  for (; first + k.count < order->count; k.count++) {
    const uint32_t fluent = k.fluents[k.count];
    if (compare_keys(d, *k.fluents, fluent) != 0) break;
    if (k.count == 0 || compare_values(d, k.fluents[k.count - 1], fluent) != 0)
      vec_push(d->scratch, &k.starts, k.count);
  }
  vec_push(d->scratch, &k.starts, k.count);
  return k;
}

/* Guesses nothing where it is known of some that they have two values, or of none that they have
   one in two ways: then all of them exclude each other, which is guessed elsewhere. */
static void guess_choice(determined *d, const id_vec *fluents, determined_guesses *guesses,
                         arena *keep) {
  id_vec order = {0};
  determined_guess found = {.first = {.keep = keep}, .others = {.keep = keep}};
  bool has_one_in_two_ways = false;
  vec_append(d->scratch, &order, fluents->items, fluents->count);
  qsort_r(order.items, order.count, sizeof *order.items, compare_fluents, d);
  for (uint32_t first = 0; first < order.count;) {
    const key_fluents k = next_key(d, &order, first);
    if (has_two_values(d, &k, &has_one_in_two_ways)) return;
    if (first)
      add_lines(&found.others, &k, GROUPS_MAX, d->scratch);
    else
      add_lines(&found.first, &k, FIRST_MAX, d->scratch);
    if (found.first.all.count > FIRST_MAX || found.others.all.count > GROUPS_MAX) return;
    first += k.count;
  }
  if (found.first.all.count && has_one_in_two_ways) vec_push(keep, guesses, found);
}

/* One argument is determined, and one or more are neither that nor determine. */
static void guess_name(determined *d, const id_vec *fluents, determined_guesses *guesses,
                       arena *keep, budget *limits) {
  const uint32_t args = name_of(d->c, fluents->items[0])->arg_count;
  if (args < 2 || args > ARGS_MAX) return;
  for (d->at = 0; d->at < args; d->at++)
    for (d->by = 0; d->by < UINT32_C(1) << args; d->by++) {
      const uint32_t both = d->by | UINT32_C(1) << d->at;
      if (d->by >> d->at & 1 || both == (UINT32_C(1) << args) - 1 || budget_check_now(limits))
        continue;
      const arena_mark mark = arena_save(d->scratch);
      guess_choice(d, fluents, guesses, keep);
      arena_restore(d->scratch, mark);
    }
}

/* The fluents of the name of one that change. */
static id_vec take_name(const circuit *c, uint32_t example, const bitset done, arena *keep) {
  id_vec like = {0};
  const term *name = name_of(c, example);
  for (uint32_t i = example; i < c->fluents.count; i++) {
    if (name_of(c, i)->name != name->name || name_of(c, i)->arg_count != name->arg_count) continue;
    bitset_add(done, i);
    if (!fluent_never_changes(c, i)) vec_push(keep, &like, i);
  }
  return like;
}

void facts_guess_determined(determined_guesses *guesses, const circuit *c, const sample *seen,
                            arena *keep, budget *limits) {
  determined d = {.c = c, .seen = seen, .scratch = arena_new()};
  const bitset done = bitset_new(d.scratch, c->fluents.count + 1);
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    if (bitset_has(done, i)) continue;
    const id_vec like = take_name(c, i, done, d.scratch);
    if (like.count) guess_name(&d, &like, guesses, keep, limits);
  }
  arena_free(d.scratch);
}
