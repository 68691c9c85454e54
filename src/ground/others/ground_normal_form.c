#include "ground/others/ground_normal_form.h"

#include "ground/simplify/simplify.h"
#include "ground/simplify/wellfounded.h"

#include <stdlib.h>

static int compare_literals(const void *left, const void *right) {
  const ground_literal a = *(const ground_literal *)left;
  const ground_literal b = *(const ground_literal *)right;
  return (a > b) - (a < b);
}

static bool is_sorted(const ground_literal *body, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (body[i - 1] >= body[i]) return false;
  return true;
}

static void make_body_a_set(ground_literal *body, uint32_t *count) {
  if (is_sorted(body, *count)) return;
  qsort(body, *count, sizeof *body, compare_literals);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *count; i++)
    if (kept == 0 || body[kept - 1] != body[i]) body[kept++] = body[i];
  *count = kept;
}

/* An atom and its negation are neighbours in a sorted body. */
static bool contradicts_itself(const ground_literal *body, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (literal_atom(body[i - 1]) == literal_atom(body[i])) return true;
  return false;
}

/* Steps 3 and 4, for bodies. */
static void make_sets(ground_program *g) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->rules.count; i++) {
    ground_rule r = g->rules.items[i];
    ground_literal *body = vec_from(&g->literals, r.body);
    make_body_a_set(body, &r.body_count);
    if (!contradicts_itself(body, r.body_count)) g->rules.items[kept++] = r;
  }
  g->rules.count = kept;
}

truth *ground_truths(ground_program *g, arena *keep) {
  make_sets(g);
  wellfounded m;
  wellfounded_find(&m, g, false, keep, NULL);
  truth *truths = arena_zero_array(keep, truth, g->atoms.count);
  for (atom_id a = 0; a < g->atoms.count; a++) {
    if (bitset_has(m.certain, a))
      truths[a] = TRUTH_HOLDS;
    else if (!bitset_has(m.possible, a))
      truths[a] = TRUTH_FAILS;
  }
  return truths;
}

void ground_normalise(ground_program *g) {
  make_sets(g);
  ground_fold_constants(g, false, NULL);
  ground_index_rules(g);
  ground_drop_unneeded(g);
}
