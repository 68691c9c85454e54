#include "machine/lanes/lane_counter_games.h"

#include "machine/lanes/lane_play_state.h"
#include "machine/transpose.h"

/* ---- lanes of a part ---- */

/* The number of the game in a lane, counted in the request; it may be none. */
static uint64_t game_in(const rollout_request *r, uint64_t first, uint32_t lane) {
  return first + lane - r->first;
}

bundle_row lane_counter_games_lanes(const rollout_request *r, uint64_t first) {
  bundle_row lanes = {{0}};
  for (uint32_t lane = 0; lane < LANES; lane++)
    if (game_in(r, first, lane) < r->games) row_add(&lanes, lane);
  return lanes;
}

void lane_counter_games_load(const rollout_request *r, uint64_t first, uint32_t words_each,
                             uint32_t word, bundle_row *block) {
  uint64_t words[LANES];
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const uint64_t game = game_in(r, first, lane);
    const uint64_t place = game < r->games ? game / r->games_each : 0;
    words[lane] = r->positions[place * words_each + word];
  }
  transposer_best()->to_rows(words, block);
}

/* ---- goals ---- */

static void tell_goal(const rollout_request *r, uint64_t first, uint32_t roles, uint32_t role,
                      const bundle_row *lanes, int32_t value) {
  for (uint32_t word = 0; word < ROW_WORDS; word++)
    for (uint64_t left = lanes->words[word]; left; left &= left - 1) {
      const uint32_t lane = word * 64 + (uint32_t)__builtin_ctzll(left);
      r->goals[game_in(r, first, lane) * roles + role] = value;
    }
}

void lane_counter_games_tell(const grounded *g, const row_list *goals, const bundle_row *lanes,
                             uint64_t first, const rollout_request *r) {
  const uint32_t roles = g->circuit.roles.count;
  for (uint32_t role = 0; role < roles; role++) {
    const uint32_t begin = g->goals_of[role];
    const row_list own = {goals->rows, goals->at + begin, g->goals_of[role + 1] - begin};
    const bundle_row one = rows_with_one(&own);
    for (uint32_t i = 0; i < own.count; i++) {
      bundle_row here = one;
      for (uint32_t word = 0; word < ROW_WORDS; word++)
        here.words[word] &= row_list_word(&own, i, word) & lanes->words[word];
      tell_goal(r, first, roles, role, &here, g->goal_values[g->goals[begin + i]]);
    }
  }
}

/* ---- playing ---- */

static void load_states(lane_player *p, const rollout_request *r, uint64_t first) {
  const lane_net *n = p->net;
  bundle_row block[BLOCK_ROWS];
  for (uint32_t i = 0, word = 0; i < n->latches.count; word++) {
    lane_counter_games_load(r, first, grounded_words(p->g), word, block);
    for (; i < n->latches.count && n->latches.items[i] / 64 == word; i++)
      p->rows[i + 1] = block[n->latches.items[i] % 64];
  }
}

/* The goal rows have been computed where a game has ended by itself. */
static void end_games(lane_player *p, const row_list *goals, uint64_t first,
                      const rollout_request *r) {
  const bundle_row before = p->counted, given_up = p->given_up;
  bundle_row ended;
  p->code->engine->end_games(p);
  for (uint32_t i = 0; i < ROW_WORDS; i++)
    ended.words[i] = before.words[i] & ~p->counted.words[i] & ~given_up.words[i];
  if (!row_is_empty(&ended)) lane_counter_games_tell(p->g, goals, &ended, first, r);
}

/* Every lane has one game: none begins in its place. */
static bool play_part(lane_player *p, const row_list *goals, uint64_t first,
                      const rollout_request *r, bulk_tally *unused, budget *b) {
  const bulk_part part = {.seed = r->seed,
                          .number = first / LANES,
                          .starts = LANES,
                          .max_steps = r->max_steps,
                          .counter = true};
  lane_player_begin(p, &part, unused);
  load_states(p, r, first);
  p->counted = p->cohorts[0] = lane_counter_games_lanes(r, first);
  while (!lane_player_is_late(p, b)) {
    end_games(p, goals, first, r);
    if (row_is_empty(&p->counted)) return true;
    p->code->engine->make_moves(p);
    p->code->engine->latch_next(p);
  }
  return false;
}

static row_list place_goals(const lane_player *p, arena *keep) {
  const uint32_t count = p->g->goals_of[p->g->circuit.roles.count];
  lane_row *at = arena_new_array(keep, lane_row, count + 1);
  for (uint32_t i = 0; i < count; i++) at[i] = p->net->rows[p->net->goals + p->g->goals[i]];
  return (row_list){p->rows, at, count};
}

bool lane_counter_games_play(lane_player *p, const rollout_request *r, budget *b) {
  const uint64_t before = r->first % LANES; /* lanes of the first part */
  arena *scratch = arena_new();
  const row_list goals = place_goals(p, scratch);
  bulk_tally unused;
  lane_tally_init(&unused, p->net->c, scratch);
  for (uint64_t i = 0; i < r->games * p->g->circuit.roles.count; i++) r->goals[i] = GOAL_NONE;
  bool ok = true;
  for (uint64_t done = 0; ok && done < before + r->games; done += LANES)
    ok = play_part(p, &goals, r->first - before + done, r, &unused, b);
  arena_free(scratch);
  return ok;
}
