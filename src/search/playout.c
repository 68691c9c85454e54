#include "search/playout.h"

#include "search/bulk_playouts.h"
#include "search/team.h"

#include <stdatomic.h>
#include <string.h>

/* ---- one playout ---- */

void player_init(player *p, const machine *m, machine_workspace *w, arena *keep) {
  *p = (player){.m = m, .w = w, .keep = keep};
  p->position = arena_alloc(keep, m->position_size);
  p->goals = arena_zero_array(keep, int32_t, m->role_count);
}

static playout_end faulty(player *p, fault_kind kind, uint32_t role) {
  p->fault = (game_fault){.kind = kind,
                          .role = role,
                          .position = p->position,
                          .line = p->line.items,
                          .length = p->length};
  return PLAYOUT_FAULTY;
}

/* The legal moves of a role, in p->moves. */
static void list_moves(player *p, uint32_t role) {
  p->moves.count = machine_legal(p->m, p->w, p->position, role, p->moves.items, p->moves.capacity);
  if (p->moves.count <= p->moves.capacity) return;
  const uint32_t count = p->moves.count;
  p->moves.count = 0;
  vec_reserve(p->keep, &p->moves, count);
  p->moves.count = machine_legal(p->m, p->w, p->position, role, p->moves.items, p->moves.capacity);
}

static void count_choice(play_choices *c, uint32_t choosers, double joint_moves) {
  uint64_t *counter = choosers == 0 ? &c->by_none : choosers == 1 ? &c->by_one : &c->by_several;
  ++*counter;
  c->joint_moves += joint_moves;
}

/* Draws a move for each role and adds the joint move to the line. */
static bool choose_joint(player *p, rng *r, playout_end *end) {
  uint32_t choosers = 0;
  double joint_moves = 1;
  for (uint32_t role = 0; role < p->m->role_count; role++) {
    list_moves(p, role);
    if (p->moves.count == 0) {
      *end = p->w->trouble.is_there ? PLAYOUT_TROUBLE : faulty(p, FAULT_STUCK, role);
      return false;
    }
    vec_push(p->keep, &p->line, p->moves.items[rng_below(r, p->moves.count)]);
    choosers += p->moves.count > 1;
    if (p->moves.count > 1 && role < 64) p->choices.who |= (uint64_t)1 << role;
    joint_moves *= p->moves.count;
  }
  count_choice(&p->choices, choosers, joint_moves);
  return true;
}

static playout_end read_goals(player *p) {
  const uint32_t nature = machine_nature(p->m);
  for (uint32_t role = 0; role < p->m->role_count; role++) {
    const uint32_t count = machine_goals(p->m, p->w, p->position, role, &p->goals[role], 1);
    if (p->w->trouble.is_there) return PLAYOUT_TROUBLE;
    if (role == nature) {
      if (count != 1) p->goals[role] = GOAL_NONE;
      continue;
    }
    if (count == 0) return faulty(p, FAULT_NO_GOAL, role);
    if (count > 1) return faulty(p, FAULT_SEVERAL_GOALS, role);
  }
  return PLAYOUT_TERMINAL;
}

playout_end playout(player *p, rng *r, uint64_t max_steps) {
  playout_end end;
  p->line.count = 0;
  p->length = 0;
  p->choices = (play_choices){0};
  machine_start_at(p->m, p->start, p->position);
  while (!machine_terminal(p->m, p->w, p->position)) {
    if (budget_is_spent(p->w->budget)) return PLAYOUT_STOPPED;
    if (max_steps && p->length == max_steps) return PLAYOUT_TOO_LONG;
    if (!choose_joint(p, r, &end)) return end;
    const move_id *joint = vec_from(&p->line, (size_t)p->length * p->m->role_count);
    machine_step(p->m, p->w, p->position, joint, p->position);
    p->length++;
  }
  return p->w->trouble.is_there ? PLAYOUT_TROUBLE : read_goals(p);
}

/* ---- many of them ---- */

#define GRACE 1.25 /* of the time for playing, for the games that are under way then */

budget playouts_budget(const playout_options *o, const budget *limits) {
  const budget share = budget_share(limits, o->threads);
  return o->seconds > 0 ? budget_part(&share, o->seconds * GRACE) : share;
}

bool playouts_are_over(const budget *of_thread, const budget *limits) {
  return of_thread->end == BUDGET_TIME && !(limits && limits->deadline == of_thread->deadline);
}

