#include "tree/thinker.h"

#include "tree/root_report.h"

#include <math.h>

struct thinker {
  const machine *m;
  arena *keep;
  arena *result; /* of the last question */
  tree_search *tree;
  thought thought;
};

thinker *thinker_new(const machine *m, const tree_options *o) {
  arena *keep = arena_new();
  thinker *t = arena_alloc_zero(keep, sizeof *t);
  *t = (thinker){.m = m, .keep = keep, .result = arena_new(), .tree = tree_search_new(m, o)};
  t->thought.roles = arena_zero_array(keep, role_report, m->role_count);
  for (uint32_t r = 0; r < m->role_count; r++) t->thought.roles[r].best = MOVE_NONE;
  return t;
}

void thinker_free(thinker *t) {
  if (!t) return;
  tree_search_free(t->tree);
  arena_free(t->result);
  arena_free(t->keep);
}

const thought *thinker_thought(const thinker *t) { return &t->thought; }

const machine_workspace *thinker_workspace(const thinker *t) {
  return t->tree->bundle ? t->tree->bundle->w : NULL;
}

/* ---- thinking ---- */

typedef struct thinking {
  thinker *t;
  const think_order *o;
  double began;
  double next_tell;
} thinking;

static void report(thinking *k) {
  arena_clear(k->t->result);
  root_report(&k->t->thought, k->t->tree, k->t->result);
  k->t->thought.seconds = clock_now() - k->began;
}

/* A thought is told at once, and then ever more rarely. */
static void tell(thinking *k) {
  const double now = clock_now();
  if (!k->o->tell || now < k->next_tell) return;
  report(k);
  k->o->tell(k->o->context, &k->t->thought);
  k->next_tell = now + fmax(.1, (now - k->began) / 4);
}

static bool is_done(const thinking *k) {
  if (k->o->seconds > 0 && clock_now() - k->began >= k->o->seconds) return true;
  return k->o->iterations && k->t->tree->figures.iterations >= k->o->iterations;
}

static uint32_t iterations_left(const thinking *k) {
  if (!k->o->iterations) return UINT32_MAX;
  const uint64_t left = k->o->iterations - k->t->tree->figures.iterations;
  return left > UINT32_MAX ? UINT32_MAX : (uint32_t)left;
}

/* Rounds until it is done.  False: limits or trouble. */
static bool think_on(thinking *k) {
  while (!is_done(k)) {
    if (!tree_round(k->t->tree, iterations_left(k))) return !tree_is_over(k->t->tree) || is_done(k);
    tell(k);
  }
  return true;
}

/* The time of the order also ends random games that are under way. */
static budget with_time(const budget *limits, double seconds) {
  budget b = *limits;
  const double end = clock_now() + seconds;
  if (seconds > 0 && (b.deadline <= 0 || end < b.deadline)) b.deadline = end;
  return b;
}

bool thinker_think(thinker *t, const think_order *o, const budget *limits) {
  thinking k = {.t = t, .o = o, .began = clock_now()};
  const budget b = with_time(limits, o->seconds);
  if (!tree_begin(t->tree, &b)) return false;
  tree_set_root(t->tree, o->position);
  const bool done = think_on(&k);
  report(&k);
  return done;
}
