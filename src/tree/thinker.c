#include "tree/thinker.h"

#include "search/minimax.h"
#include "search/team.h"
#include "tree/learn/self_play.h"
#include "tree/root_report.h"
#include "tree/tree_caller.h"
#include "tree/trial.h"

#include <math.h>

/* The part of the time of learning in which styles are tried. */
#define TRIAL_SHARE 0.3

struct thinker {
  const machine *m;
  arena *keep;
  arena *result;       /* of the last question */
  tree_options o;      /* as they were given: what is zero, the style decides */
  search_style wanted; /* STYLE_COUNT: what wins */
  search_style style;  /* of the tree */
  tree_search *tree;
  value_net *net;        /* NULL: nothing was learned */
  tree_search **helpers; /* trees of further threads, each with a network of its own */
  value_net **nets;
  uint32_t helper_count;
  thought thought;
};

/* A tree for thread `i`, with its part of the memory and numbers of its own. */
static tree_search *new_tree(const thinker *t, uint32_t i, value_net *net) {
  tree_options o = style_apply(&t->o, t->style);
  o.memory /= t->helper_count + 1;
  o.seed += i;
  tree_search *s = tree_search_new(t->m, &o);
  s->net = style_uses_net(t->style) ? net : NULL;
  return s;
}

/* Judging takes room inside a network, so that each thread needs one. */
static void renew_helper(thinker *t, uint32_t i) {
  tree_search_free(t->helpers[i]);
  if (t->net && !t->nets[i]) t->nets[i] = net_new(t->m, t->o.seed, t->keep);
  if (t->net) net_copy(t->nets[i], t->net);
  t->helpers[i] = new_tree(t, i + 1, t->nets[i]);
}

/* Trees of a style in place of what there is. */
static void take_style(thinker *t, search_style style) {
  t->style = style;
  tree_search_free(t->tree);
  t->tree = new_tree(t, 0, t->net);
  for (uint32_t i = 0; i < t->helper_count; i++) renew_helper(t, i);
}

thinker *thinker_new(const machine *m, const tree_options *o, search_style style) {
  arena *keep = arena_new();
  thinker *t = arena_alloc_zero(keep, sizeof *t);
  *t = (thinker){.m = m, .keep = keep, .result = arena_new(), .o = *o, .wanted = style};
  t->helper_count = o->threads > 1 ? o->threads - 1 : 0;
  t->helpers = arena_zero_array(keep, tree_search *, t->helper_count);
  t->nets = arena_zero_array(keep, value_net *, t->helper_count);
  take_style(t, STYLE_PLAYS);
  t->thought.roles = arena_zero_array(keep, role_report, m->role_count);
  for (uint32_t r = 0; r < m->role_count; r++) t->thought.roles[r].best = MOVE_NONE;
  return t;
}

void thinker_free(thinker *t) {
  if (!t) return;
  tree_search_free(t->tree);
  for (uint32_t i = 0; i < t->helper_count; i++) tree_search_free(t->helpers[i]);
  arena_free(t->result);
  arena_free(t->keep);
}

const thought *thinker_thought(const thinker *t) { return &t->thought; }

const machine_workspace *thinker_workspace(const thinker *t) {
  return t->tree->bundle ? t->tree->bundle->w : NULL;
}

void thinker_forget(thinker *t) {
  tree_forget(t->tree);
  for (uint32_t i = 0; i < t->helper_count; i++) tree_forget(t->helpers[i]);
}

void thinker_set_judge(thinker *t, caller_judge *judge, bool with_priors, void *context) {
  take_style(t, STYLE_PLAYS);
  caller_set(t->tree, judge, with_priors, context);
}

/* ---- learning ---- */

static double clock_by(bool by_processor) { return by_processor ? clock_thread() : clock_now(); }

/* False: the limits are spent, or there is trouble. */
static bool play_self(self_play *p, double end, bool by_processor) {
  bool goes_on = p != NULL;
  while (goes_on && clock_by(by_processor) < end) goes_on = self_play_step(p);
  return goes_on;
}

/* The better of two, by a match that takes so many seconds. */
static search_style better_style(thinker *t, search_style a, search_style b, double seconds,
                                 bool by_processor, const budget *limits) {
  const trial match = {.m = t->m,
                       .o = &t->o,
                       .net = t->net,
                       .move_seconds = .004,
                       .until = clock_by(by_processor) + seconds,
                       .by_processor = by_processor,
                       .games_max = 24};
  trial_result r;
  trial_run(&match, a, b, limits, &r);
  return r.won * 2 > r.games ? a : b;
}

/* What was learned has to show its worth; what only plays is never far behind. */
static search_style best_style(thinker *t, double seconds, bool by_processor,
                               const budget *limits) {
  if (t->wanted != STYLE_COUNT) return t->wanted;
  const search_style learned =
      better_style(t, STYLE_MIXES, STYLE_JUDGES, seconds / 2, by_processor, limits);
  return better_style(t, learned, STYLE_PLAYS, seconds / 2, by_processor, limits);
}

