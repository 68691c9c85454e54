#include "machine/lanes/lane_bundle.h"

#include "machine/lanes/lane_counter_games.h"
#include "machine/lanes/lanes_machine.h"

#include <string.h>

/* Moves of a role become rows by transposition if they are not more blocks than this; else the bits
   are set one by one. */
enum { MOVE_BLOCKS_MAX = 4 };

typedef struct lane_bundle {
  bundle base;
  const grounded *g;
  lane_steps steps;
  bundle_row *percepts;     /* of the last step, in the order of g->percepts */
  const lane_row *in_order; /* row i is i: for percepts */
  const lane_row *fluents;  /* by fluent */
  const lane_row *goals;    /* in the order of g->goals */
  uint64_t *masks;          /* scratch: words of all lanes, block by block */
  lane_rollouts *rollouts;  /* made when it is first asked for, or ... */
  lane_player *counter;     /* ... this, for games by counter, and ... */
  uint64_t *positions;      /* ... where it begins */
} lane_bundle;

static lane_bundle *of(bundle *b) { return (lane_bundle *)b; }

static uint32_t blocks_of(uint32_t rows) { return (rows + BLOCK_ROWS - 1) / BLOCK_ROWS; }

/* ---- opening ---- */

static const lane_row *place_fluents(const circuit *c, arena *keep) {
  lane_row *rows = arena_new_array(keep, lane_row, c->fluents.count + 1);
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    const wire now = c->fluents.items[i].now;
    const gate it = c->gates.items[wire_gate(now)];
    rows[i] = (lane_row){it.kind == GATE_LATCH ? it.number + 1 : SLOT_FALSE, wire_is_negated(now)};
  }
  return rows;
}

static const lane_row *place_goals(const grounded *g, const lane_net *n, arena *keep) {
  const uint32_t count = g->goals_of[g->circuit.roles.count];
  lane_row *rows = arena_new_array(keep, lane_row, count + 1);
  for (uint32_t i = 0; i < count; i++) rows[i] = n->rows[n->goals + g->goals[i]];
  return rows;
}

static uint64_t *new_masks(const circuit *c, arena *keep) {
  uint32_t most = 0;
  for (uint32_t role = 0; role < c->roles.count; role++)
    if (c->roles.items[role].move_count > most) most = c->roles.items[role].move_count;
  return lane_alloc(keep, (size_t)blocks_of(most) * LANES * sizeof(uint64_t) + 1);
}

static const lane_row *rows_in_order(uint32_t count, arena *keep) {
  lane_row *rows = arena_new_array(keep, lane_row, count + 1);
  for (uint32_t i = 0; i < count; i++) rows[i] = (lane_row){i, false};
  return rows;
}

static bundle *open_bundle(const machine *m, budget *b) {
  const lane_stepper *s = lanes_stepper(m, b);
  if (!s) return NULL;
  const grounded *g = machine_grounded(m);
  arena *keep = arena_new();
  lane_bundle *l = lane_alloc(keep, sizeof *l);
  l->base = (bundle){.m = m, .keep = keep, .w = machine_workspace_new(m, b)};
  l->g = g;
  lane_steps_init(&l->steps, s, keep);
  l->percepts = lane_alloc(keep, g->circuit.percepts.count * sizeof *l->percepts + 1);
  l->in_order = rows_in_order(g->circuit.percepts.count, keep);
  l->fluents = place_fluents(&g->circuit, keep);
  l->goals = place_goals(g, &s->net, keep);
  l->masks = new_masks(&g->circuit, keep);
  return &l->base;
}

static void close_bundle(bundle *b) { machine_workspace_free(b->m, b->w); }

/* ---- states ---- */

static void forget_percepts(lane_bundle *l, const bundle_row *lanes) {
  for (uint32_t i = 0; i < l->g->circuit.percepts.count; i++)
    for (uint32_t word = 0; word < ROW_WORDS; word++)
      l->percepts[i].words[word] &= ~lanes->words[word];
}

