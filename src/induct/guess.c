/* Guesses at facts, from the shape of fluents. */
#include "induct/facts.h"

#include <stdlib.h>

#define WHOLE_NAME UINT32_MAX

/* Fluents that agree in their name and all arguments but number `vary` stand together. */
typedef struct shape_order {
  const circuit *c;
  uint32_t vary; /* WHOLE_NAME: in the name alone */
} shape_order;

static const term *top_of(const circuit *c, uint32_t fluent) {
  return term_get(c->terms, c->fluents.items[fluent].term);
}

static int compare_shapes(const shape_order *o, uint32_t a, uint32_t b) {
  const term *left = top_of(o->c, a);
  const term *right = top_of(o->c, b);
  if (left->name != right->name) return left->name < right->name ? -1 : 1;
  if (left->arg_count != right->arg_count) return left->arg_count < right->arg_count ? -1 : 1;
  for (uint32_t i = 0; i < left->arg_count && o->vary != WHOLE_NAME; i++) {
    const term_id x = term_arg(o->c->terms, o->c->fluents.items[a].term, i);
    const term_id y = term_arg(o->c->terms, o->c->fluents.items[b].term, i);
    if (i != o->vary && x != y) return x < y ? -1 : 1;
  }
  return 0;
}

static int compare_fluents(const void *left, const void *right, void *context) {
  const uint32_t a = *(const uint32_t *)left;
  const uint32_t b = *(const uint32_t *)right;
  const int by_shape = compare_shapes(context, a, b);
  return by_shape ? by_shape : a < b ? -1 : a > b;
}

/* Adds the strongest fact about the group that nothing speaks against. */
static void guess_group(fact_set *guesses, const circuit *c, const sample *seen,
                        const uint32_t *members, uint32_t count) {
  static const fact_kind kinds[] = {FACT_EXACTLY_ONE, FACT_AT_MOST_ONE, FACT_AT_LEAST_ONE};
  if (count < 2) return;
  for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const uint32_t start = guesses->members.count;
    fact_add(guesses, kinds[k], members, count);
    const fact *f = &vec_last(&guesses->all);
    if (fact_holds_at_start(guesses, c, f) && fact_holds_in_sample(guesses, c, f, seen)) return;
    guesses->all.count--;
    guesses->members.count = start;
  }
}

static bool never_changes(const circuit *c, uint32_t fluent) {
  return wire_is_constant(c->fluents.items[fluent].now);
}

/* With one argument to vary the group is the whole name, which has been tried. */
static bool is_told_apart(uint32_t args, uint32_t vary) {
  return vary == WHOLE_NAME || (args > 1 && vary < args);
}

static void guess_by_shape(fact_set *guesses, const circuit *c, const sample *seen, uint32_t vary,
                           arena *scratch, budget *limits) {
  shape_order o = {c, vary};
  uint32_t *order = arena_new_array(scratch, uint32_t, c->fluents.count + 1);
  uint32_t *members = arena_new_array(scratch, uint32_t, c->fluents.count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->fluents.count; i++)
    if (!never_changes(c, i) && is_told_apart(top_of(c, i)->arg_count, vary)) order[count++] = i;
  if (count) qsort_r(order, count, sizeof *order, compare_fluents, &o);
  for (uint32_t first = 0, end; first < count; first = end) {
    if (limits && budget_check_now(limits)) return;
    for (end = first; end < count && compare_shapes(&o, order[first], order[end]) == 0; end++)
      members[end - first] = order[end] << 1;
    guess_group(guesses, c, seen, members, end - first);
  }
}

/* ---- across names ---- */

/* All fluents of one name, of which at most one holds at any time that was seen. */
typedef struct name_group {
  uint32_t first, count;  /* in the order of shapes */
  const uint64_t *covers; /* by step of the sample: games in which one of them holds */
} name_group;

typedef VEC(name_group) name_groups;

/* NULL: two of them hold at once, or none ever does. */
static const uint64_t *find_cover(const circuit *c, const sample *seen, const uint32_t *fluents,
                                  uint32_t count, arena *scratch) {
  uint64_t *covers = arena_zero_array(scratch, uint64_t, seen->step_count + 1);
  uint64_t any = 0;
  for (uint32_t step = 0; step < seen->step_count; step++) {
    for (uint32_t i = 0; i < count; i++) {
      const uint64_t value = sample_value(seen, c, step, c->fluents.items[fluents[i]].now);
      if (covers[step] & value) return NULL;
      covers[step] |= value;
    }
    any |= covers[step];
  }
  return any ? covers : NULL;
}

