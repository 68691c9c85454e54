#include "machine/lanes/lane_rollouts.h"

#include "machine/bundle.h"

#include <string.h>

/* In operations of a program: what loading a word of 512 positions costs, and what a step does
   beside its program. */
enum { LOADING_OPERATIONS = 1500, STEP_OPERATIONS = 1000 };

/* Games that begin together end together, more or less: at so many steps, at each of which goals
   are asked for. */
enum { ENDING_STEPS = 16 };

/* ---- making one ---- */

static void plan_copies(lane_rollouts *x, arena *keep) {
  const lane_net *n = x->net;
  for (uint32_t i = 0; i < n->latches.count; i++) {
    const row_copy copy = {n->rows[n->next + i], i + 1};
    if (copy.from.slot != copy.to || copy.from.negated) vec_push(keep, &x->copies, copy);
  }
}

static const lane_row *place_goals(const grounded *g, const lane_net *n, arena *keep) {
  const uint32_t count = g->goals_of[g->circuit.roles.count];
  lane_row *rows = arena_new_array(keep, lane_row, count + 1);
  for (uint32_t i = 0; i < count; i++) rows[i] = n->rows[n->goals + g->goals[i]];
  return rows;
}

/* How many steps the bits of a word last; 0: not one. */
static uint32_t period_of(const lane_net *n) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < n->draws.count; i++) bits += n->draws.items[i].random_bits;
  return bits ? RANDOM_ROWS / bits : 1;
}

lane_rollouts *lane_rollouts_new(const grounded *g, const lane_net *net, const lane_code *code,
                                 arena *keep) {
  lane_rollouts *x = lane_alloc(keep, sizeof *x);
  x->g = g;
  x->net = net;
  x->code = code;
  x->transposer = transposer_best();
  x->rows = lane_rows_new(&net->program, 0, keep);
  x->goals = place_goals(g, net, keep);
  x->goal_count = g->goals_of[g->circuit.roles.count];
  x->results = lane_alloc(keep, (x->goal_count + (size_t)1) * sizeof *x->results);
  x->period = period_of(net);
  lane_row *in_order = arena_new_array(keep, lane_row, x->goal_count + 1);
  for (uint32_t i = 0; i < x->goal_count; i++) in_order[i] = (lane_row){i, false};
  x->in_order = in_order;
  plan_copies(x, keep);
  return x;
}

/* ---- random numbers ---- */

/* Two words make the state of a generator: those of splitmix64 from place 2 * stream on. */
static uint64_t word_of_game(const lane_rollouts *x, uint64_t game, uint64_t number) {
  return draw_mix(x->key + (2 * (x->request->first + game) + number + 1) * DRAW_STEP);
}

/* By lane. */
static void seed_generators(lane_rollouts *x, const bundle_row *lanes) {
  bundle_row block[BLOCK_ROWS];
  uint64_t words[LANES];
  for (uint32_t number = 0; number < 2; number++) {
    for (uint32_t lane = 0; lane < LANES; lane++)
      words[lane] = word_of_game(x, x->game[lane], number) | number; /* never all zeros */
    x->transposer->to_rows(words, block);
    for (uint32_t i = 0; i < BLOCK_ROWS; i++)
      row_blend(&x->generators[x->turn][number * BLOCK_ROWS + i], &block[i], lanes);
  }
}

static uint64_t read_number(const lane_rollouts *x, uint32_t root, uint32_t bits, uint32_t lane) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < bits; i++)
    number |= (lane_word(x->rows, x->net->rows[root + i], lane / 64) >> lane % 64 & 1) << i;
  return number;
}

void lane_rollouts_redraw(lane_rollouts *x, const lane_draw *d, uint32_t lane) {
  const uint64_t count = read_number(x, d->count, d->count_bits, lane);
  const uint64_t low = read_number(x, d->product, d->random_bits, lane);
  if (!count || low >= (UINT64_C(1) << d->random_bits) % count) return;
  const uint64_t draws =
      (x->step - x->begun[lane]) * x->net->draws.count + (uint64_t)(d - x->net->draws.items);
  const uint64_t word = draw_mix(word_of_game(x, x->game[lane], 0) + (draws + 1) * DRAW_STEP);
  const uint32_t number = draw_below(word, (uint32_t)count);
  const uint64_t bit = UINT64_C(1) << lane % 64;
  for (uint32_t i = 0; i < d->count_bits; i++) {
    uint64_t *to = &x->rows[d->first_number + i].words[lane / 64];
    *to = number >> i & 1 ? *to | bit : *to & ~bit;
  }
}

/* ---- ending games ---- */

static const bundle_row *result_rows(const lane_rollouts *x, uint32_t role, row_list *rows) {
  const uint32_t first = x->g->goals_of[role];
  *rows = (row_list){x->results + first, x->in_order, x->g->goals_of[role + 1] - first};
  return x->results + first;
}

/* The goal of a role in all lanes. */
static void find_goals(const lane_rollouts *x, uint32_t role, int32_t *values) {
  row_list rows;
  const bundle_row *results = result_rows(x, role, &rows);
  const bundle_row one = rows_with_one(&rows);
  for (uint32_t lane = 0; lane < LANES; lane++) values[lane] = GOAL_NONE;
  for (uint32_t i = 0; i < rows.count; i++) {
    bundle_row lanes = one;
    for (uint32_t word = 0; word < ROW_WORDS; word++) lanes.words[word] &= results[i].words[word];
    x->code->engine->assign(&lanes, x->g->goal_values[x->g->goals[x->g->goals_of[role] + i]],
                            values);
  }
}

