/* The method `exhaustive` over several processes: the walk of states/level_walk.h, targets by
   level, and lines of play that all ranks search together.

   Ranks decide together: what one finds in a level is told to all when the level is done, so that
   all go on in the same way.  Findings are settled when the walk has ended, on each rank by
   itself. */
#include "prove/methods.h"
#include "states/level_end.h"
#include "states/level_job.h"
#include "states/level_line.h"

static const char method[] = "exhaustive";

/* A target, and a state in which it holds: of the lowest level, and there of the first rank. */
typedef struct spread_target {
  bool is_wanted, is_found, has_line;
  uint32_t level, from;
  uint8_t *own; /* a record of what this rank has found: the target, the level and the state ... */
  bool has_own;
  uint8_t *state;
  id_vec line;
} spread_target;

typedef struct spread {
  prove_job *j;
  budget *b;
  arena *keep;
  level_job job;
  spread_target *targets; /* by target of the circuit */
  uint32_t target_count, record_size;
  bool wants_all; /* something is open that takes more than finding targets */
  level_end end;
  id_vec cycle; /* a line of play to the state that comes again */
  bool has_end;
} spread;

/* ---- targets ---- */

enum { RECORD_HEAD = 2 * sizeof(uint32_t) };

static void note_target(spread *x, uint32_t target, uint32_t level, const uint8_t *state) {
  spread_target *t = &x->targets[target];
  t->has_own = true;
  memcpy(t->own, &target, sizeof target);
  memcpy(t->own + sizeof target, &level, sizeof level);
  memcpy(t->own + RECORD_HEAD, state, x->job.w.s->state_bytes);
}

/* The first lane in which the target holds; LANES: none. */
static uint32_t lane_of_target(const lane_expander *e, uint32_t target) {
  const bundle_row used = row_of_first(e->look.count);
  for (uint32_t word = 0; word < ROW_WORDS; word++) {
    const uint64_t holds = e->look.targets[target].words[word] & used.words[word];
    if (holds) return word * 64 + (uint32_t)__builtin_ctzll(holds);
  }
  return LANES;
}

static void look_for_targets(void *context, const lane_expander *e, uint32_t level) {
  spread *x = context;
  for (uint32_t i = 0; i < x->target_count; i++) {
    const spread_target *t = &x->targets[i];
    if (!t->is_wanted || t->is_found || t->has_own) continue;
    const uint32_t lane = lane_of_target(e, i);
    if (lane < LANES) note_target(x, i, level, e->from + (size_t)lane * x->job.w.s->state_bytes);
  }
}

static void take_target(spread *x, uint32_t from, const uint8_t *record) {
  uint32_t target, level;
  memcpy(&target, record, sizeof target);
  memcpy(&level, record + sizeof target, sizeof level);
  if (target >= x->target_count) return;
  spread_target *t = &x->targets[target];
  if (t->is_found && (level > t->level || (level == t->level && from > t->from))) return;
  t->is_found = true;
  t->level = level;
  t->from = from;
  memcpy(t->state, record + RECORD_HEAD, x->job.w.s->state_bytes);
}

static void take_targets(void *context, uint32_t from, const uint8_t *bytes, size_t size) {
  spread *x = context;
  for (size_t at = 0; at + x->record_size <= size; at += x->record_size)
    take_target(x, from, bytes + at);
}

/* All ranks know what each has found, and each target that is found has its line. */
static bool share_targets(spread *x) {
  ranks *r = x->job.r;
  ranks_begin(r, RANK_ANSWER, take_targets, x);
  for (uint32_t i = 0; i < x->target_count; i++)
    if (x->targets[i].has_own) ranks_post_all(r, RANK_ANSWER, x->targets[i].own, x->record_size);
  if (!ranks_finish(r, RANK_ANSWER)) return false;
  for (uint32_t i = 0; i < x->target_count; i++) {
    spread_target *t = &x->targets[i];
    t->has_own = false;
    if (!t->is_found || t->has_line) continue;
    budget later = budget_to_show(x->b);
    if (!level_walk_line(&x->job.w, t->state, t->level, &later, &t->line, x->j->keep)) return false;
    t->has_line = true;
  }
  return true;
}

static bool is_satisfied(const spread *x) {
  for (uint32_t i = 0; i < x->target_count; i++)
    if (x->targets[i].is_wanted && !x->targets[i].is_found) return false;
  return !x->wants_all;
}

/* ---- the walk ---- */

static bool walk_on(spread *x) {
  level_walk *w = &x->job.w;
  level_walk_limits limits = {.max_bytes = x->b->max_bytes, .look = look_for_targets, .context = x};
  if (!level_walk_look_again(w, look_for_targets, x, x->b)) return false;
  while (share_targets(x)) {
    if (w->is_complete || is_satisfied(x)) return true;
    limits.max_level = w->levels.count; /* one more */
    if (!level_walk_run(w, limits, x->b)) return false;
  }
  return false;
}

