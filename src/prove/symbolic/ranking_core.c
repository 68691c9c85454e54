/* Which ranks a proof needs.

   A question under assumptions tells which of them it used.  The assumptions are that ranks stay as
   they are, one for each; then each is tried to do without, those that can fall most often first.
 */
#include "prove/symbolic/ranking.h"

#include <stdlib.h>

enum { CONFLICTS_MAX = 2000 };

typedef struct core {
  ranking *r;
  budget *b;
  arena *scratch;
  unrolling *u;
  sat_literal *guards; /* by rank: it stays as it is */
  bool *is_kept;       /* by rank */
} core;

/* Steps from any state, with a guard for each rank. */
static void begin_question(core *x, uint32_t steps) {
  x->u = unroll_new(x->r->c, false, x->b);
  for (uint32_t i = 0; i < x->r->all.count; i++) x->guards[i] = sat_variable(unroll_solver(x->u));
  for (uint32_t time = 0; time < steps; time++) {
    ranking_require_step(x->r, x->u, time);
    for (uint32_t i = 0; i < x->r->all.count; i++)
      ranking_require_same(x->r, x->u, &x->r->all.items[i], time, x->guards[i]);
  }
}

/* Is there no answer where `asked` holds, if it is not 0, and the ranks of the set stay as they
   are? Then the set becomes that of those that the proof used. */
static bool is_excluded(core *x, sat_literal asked, bool *set) {
  VEC(sat_literal) assumptions = {0};
  if (asked) vec_push(x->scratch, &assumptions, asked);
  for (uint32_t i = 0; i < x->r->all.count; i++)
    if (set[i]) vec_push(x->scratch, &assumptions, x->guards[i]);
  const sat_solver *s = unroll_solver(x->u);
  if (sat_solve(unroll_solver(x->u), assumptions.items, assumptions.count, CONFLICTS_MAX) !=
          SAT_NO ||
      budget_check_now(x->b))
    return false;
  for (uint32_t i = 0; i < x->r->all.count; i++) set[i] = set[i] && sat_was_used(s, x->guards[i]);
  return true;
}

/* ---- fewer ---- */

/* What it is better to do without comes first: single fluents, for the groups that they belong to
   say more; then what can fall most often. */
static uint64_t cost_of(const ranking *r, uint32_t i) {
  const ranked *of = &r->all.items[i];
  return (uint64_t)!r->variables.items[of->variable].is_group << 32 | of->rank_max;
}

typedef struct costly {
  uint32_t rank;
  uint64_t cost;
} costly;

static int compare_costs(const void *left, const void *right) {
  const costly *a = left, *b = right;
  if (a->cost != b->cost) return a->cost > b->cost ? -1 : 1;
  return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static costly *in_order(core *x) {
  costly *order = arena_new_array(x->scratch, costly, x->r->all.count + 1);
  for (uint32_t i = 0; i < x->r->all.count; i++) order[i] = (costly){i, cost_of(x->r, i)};
  qsort(order, x->r->all.count, sizeof *order, compare_costs);
  return order;
}

/* Groups alone, if they will do; else all.  False: not even all will do, in the time. */
static bool take_first(core *x) {
  const ranking *r = x->r;
  for (uint32_t i = 0; i < r->all.count; i++)
    x->is_kept[i] = r->variables.items[r->all.items[i].variable].is_group;
  if (is_excluded(x, 0, x->is_kept)) return true;
  for (uint32_t i = 0; i < r->all.count; i++) x->is_kept[i] = true;
  return is_excluded(x, 0, x->is_kept);
}

static void drop_one_by_one(core *x) {
  const costly *order = in_order(x);
  bool *without = arena_new_array(x->scratch, bool, x->r->all.count + 1);
  for (uint32_t i = 0; i < x->r->all.count && !budget_check_now(x->b); i++) {
    if (!x->is_kept[order[i].rank]) continue;
    for (uint32_t k = 0; k < x->r->all.count; k++) without[k] = x->is_kept[k] && k != order[i].rank;
    if (!is_excluded(x, 0, without)) continue;
    for (uint32_t k = 0; k < x->r->all.count; k++) x->is_kept[k] = without[k];
  }
}

/* ---- levels ---- */

/* Keeps what must stay as it is so that a kept rank cannot grow; *has_support: there is
   anything of that kind.  Ranks come by level.  False: it was not found. */
static bool support(core *x, uint32_t i, bool *has_support) {
  const ranked *of = &x->r->all.items[i];
  bool *lower = arena_zero_array(x->scratch, bool, x->r->all.count + 1);
  const sat_literal rises = ranking_rise(x->r, x->u, of);
  for (uint32_t k = 0; k < i; k++) lower[k] = x->is_kept[k] && x->r->all.items[k].level < of->level;
  if (!is_excluded(x, rises, lower)) {
    for (uint32_t k = 0; k < i; k++) lower[k] = x->r->all.items[k].level < of->level;
    if (!is_excluded(x, rises, lower)) return false;
  }
  for (uint32_t k = 0; k < i; k++) {
    x->is_kept[k] |= lower[k];
    has_support[i] |= lower[k];
  }
  return true;
}

/* Ranks that need no support are of the first level, whatever they were found with. */
static bool support_all(core *x) {
  if (!vec_last(&x->r->all).level) return true;
  bool *has_support = arena_zero_array(x->scratch, bool, x->r->all.count + 1);
  begin_question(x, 1);
  bool ok = true;
  for (uint32_t i = x->r->all.count; i-- > 0 && ok;)
    if (x->is_kept[i] && x->r->all.items[i].level > 0) ok = support(x, i, has_support);
  unroll_free(x->u);
  for (uint32_t i = 0; i < x->r->all.count && ok; i++)
    if (!has_support[i]) x->r->all.items[i].level = 0;
  return ok;
}

/* `last`: the highest level that there is. */
static void keep_ranks(ranking *r, const bool *is_kept, uint32_t last) {
  ranked *all = arena_new_array(r->keep, ranked, r->all.count + 1);
  uint32_t kept = 0;
  for (uint32_t level = 0; level <= last; level++)
    for (uint32_t i = 0; i < r->all.count; i++)
      if (is_kept[i] && r->all.items[i].level == level) all[kept++] = r->all.items[i];
  if (!kept) all[kept++] = r->all.items[0]; /* no step can be made: a proof has a measure still */
  r->all.items = all;
  r->all.count = kept;
}

void ranking_reduce(ranking *r, uint32_t steps, budget *b) {
  if (r->all.count < 2 || r->only) return;
  budget half = budget_part(b, budget_seconds_left(b) / 2);
  core x = {.r = r, .b = &half, .scratch = arena_new()};
  x.guards = arena_new_array(x.scratch, sat_literal, r->all.count + 1);
  x.is_kept = arena_new_array(x.scratch, bool, r->all.count + 1);
  begin_question(&x, steps);
  const uint32_t last = vec_last(&r->all).level;
  const bool has_core = take_first(&x);
  if (has_core) drop_one_by_one(&x);
  unroll_free(x.u);
  x.b = b;
  if (has_core && support_all(&x)) keep_ranks(r, x.is_kept, last);
  arena_free(x.scratch);
}