static bool are_apart(const uint64_t *a, const uint64_t *b, uint32_t steps) {
  for (uint32_t i = 0; i < steps; i++)
    if (a[i] & b[i]) return false;
  return true;
}

static bool is_everywhere(const uint64_t *a, uint32_t steps) {
  for (uint32_t i = 0; i < steps; i++)
    if (a[i] != UINT64_MAX) return false;
  return true;
}

/* Names that take turns: those of group `start` and of further ones, together exactly one. */
static void guess_turns(fact_set *guesses, const circuit *c, const sample *seen,
                        const name_groups *groups, const uint32_t *order, uint32_t start,
                        arena *scratch) {
  const uint32_t steps = seen->step_count;
  uint64_t *covered = arena_zero_array(scratch, uint64_t, steps + 1);
  id_vec members = {0};
  for (uint32_t k = 0; k < groups->count; k++) {
    const name_group *g = &groups->items[(start + k) % groups->count];
    if (!are_apart(covered, g->covers, steps)) continue;
    for (uint32_t i = 0; i < steps; i++) covered[i] |= g->covers[i];
    for (uint32_t i = 0; i < g->count; i++) vec_push(scratch, &members, order[g->first + i] << 1);
    if (!is_everywhere(covered, steps)) continue;
    if (members.count > g->count) guess_group(guesses, c, seen, members.items, members.count);
    return;
  }
}

enum { TURN_NAMES_MAX = 64 };

static void guess_across_names(fact_set *guesses, const circuit *c, const sample *seen,
                               arena *scratch, budget *limits) {
  shape_order o = {c, WHOLE_NAME};
  uint32_t *order = arena_new_array(scratch, uint32_t, c->fluents.count + 1);
  uint32_t count = 0;
  name_groups groups = {0};
  for (uint32_t i = 0; i < c->fluents.count; i++)
    if (!never_changes(c, i)) order[count++] = i;
  if (count) qsort_r(order, count, sizeof *order, compare_fluents, &o);
  for (uint32_t first = 0, end; first < count; first = end) {
    for (end = first; end < count && compare_shapes(&o, order[first], order[end]) == 0;) end++;
    const name_group g = {first, end - first,
                          find_cover(c, seen, order + first, end - first, scratch)};
    if (g.covers && !is_everywhere(g.covers, seen->step_count)) vec_push(scratch, &groups, g);
  }
  if (groups.count > TURN_NAMES_MAX) return;
  for (uint32_t i = 0; i < groups.count && !(limits && budget_check_now(limits)); i++)
    guess_turns(guesses, c, seen, &groups, order, i, scratch);
}

static void guess_never_true(fact_set *guesses, const circuit *c, const sample *seen) {
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    const uint32_t member = i << 1 | 1;
    const uint32_t start = guesses->members.count;
    if (never_changes(c, i)) continue;
    fact_add(guesses, FACT_AT_LEAST_ONE, &member, 1);
    const fact *f = &vec_last(&guesses->all);
    if (fact_holds_at_start(guesses, c, f) && fact_holds_in_sample(guesses, c, f, seen)) continue;
    guesses->all.count--;
    guesses->members.count = start;
  }
}

void facts_guess(fact_set *guesses, const circuit *c, const sample *seen, bool with_never_true,
                 budget *limits) {
  arena *scratch = arena_new();
  uint32_t most_args = 0;
  for (uint32_t i = 0; i < c->fluents.count; i++)
    if (top_of(c, i)->arg_count > most_args) most_args = top_of(c, i)->arg_count;
  guess_by_shape(guesses, c, seen, WHOLE_NAME, scratch, limits);
  for (uint32_t vary = 0; vary < most_args; vary++)
    guess_by_shape(guesses, c, seen, vary, scratch, limits);
  guess_across_names(guesses, c, seen, scratch, limits);
  if (with_never_true) guess_never_true(guesses, c, seen);
  arena_free(scratch);
}
