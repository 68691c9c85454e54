#include "machine/gpu/gpu_bulk_play.h"

#include "machine/gpu/gpu_machine.h"
#include "machine/gpu/gpu_rollouts.h"
#include "machine/lanes/lane_bulk_play.h"
#include "machine/lanes/lane_counter.h"

#include <string.h>

typedef struct gpu_bulk_player {
  bulk_player base;
  arena *keep;
  bulk_job job; /* its number is that of the device */
  uint64_t part_size;
  lane_player *lanes;    /* plays on the processor; made when it is needed */
  uint32_t *flips;       /* by latch of the net */
  double parts_a_second; /* of the device, as measured last; 0: not yet */
  bool has_waited;       /* for the compiler */
} gpu_bulk_player;

static gpu_bulk_player *of(bulk_player *p) { return (gpu_bulk_player *)p; }

/* The games of a part are those of `lanes`, and so is their number. */
static uint64_t part_size(const machine *m, budget *b) {
  const lane_net *n = gpu_machine_net(m, b);
  return n ? lanes_part_size_of(n) : 0;
}

static uint32_t players(const machine *m) { return gpu_machine_devices(m); }

/* ---- the device, or the processor until it is ready ---- */

static gpu_start start_of(const void *position) {
  return position ? START_OF_PART : START_OF_RULES;
}

/* So few games that the processor has played them before a compiler is done. */
static bool is_small(const gpu_bulk_player *p) {
  enum { FEW_PARTS = 4 };
  const double patience = gpu_machine_device(p->base.m, p->job.number)->patience;
  return p->job.games && p->job.games <= FEW_PARTS * p->part_size && patience < 1;
}

/* The code for games from a start if it is ready.  NULL: it is not, or there is trouble, or the
   budget is spent.  A compiler may have the code in a cache: it is waited for a moment at first; and
   until it is done, where the time for games shall begin then. */
static const gpu_code *ready_code(gpu_bulk_player *p, const void *start, budget *b) {
  const uint32_t device = p->job.number;
  const double patience =
      p->job.games ? gpu_machine_device(p->base.m, device)->patience : PATIENCE_FOREVER;
  const gpu_code *c = gpu_machine_code(p->base.m, device, start_of(start), b);
  if (!c) return NULL;
  const gpu_progress now = gpu_code_wait(c, p->has_waited ? 0 : patience);
  p->has_waited = true;
  if (now == CODE_FAILED) p->base.trouble = c->device->message;
  return now == CODE_IS_READY ? c : NULL;
}

/* All compilers begin before one is waited for. */
static void begin_codes(const machine *m, const void *start) {
  for (uint32_t i = 0; i < gpu_machine_devices(m); i++)
    gpu_machine_code(m, i, start_of(start), NULL);
}

/* What plays is made ready here, so that it is no part of the time that games take; if the device
   fails, playing tells.  Where games are counted, and not the time, nobody waits for it. */
static bulk_player *open(const machine *m, const bulk_job *job, arena *keep, budget *b) {
  const grounded *g = machine_grounded(m);
  const lane_net *n = gpu_machine_net(m, b);
  if (!n) return NULL;
  gpu_bulk_player *p = arena_alloc_zero(keep, sizeof *p);
  p->base = (bulk_player){
      .m = m, .goals = lane_list_goals(g, keep), .goal_count = g->circuit.goals.count};
  p->keep = keep;
  p->job = *job;
  p->part_size = lanes_part_size_of(n);
  p->flips = arena_zero_array(keep, uint32_t, n->latches.count + 1);
  if (is_small(p)) return &p->base;
  begin_codes(m, job->start);
  ready_code(p, job->start, b);
  return &p->base;
}

/* ---- how many parts ---- */

enum { PARTS_MOST = 1 << 26 };

/* Several devices share what there is: each takes a piece of it several times, but none that leaves
   most of it idle, and not what others could have. */
static uint64_t share_of_parts(const gpu_bulk_player *p, uint64_t least) {
  enum { TIMES = 4 };
  const uint64_t devices = gpu_machine_devices(p->base.m);
  const uint64_t parts = (p->job.games + p->part_size - 1) / p->part_size;
  const uint64_t most = (parts + devices - 1) / devices, piece = parts / (TIMES * devices) + 1;
  if (devices == 1 || !parts) return PARTS_MOST;
  const uint64_t share = piece < least ? least : piece;
  return share < most ? share : most;
}

