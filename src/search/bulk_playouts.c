#include "search/bulk_playouts.h"

#include "machine/bulk_play.h"
#include "search/team.h"

#include <stdatomic.h>
#include <string.h>

/* What the threads of one run share. */
typedef struct bulk_run {
  const machine *m;
  const bulk_play_ops *ops; /* of the machine */
  const playout_options *o;
  const budget *limits; /* each thread has its share */
  double deadline;      /* 0: none */
  uint64_t part_size;
  atomic_uint_fast64_t next; /* number of the next part */
} bulk_run;

typedef struct bulk_worker {
  bulk_run *run;
  bool is_first;
  arena *keep;
  budget budget;
  bulk_player *player;
  bulk_tally sum;
  bulk_part faulty; /* the part of sum.first */
} bulk_worker;

/* ---- parts ---- */

static bulk_part part_numbered(const bulk_run *run, uint64_t number) {
  const uint64_t count = run->o->count, first = number * run->part_size;
  bulk_part part = {.seed = run->o->seed,
                    .number = number,
                    .starts = run->part_size,
                    .start = run->o->start,
                    .counter = run->o->counter,
                    .max_steps = run->o->max_steps};
  if (count && count - first < part.starts) part.starts = count - first;
  return part;
}

static void add_tally(bulk_worker *x, const bulk_tally *from, const bulk_part *part) {
  bulk_tally *to = &x->sum;
  while (to->lengths.count < from->lengths.count) vec_push(x->keep, &to->lengths, 0);
  for (uint32_t i = 0; i < from->lengths.count; i++) to->lengths.items[i] += from->lengths.items[i];
  for (uint32_t i = 0; i < x->player->goal_count; i++) to->goals[i] += from->goals[i];
  to->too_long += from->too_long;
  for (int i = 0; i <= FAULT_SEVERAL_GOALS; i++) to->faults[i] += from->faults[i];
  if (from->first.kind == FAULT_NONE || to->first.kind != FAULT_NONE) return;
  to->first = from->first; /* workers take parts in ascending order */
  x->faulty = *part;
}

static void tally_init(bulk_tally *t, const bulk_player *p, arena *keep) {
  *t = (bulk_tally){.keep = keep, .goals = arena_zero_array(keep, uint64_t, p->goal_count + 1)};
}

static void clear_tally(bulk_tally *t, uint32_t goals) {
  uint64_t *kept = t->goals;
  memset(kept, 0, goals * sizeof *kept);
  t->lengths.count = 0;
  *t = (bulk_tally){.keep = t->keep, .lengths = t->lengths, .goals = kept};
}

static bool is_time_over(const bulk_run *run) {
  return run->deadline > 0 && clock_now() > run->deadline;
}

/* How many parts the worker takes at once. */
static uint64_t parts_wanted(const bulk_worker *x) {
  const bulk_run *run = x->run;
  if (!run->ops->parts_at_once || run->o->shares) return 1;
  return run->ops->parts_at_once(x->player, run->deadline > 0 ? run->deadline - clock_now() : 0);
}

static bulk_parts parts_from(const bulk_run *run, uint64_t number, uint64_t count) {
  const uint64_t games = run->o->count, size = run->part_size;
  const uint64_t left = games ? (games + size - 1) / size - number : count;
  const uint64_t taken = count < left ? count : left;
  return (bulk_parts){.first = part_numbered(run, number),
                      .count = taken,
                      .last_starts = part_numbered(run, number + taken - 1).starts};
}

/* False: the budget is spent, or there is trouble. */
static bool play_from(bulk_worker *x, uint64_t number, uint64_t count, bulk_tally *tally) {
  const bulk_play_ops *ops = x->run->ops;
  const bulk_parts parts = parts_from(x->run, number, count);
  bulk_part faulty = parts.first;
  clear_tally(tally, x->player->goal_count);
  if (ops->play_parts ? !ops->play_parts(x->player, &parts, tally, &faulty, &x->budget)
                      : !ops->play(x->player, &parts.first, tally, &x->budget))
    return false;
  add_tally(x, tally, &faulty);
  return true;
}

static void work(void *context) {
  bulk_worker *x = context;
  bulk_run *run = x->run;
  bulk_tally tally;
  tally_init(&tally, x->player, x->keep);
  while (!is_time_over(run)) {
    const uint64_t count = parts_wanted(x);
    const uint64_t number = playouts_number(run->o, atomic_fetch_add(&run->next, count));
    if (run->o->count && number * run->part_size >= run->o->count) break;
    if (x->is_first)
      progress_tell(run->o->progress, (double)(number * run->part_size), (double)run->o->count,
                    "playouts");
    if (!play_from(x, number, count, &tally)) break;
  }
  if (x->player->trouble) x->budget.end = BUDGET_DEVICE;
}

/* ---- the summary ---- */

