/* The method `termination`: measures (measure.h) that steps make smaller.

   When no step, or no k steps in a row, can leave all ranks (ranking.h) as they are, every play
   ends. When they can, further levels of ranks are tried, and at last weights of all fluents
   (weights.h). What is found bounds how long plays are: so ranks that the proof does not need are
   left out, and weights are tried in place of ranks of several levels, whose bounds multiply. */
#include "induct/induct.h"
#include "induct/local_wires.h"
#include "prove/counters.h"
#include "prove/methods.h"
#include "prove/symbolic/one_way.h"
#include "prove/symbolic/ranking.h"
#include "prove/symbolic/weights.h"

#include <math.h>

enum { STEPS_MAX = 3, LEVELS_MAX = 4 };

/* How long a lower bound may be looked for when a proof is there. */
static const double reduce_seconds = 2, weigh_seconds = 4;

static budget short_time(const budget *b, double seconds) {
  return budget_part(b, fmin(seconds, budget_seconds_left(b) / 4));
}

/* ---- the bound ---- */

/* Windows of `steps` steps do not overlap, and each makes the list smaller. */
static uint64_t longest_with(const measure_list *l, uint32_t steps) {
  const uint64_t falls = measures_bound(l);
  return falls < UINT32_MAX ? (falls + 1) * steps - 1 : UINT64_MAX;
}

static measure_list *measures_of(prove_job *j, const ranking *r) {
  measure_list *measures = arena_alloc_zero(j->keep, sizeof *measures);
  measures->keep = j->keep;
  ranking_write(r, measures);
  return measures;
}

static void require_rest(void *context, unrolling *u, uint32_t time) {
  ranking_require_rest(context, u, time);
}

/* Weights that all steps lower at which the ranks stay as they are.  NULL: none are found. */
static measure_list *weigh(prove_job *j, ranking *r, uint32_t steps, budget *b) {
  const weights_question q = {
      .c = r->c, .require = require_rest, .context = r, .steps = steps, .level = LEVELS_MAX};
  measure_list *measures = measures_of(j, r);
  if (!weights_find(measures, &q, b)) return NULL;
  measure_narrow(measures, r->facts, r->c, !r->all.count);
  return measures;
}

/* Weights without any ranks, if they give a lower bound; else the measures that are there. */
static const measure_list *lowered(prove_job *j, const ranking *r, const measure_list *measures,
                                   uint32_t steps) {
  budget part = short_time(r->b, weigh_seconds);
  ranking none = {.c = r->c, .keep = r->keep, .facts = r->facts, .b = &part};
  const measure_list *sum = weigh(j, &none, steps, &part);
  return sum && longest_with(sum, steps) < longest_with(measures, steps) ? sum : measures;
}

/* ---- the verdict ---- */

static const char *words_of_measures(const measure_list *measures, uint32_t steps, arena *keep) {
  text words = text_new(keep);
  if (measures->all.count > 1)
    text_add_format(&words, "of %u measures one falls at least every ", measures->all.count);
  else
    text_add(&words, "a measure falls at least every ");
  text_add_format(&words, steps == 1 ? "step" : "%u steps", steps);
  return text_string(&words);
}

static void settle(prove_job *j, const ranking *r, const measure_list *measures, uint32_t steps) {
  finding v = {.kind = VERDICT_PROVED,
               .method = "termination",
               .depth = steps,
               .induction = steps,
               .certificate = r->facts,
               .measures = measures,
               .reason = words_of_measures(measures, steps, j->keep)};
  v.plays.at_most = longest_with(measures, steps);
  v.plays.is_known = v.plays.at_most != UINT64_MAX;
  if (v.plays.is_known) job_seek_longest(j, &v.plays, r->b);
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == PROPERTY_TERMINATES) job_settle(j, i, v);
}

static void settle_with_ranks(prove_job *j, ranking *r, uint32_t steps) {
  budget part = short_time(r->b, reduce_seconds);
  ranking_reduce(r, steps, &part);
  const measure_list *measures = measures_of(j, r);
  if (vec_last(&r->all).level > 0) measures = lowered(j, r, measures, steps);
  settle(j, r, measures, steps);
}

/* Up to `most` steps are tried. */
static bool settle_by_ranks(prove_job *j, ranking *r, uint32_t most) {
  for (uint32_t steps = 1; steps <= most && !budget_check_now(r->b); steps++) {
    if (ranking_can_rest(r, steps)) continue;
    settle_with_ranks(j, r, steps);
    return true;
  }
  return false;
}

