#include "prove/state_levels.h"

#include "base/process.h"
#include "bdd/bdd_run.h"
#include "induct/induct.h"
#include "states/level_job.h"
#include "states/walk.h"

#include <math.h>

/* Groups of fluents make diagrams small: what is not proved within that part of the time, and so
   many seconds, is left. */
static const double part_for_facts = 0.25, most_for_facts = 20;

/* Of physical memory, where nobody set a limit. */
enum { MEMORY_PART = 3 };

/* ---- sums of decimal digits ---- */

static const char *sum_of(const char *a, const char *b, arena *keep) {
  const size_t la = strlen(a), lb = strlen(b), longest = (la > lb ? la : lb) + 1;
  char *sum = arena_alloc(keep, longest + 1);
  int carry = 0;
  sum[longest] = '\0';
  for (size_t i = 0; i < longest; i++) {
    carry += (i < la ? a[la - 1 - i] - '0' : 0) + (i < lb ? b[lb - 1 - i] - '0' : 0);
    sum[longest - 1 - i] = (char)('0' + carry % 10);
    carry /= 10;
  }
  return sum[0] == '0' && longest > 1 ? sum + 1 : sum;
}

static void add_level(state_levels *l, const char *count, arena *keep) {
  vec_push(keep, &l->counts, count);
  l->total = sum_of(l->total, count, keep);
}

/* ---- by a walk ---- */

static const char *digits_of(uint64_t number, arena *keep) {
  text digits = text_new(keep);
  text_add_number(&digits, number);
  return text_string(&digits);
}

static void take_walk(state_levels *l, const walk *w, uint32_t depth, arena *keep) {
  for (uint32_t i = 0; i + 1 < w->levels.count && i <= depth && level_size(w, i); i++)
    add_level(l, digits_of(level_size(w, i), keep), keep);
  l->is_complete = w->is_complete && l->counts.count > walk_depth(w);
}

static bool is_whole(const state_levels *l, uint32_t depth) {
  return l->is_complete || (depth < UINT32_MAX && l->counts.count > depth);
}

static bool count_by_walk(state_levels *l, const grounded *g, state_levels_options o, arena *keep,
                          budget *b, diag_sink *d) {
  arena *room = arena_new();
  lane_stepper s;
  walk w;
  if (lane_stepper_init(&s, &g->circuit, lane_state_bytes(&g->circuit), LANE_NATIVE_MAX, room, b)) {
    walk_init(&w, &s, room);
    const walk_options how = {.threads = o.threads,
                              .max_depth = o.depth < UINT32_MAX ? o.depth : 0};
    if (o.depth > 0) walk_run(&w, how, b, d);
    take_walk(l, &w, o.depth, keep);
    walk_free(&w);
  }
  lane_stepper_free(&s);
  arena_free(room);
  return is_whole(l, o.depth);
}

/* ---- by a walk of several processes, or one that is kept in files ---- */

static void take_sizes(state_levels *l, const level_walk *w, uint32_t depth, arena *keep) {
  const uint32_t count = w->sizes.count - w->is_complete; /* the last level of all is empty */
  for (uint32_t i = 0; i < count && i <= depth; i++)
    add_level(l, digits_of(w->sizes.items[i], keep), keep);
  l->is_complete = w->is_complete && l->counts.count == count;
}

static bool walk_ranks(state_levels *l, level_job *x, state_levels_options o, arena *keep,
                       budget *b) {
  const level_walk_limits limits = {.max_level = o.depth < UINT32_MAX ? o.depth : 0,
                                    .max_bytes = b->max_bytes};
  const bool ok = o.depth == 0 || level_walk_run(&x->w, limits, b);
  take_sizes(l, &x->w, o.depth, keep);
  return ok;
}

static bool count_by_ranks(state_levels *l, const grounded *g, state_levels_options o, arena *keep,
                           budget *b, diag_sink *d) {
  arena *room = arena_new();
  lane_stepper s;
  level_job x;
  ranks *r = ranks_join(o.others, room);
  bool ok =
      lane_stepper_init(&s, &g->circuit, lane_state_bytes(&g->circuit), LANE_NATIVE_MAX, room, b);
  if (!ok) ranks_stop(r);
  if (ok) {
    ok = level_job_begin(&x, &s, r, o.checkpoint, JOB_COUNTS_STATES, room, d) &&
         walk_ranks(l, &x, o, keep, b);
    if (x.w.is_too_large) l->reason = "the states of a process take more memory than was allowed";
    l->has_failed_ranks = !level_job_end(&x, ok);
  }
  lane_stepper_free(&s);
  ranks_free(r);
  arena_free(room);
  return ok && !l->has_failed_ranks;
}

/* ---- by diagrams ---- */

static const char *words_of_stop(const bdd_answer *a) {
  if (!a->stop || strcmp(a->stop, "depth") == 0) return NULL;
  if (strcmp(a->stop, "recursion") == 0) return "the diagrams of a recursive rule are too large";
  return "the diagrams of the next level take more memory";
}

static bool count_by_diagrams(state_levels *l, const grounded *g, state_levels_options o,
                              arena *keep, budget *b, diag_sink *d) {
  arena *room = arena_new();
  fact_set facts = {.keep = room};
  induct_counts counts = {0};
  bdd_encoding e;
  bdd_answer a;
  budget for_facts = budget_part(b, fmin(budget_seconds_left(b) * part_for_facts, most_for_facts));
  const uint64_t bytes = b->max_bytes ? b->max_bytes : memory_of_machine() / MEMORY_PART;
  b->stage = "levels as decision diagrams";
  induct_find_facts(&facts, &g->circuit, (induct_options){0}, &for_facts, &counts);
  bdd_encode(&e, &g->circuit, &facts, room);
  const bdd_wish wish = {.bytes = bytes, .depth = o.depth};
  bdd_run(&a, &g->circuit, &e, wish, NULL, NULL, room, b, d);
  for (uint32_t i = 0; i < a.levels.count && strcmp(a.levels.items[i].states, "more") != 0; i++) {
    const char *digits = a.levels.items[i].states;
    add_level(l, arena_copy_text(keep, digits, strlen(digits)), keep);
  }
  l->is_complete = a.states && l->counts.count == a.levels.count;
  l->reason = l->counts.count < a.levels.count ? "a level has 2 to the 128 states or more"
                                               : words_of_stop(&a);
  arena_free(room);
  return is_whole(l, o.depth);
}

bool state_levels_count(state_levels *l, const grounded *g, state_levels_options o, arena *keep,
                        budget *b, diag_sink *d) {
  *l = (state_levels){.total = "0"};
  if (o.by_diagrams) return count_by_diagrams(l, g, o, keep, b, d);
  if (o.others || o.checkpoint.folder) return count_by_ranks(l, g, o, keep, b, d);
  return count_by_walk(l, g, o, keep, b, d);
}