static void load(bundle *b, const void *positions) {
  const bundle_row all = row_of_first(LANES);
  lane_steps_load(&of(b)->steps, positions, b->count);
  forget_percepts(of(b), &all);
}

static void put(bundle *b, const void *positions, const bundle_row *lanes) {
  lane_steps_put(&of(b)->steps, positions, lanes);
  forget_percepts(of(b), lanes);
}

static void reset(bundle *b, const bundle_row *lanes) {
  lane_steps_reset(&of(b)->steps, lanes);
  forget_percepts(of(b), lanes);
}

static void store(bundle *b, void *positions) { lane_steps_store(&of(b)->steps, positions); }

/* ---- questions ---- */

static row_list roots(const lane_bundle *l, uint32_t first, uint32_t count) {
  return (row_list){l->steps.rows, l->steps.s->net.rows + first, count};
}

static row_list legal_rows(lane_bundle *l, uint32_t role) {
  const circuit_role *r = &l->g->circuit.roles.items[role];
  lane_steps_run(&l->steps, PHASE_LEGAL);
  return roots(l, l->steps.s->net.legal + r->first_move, r->move_count);
}

static row_list ask(bundle *b, bundle_answer what, uint32_t role) {
  lane_bundle *l = of(b);
  const grounded *g = l->g;
  switch (what) {
    case BUNDLE_TERMINAL:
      lane_steps_run(&l->steps, PHASE_TERMINAL);
      return roots(l, l->steps.s->net.terminal, 1);
    case BUNDLE_LEGAL: return legal_rows(l, role);
    case BUNDLE_FLUENTS: return (row_list){l->steps.rows, l->fluents, g->circuit.fluents.count};
    case BUNDLE_PERCEPTS: break;
  }
  return (row_list){l->percepts, l->in_order + g->percepts_of[role],
                    g->percepts_of[role + 1] - g->percepts_of[role]};
}

static void goals(bundle *b, uint32_t role, int32_t *values) {
  lane_bundle *l = of(b);
  const grounded *g = l->g;
  const uint32_t first = g->goals_of[role];
  const row_list rows = {l->steps.rows, l->goals + first, g->goals_of[role + 1] - first};
  int32_t all[LANES];
  lane_steps_run(&l->steps, PHASE_GOALS);
  const bundle_row one = rows_with_one(&rows);
  for (uint32_t lane = 0; lane < LANES; lane++) all[lane] = GOAL_NONE;
  for (uint32_t i = 0; i < rows.count; i++) {
    bundle_row lanes = one;
    for (uint32_t word = 0; word < ROW_WORDS; word++)
      lanes.words[word] &= row_list_word(&rows, i, word);
    l->steps.s->code.engine->assign(&lanes, g->goal_values[g->goals[first + i]], all);
  }
  memcpy(values, all, b->count * sizeof *values);
}

/* Adds a move to the lists of the lanes in one word that have it. */
static void list_move(uint64_t lanes, uint32_t first, move_id move, move_id *moves,
                      uint32_t capacity, uint32_t *counts) {
  for (; lanes; lanes &= lanes - 1) {
    const uint32_t lane = first + (uint32_t)__builtin_ctzll(lanes);
    if (counts[lane] < capacity) moves[(size_t)lane * capacity + counts[lane]] = move;
    counts[lane]++;
  }
}

static void list_legal(bundle *b, uint32_t role, move_id *moves, uint32_t capacity,
                       uint32_t *counts) {
  const row_list legal = legal_rows(of(b), role);
  const bundle_row used = row_of_first(b->count);
  memset(counts, 0, b->count * sizeof *counts);
  for (uint32_t move = 0; move < legal.count; move++)
    for (uint32_t word = 0; word * 64 < b->count; word++)
      list_move(row_list_word(&legal, move, word) & used.words[word], word * 64, move, moves,
                capacity, counts);
}