static void settle_by_weights(prove_job *j, ranking *r) {
  for (uint32_t steps = 1; steps <= STEPS_MAX && !budget_check_now(r->b); steps++) {
    const measure_list *measures = weigh(j, r, steps, r->b);
    if (!measures) continue;
    settle(j, r, r->all.count ? lowered(j, r, measures, steps) : measures, steps);
    return;
  }
}

/* ---- step counters ---- */

/* Is the group a counter that every step moves on, whatever else there is? */
static void try_counter(prove_job *j, const fact_set *facts, const fact *f, budget *b) {
  ranking r = {.c = &j->full, .keep = arena_new(), .b = b, .facts = facts, .only = f};
  ranking_add_group(&r, f);
  if (ranking_next_level(&r, 0)) settle_by_ranks(j, &r, 1);
  arena_free(r.keep);
}

void termination_look(prove_job *j, const fact_set *facts, uint32_t first, budget *b) {
  for (uint32_t i = first; i < facts->all.count && job_has_open(j, PROPERTY_TERMINATES); i++) {
    const fact *f = &facts->all.items[i];
    if (f->kind == FACT_EXACTLY_ONE && f->count > 2 && f->count <= RANKED_VALUES_MAX)
      try_counter(j, facts, f, b);
  }
}

/* ---- counters that are set back ---- */

/* Of fewer values a counter is hardly one of steps without progress. */
enum { COUNTED_VALUES_MIN = 10 };

/* Its values, each of which depends on those beside it alone, from that of the start on. */
typedef struct counter {
  ranking *r;
  id_vec latches;
} counter;

/* The latches of a group; false: it has others. */
static bool read_latches(const ranking *r, const fact *f, id_vec *latches) {
  latches->count = 0;
  for (uint32_t i = 0; i < f->count; i++) {
    const wire w = fact_wire(r->facts, r->c, f, i);
    const gate it = r->c->gates.items[wire_gate(w)];
    if (wire_is_negated(w) || it.kind != GATE_LATCH) return false;
    vec_push(r->keep, latches, it.number);
  }
  return true;
}

static void turn_round(id_vec *latches) {
  for (uint32_t i = 0, k = latches->count - 1; i < k; i++, k--) {
    const uint32_t first = latches->items[i];
    latches->items[i] = latches->items[k];
    latches->items[k] = first;
  }
}

static bool read_counter(counter *k, const fact *f) {
  const circuit *c = k->r->c;
  if (f->kind != FACT_EXACTLY_ONE || f->count < COUNTED_VALUES_MIN || f->count > RANKED_VALUES_MAX)
    return false;
  if (!read_latches(k->r, f, &k->latches) || !counter_sort(&k->latches, c, k->r->keep))
    return false;
  if (!c->latches.items[k->latches.items[0]].initially) turn_round(&k->latches);
  return c->latches.items[k->latches.items[0]].initially;
}

/* The step moves the counter on. */
static sat_literal counts_on(void *context, unrolling *u) {
  const counter *k = context;
  VEC(sat_literal) ways = {0};
  for (uint32_t i = 0; i + 1 < k->latches.count; i++) {
    const gate_id from = k->r->c->latches.items[k->latches.items[i]].gate;
    const gate_id to = k->r->c->latches.items[k->latches.items[i + 1]].gate;
    const sat_literal before = unroll_wire(u, wire_of(from, false), 0);
    const sat_literal after = unroll_wire(u, wire_of(to, false), 1);
    vec_push(k->r->keep, &ways, -unroll_any(u, (const sat_literal[]){-before, -after}, 2));
  }
  return unroll_any(u, ways.items, ways.count);
}

static void require_counted_step(void *context, unrolling *u, uint32_t time) {
  const counter *k = context;
  ranking_require_step(k->r, u, time);
}

/* What is left to count. */
static void write_counter(const counter *k, measure_list *out) {
  const uint32_t last = k->latches.count - 1;
  measure_begin(out, 1, last);
  for (uint32_t i = 0; i < last; i++)
    measure_add(out, k->r->c->latches.items[k->latches.items[i]].fluent << 1, last - i);
}

/* A sum that no step raises, and that each step lowers that does not move the counter on: so a
   counter of steps without a capture is set back by captures alone. */
