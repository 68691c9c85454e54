/* Guesses about the fluents of one name. */
#include "induct/guess.h"

#include "base/bitset.h"

#include <stdlib.h>

#define WHOLE_NAME UINT32_MAX

/* Fluents that agree in their name and all arguments but those of `vary` stand together. */
typedef struct shape_order {
  const circuit *c;
  uint32_t vary; /* a bit for each argument; WHOLE_NAME: they agree in the name alone */
} shape_order;

static const term *top_of(const circuit *c, uint32_t fluent) {
  return term_get(c->terms, c->fluents.items[fluent].term);
}

static bool varies(uint32_t vary, uint32_t argument) {
  return argument < 32 && vary >> argument & 1;
}

static int compare_shapes(const shape_order *o, uint32_t a, uint32_t b) {
  const term *left = top_of(o->c, a);
  const term *right = top_of(o->c, b);
  if (left->name != right->name) return left->name < right->name ? -1 : 1;
  if (left->arg_count != right->arg_count) return left->arg_count < right->arg_count ? -1 : 1;
  for (uint32_t i = 0; i < left->arg_count && o->vary != WHOLE_NAME; i++) {
    const term_id x = term_arg(o->c->terms, o->c->fluents.items[a].term, i);
    const term_id y = term_arg(o->c->terms, o->c->fluents.items[b].term, i);
    if (!varies(o->vary, i) && x != y) return x < y ? -1 : 1;
  }
  return 0;
}

static int compare_fluents(const void *left, const void *right, void *context) {
  const uint32_t a = *(const uint32_t *)left;
  const uint32_t b = *(const uint32_t *)right;
  const int by_shape = compare_shapes(context, a, b);
  return by_shape ? by_shape : a < b ? -1 : a > b;
}

static void forget_last(fact_set *guesses) {
  guesses->members.count = vec_pop(&guesses->all).first;
}

void guess_group(fact_set *guesses, const circuit *c, const sample *seen, const uint32_t *members,
                 uint32_t count) {
  static const fact_kind kinds[] = {FACT_EXACTLY_ONE, FACT_AT_MOST_ONE, FACT_AT_LEAST_ONE};
  if (count < 2) return;
  for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    fact_add(guesses, kinds[k], members, count);
    const fact *f = &vec_last(&guesses->all);
    if (fact_holds_at_start(guesses, c, f) && fact_holds_in_sample(guesses, c, f, seen)) return;
    forget_last(guesses);
  }
}

bool fluent_never_changes(const circuit *c, uint32_t fluent) {
  return wire_is_constant(c->fluents.items[fluent].now);
}

/* If all arguments vary, the group is the whole name, which has been tried. */
static bool is_told_apart(uint32_t args, uint32_t vary) {
  return vary == WHOLE_NAME || args >= 32 || vary < (UINT32_C(1) << args) - 1;
}

/* The fluents that change, those that a guess may be about together standing beside each other. */
static id_vec in_order_of_shapes(shape_order *o, arena *scratch) {
  const circuit *c = o->c;
  id_vec order = {0};
  for (uint32_t i = 0; i < c->fluents.count; i++)
    if (!fluent_never_changes(c, i) && is_told_apart(top_of(c, i)->arg_count, o->vary))
      vec_push(scratch, &order, i);
  if (order.count) qsort_r(order.items, order.count, sizeof *order.items, compare_fluents, o);
  return order;
}

/* The end of the group that begins there. */
static uint32_t group_end(const shape_order *o, const id_vec *order, uint32_t first) {
  uint32_t end = first;
  while (end < order->count && compare_shapes(o, order->items[first], order->items[end]) == 0)
    end++;
  return end;
}

static void guess_by_shape(fact_set *guesses, const circuit *c, const sample *seen, uint32_t vary,
                           arena *scratch, budget *limits) {
  shape_order o = {c, vary};
  const id_vec order = in_order_of_shapes(&o, scratch);
  uint32_t *members = arena_new_array(scratch, uint32_t, order.count + 1);
  for (uint32_t first = 0, end; first < order.count; first = end) {
    if (budget_check_now(limits)) return;
    end = group_end(&o, &order, first);
    for (uint32_t i = first; i < end; i++) members[i - first] = order.items[i] << 1;
    guess_group(guesses, c, seen, members, end - first);
  }
}

/* ---- several arguments ---- */

enum { BOARD_ARGS_MAX = 6, BOARD_SHAPES_MAX = 1 << BOARD_ARGS_MAX };

/* What has been guessed so far. */
typedef struct board_shapes {
  uint32_t count;
  uint32_t vary[BOARD_SHAPES_MAX];
  bitset guessed[BOARD_SHAPES_MAX]; /* by what varies: fluents of which there is a guess */
} board_shapes;