/* What the threads of one run share. */
typedef struct playout_run {
  const machine *m;
  const playout_options *o;
  const budget *limits;      /* each thread has its share */
  double deadline;           /* 0: none */
  atomic_uint_fast64_t next; /* number of the next playout */
  atomic_bool stopped;
} playout_run;

typedef struct worker {
  playout_run *run;
  bool is_first;
  arena *keep;
  budget budget;
  machine_workspace *w;
  player player;
  playout_summary sum;
} worker;

static void count_sum(playout_summary *s, int64_t sum) {
  if (sum < s->least_sum) s->least_sum = sum;
  if (sum > s->most_sum) s->most_sum = sum;
}

static void count_goals(playout_summary *s, const player *p) {
  const uint32_t nature = machine_nature(p->m);
  int64_t sum = 0;
  for (uint32_t i = 0; i < p->m->role_count; i++) {
    if (p->goals[i] == GOAL_NONE) continue;
    if (i != nature) sum += p->goals[i];
    s->roles[i].games++;
    s->roles[i].sum += p->goals[i];
    if (p->goals[i] >= 0 && p->goals[i] < GOAL_VALUES) s->roles[i].histogram[p->goals[i]]++;
  }
  count_sum(s, sum);
}

static void add_choices(play_choices *to, const play_choices *from) {
  to->by_none += from->by_none;
  to->by_one += from->by_one;
  to->by_several += from->by_several;
  to->joint_moves += from->joint_moves;
  to->who |= from->who;
}

static void count_playout(playout_summary *s, const player *p) {
  s->playouts++;
  s->states += p->length;
  s->length_squares += (uint64_t)p->length * p->length;
  if (p->length < s->shortest) s->shortest = p->length;
  if (p->length > s->longest) s->longest = p->length;
  add_choices(&s->choices, &p->choices);
  count_goals(s, p);
}

/* Workers take numbers in ascending order: the first fault of a worker is its lowest. */
static void count_fault(worker *x, uint64_t number) {
  playout_summary *s = &x->sum;
  s->faults[x->player.fault.kind]++;
  if (s->fault.kind != FAULT_NONE) return;
  s->first_fault = number;
  s->fault = fault_copy(&x->player.fault, x->run->m, x->keep);
}

static void play_one(worker *x, uint64_t number) {
  rng r = rng_new(x->run->o->seed, number);
  const playout_end end = playout(&x->player, &r, x->run->o->max_steps);
  switch (end) {
    case PLAYOUT_TERMINAL: count_playout(&x->sum, &x->player); break;
    case PLAYOUT_FAULTY: count_fault(x, number); break;
    case PLAYOUT_TOO_LONG: x->sum.too_long++; break;
    case PLAYOUT_STOPPED: break;
    case PLAYOUT_TROUBLE: atomic_store(&x->run->stopped, true); break;
  }
}

static bool is_time_over(worker *x) {
  const playout_run *run = x->run;
  if (atomic_load(&run->stopped) || budget_is_spent(&x->budget)) return true;
  return run->deadline > 0 && clock_now() > run->deadline;
}

static void work(void *context) {
  worker *x = context;
  while (!is_time_over(x)) {
    const uint64_t number = playouts_number(x->run->o, atomic_fetch_add(&x->run->next, 1));
    if (x->run->o->count && number >= x->run->o->count) break;
    if (x->is_first)
      progress_tell(x->run->o->progress, (double)number, (double)x->run->o->count, "playouts");
    play_one(x, number);
  }
}

static void summary_init(playout_summary *s, const machine *m, arena *keep) {
  *s = (playout_summary){.shortest = UINT64_MAX,
                         .first_fault = UINT64_MAX,
                         .least_sum = INT64_MAX,
                         .most_sum = INT64_MIN};
  s->roles = arena_zero_array(keep, role_score, m->role_count);
}

static void worker_init(worker *x, playout_run *run) {
  *x = (worker){.run = run, .keep = arena_new(), .budget = playouts_budget(run->o, run->limits)};
  budget_watch(&x->budget, x->keep);
  x->w = machine_workspace_new(run->m, &x->budget);
  player_init(&x->player, run->m, x->w, x->keep);
  x->player.start = run->o->start;
  summary_init(&x->sum, run->m, x->keep);
}