static bool settle_by_counter(prove_job *j, ranking *r, const fact *f, budget *b) {
  counter k = {.r = r};
  if (!read_counter(&k, f)) return false;
  const weights_question q = {
      .c = r->c, .require = require_counted_step, .may_rest = counts_on, .context = &k, .steps = 1};
  measure_list *measures = arena_alloc_zero(j->keep, sizeof *measures);
  measures->keep = j->keep;
  if (!weights_find(measures, &q, b)) return false;
  measure_narrow(measures, r->facts, r->c, true);
  write_counter(&k, measures);
  settle(j, r, measures, 1);
  return true;
}

static bool settle_by_counters(prove_job *j, ranking *r) {
  budget part = budget_part(r->b, budget_seconds_left(r->b) * 3 / 4);
  for (uint32_t i = 0; i < r->facts->all.count && !budget_check_now(&part); i++)
    if (settle_by_counter(j, r, &r->facts->all.items[i], &part)) return true;
  return false;
}

/* ---- large circuits ---- */

/* Where ranks of all variables take long, fluents that change one way only are tried before them. */
enum { LARGE_GATES = 20 * 1000, SMALL_GROUP = 30 };

/* Groups of few values that few gates decide, such as whose turn it is and what for. */
static void add_small_groups(ranking *r) {
  for (uint32_t i = 0; i < r->facts->all.count && !budget_is_spent(r->b); i++) {
    const fact *f = &r->facts->all.items[i];
    fact_set one = {.keep = r->keep};
    if (f->kind == FACT_AT_LEAST_ONE || f->count < 2 || f->count > SMALL_GROUP) continue;
    fact_copy(&one, r->facts, f);
    if (facts_are_near(&one, r->c)) ranking_add_group(r, f);
  }
}

/* The steps that change none of these may move a turn on, which ends as well. */
static bool settle_by_turns(prove_job *j, const ranking *r, const one_way_vec *found, budget *b) {
  ranking turns = {.c = r->c, .keep = r->keep, .facts = r->facts, .b = b};
  for (uint32_t i = 0; i < found->count; i++)
    ranking_add_one_way(&turns, found->items[i] >> 1, found->items[i] & 1);
  add_small_groups(&turns);
  return turns.all.count && ranking_next_level(&turns, 1) && settle_by_ranks(j, &turns, 1);
}

static bool settle_in_steps(prove_job *j, const ranking *r, const one_way_question *q,
                            const one_way_vec *found, uint32_t least, uint32_t most, budget *b) {
  measure_list *measures = arena_alloc_zero(j->keep, sizeof *measures);
  measures->keep = j->keep;
  const uint32_t steps = one_way_measure(measures, q, found, least, most, b);
  if (steps) settle(j, r, measures, steps);
  return steps;
}

/* Each role may pass once. */
static bool settle_by_one_way(prove_job *j, const ranking *r) {
  if (j->full.gates.count < LARGE_GATES) return false;
  budget part = budget_part(r->b, budget_seconds_left(r->b) / 2);
  const one_way_question q = {&j->full, r->facts, j->options.seed};
  one_way_vec found = {0};
  for (uint32_t pass = 0; pass < 2 && !budget_check_now(&part); pass++) {
    const uint32_t known = found.count;
    one_way_find(&found, &q, pass == 0, r->keep, &part);
    if (found.count == known) continue;
    if (settle_in_steps(j, r, &q, &found, 1, 1, &part)) return true;
    if (settle_by_turns(j, r, &found, &part)) return true;
  }
  return settle_in_steps(j, r, &q, &found, 2, j->full.roles.count + 1, &part);
}

/* ---- the method ---- */

void prove_termination(prove_job *j, budget *b) {
  if (!job_has_open(j, PROPERTY_TERMINATES)) return;
  budget half = budget_part(b, budget_seconds_left(b) / 2);
  ranking r = {.c = &j->full, .keep = arena_new(), .b = b, .facts = job_facts(j, &half)};
  bool is_done = !job_has_open(j, PROPERTY_TERMINATES) || settle_by_one_way(j, &r) ||
                 settle_by_counters(j, &r);
  if (!is_done) ranking_add_all(&r);
  for (uint32_t level = 0; level < LEVELS_MAX && !is_done && ranking_next_level(&r, level); level++)
    is_done = settle_by_ranks(j, &r, STEPS_MAX);
  if (!is_done) settle_by_weights(j, &r);
  arena_free(r.keep);
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == PROPERTY_TERMINATES)
      job_explain(j, i, "termination", "no measure of fluents was found that falls in every step");
}
