#include "machine/portfolio.h"

#include "machine/step_speed.h"

#include <stdlib.h>

/* Successors of a state that are looked at where a search is to come, which looks at all. */
enum { SUCCESSORS_MAX = 256 };

enum { PARTS_MIN = 3, PARTS_MAX = 512 };
enum { HOPELESS = 4 };     /* times slower than the fastest */
#define PART_SECONDS 0.001 /* long enough for the clock, and seldom disturbed */

/* An encoding that is tried. */
typedef struct contestant {
  machine_source source;
  budget limits;
  machine *m; /* NULL: it is not, or no longer */
  speed_trial *t;
  double seconds[PARTS_MAX]; /* by part */
  double passed;             /* in all, with parts that do not count */
} contestant;

typedef struct contest {
  contestant all[ENCODING_COUNT];
  uint32_t parts; /* that all have made */
  arena *scratch;
} contest;

static speed_trial_shape shape_of(const portfolio_task *task) {
  return (speed_trial_shape){.successors = task->depth ? SUCCESSORS_MAX : TRY_AS_IN_PLAY,
                             .depth = task->depth,
                             .plays_on = task->scope == SCOPE_PLAY_ON};
}

static void enter(contest *c, const portfolio_task *task, const encoded_program *e,
                  const budget *limits) {
  contestant *it = &c->all[e->used];
  diag_sink unheard;
  diag_sink_init(&unheard, c->scratch);
  it->limits = budget_share(limits, ENCODING_COUNT);
  it->source = *task->source;
  it->source.program = e->program;
  it->source.inertia_count = e->frame.inertia_count;
  it->source.for_long = false; /* encodings are compared on one machine */
  it->m = machine_open(task->kind, &it->source, &it->limits, &unheard);
  if (it->m) it->t = speed_trial_new(it->m, shape_of(task), c->scratch, &it->limits);
}

static void leave(contestant *it) {
  if (!it->m) return;
  speed_trial_end(it->t);
  machine_close(it->m);
  it->m = NULL;
}

static contestant *first_of(contest *c) {
  for (uint32_t e = 0; e < ENCODING_COUNT; e++)
    if (c->all[e].m) return &c->all[e];
  return NULL;
}

/* All take the next part of the walk; one in trouble is dropped.  Returns the time of all. */
static double take_part(contest *c, uint32_t states) {
  double sum = 0;
  for (uint32_t e = 0; e < ENCODING_COUNT; e++) {
    contestant *it = &c->all[e];
    if (!it->m) continue;
    it->seconds[c->parts] = speed_trial_go_on(it->t, states);
    if (it->seconds[c->parts] < 0 || it->limits.end != BUDGET_LEFT) {
      leave(it);
      continue;
    }
    sum += it->seconds[c->parts];
    it->passed += it->seconds[c->parts];
  }
  return sum;
}

/* An encoding that has used its share and is clearly slower is dropped: the others may need longer
   parts than its share allows. */
static void drop_hopeless(contest *c, double seconds) {
  const contestant *fastest = first_of(c);
  for (uint32_t e = 0; e < ENCODING_COUNT; e++)
    if (c->all[e].m && c->all[e].passed < fastest->passed) fastest = &c->all[e];
  for (uint32_t e = 0; e < ENCODING_COUNT; e++) {
    contestant *it = &c->all[e];
    if (it->m && it->passed > seconds && it->passed > HOPELESS * fastest->passed) leave(it);
  }
}

/* `seconds` are for each.  Parts that turn out too short for the clock are made longer and not
   counted. */
static void hold(contest *c, uint32_t entered, double seconds, budget *limits) {
  double passed = 0;
  uint32_t states = 1;
  while (c->parts < PARTS_MAX && (passed < seconds * entered || c->parts < PARTS_MIN)) {
    passed += take_part(c, states);
    drop_hopeless(c, seconds);
    const contestant *first = first_of(c);
    if (!first || budget_is_spent(limits)) return;
    if (first->seconds[c->parts] < PART_SECONDS)
      states *= 2;
    else
      c->parts++;
  }
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median over the parts of one's time by another's. */
static double time_by(const contestant *it, const contestant *other, uint32_t parts) {
  double ratios[PARTS_MAX];
  for (uint32_t i = 0; i < parts; i++) ratios[i] = it->seconds[i] / other->seconds[i];
  qsort(ratios, parts, sizeof *ratios, compare_doubles);
  return ratios[parts / 2];
}

/* Between the rules as they are and others, a tie: estimates scatter by as much. */
#define TIE 0.97

static bool is_better(const portfolio *p, uint32_t e) {
  const double allowance = p->best == ENCODING_ORIGINAL ? TIE : 1;
  return p->relative_time[e] < p->relative_time[p->best] * allowance;
}

static void judge(portfolio *p, contest *c) {
  const contestant *first = first_of(c);
  if (!first) return;
  p->best = (frame_encoding)(first - c->all);
  for (uint32_t e = 0; e < ENCODING_COUNT; e++) {
    if (!c->all[e].m) continue;
    p->relative_time[e] = c->parts ? time_by(&c->all[e], first, c->parts) : 1;
    if (is_better(p, e)) p->best = (frame_encoding)e;
  }
}

void portfolio_choose(portfolio *p, const portfolio_task *task, arena *keep, budget *limits) {
  *p = (portfolio){.best = ENCODING_ORIGINAL};
  contest c = {.scratch = arena_new()};
  uint32_t entered = 0;
  for (uint32_t e = 0; e < ENCODING_COUNT; e++) {
    encoded_program *encoded = &p->encodings[e];
    frame_encode(encoded, task->source->program, (frame_encoding)e, task->scope, keep, limits);
    if (encoded->used != (frame_encoding)e) continue;
    enter(&c, task, encoded, limits);
    entered++;
  }
  if (entered > 1) hold(&c, entered, task->seconds, limits);
  judge(p, &c);
  for (uint32_t e = 0; e < ENCODING_COUNT; e++) leave(&c.all[e]);
  arena_free(c.scratch);
}