static void merge_scores(role_score *to, const role_score *from, uint32_t roles) {
  for (uint32_t i = 0; i < roles; i++) {
    to[i].games += from[i].games;
    to[i].sum += from[i].sum;
    for (int k = 0; k < GOAL_VALUES; k++) to[i].histogram[k] += from[i].histogram[k];
  }
}

static void merge_fault(playout_summary *to, const playout_summary *from, const machine *m,
                        arena *keep) {
  for (int i = 0; i <= FAULT_SEVERAL_GOALS; i++) to->faults[i] += from->faults[i];
  if (from->first_fault >= to->first_fault) return;
  to->first_fault = from->first_fault;
  to->fault = fault_copy(&from->fault, m, keep);
}

static void merge(playout_summary *to, const playout_summary *from, const machine *m, arena *keep) {
  to->playouts += from->playouts;
  to->states += from->states;
  to->length_squares += from->length_squares;
  if (from->shortest < to->shortest) to->shortest = from->shortest;
  if (from->longest > to->longest) to->longest = from->longest;
  add_choices(&to->choices, &from->choices);
  if (from->playouts) count_sum(to, from->least_sum);
  if (from->playouts) count_sum(to, from->most_sum);
  to->too_long += from->too_long;
  merge_scores(to->roles, from->roles, m->role_count);
  merge_fault(to, from, m, keep);
}

/* False: the worker was stopped, and `d` says why, if nobody has said it before. */
static bool was_not_stopped(worker *x, budget *b, bool is_told, diag_sink *d) {
  if (playouts_are_over(&x->budget, b)) return true;
  if (b && x->budget.end != BUDGET_LEFT) b->end = x->budget.end;
  if (is_told) return true;
  if (machine_report_trouble(x->w, d)) return false;
  budget_report(&x->budget, d, "not all playouts were played");
  return x->budget.end == BUDGET_LEFT;
}

/* Takes over what a worker has done. */
static bool collect(playout_summary *s, worker *x, budget *b, bool is_told, arena *keep,
                    diag_sink *d) {
  const machine *m = x->run->m;
  merge(s, &x->sum, m, keep);
  const bool ok = was_not_stopped(x, b, is_told, d);
  machine_workspace_free(m, x->w);
  arena_free(x->keep);
  return ok;
}

bool playouts_has_goals(const playout_summary *s, const machine *m, uint32_t role) {
  return role != machine_nature(m) || (s->roles && s->roles[role].games);
}

double playouts_mean_goal(const playout_summary *s, uint32_t role) {
  if (!s->roles || !s->roles[role].games) return 0;
  return (double)s->roles[role].sum / (double)s->roles[role].games;
}

static bool single_playouts_run(playout_summary *s, const machine *m, const playout_options *o,
                                budget *b, arena *keep, diag_sink *d) {
  const double begin = clock_now();
  playout_run run = {.m = m, .o = o, .limits = b};
  run.deadline = o->seconds > 0 ? begin + o->seconds : 0;
  worker *workers = arena_new_array(keep, worker, o->threads);
  for (uint32_t i = 0; i < o->threads; i++) worker_init(&workers[i], &run);
  workers[0].is_first = true;
  team_run(workers, sizeof *workers, o->threads, work);
  bool ok = true;
  for (uint32_t i = 0; i < o->threads; i++) ok &= collect(s, &workers[i], b, !ok, keep, d);
  s->time = clock_now() - begin;
  return ok;
}

static bool has_ended(const playout_summary *s) {
  uint64_t ended = s->playouts + s->too_long;
  for (int i = FAULT_STUCK; i <= FAULT_SEVERAL_GOALS; i++) ended += s->faults[i];
  return ended > 0;
}

bool playouts_run(playout_summary *s, const machine *m, const playout_options *o, budget *b,
                  arena *keep, diag_sink *d) {
  summary_init(s, m, keep);
  const bool ok = m->ops->bulk_play ? bulk_playouts_run(s, m, o, b, keep, d)
                                    : single_playouts_run(s, m, o, b, keep, d);
  if (!s->playouts) s->shortest = 0;
  if (!ok || has_ended(s) || o->shares) return ok; /* a share may have no game */
  diag_add(d, DIAG_E801, SPAN_NONE, "no game came to its end in the time for playing");
  if (b) b->end = BUDGET_TIME;
  return false;
}