static void add_lengths(playout_summary *s, const bulk_tally *t) {
  for (uint32_t i = 0; i < t->lengths.count; i++) {
    const uint64_t games = t->lengths.items[i];
    if (!games) continue;
    s->playouts += games;
    s->states += games * i;
    s->length_squares += games * i * i;
    if (i < s->shortest) s->shortest = i;
    if (i > s->longest) s->longest = i;
  }
}

static void add_goals(playout_summary *s, const bulk_tally *t, const bulk_player *p) {
  for (uint32_t i = 0; i < p->goal_count; i++) {
    const int32_t value = p->goals[i].value;
    role_score *role = &s->roles[p->goals[i].role];
    if (value == GOAL_NONE) continue;
    role->games += t->goals[i];
    role->sum += (int64_t)t->goals[i] * value;
    if (value >= 0 && value < GOAL_VALUES) role->histogram[value] += t->goals[i];
  }
}

static const void *play_line(const bulk_worker *x, const id_vec *line, uint32_t length,
                             arena *keep) {
  const machine *m = x->run->m;
  void *position = arena_alloc(keep, m->position_size);
  machine_workspace *w = machine_workspace_new(m, NULL);
  machine_start_at(m, x->faulty.start, position);
  for (uint32_t i = 0; i < length; i++)
    machine_step(m, w, position, vec_from(line, (size_t)i * m->role_count), position);
  machine_workspace_free(m, w);
  return position;
}

/* Plays the part again to find out how the game came there, if the time allows it. */
static void describe_fault(playout_summary *s, const bulk_worker *x, arena *keep, budget *b) {
  const bulk_fault *f = &x->sum.first;
  id_vec line = {0};
  s->fault = (game_fault){.kind = f->kind, .role = f->role};
  s->first_fault = x->faulty.number;
  if (!x->run->ops->record(x->run->m, &x->faulty, f->lane, f->step, &line, keep, b)) return;
  s->fault.length = (uint32_t)(f->step - f->begun);
  s->fault.line = line.items;
  s->fault.position = play_line(x, &line, s->fault.length, keep);
}

static void merge(playout_summary *s, const bulk_worker *x, arena *keep, const budget *b) {
  const bulk_tally *t = &x->sum;
  add_lengths(s, t);
  add_goals(s, t, x->player);
  s->too_long += t->too_long;
  for (int i = FAULT_STUCK; i <= FAULT_SEVERAL_GOALS; i++) s->faults[i] += t->faults[i];
  budget later = budget_to_show(b);
  if (t->first.kind != FAULT_NONE && x->faulty.number < s->first_fault)
    describe_fault(s, x, keep, &later);
}

/* ---- threads ---- */

static void worker_init(bulk_worker *x, bulk_run *run, uint32_t number) {
  const bulk_job job = {
      .number = number, .games = run->o->seconds > 0 ? 0 : run->o->count, .start = run->o->start};
  *x = (bulk_worker){
      .run = run, .keep = arena_new(), .budget = playouts_budget(run->o, run->limits)};
  budget_watch(&x->budget, x->keep);
  x->player = run->ops->open(run->m, &job, x->keep, NULL); /* what it needs is there */
  tally_init(&x->sum, x->player, x->keep);
}

static void report_end(const bulk_worker *x, bool is_first, diag_sink *d) {
  if (!is_first) return;
  budget_report(&x->budget, d, "not all playouts were played");
  if (x->player->trouble)
    diag_add(d, DIAG_E826, SPAN_NONE, "not all playouts were played: %s", x->player->trouble);
}

bool bulk_playouts_run(playout_summary *s, const machine *m, const playout_options *o, budget *b,
                       arena *keep, diag_sink *d) {
  bulk_run run = {.m = m, .ops = m->ops->bulk_play, .o = o, .limits = b};
  run.part_size = run.ops->part_size(m, b);
  if (!run.part_size) {
    budget_report(b, d, "the circuit was not made ready to run");
    return false;
  }
  const uint32_t threads = run.ops->players ? run.ops->players(m) : o->threads;
  bulk_worker *workers = arena_new_array(keep, bulk_worker, threads);
  for (uint32_t i = 0; i < threads; i++) worker_init(&workers[i], &run, i);
  const double ready = clock_now();
  run.deadline = o->seconds > 0 ? ready + o->seconds : 0;
  workers[0].is_first = true;
  team_run(workers, sizeof *workers, threads, work);
  s->time = clock_now() - ready;
  bool ok = true;
  for (uint32_t i = 0; i < threads; i++) {
    merge(s, &workers[i], keep, b);
    if (playouts_are_over(&workers[i].budget, b)) workers[i].budget.end = BUDGET_LEFT;
    const budget_end end = workers[i].budget.end;
    report_end(&workers[i], ok, d);
    ok &= end == BUDGET_LEFT;
    if (b && end != BUDGET_LEFT) b->end = end;
    arena_free(workers[i].keep);
  }
  return ok;
}