/* ---- draws ---- */

static void draw(bundle *b, uint64_t key, uint64_t first, move_id *joints) {
  lane_bundle *l = of(b);
  const uint32_t roles = b->m->role_count;
  for (uint32_t role = 0; role < roles; role++) {
    const row_list legal = legal_rows(l, role);
    const lane_pick pick = {.words = l->masks,
                            .blocks = blocks_of(legal.count),
                            .lanes = b->count,
                            .random = key + DRAW_STEP * (first * roles + role + 1),
                            .random_step = DRAW_STEP * roles,
                            .picked = joints + role,
                            .stride = roles};
    for (uint32_t i = 0; i < pick.blocks; i++)
      l->steps.s->transposer->to_lanes(&legal, i * BLOCK_ROWS, l->masks + (size_t)i * LANES);
    l->steps.s->code.engine->pick(&pick);
  }
}

/* ---- steps ---- */

/* A word for each lane in which the bit of its move is set, if it is in the block. */
static void mark_moves(const lane_bundle *l, uint32_t block, const move_id *moves,
                       uint64_t *words) {
  const uint32_t roles = l->base.m->role_count;
  for (uint32_t lane = 0; lane < l->base.count; lane++) {
    const move_id move = moves[(size_t)lane * roles];
    words[lane] = (uint64_t)(move / BLOCK_ROWS == block) << move % BLOCK_ROWS;
  }
  memset(words + l->base.count, 0, (LANES - l->base.count) * sizeof *words);
}

static void transpose_moves(lane_bundle *l, bundle_row *rows, uint32_t count,
                            const move_id *moves) {
  for (uint32_t block = 0; block * BLOCK_ROWS < count; block++) {
    const uint32_t left = count - block * BLOCK_ROWS;
    uint64_t words[LANES];
    bundle_row marked[BLOCK_ROWS];
    mark_moves(l, block, moves, words);
    l->steps.s->transposer->to_rows(words, marked);
    memcpy(rows + block * BLOCK_ROWS, marked,
           (left < BLOCK_ROWS ? left : BLOCK_ROWS) * sizeof *rows);
  }
}

static void scatter_moves(const lane_bundle *l, bundle_row *rows, uint32_t count,
                          const move_id *moves) {
  memset(rows, 0, count * sizeof *rows);
  for (uint32_t lane = 0; lane < l->base.count; lane++) {
    const move_id move = moves[(size_t)lane * l->base.m->role_count];
    if (move < count) row_add(&rows[move], lane);
  }
}

/* Leaves the lanes in which the move that is done is legal. */
static void keep_legal(lane_bundle *l, uint32_t role, const bundle_row *rows, bundle_row *lanes) {
  const row_list legal = legal_rows(l, role);
  bundle_row right = {{0}};
  for (uint32_t i = 0; i < legal.count; i++)
    for (uint32_t word = 0; word < ROW_WORDS; word++)
      right.words[word] |= rows[i].words[word] & row_list_word(&legal, i, word);
  for (uint32_t word = 0; word < ROW_WORDS; word++) lanes->words[word] &= right.words[word];
}

/* The same with a look at each lane: for moves that are many more than lanes. */
static void keep_legal_by_lane(lane_bundle *l, uint32_t role, const move_id *moves,
                               bundle_row *lanes) {
  const row_list legal = legal_rows(l, role);
  for (uint32_t lane = 0; lane < l->base.count; lane++) {
    const move_id move = moves[(size_t)lane * l->base.m->role_count];
    if (move < legal.count && row_list_word(&legal, move, lane / 64) >> lane % 64 & 1) continue;
    lanes->words[lane / 64] &= ~(UINT64_C(1) << lane % 64);
  }
}

/* The moves of a role as rows; in *lanes those are left in which they are legal, unless it is NULL.
 */