static bool find_end(spread *x) {
  level_walk *w = &x->job.w;
  if (!w->is_complete || !job_has_open(x->j, PROPERTY_TERMINATES)) return true;
  level_walk_find_end(&x->end, w, x->b, x->j->keep);
  x->has_end = x->end.end == WALK_ENDS;
  if (x->end.end != WALK_CYCLES) return x->has_end;
  budget later = budget_to_show(x->b);
  x->has_end = level_walk_line(w, x->end.state, x->end.level, &later, &x->cycle, x->j->keep);
  return x->has_end;
}

/* ---- settling ---- */

/* The last level of all is empty. */
static uint32_t depth_of(const level_walk *w) {
  return w->sizes.count ? w->sizes.count - 1 - w->is_complete : 0;
}

static finding walked(const spread *x) {
  const level_walk *w = &x->job.w;
  return (finding){.method = method,
                   .states = level_walk_states(w),
                   .depth = depth_of(w),
                   .is_walked = w->is_complete,
                   .walk_file = x->job.resumed};
}

static void settle_target(spread *x, uint32_t i) {
  const spread_target *t = &x->targets[x->j->targets[i]];
  finding v = walked(x);
  v.length = t->level;
  v.line = t->line;
  if (t->has_line) job_reached(x->j, i, v);
  if (!t->is_found && x->job.w.is_complete) job_never_reached(x->j, i, v);
}

static void settle_end(spread *x, uint32_t i) {
  const uint32_t roles = x->j->reduced.roles.count;
  finding v = walked(x);
  if (!x->has_end) return;
  v.kind = x->end.end == WALK_ENDS ? VERDICT_PROVED : VERDICT_REFUTED;
  if (x->end.end == WALK_ENDS) {
    v.depth = x->end.longest;
    v.plays = play_length_exact(x->end.longest);
  } else {
    v.has_line = true;
    v.line = x->cycle;
    v.returns_to = v.line.count / roles;
    vec_append(x->j->keep, &v.line, x->end.round.items, x->end.round.count);
    v.length = v.depth = v.line.count / roles;
  }
  job_settle(x->j, i, v);
}

static const char *words_of_stop(const spread *x) {
  if (x->job.w.is_complete) return "these are all, but comparing them needs more time";
  if (x->b->end != BUDGET_LEFT || x->job.w.is_too_large)
    return "there may be more: it needs more time or memory";
  return x->job.has_failed ? "there may be more: another process has failed or stopped"
                           : "there may be more";
}

static void explain_open(spread *x, uint32_t i) {
  const property_kind kind = x->j->properties.items[i].kind;
  finding *v = &x->j->findings[i];
  const uint64_t states = level_walk_states(&x->job.w);
  const uint32_t depth = depth_of(&x->job.w);
  if (!property_is_reach(kind) && kind != PROPERTY_TERMINATES) {
    job_explain(x->j, i, method,
                "several processes, or one with a checkpoint, do not look at this");
    return;
  }
  if (depth > v->clear_steps + 1) v->clear_steps = depth - 1;
  job_explain(x->j, i, method, "looked at %llu state%s, to depth %u; %s",
              (unsigned long long)states, plural(states), depth, words_of_stop(x));
}

static void settle_all(spread *x) {
  const prove_job *j = x->j;
  for (uint32_t i = 0; i < j->properties.count; i++) {
    if (!job_is_open(j, i)) continue;
    explain_open(x, i);
    if (j->targets[i] != ID_NONE) settle_target(x, i);
  }
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (job_is_open(j, i) && j->properties.items[i].kind == PROPERTY_TERMINATES) settle_end(x, i);
}

/* ---- all ---- */

static void open_targets(spread *x) {
  const prove_job *j = x->j;
  const uint32_t bytes = job_stepper(x->j)->state_bytes;
  x->target_count = j->reduced.targets.count;
  x->record_size = RECORD_HEAD + bytes;
  x->targets = arena_zero_array(x->keep, spread_target, x->target_count + (size_t)1);
  for (uint32_t i = 0; i < x->target_count; i++) {
    x->targets[i].own = arena_new_array(x->keep, uint8_t, x->record_size + (size_t)1);
    x->targets[i].state = arena_zero_array(x->keep, uint8_t, bytes + (size_t)8);
  }
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (job_is_open(j, i) && j->targets[i] != ID_NONE) x->targets[j->targets[i]].is_wanted = true;
}

void prove_by_ranks(prove_job *j, budget *b) {
  spread x = {.j = j, .b = b, .keep = arena_new()};
  x.wants_all = job_has_open(j, PROPERTY_TERMINATES);
  open_targets(&x);
  budget_watch(b, x.keep);
  const bool ok = level_job_begin(&x.job, job_stepper(j), j->options.ranks, j->options.checkpoint,
                                  JOB_PROVES, x.keep, j->d) &&
                  walk_on(&x) && find_end(&x);
  level_job_end(&x.job, ok);
  settle_all(&x);
  budget_unwatch(b, x.keep);
  arena_free(x.keep);
}
