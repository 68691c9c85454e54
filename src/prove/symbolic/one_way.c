#include "prove/symbolic/one_way.h"

#include "induct/local_wires.h"

enum { SAMPLE_STEPS = 150, CHANGE_CONFLICTS = 1000, REST_CONFLICTS = 50 * 1000, FAR_MAX = 600 };

typedef struct searcher {
  const one_way_question *q;
  const circuit *c;
  arena *keep;
  budget *b;
  fact_set near; /* the facts that few gates decide */
} searcher;

static searcher searcher_new(const one_way_question *q, arena *keep, budget *b) {
  return (searcher){.q = q, .c = q->c, .keep = keep, .b = b, .near = {.keep = keep}};
}

/* ---- a step ---- */

static void find_near_facts(searcher *s) {
  arena *scratch = arena_new();
  for (uint32_t i = 0; i < s->q->facts->all.count && !budget_is_spent(s->b); i++) {
    const arena_mark mark = arena_save(scratch);
    fact_set one = {.keep = scratch};
    fact_copy(&one, s->q->facts, &s->q->facts->all.items[i]);
    if (facts_are_near(&one, s->c)) fact_copy(&s->near, s->q->facts, &s->q->facts->all.items[i]);
    arena_restore(scratch, mark);
  }
  arena_free(scratch);
}

static void require_facts(const searcher *s, const fact_set *facts, unrolling *u, uint32_t time) {
  for (uint32_t i = 0; i < facts->all.count; i++)
    fact_require(facts, s->c, &facts->all.items[i], u, time, 0);
}

/* At first all facts, which are about latches alone; later they would need all that decides them. */
static void require_step(const searcher *s, unrolling *u, uint32_t time) {
  require_facts(s, time ? &s->near : s->q->facts, u, time);
  require_open_if_near(u, s->c, time);
  unroll_require_moves(u, time);
}

/* Holds once the fluent has changed. */
static wire done_wire(const circuit *c, one_way w) {
  return wire_of(c->latches.items[w >> 1].gate, w & 1);
}

/* ---- what random play shows ---- */

static uint64_t value_of(const searcher *s, const sample *seen, uint32_t step, uint32_t latch) {
  return sample_value(seen, s->c, step, wire_of(s->c->latches.items[latch].gate, false));
}

/* The games that begin with this step. */
static uint64_t games_that_begin(const searcher *s, const sample *seen, uint32_t step) {
  uint64_t begin = UINT64_MAX;
  for (uint32_t l = 0; l < s->c->latches.count && begin; l++)
    begin &= value_of(s, seen, step, l) ^ (s->c->latches.items[l].initially ? 0 : UINT64_MAX);
  return begin;
}

static void note_changes(const searcher *s, const sample *seen, uint32_t step, bool *rises,
                         bool *falls) {
  const uint64_t played = ~games_that_begin(s, seen, step);
  for (uint32_t l = 0; l < s->c->latches.count; l++) {
    const uint64_t before = value_of(s, seen, step - 1, l), after = value_of(s, seen, step, l);
    rises[l] |= (~before & after & played) != 0;
    falls[l] |= (before & ~after & played) != 0;
  }
}

/* Those that changed, and one way only. */
static void guess_all(const searcher *s, one_way_vec *guesses, arena *scratch) {
  sample seen;
  bool *rises = arena_zero_array(scratch, bool, s->c->latches.count + 1);
  bool *falls = arena_zero_array(scratch, bool, s->c->latches.count + 1);
  sample_play(&seen, s->c, SAMPLE_STEPS, s->q->seed, scratch, s->b);
  for (uint32_t step = 1; step < seen.step_count; step++)
    note_changes(s, &seen, step, rises, falls);
  for (uint32_t l = 0; l < s->c->latches.count; l++)
    if (rises[l] != falls[l]) vec_push(scratch, guesses, l << 1 | falls[l]);
}

/* ---- proofs that they change no other way ---- */

static bool is_near(const searcher *s, one_way w) {
  return wires_are_near(s->c, &s->c->latches.items[w >> 1].next, 1);
}

