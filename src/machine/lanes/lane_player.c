#include "machine/lanes/lane_player.h"

#include "machine/lanes/lane_play_state.h"

#include <string.h>

/* ---- making a player ---- */

static const bundle_row all_lanes = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                      UINT64_MAX, UINT64_MAX, UINT64_MAX}};

static void plan_copies(lane_player *p) {
  const lane_net *n = p->net;
  for (uint32_t i = 0; i < n->latches.count; i++) {
    const row_copy copy = {n->rows[n->next + i], i + 1};
    if (copy.from.slot != copy.to || copy.from.negated) vec_push(p->keep, &p->copies, copy);
  }
}

lane_player *lane_player_new(const grounded *g, const lane_net *net, const lane_code *code,
                             arena *keep) {
  assert(g || net->c->targets.count);
  lane_player *p = lane_alloc(keep, sizeof *p);
  p->g = g;
  p->net = net;
  p->code = code;
  p->keep = keep;
  p->goal_sums = lane_alloc(keep, (net->c->goals.count + (size_t)1) * sizeof(bundle_row));
  plan_copies(p);
  p->rows = lane_rows_new(&net->program, 0, keep);
  return p;
}

void lane_tally_init(bulk_tally *t, const circuit *c, arena *keep) {
  *t = (bulk_tally){.keep = keep, .goals = arena_zero_array(keep, uint64_t, c->goals.count + 1)};
}

/* ---- sums ---- */

void lane_player_add_lengths(lane_player *p, uint64_t length) {
  if (length >= p->length_room) {
    const uint64_t room = length * 2 + 64;
    bundle_row *grown = lane_alloc(p->keep, room * sizeof *grown);
    if (p->length_count) memcpy(grown, p->length_sums, p->length_count * sizeof *grown);
    p->length_sums = grown;
    p->length_room = room;
  }
  p->length_count = length + 1;
}

static uint64_t sum_of(const bundle_row *r) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < ROW_WORDS; i++) sum += r->words[i];
  return sum;
}

static void add_sums(lane_player *p) {
  bulk_tally *t = p->tally;
  for (uint32_t i = 0; i < p->net->c->goals.count; i++) t->goals[i] += sum_of(&p->goal_sums[i]);
  for (uint32_t i = 0; i < p->length_count; i++) {
    const uint64_t games = sum_of(&p->length_sums[i]);
    if (!games) continue;
    while (t->lengths.count <= i) vec_push(t->keep, &t->lengths, 0);
    t->lengths.items[i] += games;
  }
}

static void clear_sums(lane_player *p) {
  memset(p->goal_sums, 0, p->net->c->goals.count * sizeof *p->goal_sums);
  if (p->length_count) memset(p->length_sums, 0, p->length_count * sizeof *p->length_sums);
  p->length_count = 0;
}

/* ---- faults ---- */

static uint64_t begin_of(const lane_player *p, uint32_t lane) {
  for (uint32_t i = 0; i < p->cohort_count; i++)
    if (row_has(&p->cohorts[i], lane)) return p->begun[i];
  return p->step;
}

void lane_player_note_fault(lane_player *p, const bundle_row *lanes, fault_kind kind,
                            uint32_t role) {
  bulk_tally *t = p->tally;
  for (uint32_t i = 0; i < ROW_WORDS; i++)
    t->faults[kind] += (uint64_t)__builtin_popcountll(lanes->words[i]);
  if (t->first.kind != FAULT_NONE) return;
  const uint32_t lane = row_first_lane(lanes);
  t->first = (bulk_fault){
      .kind = kind, .role = role, .lane = lane, .begun = begin_of(p, lane), .step = p->step};
}

void lane_player_note_target(lane_player *p, const bundle_row *lanes) {
  if (p->met.is_met) return;
  p->met = (lane_meeting){true, row_first_lane(lanes), p->step};
}

/* ---- moves ---- */

static uint64_t read_number(const lane_player *p, uint32_t root, uint32_t bits, uint32_t lane) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < bits; i++)
    number |= (lane_word(p->rows, p->net->rows[root + i], lane / 64) >> lane % 64 & 1) << i;
  return number;
}

static void write_number(lane_player *p, slot_id first, uint32_t bits, uint32_t lane,
                         uint64_t number) {
  const uint64_t bit = UINT64_C(1) << lane % 64;
  for (uint32_t i = 0; i < bits; i++) {
    uint64_t *word = &p->rows[first + i].words[lane / 64];
    *word = number >> i & 1 ? *word | bit : *word & ~bit;
  }
}

/* Draws again where the lower half of the product is below 2^random_bits modulo the count: then
   each number is left as often as any other. */
void lane_player_redraw(lane_player *p, const lane_draw *d, uint32_t lane) {
  const uint64_t count = read_number(p, d->count, d->count_bits, lane);
  if (!count) return;
  const uint64_t low = read_number(p, d->product, d->random_bits, lane);
  if (low >= (UINT64_C(1) << d->random_bits) % count) return;
  const uint32_t draw = (uint32_t)(d - p->net->draws.items);
  const bool by_counter = p->part && p->part->counter; /* no part: draws are tried by themselves */
  const uint32_t number = by_counter ? lane_counter_below(p, draw, lane, (uint32_t)count)
                                     : rng_below(&p->redraws, (uint32_t)count);
  write_number(p, d->first_number, d->count_bits, lane, number);
}