/* On the processor one; on a device at first as many as it plays at one time, then as many as fit
   into the time. */
static uint64_t parts_at_once(bulk_player *base, double seconds) {
  gpu_bulk_player *p = of(base);
  const gpu_code *c = is_small(p) ? NULL : ready_code(p, p->job.start, NULL);
  if (!c) return 1;
  const uint64_t least = gpu_words_at_once(c) / COUNTER_WORDS + 1;
  const double most = p->parts_a_second * seconds;
  if (seconds <= 0) return share_of_parts(p, least);
  if (most > PARTS_MOST) return PARTS_MOST;
  return most > (double)least ? (uint64_t)most : least;
}

/* ---- results ---- */

static void add_lengths(bulk_tally *t, const gpu_result *r) {
  uint32_t count = r->length_count;
  while (count && !r->lengths[count - 1]) count--;
  while (t->lengths.count < count) vec_push(t->keep, &t->lengths, 0);
  for (uint32_t i = 0; i < count; i++) t->lengths.items[i] += r->lengths[i];
}

static void add_result(bulk_tally *t, const gpu_code *c, const gpu_result *r, uint32_t goal_count) {
  add_lengths(t, r);
  for (uint32_t i = 0; i < goal_count; i++)
    if (c->step.counters[i] != ID_NONE) t->goals[i] += r->sums[PTX_SUMS + c->step.counters[i]];
  t->too_long += r->sums[SUM_TOO_LONG];
  t->faults[FAULT_STUCK] += r->sums[SUM_STUCK];
  t->faults[FAULT_NO_GOAL] += r->sums[SUM_NO_GOAL];
  t->faults[FAULT_SEVERAL_GOALS] += r->sums[SUM_SEVERAL_GOALS];
}

static bool has_lanes(gpu_bulk_player *p, budget *b) {
  if (!p->lanes) p->lanes = lanes_player_new(p->base.m, NET_PLAYS, p->keep, b);
  return p->lanes;
}

/* Part number `i` of some. */
static bulk_part part_of(const bulk_parts *parts, uint64_t i) {
  bulk_part one = parts->first;
  one.number += i;
  one.counter = true;
  if (i == parts->count - 1) one.starts = parts->last_starts;
  return one;
}

/* The part is played on the processor, where its first fault is found. */
static bool find_fault(gpu_bulk_player *p, const bulk_parts *parts, uint64_t number, bulk_tally *t,
                       bulk_part *faulty, budget *b) {
  bulk_tally again;
  *faulty = part_of(parts, number - parts->first.number);
  if (!has_lanes(p, b)) return false;
  lane_tally_init(&again, &machine_grounded(p->base.m)->circuit, p->keep);
  if (!lane_player_play(p->lanes, faulty, &again, b)) return false;
  t->first = again.first;
  return true;
}

/* ---- playing ---- */

/* Latches that the games do not begin with as the rules say. */
static void find_flips(gpu_bulk_player *p, const lane_net *n, const uint64_t *start) {
  for (uint32_t i = 0; i < n->latches.count; i++) {
    const uint32_t latch = n->latches.items[i];
    const bool is_set = start[latch / 64] >> latch % 64 & 1;
    p->flips[i] = is_set == n->c->latches.items[latch].initially ? 0 : UINT32_MAX;
  }
}

static const char too_long[] = "a game has more than 1048575 steps, which the device cannot count";

/* A game that the device gave up though the caller would not. */
static bool gave_up(const bulk_part *part, const gpu_result *r) {
  return r->sums[SUM_TOO_LONG] && (!part->max_steps || part->max_steps > GPU_STEPS_MAX);
}