static bool can_learn(const thinker *t) {
  return !t->tree->caller.judge && t->o.learning && net_fits(t->m) && minimax_choosers(t->m) > 1;
}

/* What trials leave of their time is learned in. */
bool thinker_learn(thinker *t, double seconds, bool by_processor, const budget *limits) {
  const double trials = t->wanted == STYLE_COUNT ? seconds * TRIAL_SHARE : 0;
  const double end = clock_by(by_processor) + seconds;
  budget b = *limits;
  if (!can_learn(t)) return true;
  if (!t->net) t->net = net_new(t->m, t->o.seed, t->keep);
  self_play *p = self_play_new(t->m, t->net, t->o.seed, &b);
  bool done = play_self(p, end - trials, by_processor);
  const search_style style = best_style(t, trials, by_processor, limits);
  if (style_uses_net(style)) done = done && play_self(p, end, by_processor);
  self_play_free(p);
  take_style(t, style);
  return done;
}

/* ---- thinking ---- */

/* What one thread does. */
typedef struct thinking {
  thinker *t;
  tree_search *tree;
  const think_order *o;
  const budget *limits;
  uint64_t iterations; /* 0: no limit */
  double began;
  double began_by_order; /* on the clock of the order */
  double next_tell;
  bool is_first; /* who tells what is found */
  bool is_ready; /* limits were left when it began */
  bool is_fine;
} thinking;

static void report(thinking *k) {
  arena_clear(k->t->result);
  root_report(&k->t->thought, k->t->tree, k->t->result);
  k->t->thought.style = k->t->style;
  k->t->thought.seconds = clock_now() - k->began;
}

/* A thought is told at once, and then ever more rarely. */
static void tell(thinking *k) {
  const double now = clock_now();
  if (!k->is_first || !k->o->tell || now < k->next_tell) return;
  report(k);
  k->o->tell(k->o->context, &k->t->thought);
  k->next_tell = now + fmax(.1, (now - k->began) / 4);
}

static double clock_of(const think_order *o) { return clock_by(o->by_processor); }

static bool is_done(const thinking *k) {
  if (k->o->seconds > 0 && clock_of(k->o) - k->began_by_order >= k->o->seconds) return true;
  return k->iterations && k->tree->figures.iterations >= k->iterations;
}

static uint32_t iterations_left(const thinking *k) {
  if (!k->iterations) return UINT32_MAX;
  const uint64_t left = k->iterations - k->tree->figures.iterations;
  return left > UINT32_MAX ? UINT32_MAX : (uint32_t)left;
}

/* Rounds until it is done.  False: limits or trouble. */
static bool think_on(thinking *k) {
  while (!is_done(k)) {
    if (!tree_round(k->tree, iterations_left(k))) return !tree_is_over(k->tree) || is_done(k);
    tell(k);
  }
  return true;
}

static void work(void *worker) {
  thinking *k = worker;
  k->began_by_order = clock_of(k->o);
  k->is_ready = tree_begin(k->tree, k->limits);
  if (!k->is_ready) return;
  tree_set_root(k->tree, k->o->position);
  k->is_fine = think_on(k);
}

/* The time of the order also ends random games that are under way. */
static budget with_time(const budget *limits, double seconds) {
  budget b = *limits;
  const double end = clock_now() + seconds;
  if (seconds > 0 && (b.deadline <= 0 || end < b.deadline)) b.deadline = end;
  return b;
}

/* Threads have trees of their own; what they say of the root is put together. */
static bool think_together(thinker *t, thinking *workers, uint32_t count) {
  team_run(workers, sizeof *workers, count, work);
  if (!workers[0].is_ready) return false;
  report(&workers[0]);
  for (uint32_t i = 1; i < count; i++) {
    thought other;
    if (!workers[i].is_ready) continue;
    root_report(&other, workers[i].tree, t->result);
    thought_add(&t->thought, &other, t->m->role_count);
  }
  return workers[0].is_fine;
}

bool thinker_think(thinker *t, const think_order *o, const budget *limits) {
  const uint32_t count = t->tree->caller.judge ? 1 : t->helper_count + 1;
  const budget all = with_time(limits, o->by_processor ? 0 : o->seconds);
  arena *scratch = arena_new();
  thinking *workers = arena_zero_array(scratch, thinking, count);
  budget *shares = arena_zero_array(scratch, budget, count);
  for (uint32_t i = 0; i < count; i++) {
    shares[i] = i ? budget_share(&all, count) : all;
    workers[i] = (thinking){.t = t,
                            .tree = i ? t->helpers[i - 1] : t->tree,
                            .o = o,
                            .limits = &shares[i],
                            .iterations = (o->iterations + count - 1) / count,
                            .began = clock_now(),
                            .is_first = i == 0};
  }
  const bool done = think_together(t, workers, count);
  arena_free(scratch);
  return done;
}
