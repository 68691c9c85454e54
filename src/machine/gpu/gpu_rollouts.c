#include "machine/gpu/gpu_rollouts.h"

#include "machine/lanes/lane_counter.h"
#include "machine/lanes/lane_counter_games.h"
#include "machine/transpose.h"

/* What is on its way to the device and back. */
typedef struct crossing {
  const gpu_code *c;
  const grounded *g;
  const rollout_request *r;
  uint64_t first; /* the number of the first game of the first part */
  uint32_t *flips, *results;
  bundle_row *goals; /* of a part, by goal of g->goals */
  lane_row *in_order;
} crossing;

/* ---- there ---- */

/* Where word `word` of a row is among tiles of so many rows. */
static size_t word_at(uint32_t rows, uint32_t row, uint32_t word) {
  return ((size_t)(word / PTX_TILE_WORDS) * rows + row) * PTX_TILE_WORDS + word % PTX_TILE_WORDS;
}

static uint32_t word_of_row(const bundle_row *row, uint32_t word) {
  return (uint32_t)(row->words[word / 2] >> word % 2 * 32);
}

/* In which latches the states of a part differ from the start of the rules. */
static void flip_part(const crossing *x, uint32_t part) {
  const lane_net *n = x->c->step.net;
  const uint32_t count = n->latches.count;
  bundle_row block[BLOCK_ROWS];
  for (uint32_t i = 0, from = 0; i < count; from++) {
    lane_counter_games_load(x->r, x->first + (uint64_t)part * LANES, grounded_words(x->g), from,
                            block);
    for (; i < count && n->latches.items[i] / 64 == from; i++) {
      const uint32_t latch = n->latches.items[i];
      const uint32_t initially = n->c->latches.items[latch].initially ? UINT32_MAX : 0;
      for (uint32_t k = 0; k < COUNTER_WORDS; k++)
        x->flips[word_at(count, i, part * COUNTER_WORDS + k)] =
            initially ^ word_of_row(&block[latch % 64], k);
    }
  }
}

/* ---- and back ---- */

static void tell_part(const crossing *x, uint32_t part) {
  const uint64_t first = x->first + (uint64_t)part * LANES;
  const uint32_t count = x->c->step.result_count;
  const bundle_row lanes = lane_counter_games_lanes(x->r, first);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < COUNTER_WORDS; k += 2) {
      const uint32_t *at = x->results + word_at(count, i, part * COUNTER_WORDS + k);
      x->goals[i].words[k / 2] = at[0] | (uint64_t)at[1] << 32;
    }
  const row_list goals = {x->goals, x->in_order, count};
  lane_counter_games_tell(x->g, &goals, &lanes, first, x->r);
}

/* ---- playing ---- */

static void make_room(crossing *x, uint32_t parts, arena *keep) {
  const gpu_step *s = &x->c->step;
  const size_t words = (size_t)(parts + 1) / 2 * PTX_TILE_WORDS;
  x->flips = arena_new_array(keep, uint32_t, words * s->latch_count + 1);
  x->results = arena_zero_array(keep, uint32_t, words * s->result_count + 1);
  x->goals = lane_alloc(keep, (s->result_count + (size_t)1) * sizeof *x->goals);
  x->in_order = arena_new_array(keep, lane_row, s->result_count + 1);
  for (uint32_t i = 0; i < s->result_count; i++) x->in_order[i] = (lane_row){i, false};
}

/* The games of some parts, of which the first may have fewer, as the last. */
static bool play_parts(crossing *x, uint32_t parts, budget *b) {
  const rollout_request *r = x->r;
  const uint64_t end = r->first + r->games - x->first, most = (uint64_t)parts * LANES;
  const gpu_lanes l = {.seed = r->seed,
                       .first_part = x->first / LANES,
                       .max_steps = r->max_steps,
                       .begin = x->first < r->first ? (uint32_t)(r->first - x->first) : 0,
                       .end = (uint32_t)(end < most ? end : most),
                       .flips = x->flips,
                       .results = x->results};
  for (uint32_t i = 0; i < parts; i++) flip_part(x, i);
  const bool ok = gpu_play_each(x->c, &l, b);
  if (!ok && (!b || b->end == BUDGET_LEFT)) return false;
  for (uint32_t i = 0; i < parts; i++) tell_part(x, i);
  return ok;
}

/* Parts from a game of the request on. */
static bool play_from(crossing x, uint64_t parts, budget *b) {
  const uint64_t left = (x.r->first + x.r->games - x.first + LANES - 1) / LANES;
  arena *scratch = arena_new();
  if (left < parts) parts = left;
  make_room(&x, (uint32_t)parts, scratch);
  const bool ok = play_parts(&x, (uint32_t)parts, b);
  arena_free(scratch);
  return ok;
}

bool gpu_rollouts_play(const gpu_code *c, const grounded *g, const rollout_request *r,
                       uint64_t parts, budget *b) {
  crossing x = {.c = c, .g = g, .r = r, .first = r->first - r->first % LANES};
  for (uint64_t i = 0; i < r->games * g->circuit.roles.count; i++) r->goals[i] = GOAL_NONE;
  bool ok = true;
  for (; ok && x.first < r->first + r->games; x.first += parts * LANES) ok = play_from(x, parts, b);
  return ok;
}

uint64_t gpu_rollouts_parts(const gpu_code *c) {
  enum { BYTES = 1 << 28, MOST = 1 << 20 };
  const gpu_step *s = &c->step;
  const uint64_t each = (s->latch_count + (uint64_t)s->result_count) * COUNTER_WORDS * 4 + 1;
  return BYTES / each < MOST ? BYTES / each + 1 : MOST;
}