/* ---- parts ---- */

static bool starts_set(const lane_net *n, const bulk_part *part, uint32_t latch) {
  const uint32_t number = n->latches.items[latch];
  if (!part->start) return n->c->latches.items[number].initially;
  return ((const uint64_t *)part->start)[number / 64] >> number % 64 & 1;
}

void lane_player_begin(lane_player *p, const bulk_part *part, bulk_tally *t) {
  p->part = part;
  p->tally = t;
  p->counted = all_lanes;
  p->given_up = (bundle_row){{0}};
  p->met = (lane_meeting){0};
  p->started = p->step = 0;
  p->cohort_count = 0;
  clear_sums(p);
  lane_random_init(&p->random, part->seed, part->number);
  p->redraws = rng_new(~part->seed, part->number);
  for (uint32_t i = 0; i < COUNTER_WORDS; i++) p->left[i] = lane_counter_share(part->starts, i);
  p->gone = all_lanes;
  p->flips.count = 0;
  for (uint32_t i = 0; i < p->net->latches.count; i++) {
    const bool starts = starts_set(p->net, part, i);
    p->rows[i + 1] = starts ? all_lanes : (bundle_row){{0}};
    if (starts != p->net->c->latches.items[p->net->latches.items[i]].initially)
      vec_push(p->keep, &p->flips, i + 1);
  }
  p->code->engine->open_games(p, 0);
}

static bool is_over(const lane_player *p) { return row_is_empty(&p->counted); }

bool lane_player_is_late(const lane_player *p, budget *b) {
  enum { MANY_OPERATIONS = 1 << 14 };
  if (b && p->net->program.ops.count > MANY_OPERATIONS) b->countdown = 0;
  return budget_is_spent(b);
}

bool lane_player_play(lane_player *p, const bulk_part *part, bulk_tally *t, budget *b) {
  const lane_engine *e = p->code->engine;
  lane_player_begin(p, part, t);
  while (!lane_player_is_late(p, b)) {
    e->end_games(p);
    if (is_over(p)) {
      add_sums(p);
      return true;
    }
    e->make_moves(p);
    e->latch_next(p);
  }
  return false;
}

/* ---- seeking ---- */

static bool seek(lane_player *p, budget *b) {
  const lane_engine *e = p->code->engine;
  while (!lane_player_is_late(p, b)) {
    e->end_games(p);
    if (p->met.is_met || is_over(p)) return true;
    e->make_moves(p);
    e->latch_next(p);
  }
  return false;
}

bool lane_player_seek(lane_player *p, const bulk_part *part, uint32_t target, lane_meeting *met,
                      budget *b) {
  assert(!p->g && target < p->net->c->targets.count);
  arena *scratch = arena_new();
  bulk_tally unused;
  lane_tally_init(&unused, p->net->c, scratch);
  p->target = target;
  lane_player_begin(p, part, &unused);
  const bool ok = seek(p, b);
  *met = p->met;
  arena_free(scratch);
  return ok;
}

/* ---- recording ---- */

static void record_moves(lane_player *p, uint32_t lane, id_vec *line, arena *keep) {
  const circuit *c = p->net->c;
  for (uint32_t role = 0; role < c->roles.count; role++) {
    const circuit_role *r = &c->roles.items[role];
    uint32_t move = 0;
    while (move + 1 < r->move_count &&
           !(lane_word(p->rows, p->net->rows[p->net->does + r->first_move + move], lane / 64) >>
                 lane % 64 &
             1))
      move++;
    vec_push(keep, line, move);
  }
}

static void record_step(lane_player *p, uint32_t lane, id_vec *line, arena *keep) {
  p->code->engine->make_moves(p);
  record_moves(p, lane, line, keep);
  p->code->engine->latch_next(p);
}

bool lane_player_record(lane_player *p, const bulk_part *part, uint32_t lane, uint64_t steps,
                        id_vec *line, arena *keep, budget *b) {
  bulk_tally unused;
  lane_tally_init(&unused, p->net->c, keep);
  lane_player_begin(p, part, &unused);
  line->count = 0;
  for (uint64_t i = 0; i < steps; i++) {
    if (lane_player_is_late(p, b)) return false;
    p->code->engine->end_games(p);
    if (begin_of(p, lane) == p->step) line->count = 0;
    record_step(p, lane, line, keep);
  }
  return true;
}

bool lane_player_record_first(lane_player *p, const bulk_part *part, uint32_t lane,
                              uint64_t max_steps, id_vec *line, arena *keep, budget *b) {
  bulk_tally unused;
  lane_tally_init(&unused, p->net->c, keep);
  lane_player_begin(p, part, &unused);
  line->count = 0;
  for (uint64_t i = 0; i < max_steps; i++) {
    if (lane_player_is_late(p, b)) return false;
    p->code->engine->end_games(p);
    if (row_has(&p->gone, lane)) return true;
    record_step(p, lane, line, keep);
  }
  return true;
}