/* After it has changed, does it never change back? */
static bool keeps_its_way(const searcher *s, unrolling *u, one_way w) {
  const wire done = done_wire(s->c, w);
  const sat_literal back[2] = {unroll_wire(u, done, 0), -unroll_wire(u, done, 1)};
  const sat_answer answer = sat_solve(unroll_solver(u), back, 2, CHANGE_CONFLICTS);
  return answer == SAT_NO && !budget_check_now(s->b);
}

static void prove_ways(const searcher *s, const one_way_vec *guesses, bool near, one_way_vec *found,
                       arena *keep) {
  unrolling *u = unroll_new(s->c, false, s->b);
  uint32_t asked = 0;
  require_step(s, u, 0);
  for (uint32_t i = 0; i < guesses->count && !budget_check_now(s->b); i++) {
    const one_way w = guesses->items[i];
    if (is_near(s, w) != near || (!near && ++asked > FAR_MAX)) continue;
    if (keeps_its_way(s, u, w)) vec_push(keep, found, w);
  }
  unroll_free(u);
}

void one_way_find(one_way_vec *found, const one_way_question *q, bool near, arena *keep,
                  budget *b) {
  arena *scratch = arena_new();
  const searcher s = searcher_new(q, scratch, b);
  one_way_vec guesses = {0};
  guess_all(&s, &guesses, scratch);
  prove_ways(&s, &guesses, near, found, keep);
  arena_free(scratch);
}

/* ---- the measure ---- */

/* Can so many steps leave all of these as they are? */
static bool can_rest(const searcher *s, const one_way_vec *all, uint32_t steps) {
  unrolling *u = unroll_new(s->c, false, s->b);
  for (uint32_t time = 0; time < steps; time++) require_step(s, u, time);
  for (uint32_t time = 0; time < steps; time++)
    for (uint32_t i = 0; i < all->count; i++) {
      const wire done = done_wire(s->c, all->items[i]);
      sat_add_2(unroll_solver(u), unroll_wire(u, done, time), -unroll_wire(u, done, time + 1));
    }
  const bool can = sat_solve(unroll_solver(u), NULL, 0, REST_CONFLICTS) != SAT_NO;
  unroll_free(u);
  return can || budget_check_now(s->b);
}

static const term *name_of(const searcher *s, one_way w) {
  return term_get(s->c->terms, s->c->fluents.items[s->c->latches.items[w >> 1].fluent].term);
}

/* Those that have the name of this one and change the same way. */
static void gather_like(const searcher *s, const one_way_vec *found, one_way example,
                        one_way_vec *out) {
  out->count = 0;
  for (uint32_t i = 0; i < found->count; i++) {
    const one_way w = found->items[i];
    if ((w & 1) == (example & 1) && term_same_name(name_of(s, w), name_of(s, example)))
      vec_push(s->keep, out, w);
  }
}

/* One name alone gives the better bound: so each is tried before all together. */
static bool find_resting(const searcher *s, const one_way_vec *found, uint32_t steps,
                         one_way_vec *best) {
  for (uint32_t i = 0; i < found->count && !budget_check_now(s->b); i++) {
    gather_like(s, found, found->items[i], best);
    if (best->items[0] == found->items[i] && !can_rest(s, best, steps)) return true;
  }
  *best = *found;
  return found->count && !can_rest(s, best, steps);
}

static void write_measure(const searcher *s, const one_way_vec *all, measure_list *out) {
  measure_begin(out, 0, all->count);
  for (uint32_t i = 0; i < all->count; i++) {
    const uint32_t fluent = s->c->latches.items[all->items[i] >> 1].fluent;
    const bool negated = wire_is_negated(s->c->fluents.items[fluent].now);
    measure_add(out, fluent << 1 | negated, all->items[i] & 1 ? 1 : -1);
  }
  measure_narrow(out, s->q->facts, s->c, true);
}

uint32_t one_way_measure(measure_list *out, const one_way_question *q, const one_way_vec *found,
                         uint32_t least, uint32_t most, budget *b) {
  arena *scratch = arena_new();
  searcher s = searcher_new(q, scratch, b);
  one_way_vec best = {0};
  uint32_t proved = 0;
  find_near_facts(&s);
  for (uint32_t steps = least; steps <= most && !proved && !budget_check_now(b); steps++)
    if (find_resting(&s, found, steps, &best)) proved = steps;
  if (proved) write_measure(&s, &best, out);
  arena_free(scratch);
  return proved;
}