static bool play_on_device(gpu_bulk_player *p, const gpu_code *c, const bulk_parts *parts,
                           gpu_result *r, arena *scratch, budget *b) {
  const double begun = clock_now();
  const bool is_elsewhere = parts->first.start;
  if (is_elsewhere) find_flips(p, c->step.net, parts->first.start);
  gpu_machine_lock(p->base.m, p->job.number);
  const bool ok = gpu_play(c, parts, is_elsewhere ? p->flips : NULL, r, scratch, b);
  gpu_machine_unlock(p->base.m, p->job.number);
  if (!ok && (!b || b->end == BUDGET_LEFT)) p->base.trouble = c->device->message;
  p->parts_a_second = (double)parts->count / (clock_now() - begun + 1e-9);
  return ok;
}

static bool play_with(gpu_bulk_player *p, const gpu_code *c, const bulk_parts *parts, bulk_tally *t,
                      bulk_part *faulty, arena *scratch, budget *b) {
  gpu_result r;
  if (!play_on_device(p, c, parts, &r, scratch, b)) return false;
  if (gave_up(&parts->first, &r)) {
    p->base.trouble = too_long;
    return false;
  }
  add_result(t, c, &r, p->base.goal_count);
  return r.sums[SUM_FAULTY] == UINT64_MAX || find_fault(p, parts, r.sums[SUM_FAULTY], t, faulty, b);
}

/* The same games to the bit. */
static bool play_on_processor(gpu_bulk_player *p, const bulk_parts *parts, bulk_tally *t,
                              bulk_part *faulty, budget *b) {
  if (!has_lanes(p, b)) return false;
  for (uint64_t i = 0; i < parts->count; i++) {
    const bulk_part one = part_of(parts, i);
    const bool is_clean = t->first.kind == FAULT_NONE;
    if (!lane_player_play(p->lanes, &one, t, b)) return false;
    if (is_clean) *faulty = one;
  }
  return true;
}

static bool play_parts(bulk_player *base, const bulk_parts *parts, bulk_tally *t, bulk_part *faulty,
                       budget *b) {
  gpu_bulk_player *p = of(base);
  const gpu_code *c = is_small(p) ? NULL : ready_code(p, parts->first.start, b);
  if (p->base.trouble) return false;
  if (!c) return play_on_processor(p, parts, t, faulty, b);
  arena *scratch = arena_new();
  const bool ok = play_with(p, c, parts, t, faulty, scratch, b);
  arena_free(scratch);
  return ok;
}

static bool play(bulk_player *base, const bulk_part *part, bulk_tally *t, budget *b) {
  const bulk_parts one = {.first = *part, .count = 1, .last_starts = part->starts};
  bulk_part faulty;
  return play_parts(base, &one, t, &faulty, b);
}

/* Lines of play are found on the processor: the games are the same by counter. */
static bool record(const machine *m, const bulk_part *part, uint32_t lane, uint64_t steps,
                   id_vec *line, arena *keep, budget *b) {
  bulk_part same = *part;
  same.counter = true;
  return lane_bulk_record(m, &same, lane, steps, line, keep, b);
}

static bool record_first(const machine *m, const bulk_part *part, uint32_t lane, uint64_t max_steps,
                         id_vec *line, arena *keep, budget *b) {
  bulk_part same = *part;
  same.counter = true;
  return lane_bulk_record_first(m, &same, lane, max_steps, line, keep, b);
}

/* ---- games from many positions ---- */

static bool play_each(const machine *m, const rollout_request *r, const char **trouble, budget *b) {
  const gpu_code *c = gpu_machine_code(m, 0, START_OF_EACH, b);
  if (!c) return false;
  bool ok = gpu_code_wait(c, PATIENCE_FOREVER) == CODE_IS_READY;
  gpu_machine_lock(m, 0);
  ok = ok && gpu_rollouts_play(c, machine_grounded(m), r, gpu_rollouts_parts(c), b);
  gpu_machine_unlock(m, 0);
  if (!ok && (!b || b->end == BUDGET_LEFT)) *trouble = c->device->message;
  return ok;
}

const bulk_play_ops gpu_bulk_play = {
    .lanes = LANES,
    .is_by_counter = true,
    .play_each = play_each,
    .part_size = part_size,
    .open = open,
    .play = play,
    .players = players,
    .parts_at_once = parts_at_once,
    .play_parts = play_parts,
    .record = record,
    .record_first = record_first,
};