/* Is there a guess already of a group in which this one lies? */
static bool is_in_larger_group(const board_shapes *b, uint32_t vary, uint32_t fluent) {
  for (uint32_t i = 0; i < b->count; i++)
    if ((b->vary[i] & vary) == vary && bitset_has(b->guessed[i], fluent)) return true;
  return false;
}

/* Guesses that at most or exactly one holds of each group. */
static fact_set guess_shape(board_shapes *b, const circuit *c, const sample *seen, uint32_t vary,
                            arena *keep, arena *scratch) {
  shape_order o = {c, vary};
  const id_vec order = in_order_of_shapes(&o, scratch);
  uint32_t *members = arena_new_array(scratch, uint32_t, order.count + 1);
  const bitset guessed = bitset_new(scratch, c->fluents.count + 1);
  fact_set found = {.keep = keep};
  for (uint32_t first = 0, end; first < order.count; first = end) {
    end = group_end(&o, &order, first);
    if (is_in_larger_group(b, vary, order.items[first])) continue;
    const uint32_t before = found.all.count;
    for (uint32_t i = first; i < end; i++) members[i - first] = order.items[i] << 1;
    guess_group(&found, c, seen, members, end - first);
    if (found.all.count == before) continue;
    if (vec_last(&found.all).kind == FACT_AT_LEAST_ONE)
      forget_last(&found);
    else
      for (uint32_t i = first; i < end; i++) bitset_add(guessed, order.items[i]);
  }
  b->vary[b->count] = vary;
  b->guessed[b->count++] = guessed;
  return found;
}

/* On a board each cell has exactly one thing; that it had at most one may be a coincidence. */
static bool are_all_exact(const fact_set *s) {
  for (uint32_t i = 0; i < s->all.count; i++)
    if (s->all.items[i].kind != FACT_EXACTLY_ONE) return false;
  return true;
}

/* The likely ones first, then those with small groups. */
static int compare_guesses(const void *left, const void *right) {
  const fact_set *a = left, *b = right;
  if (are_all_exact(a) != are_all_exact(b)) return are_all_exact(a) ? -1 : 1;
  const uint64_t x = (uint64_t)a->members.count * b->all.count;
  const uint64_t y = (uint64_t)b->members.count * a->all.count;
  return x < y ? -1 : x > y;
}

/* Whole names come first, only to know of them: guesses about those are made elsewhere. */
void facts_guess_boards(board_guesses *guesses, const circuit *c, const sample *seen, arena *keep,
                        budget *limits) {
  arena *scratch = arena_new();
  board_shapes *b = arena_alloc_zero(scratch, sizeof *b);
  guess_shape(b, c, seen, WHOLE_NAME, scratch, scratch);
  for (int bits = BOARD_ARGS_MAX - 1; bits >= 1; bits--)
    for (uint32_t vary = 1; vary < BOARD_SHAPES_MAX; vary++) {
      if (__builtin_popcount(vary) != bits || budget_check_now(limits)) continue;
      const fact_set found = guess_shape(b, c, seen, vary, keep, scratch);
      if (found.all.count) vec_push(keep, guesses, found);
    }
  guess_across_names(guesses, c, seen, keep, limits);
  if (guesses->count)
    qsort(guesses->items, guesses->count, sizeof *guesses->items, compare_guesses);
  arena_free(scratch);
}

static void guess_never_true(fact_set *guesses, const circuit *c, const sample *seen) {
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    const uint32_t member = i << 1 | 1;
    if (fluent_never_changes(c, i)) continue;
    fact_add(guesses, FACT_AT_LEAST_ONE, &member, 1);
    const fact *f = &vec_last(&guesses->all);
    if (!fact_holds_at_start(guesses, c, f) || !fact_holds_in_sample(guesses, c, f, seen))
      forget_last(guesses);
  }
}

void facts_guess(fact_set *guesses, const circuit *c, const sample *seen, bool with_never_true,
                 budget *limits) {
  arena *scratch = arena_new();
  uint32_t most_args = 0;
  for (uint32_t i = 0; i < c->fluents.count; i++)
    if (top_of(c, i)->arg_count > most_args) most_args = top_of(c, i)->arg_count;
  guess_by_shape(guesses, c, seen, WHOLE_NAME, scratch, limits);
  for (uint32_t i = 0; i < most_args && i < 32; i++)
    guess_by_shape(guesses, c, seen, UINT32_C(1) << i, scratch, limits);
  if (with_never_true) guess_never_true(guesses, c, seen);
  arena_free(scratch);
}
