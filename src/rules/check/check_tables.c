/* Tables of facts that count: one step is missing, or is another than all the others. */
#include "rules/check/check_parts.h"
#include "rules/goal_value.h"

#include <stdlib.h>

/* (successor 3 4) */
typedef struct pair {
  int32_t from;
  int32_t to;
  clause_id fact;
} pair;

typedef VEC(pair) pair_vec;

/* Fewer facts are no sequence. */
enum { FEWEST_PAIRS = 4 };

/* All facts of the relation as pairs of numbers; false: they are something else. */
static bool read_pairs(const checker *c, relation_id r, pair_vec *out) {
  const term_table *t = c->p->terms;
  const relation *it = &c->p->relations.items[r];
  if (it->arity != 2 || it->clause_count < FEWEST_PAIRS || !relation_is_listed(c, r)) return false;
  for (uint32_t i = 0; i < it->clause_count; i++) {
    pair x = {.fact = clause_of(c, r, i)};
    const term_id head = clause_at(c, x.fact)->head;
    if (!goal_value(t, term_arg(t, head, 0), &x.from)) return false;
    if (!goal_value(t, term_arg(t, head, 1), &x.to)) return false;
    vec_push(c->scratch, out, x);
  }
  return true;
}

static int64_t step_of(const pair *x) { return (int64_t)x->to - x->from; }

/* The step that at least all but one have; 0: there is none. */
static int64_t common_step(const pair_vec *all) {
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < all->count; n++)
      count += step_of(&all->items[n]) == step_of(&all->items[i]);
    if (count + 1 >= all->count) return step_of(&all->items[i]);
  }
  return 0;
}

static int by_first(const void *left, const void *right) {
  const pair *a = left, *b = right;
  return (a->from > b->from) - (a->from < b->from);
}

/* A count that stays at its end, (10 10), or goes round, (12 1), or leaps at its end is meant so.
 */
static bool closes(const pair_vec *all, const pair *x) {
  bool leads_on = false, is_met = false;
  for (uint32_t i = 0; i < all->count; i++) {
    if (&all->items[i] == x) continue;
    leads_on |= all->items[i].from == x->to;
    is_met |= all->items[i].to == x->to;
  }
  return x->from == x->to || !leads_on || !is_met;
}

static void report_step(checker *c, const pair *x, int64_t step) {
  diag *g = diag_add(c->d, DIAG_W628, where(c, node_of_head(c, x->fact)),
                     "%s differs from the other facts of its table",
                     shown_term(c, clause_at(c, x->fact)->head, 0));
  diag_hint(c->d, g, "in all others the second number is %lld %s than the first",
            llabs((long long)step), step > 0 ? "more" : "less");
}

static void check_step(checker *c, const pair_vec *all, int64_t step) {
  for (uint32_t i = 0; i < all->count; i++)
    if (step_of(&all->items[i]) != step && !closes(all, &all->items[i]))
      report_step(c, &all->items[i], step);
}

static void report_gap(checker *c, const pair *after, int64_t from, int64_t step) {
  const relation_id r = atom_relation(c->p, clause_at(c, after->fact)->head);
  diag *g = diag_add(c->d, DIAG_W628, where(c, node_of_head(c, after->fact)),
                     "no fact of %s leads from %lld to %lld", shown_relation(c, r), (long long)from,
                     (long long)(from + step));
  diag_hint(c->d, g, "is a fact forgotten?");
}

/* One number alone has no next one, and is not the last. */
static void check_gap(checker *c, const pair_vec *all, int64_t step) {
  const pair *after = NULL;
  for (uint32_t i = 1; i < all->count; i++) {
    const int64_t distance = (int64_t)all->items[i].from - all->items[i - 1].from;
    if (distance != 1 && (distance != 2 || after)) return;
    if (distance == 2) after = &all->items[i];
  }
  if (after) report_gap(c, after, (int64_t)after->from - 1, step);
}

void check_tables(checker *c) {
  for (relation_id r = KEYWORD_RELATION_COUNT; r < c->p->relations.count; r++) {
    pair_vec all = {0};
    if (!read_pairs(c, r, &all)) continue;
    qsort(all.items, all.count, sizeof *all.items, by_first);
    const int64_t step = common_step(&all);
    if (step == 1 || step == -1) check_gap(c, &all, step);
    if (step) check_step(c, &all, step);
  }
}
