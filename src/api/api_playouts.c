#include "api/api.h"

#include "search/playout.h"

#include <math.h>
#include <string.h>

struct tabia_playouts {
  arena *keep;
  arena *result; /* of the last run */
  const tabia_machine *of;
  playout_options options;
  void *start; /* room for a position */
  playout_summary sum;
};

static void begin_playouts(tabia_playouts *p) {
  arena_clear(p->result);
  p->sum = (playout_summary){.least_sum = 1};
}

static tabia_playouts *playouts_new(const tabia_machine *m) {
  arena *keep = arena_new();
  tabia_playouts *p = arena_alloc_zero(keep, sizeof *p);
  *p = (tabia_playouts){.keep = keep,
                        .result = arena_new(),
                        .of = m,
                        .options = {.seed = 1, .threads = 1},
                        .start = arena_alloc(keep, m->m->position_size)};
  begin_playouts(p);
  return p;
}

tabia_playouts *tabia_playouts_new(const tabia_machine *m) {
  API_GUARDED(tabia_playouts *, playouts_new(m), NULL);
}

void tabia_playouts_free(tabia_playouts *p) {
  if (!p) return;
  arena_free(p->result);
  arena_free(p->keep);
}

void tabia_playouts_set_seed(tabia_playouts *p, uint64_t seed) { p->options.seed = seed; }

void tabia_playouts_set_count(tabia_playouts *p, uint64_t count) { p->options.count = count; }

void tabia_playouts_set_seconds(tabia_playouts *p, double seconds) { p->options.seconds = seconds; }

void tabia_playouts_set_threads(tabia_playouts *p, uint32_t threads) {
  p->options.threads = threads ? threads : 1;
}

void tabia_playouts_set_max_steps(tabia_playouts *p, uint64_t steps) {
  p->options.max_steps = steps;
}

bool tabia_playouts_set_random(tabia_playouts *p, const char *random) {
  p->options.counter = strcmp(random, "counter") == 0;
  return p->options.counter || strcmp(random, "stream") == 0;
}

void tabia_playouts_set_start(tabia_playouts *p, const void *position) {
  p->options.start = api_keep_start(p->of, p->start, position);
}

void tabia_playouts_set_share(tabia_playouts *p, uint64_t share, uint64_t shares) {
  p->options.share = share;
  p->options.shares = shares;
}

/* After the text that names the game. */
static tabia_status tell_fault(const tabia_playouts *p, tabia_messages *log) {
  const game_fault *f = &p->sum.fault;
  if (f->kind == FAULT_NONE) return TABIA_OK;
  text words = text_new(p->result);
  fault_describe(f, p->of->m, &words);
  api_tell_error(log, "%s %llu of seed %llu: %s", p->of->m->ops->bulk_play ? "part" : "playout",
                 (unsigned long long)p->sum.first_fault, (unsigned long long)p->options.seed,
                 text_string(&words));
  return TABIA_FAULTY;
}

/* NULL: it can be done as it is set. */
static const char *find_misuse(const tabia_playouts *p) {
  const playout_options *o = &p->options;
  if (!o->count && !(o->seconds > 0)) return "random games need a count or a time";
  if (o->shares && o->share >= o->shares) return "shares are numbered from 0";
  if (o->counter && !p->of->m->ops->bulk_play)
    return "only the machines `lanes` and `gpu` draw by counter";
  return NULL;
}

static tabia_status run(tabia_playouts *p, const tabia_limits *limits, tabia_messages *log) {
  const tabia_machine *m = p->of;
  budget b = api_budget(limits);
  diag_sink d;
  begin_playouts(p);
  const char *misuse = find_misuse(p);
  if (misuse) {
    api_tell_error(log, "%s", misuse);
    return TABIA_MISUSE;
  }
  diag_sink_init(&d, p->result);
  p->options.progress = b.progress;
  const bool done = playouts_run(&p->sum, m->m, &p->options, &b, p->result, &d);
  api_tell(log, &d, &m->rules->source);
  const tabia_status fault = tell_fault(p, log);
  return done ? fault : api_failure(&b);
}

static tabia_status fail_to_run(tabia_playouts *p, tabia_messages *log) {
  begin_playouts(p);
  return api_no_memory(log);
}

tabia_status tabia_playouts_run(tabia_playouts *p, const tabia_limits *limits,
                                tabia_messages *log) {
  API_GUARDED(tabia_status, run(p, limits, log), fail_to_run(p, log));
}

uint64_t tabia_playouts_played(const tabia_playouts *p) { return p->sum.playouts; }

uint64_t tabia_playouts_states(const tabia_playouts *p) { return p->sum.states; }

uint64_t tabia_playouts_faulty(const tabia_playouts *p) {
  uint64_t count = 0;
  for (int i = FAULT_STUCK; i <= FAULT_SEVERAL_GOALS; i++) count += p->sum.faults[i];
  return count;
}

uint64_t tabia_playouts_too_long(const tabia_playouts *p) { return p->sum.too_long; }

double tabia_playouts_time(const tabia_playouts *p) { return p->sum.time; }

/* Sums are shared out among the games; without any, they are nothing. */
static double per_game(const tabia_playouts *p, double sum) {
  return p->sum.playouts ? sum / (double)p->sum.playouts : 0;
}

double tabia_playouts_mean_length(const tabia_playouts *p) {
  return per_game(p, (double)p->sum.states);
}

double tabia_playouts_length_deviation(const tabia_playouts *p) {
  const double mean = tabia_playouts_mean_length(p);
  const double variance = per_game(p, (double)p->sum.length_squares) - mean * mean;
  return variance > 0 ? sqrt(variance) : 0;
}

uint64_t tabia_playouts_shortest(const tabia_playouts *p) { return p->sum.shortest; }

uint64_t tabia_playouts_longest(const tabia_playouts *p) { return p->sum.longest; }

double tabia_playouts_mean_goal(const tabia_playouts *p, uint32_t role) {
  return playouts_mean_goal(&p->sum, role);
}

uint64_t tabia_playouts_goal_count(const tabia_playouts *p, uint32_t role, int32_t goal) {
  if (!p->sum.roles || goal < 0 || goal >= GOAL_VALUES) return 0;
  return p->sum.roles[role].histogram[goal];
}

uint64_t tabia_playouts_stuck(const tabia_playouts *p) { return p->sum.faults[FAULT_STUCK]; }

uint64_t tabia_playouts_bad_goals(const tabia_playouts *p) {
  return p->sum.faults[FAULT_NO_GOAL] + p->sum.faults[FAULT_SEVERAL_GOALS];
}

bool tabia_playouts_has_goals(const tabia_playouts *p, uint32_t role) {
  return playouts_has_goals(&p->sum, p->of->m, role);
}

bool tabia_playouts_role_chose(const tabia_playouts *p, uint32_t role) {
  return role < 64 && (p->sum.choices.who >> role & 1);
}

bool tabia_playouts_goal_sums(const tabia_playouts *p, int64_t *least, int64_t *most) {
  *least = p->sum.least_sum;
  *most = p->sum.most_sum;
  return p->sum.playouts && *least <= *most;
}

uint64_t tabia_playouts_first_fault(const tabia_playouts *p) { return p->sum.first_fault; }

uint64_t tabia_playouts_choices(const tabia_playouts *p, uint32_t roles) {
  const play_choices *c = &p->sum.choices;
  return roles == 0 ? c->by_none : roles == 1 ? c->by_one : c->by_several;
}

double tabia_playouts_mean_joint_moves(const tabia_playouts *p) {
  return p->sum.states ? p->sum.choices.joint_moves / (double)p->sum.states : 0;
}
