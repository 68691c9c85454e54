#include "prove/symbolic/balances.h"

#include "prove/symbolic/balance_guess.h"
#include "prove/symbolic/weighted_sums.h"

#include <stdlib.h>

enum { SAMPLE_STEPS = 150, CONFLICTS_MAX = 20 * 1000, CONFLICTS_FEW = 2000, ALONE_MAX = 32 };

static void require_facts(const fact_set *facts, const circuit *c, unrolling *u) {
  for (uint32_t i = 0; i < facts->all.count; i++)
    fact_require(facts, c, &facts->all.items[i], u, 0, 0);
}

static wire latch_wire(const circuit *c, uint32_t latch) {
  return wire_of(c->latches.items[latch].gate, false);
}

static void add_term(weighted_vec *gains, weighted_vec *losses, sat_literal l, int64_t weight,
                     arena *scratch) {
  const weighted_literal term = {l, (uint32_t)llabs(weight)};
  if (weight) vec_push(scratch, weight > 0 ? gains : losses, term);
}

/* ---- the sum of a state ---- */

/* Sides that are equal where the sum is that of the first state. */
static void put_sides(const balance *x, const circuit *c, unrolling *u, uint32_t time,
                      weighted_vec *left, weighted_vec *right, arena *scratch) {
  for (uint32_t l = 0; l < c->latches.count; l++)
    if (x->weights[l])
      add_term(left, right, unroll_wire(u, latch_wire(c, l), time), x->weights[l], scratch);
  add_term(left, right, unroll_wire(u, WIRE_TRUE, time), -x->start, scratch);
}

/* An odd number of its latches holds at a time; of both times: of two in a row. */
static sat_literal is_odd(const balance *x, const circuit *c, unrolling *u, uint32_t time,
                          bool both_times, arena *scratch) {
  VEC(sat_literal) all = {0};
  for (uint32_t l = 0; l < c->latches.count; l++) {
    if (!x->weights[l]) continue;
    vec_push(scratch, &all, unroll_wire(u, latch_wire(c, l), time));
    if (both_times) vec_push(scratch, &all, unroll_wire(u, latch_wire(c, l), time + 1));
  }
  return sum_is_odd(unroll_solver(u), all.items, all.count);
}

void balance_require(const balance *x, const circuit *c, unrolling *u, uint32_t time,
                     arena *scratch) {
  sat_solver *s = unroll_solver(u);
  if (x->is_parity) {
    const sat_literal odd = is_odd(x, c, u, time, false, scratch);
    sat_add_1(s, x->start & 1 ? odd : -odd);
    return;
  }
  weighted_vec left = {0}, right = {0};
  put_sides(x, c, u, time, &left, &right, scratch);
  sat_add_1(s, sum_is_at_least(s, &left, &right, scratch));
  sat_add_1(s, sum_is_at_least(s, &right, &left, scratch));
}

/* ---- proofs ---- */

/* A literal that holds when the sides differ. */
static sat_literal sides_differ(unrolling *u, const weighted_vec *left, const weighted_vec *right,
                                arena *scratch) {
  sat_solver *s = unroll_solver(u);
  const sat_literal at_least = sum_is_at_least(s, left, right, scratch);
  const sat_literal at_most = sum_is_at_least(s, right, left, scratch);
  return unroll_any(u, (const sat_literal[]){-at_least, -at_most}, 2);
}

/* Holds in states in which the sum is another one. */
static sat_literal differs(unrolling *u, const circuit *c, const balance *x, arena *scratch) {
  if (x->is_parity) {
    const sat_literal odd = is_odd(x, c, u, 0, false, scratch);
    return x->start & 1 ? -odd : odd;
  }
  weighted_vec left = {0}, right = {0};
  put_sides(x, c, u, 0, &left, &right, scratch);
  return sides_differ(u, &left, &right, scratch);
}

/* Is there a state with the facts in which the sum is another one? */
static bool says_more_than_facts(unrolling *u, const circuit *c, const balance *x,
                                 uint32_t conflicts, arena *scratch) {
  const sat_literal differ = differs(u, c, x, scratch);
  return sat_solve(unroll_solver(u), &differ, 1, conflicts) != SAT_NO;
}

static sat_literal both(unrolling *u, sat_literal a, sat_literal b) {
  return -unroll_any(u, (const sat_literal[]){-a, -b}, 2);
}

/* What a step changes is little, where the sums may be large. */
static sat_literal changes(unrolling *u, const circuit *c, const balance *x, arena *scratch) {
  if (x->is_parity) return is_odd(x, c, u, 0, true, scratch);
  weighted_vec gains = {0}, losses = {0};
  for (uint32_t l = 0; l < c->latches.count; l++) {
    if (!x->weights[l]) continue;
    const sat_literal before = unroll_wire(u, latch_wire(c, l), 0);
    const sat_literal after = unroll_wire(u, latch_wire(c, l), 1);
    add_term(&gains, &losses, both(u, -before, after), x->weights[l], scratch);
    add_term(&gains, &losses, both(u, before, -after), -x->weights[l], scratch);
  }
  return sides_differ(u, &gains, &losses, scratch);
}

static bool is_kept_by_steps(unrolling *u, const circuit *c, const balance *x, uint32_t conflicts,
                             arena *scratch) {
  const sat_literal change = changes(u, c, x, scratch);
  return sat_solve(unroll_solver(u), &change, 1, conflicts) == SAT_NO;
}

