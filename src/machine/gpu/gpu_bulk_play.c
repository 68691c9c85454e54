#include "machine/gpu/gpu_bulk_play.h"

#include "machine/gpu/gpu_machine.h"
#include "machine/lanes/lane_bulk_play.h"
#include "machine/lanes/lane_counter.h"

#include <string.h>

typedef struct gpu_bulk_player {
  bulk_player base;
  arena *keep;
  lane_player *replays;  /* finds out what went wrong in a part; made when it is needed */
  uint32_t *flips;       /* by latch of the net */
  double parts_a_second; /* as measured last; 0: not yet */
} gpu_bulk_player;

static gpu_bulk_player *of(bulk_player *p) { return (gpu_bulk_player *)p; }

/* The games of a part are those of `lanes`, and so is their number.  What plays them is made here,
   so that it is no part of the time that games take; if the device fails, playing tells. */
static uint64_t part_size(const machine *m, budget *b) {
  const char *trouble;
  const lane_net *n = gpu_machine_net(m, b);
  if (!n || (!gpu_machine_code(m, false, &trouble, b) && b && b->end != BUDGET_LEFT)) return 0;
  return lanes_part_size_of(n);
}

static bulk_player *open(const machine *m, arena *keep, budget *b) {
  const grounded *g = machine_grounded(m);
  const lane_net *n = gpu_machine_net(m, b);
  if (!n) return NULL;
  gpu_bulk_player *p = arena_alloc_zero(keep, sizeof *p);
  p->base = (bulk_player){
      .m = m, .goals = lane_list_goals(g, keep), .goal_count = g->circuit.goals.count};
  p->keep = keep;
  p->flips = arena_zero_array(keep, uint32_t, n->latches.count + 1);
  return &p->base;
}

/* ---- how many parts ---- */

/* At first as many as the device plays at one time; then as many as fit into the time. */
static uint64_t parts_at_once(const bulk_player *base, double seconds) {
  enum { MOST = 1 << 26 };
  const gpu_bulk_player *p = (const gpu_bulk_player *)base;
  const char *trouble;
  const gpu_code *c = gpu_machine_code(base->m, false, &trouble, NULL);
  const uint64_t least = c ? gpu_words_at_once(c) / COUNTER_WORDS + 1 : 1;
  const double most = p->parts_a_second * seconds;
  if (seconds <= 0 || most > MOST) return MOST;
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

/* The part is played on the processor, where its first fault is found. */
static bool find_fault(gpu_bulk_player *p, const bulk_parts *parts, uint64_t number, bulk_tally *t,
                       bulk_part *faulty, budget *b) {
  bulk_tally again;
  *faulty = parts->first;
  faulty->number = number;
  faulty->counter = true;
  if (number == parts->first.number + parts->count - 1) faulty->starts = parts->last_starts;
  if (!p->replays) p->replays = lanes_player_new(p->base.m, NET_PLAYS, p->keep, b);
  if (!p->replays) return false;
  lane_tally_init(&again, &machine_grounded(p->base.m)->circuit, p->keep);
  if (!lane_player_play(p->replays, faulty, &again, b)) return false;
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
  gpu_machine_lock(p->base.m);
  const bool ok = gpu_play(c, parts, is_elsewhere ? p->flips : NULL, r, scratch, b);
  gpu_machine_unlock(p->base.m);
  if (!ok && (!b || b->end == BUDGET_LEFT)) p->base.trouble = c->device->message;
  p->parts_a_second = (double)parts->count / (clock_now() - begun + 1e-9);
  return ok;
}

static bool play_with(gpu_bulk_player *p, const bulk_parts *parts, bulk_tally *t, bulk_part *faulty,
                      arena *scratch, budget *b) {
  gpu_result r;
  const gpu_code *c = gpu_machine_code(p->base.m, parts->first.start != NULL, &p->base.trouble, b);
  if (!c || !play_on_device(p, c, parts, &r, scratch, b)) return false;
  if (gave_up(&parts->first, &r)) {
    p->base.trouble = too_long;
    return false;
  }
  add_result(t, c, &r, p->base.goal_count);
  return r.sums[SUM_FAULTY] == UINT64_MAX || find_fault(p, parts, r.sums[SUM_FAULTY], t, faulty, b);
}

static bool play_parts(bulk_player *base, const bulk_parts *parts, bulk_tally *t, bulk_part *faulty,
                       budget *b) {
  arena *scratch = arena_new();
  const bool ok = play_with(of(base), parts, t, faulty, scratch, b);
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

const bulk_play_ops gpu_bulk_play = {
    .lanes = LANES,
    .part_size = part_size,
    .open = open,
    .play = play,
    .parts_at_once = parts_at_once,
    .play_parts = play_parts,
    .record = record,
    .record_first = record_first,
};