static void set_moves(lane_bundle *l, uint32_t role, const move_id *moves, bundle_row *lanes) {
  const circuit_role *r = &l->g->circuit.roles.items[role];
  bundle_row *rows = l->steps.rows + l->steps.s->net.first_move + r->first_move;
  const bool are_few = blocks_of(r->move_count) <= MOVE_BLOCKS_MAX;
  if (are_few)
    transpose_moves(l, rows, r->move_count, moves);
  else
    scatter_moves(l, rows, r->move_count, moves);
  if (lanes && are_few) keep_legal(l, role, rows, lanes);
  if (lanes && !are_few) keep_legal_by_lane(l, role, moves, lanes);
}

static void keep_percepts(lane_bundle *l, const bundle_row *lanes) {
  const grounded *g = l->g;
  for (uint32_t i = 0; i < g->circuit.percepts.count; i++)
    for (uint32_t word = 0; word < ROW_WORDS; word++)
      l->percepts[i].words[word] =
          lane_steps_percept(&l->steps, g->percepts[i], word) & lanes->words[word];
}

static void make_step(bundle *b, const move_id *joints, bundle_row *illegal) {
  lane_bundle *l = of(b);
  bundle_row going = row_of_first(b->count), right;
  if (illegal) {
    const bundle_row terminal = bundle_terminal(b);
    for (uint32_t word = 0; word < ROW_WORDS; word++) going.words[word] &= ~terminal.words[word];
  }
  right = going;
  for (uint32_t role = 0; role < b->m->role_count; role++)
    set_moves(l, role, joints + role, illegal ? &right : NULL);
  for (uint32_t word = 0; illegal && word < ROW_WORDS; word++)
    illegal->words[word] = going.words[word] & ~right.words[word];
  lane_steps_run(&l->steps, PHASE_NEXT);
  keep_percepts(l, &right);
  lane_steps_latch(&l->steps, &right);
}

/* ---- random games ---- */

static bool play_by_stream(lane_bundle *l, const rollout_request *r) {
  const bundle *b = &l->base;
  if (!l->rollouts) l->rollouts = lanes_rollouts_new(b->m, b->keep, b->w->budget);
  return l->rollouts && lane_rollouts_play(l->rollouts, r, b->w->budget);
}

static bool play_by_counter(lane_bundle *l, const rollout_request *r) {
  const bundle *b = &l->base;
  if (!l->counter) l->counter = lanes_player_new(b->m, NET_PLAYS, b->keep, b->w->budget);
  return l->counter && lane_counter_games_play(l->counter, r, b->w->budget);
}

static void play(bundle *b, const bundle_games *games, int32_t *goals) {
  lane_bundle *l = of(b);
  const uint64_t count = (uint64_t)b->count * games->each;
  const bool counter = games->counter || b->m->ops->bulk_play->is_by_counter;
  if (!l->positions)
    l->positions = arena_new_array(b->keep, uint64_t, (size_t)LANES * grounded_words(l->g) + 1);
  lane_steps_store(&l->steps, l->positions);
  const rollout_request request = {.positions = l->positions,
                                   .games = count,
                                   .games_each = games->each,
                                   .seed = games->seed,
                                   .first = games->first,
                                   .max_steps = games->max_steps,
                                   .goals = goals};
  if (counter ? play_by_counter(l, &request) : play_by_stream(l, &request)) return;
  const bool is_ready = counter ? l->counter != NULL : l->rollouts != NULL;
  workspace_is_over(b->w); /* notes why */
  for (uint64_t i = 0; !is_ready && i < count * b->m->role_count; i++) goals[i] = GOAL_NONE;
}

const bundle_ops lane_bundles = {
    .open = open_bundle,
    .close = close_bundle,
    .load = load,
    .put = put,
    .reset = reset,
    .store = store,
    .ask = ask,
    .goals = goals,
    .list_legal = list_legal,
    .draw = draw,
    .step = make_step,
    .play = play,
    .expander_new = lane_bundle_expander_new,
    .expand = lane_bundle_expand,
};