/* Assumes facts and all of `assumed` in a state, and makes a step. */
static unrolling *begin_step(const circuit *c, const fact_set *facts, const balance_vec *assumed,
                             arena *scratch, budget *b) {
  unrolling *u = unroll_new(c, false, b);
  require_facts(facts, c, u);
  for (uint32_t i = 0; i < assumed->count && !budget_check_now(b); i++)
    balance_require(&assumed->items[i], c, u, 0, scratch);
  unroll_require_step(u, 0);
  return u;
}

typedef bool balance_question(unrolling *u, const circuit *c, const balance *x, uint32_t conflicts,
                              arena *scratch);

/* Keeps those of `tried` of which the answer is yes; one solver is asked about all. */
static void keep_if(balance_vec *tried, balance_question *asks, uint32_t conflicts, unrolling *u,
                    const circuit *c, arena *scratch, budget *b) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < tried->count && !budget_check_now(b); i++) {
    const arena_mark mark = arena_save(scratch);
    if (asks(u, c, &tried->items[i], conflicts, scratch)) tried->items[kept++] = tried->items[i];
    arena_restore(scratch, mark);
  }
  tried->count = kept;
  unroll_free(u);
}

static void keep_proved(balance_vec *tried, const circuit *c, const fact_set *facts,
                        const balance_vec *assumed, uint32_t conflicts, arena *scratch, budget *b) {
  keep_if(tried, is_kept_by_steps, conflicts, begin_step(c, facts, assumed, scratch, b), c, scratch,
          b);
}

/* What the facts do not say already. */
static void keep_news(balance_vec *tried, const circuit *c, const fact_set *facts, arena *scratch,
                      budget *b) {
  unrolling *u = unroll_new(c, false, b);
  require_facts(facts, c, u);
  keep_if(tried, says_more_than_facts, CONFLICTS_MAX, u, c, scratch, b);
}

/* Moves those that follow from facts and from what is assumed to `proved`.  True: there are some. */
static bool prove_further(balance_vec *proved, balance_vec *open, const balance_vec *assumed,
                          uint32_t conflicts, const circuit *c, const fact_set *facts, arena *keep,
                          arena *scratch, budget *b) {
  balance_vec news = {0}, left = {0};
  vec_append(scratch, &news, open->items, open->count);
  keep_proved(&news, c, facts, assumed, conflicts, scratch, b);
  for (uint32_t i = 0, k = 0; i < open->count; i++)
    if (k < news.count && open->items[i].weights == news.items[k].weights)
      k++;
    else
      vec_push(scratch, &left, open->items[i]);
  vec_append(keep, proved, news.items, news.count);
  *open = left;
  return news.count && !budget_check_now(b);
}

/* Each where it holds before the step, and nothing is known of the others. */
static void prove_alone(balance_vec *proved, balance_vec *open, const circuit *c,
                        const fact_set *facts, arena *keep, arena *scratch, budget *b) {
  balance_vec left = {0};
  for (uint32_t i = 0; i < open->count; i++) {
    balance_vec one = {0}, assumed = {0};
    vec_push(scratch, &one, open->items[i]);
    vec_push(scratch, &assumed, open->items[i]);
    if (i < ALONE_MAX) keep_proved(&one, c, facts, &assumed, CONFLICTS_MAX, scratch, b);
    vec_append(keep, i < ALONE_MAX && one.count ? proved : &left, &open->items[i], 1);
  }
  *open = left;
}

/* Each is tried by itself, which asks least of the solver, and again with those that are proved;
   when that comes to an end, all that are left are assumed of the state before the step, until they
   follow from each other. */
static void add_inductive(balance_vec *all, balance_vec *open, uint32_t conflicts, const circuit *c,
                          const fact_set *facts, arena *keep, arena *scratch, budget *b) {
  balance_vec together = {0};
  const balance_vec none = {0};
  if (open->count) prove_further(all, open, &none, conflicts, c, facts, keep, scratch, b);
  prove_alone(all, open, c, facts, keep, scratch, b);
  while (open->count && prove_further(all, open, all, conflicts, c, facts, keep, scratch, b))
    continue;
  vec_append(keep, &together, all->items, all->count);
  vec_append(keep, &together, open->items, open->count);
  bool is_closed = !open->count;
  while (!is_closed && together.count > all->count && !budget_check_now(b)) {
    balance_vec assumed = {0};
    vec_append(keep, &assumed, together.items, together.count);
    keep_proved(&together, c, facts, &assumed, conflicts, scratch, b);
    is_closed = together.count == assumed.count && !budget_check_now(b);
  }
  if (is_closed) *all = together;
}

void balances_find(balance_vec *all, balance_kind kind, const circuit *c, const fact_set *facts,
                   uint64_t seed, arena *keep, budget *b) {
  arena *scratch = arena_new();
  sample seen;
  balance_vec open = {0};
  sample_play(&seen, c, SAMPLE_STEPS, seed, scratch, b);
  if (kind == BALANCE_OF_PARITY)
    parities_guess(&open, c, &seen, keep, b);
  else
    balances_guess(&open, kind == BALANCE_OF_COUNTERS, c, &seen, keep, b);
  keep_news(&open, c, facts, scratch, b);
  add_inductive(all, &open, kind == BALANCE_OF_FLUENTS ? CONFLICTS_MAX : CONFLICTS_FEW, c, facts,
                keep, scratch, b);
  arena_free(scratch);
}