/* Reports the goals of all games that have ended since the last time. */
static void tell_goals(lane_rollouts *x) {
  const uint32_t roles = x->g->circuit.roles.count;
  int32_t values[LANES];
  if (row_is_empty(&x->ended)) return;
  for (uint32_t role = 0; role < roles; role++) {
    int32_t *goals = x->request->goals + role;
    find_goals(x, role, values);
    for (uint32_t word = 0; word < ROW_WORDS; word++)
      for (uint64_t left = x->ended.words[word]; left; left &= left - 1) {
        const uint32_t lane = word * 64 + (uint32_t)__builtin_ctzll(left);
        goals[x->game[lane] * roles] = values[lane];
      }
  }
  memset(x->results, 0, x->goal_count * sizeof *x->results);
  x->ended = (bundle_row){{0}};
}

/* ---- beginning games ---- */

/* Puts the states of games into some lanes. */
static void load_positions(lane_rollouts *x, const bundle_row *lanes) {
  const uint32_t words_each = grounded_words(x->g);
  bundle_row block[BLOCK_ROWS];
  uint64_t words[LANES];
  for (uint32_t i = 0, word = 0; word < words_each; word++) {
    const uint64_t *from = x->request->positions + word;
    for (uint32_t lane = 0; lane < LANES; lane++)
      words[lane] = from[(size_t)x->place[lane] * words_each];
    x->transposer->to_rows(words, block);
    for (; i < x->net->latches.count && x->net->latches.items[i] / 64 == word; i++)
      row_blend(&x->rows[i + 1], &block[x->net->latches.items[i] % 64], lanes);
  }
}

/* Gives a game to each lane without one, as long as there are some. */
static bundle_row give_games(lane_rollouts *x) {
  bundle_row fresh = {{0}};
  for (uint32_t lane = 0; lane < LANES && x->next_game < x->request->games; lane++) {
    if (row_has(&x->active, lane)) continue;
    x->place[lane] = x->next_place;
    x->game[lane] = x->next_game++;
    if (++x->begun_there == x->request->games_each) x->next_place++, x->begun_there = 0;
    x->begun[lane] = x->step;
    row_add(&fresh, lane);
  }
  return fresh;
}

static void begin_games(lane_rollouts *x) {
  tell_goals(x);
  const bundle_row fresh = give_games(x);
  load_positions(x, &fresh);
  seed_generators(x, &fresh);
  for (uint32_t word = 0; word < ROW_WORDS; word++) x->active.words[word] |= fresh.words[word];
  if (x->request->max_steps && x->step + x->request->max_steps < x->next_cut)
    x->next_cut = x->step + x->request->max_steps;
  x->waited = 0;
}

static uint64_t operations_of(const lane_program *p, lane_phase phase) {
  return p->phase_end[phase] - (phase ? p->phase_end[phase - 1] : 0);
}

static bool should_begin(lane_rollouts *x) {
  const uint64_t goals = operations_of(&x->net->program, PHASE_GOALS);
  const uint64_t cost =
      (grounded_words(x->g) + UINT64_C(2)) * LOADING_OPERATIONS + ENDING_STEPS * goals;
  if (x->next_game == x->request->games || (x->period && x->step % x->period)) return false;
  if (row_is_empty(&x->active)) return true;
  x->waited +=
      (LANES - row_count(&x->active)) * ((uint64_t)x->net->program.ops.count + STEP_OPERATIONS);
  return x->waited >= cost * LANES;
}

/* Gives games up that are too long, and finds out when the next one is. */
static void cut_games(lane_rollouts *x) {
  const uint64_t most = x->request->max_steps;
  x->next_cut = UINT64_MAX;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    if (!row_has(&x->active, lane)) continue;
    const uint64_t end = x->begun[lane] + most;
    if (end <= x->step)
      x->active.words[lane / 64] &= ~(UINT64_C(1) << lane % 64);
    else if (end < x->next_cut)
      x->next_cut = end;
  }
}

/* ---- playing ---- */

/* The steps of large games are so long that the clock is looked at each time. */
static bool is_time_over(const lane_rollouts *x, budget *b) {
  enum { MANY_OPERATIONS = 1 << 14 };
  if (b && x->net->program.ops.count > MANY_OPERATIONS) b->countdown = 0;
  return budget_is_spent(b);
}

static void begin_request(lane_rollouts *x, const rollout_request *r) {
  x->request = r;
  x->key = draw_mix(r->seed + DRAW_STEP);
  x->active = x->ended = (bundle_row){{0}};
  memset(x->results, 0, x->goal_count * sizeof *x->results);
  x->next_game = x->step = x->waited = 0;
  x->next_place = x->begun_there = 0;
  x->next_cut = UINT64_MAX;
  memset(x->game, 0, sizeof x->game);
  memset(x->place, 0, sizeof x->place);
  for (uint64_t i = 0; i < r->games * x->g->circuit.roles.count; i++) r->goals[i] = GOAL_NONE;
}

/* Goes on until no game does.  False: the budget is spent. */
static bool play_on(lane_rollouts *x, budget *b) {
  const lane_engine *e = x->code->engine;
  while (!is_time_over(x, b)) {
    if (should_begin(x)) begin_games(x);
    const bool goes_on = e->rollout_end(x);
    if (x->step >= x->next_cut) cut_games(x);
    if (!goes_on && x->next_game == x->request->games) return true;
    e->rollout_step(x);
  }
  return false;
}

bool lane_rollouts_play(lane_rollouts *x, const rollout_request *r, budget *b) {
  begin_request(x, r);
  const bool is_done = !r->games || play_on(x, b);
  tell_goals(x);
  return is_done;
}
