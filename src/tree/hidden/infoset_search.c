#include "tree/hidden/infoset_search.h"

/* ---- making one ---- */

bool infoset_search_fits(const machine *m) { return m->numbers != NULL; }

static void make_room(infoset_search *s) {
  const uint32_t roles = s->m->role_count;
  s->games = arena_zero_array(s->keep, infoset_game, LANES);
  s->keys = arena_zero_array(s->keep, uint64_t, (size_t)LANES * roles);
  s->percepts = arena_zero_array(s->keep, uint64_t, LANES);
  s->joints = arena_zero_array(s->keep, move_id, (size_t)LANES * roles);
  s->positions = arena_alloc_zero(s->keep, LANES * s->m->position_size);
  s->ends = arena_alloc_zero(s->keep, LANES * s->m->position_size);
  s->end_lanes = arena_zero_array(s->keep, uint32_t, LANES);
  s->goals = arena_zero_array(s->keep, int32_t, (size_t)LANES * roles);
  s->outcomes = arena_zero_array(s->keep, float, (size_t)LANES *roles);
  s->told = arena_alloc_zero(s->keep, roles * sizeof *s->told);
}

/* Chance is nobody's opponent, and draws evenly anyway. */
static bool has_opponents(const machine *m) {
  return m->role_count - (machine_nature(m) < m->role_count) > 1;
}

infoset_search *infoset_search_new(const machine *m, uint64_t seed, double strangers,
                                   size_t bytes) {
  arena *keep = arena_new();
  infoset_search *s = arena_alloc_zero(keep, sizeof *s);
  assert(infoset_search_fits(m));
  s->m = m;
  s->keep = keep;
  s->seed = seed;
  s->random = rng_new(seed, 1);
  s->nature = machine_nature(m);
  s->strangers = has_opponents(m) ? strangers : 0;
  s->focus = m->role_count;
  s->store = infosets_new(bytes, keep);
  make_room(s);
  return s;
}

void infoset_search_free(infoset_search *s) {
  if (!s) return;
  bundle_free(s->bundle);
  arena_free(s->keep);
}

/* A bundle that was in trouble once is so for good; what it asks to be watched stays so. */
bool infoset_begin(infoset_search *s, const budget *limits) {
  if (s->bundle && s->bundle->w->trouble.is_there) {
    bundle_free(s->bundle);
    s->bundle = NULL;
  }
  const budget old = s->limits;
  s->limits = *limits;
  s->limits.watched_count = s->bundle ? old.watched_count : 0;
  memcpy(s->limits.watched, old.watched, sizeof old.watched);
  if (!s->bundle) s->bundle = bundle_new(s->m, &s->limits);
  return s->bundle != NULL;
}

bool infoset_is_over(const infoset_search *s) {
  return s->bundle->w->trouble.is_there || workspace_is_over(s->bundle->w);
}

/* ---- what roles know ---- */

uint64_t infoset_key_start(uint32_t role) { return hash_mix(role + UINT64_C(1)); }

uint64_t infoset_key_after(uint64_t key, infoset_news news) {
  return hash_mix(hash_add(key, news.own) + news.percepts);
}

uint64_t infoset_percept(percept_id percept) {
  return draw_mix((percept + UINT64_C(1)) * DRAW_STEP);
}

void infoset_restart(infoset_search *s) {
  for (uint32_t r = 0; r < s->m->role_count; r++) s->told[r].count = 0;
}

void infoset_tell(infoset_search *s, uint32_t role, infoset_news news) {
  vec_push(s->keep, &s->told[role], news);
}

infoset_id infoset_now(const infoset_search *s, uint32_t role) {
  uint64_t key = infoset_key_start(role);
  for (uint32_t i = 0; i < s->told[role].count; i++)
    key = infoset_key_after(key, s->told[role].items[i]);
  return infosets_find(s->store, key);
}

/* ---- lanes ---- */

void infoset_list(infoset_search *s, uint32_t role) {
  bundle_list_legal(s->bundle, role, s->moves, s->room, s->counts);
  uint32_t most = 0;
  for (uint32_t lane = 0; lane < s->bundle->count; lane++)
    if (s->counts[lane] > most) most = s->counts[lane];
  if (most <= s->room) return;
  s->room = most * 2;
  s->moves = arena_new_array(s->keep, move_id, (size_t)s->room * LANES);
  s->shares = arena_new_array(s->keep, float, s->room);
  s->share_room = s->room;
  bundle_list_legal(s->bundle, role, s->moves, s->room, s->counts);
}

static void add_percept(infoset_search *s, const row_list *rows, uint32_t percept) {
  const uint64_t number = infoset_percept(percept);
  for (uint32_t word = 0; word < ROW_WORDS; word++)
    for (uint64_t left = row_list_word(rows, percept, word); left; left &= left - 1)
      s->percepts[word * 64 + (uint32_t)__builtin_ctzll(left)] ^= number;
}

static void add_news(infoset_search *s, uint32_t role) {
  const row_list rows = bundle_ask(s->bundle, BUNDLE_PERCEPTS, role);
  memset(s->percepts, 0, LANES * sizeof *s->percepts);
  for (uint32_t i = 0; i < rows.count; i++) add_percept(s, &rows, i);
  for (uint32_t lane = 0; lane < s->bundle->count; lane++) {
    const infoset_news news = {s->joints[(size_t)lane * s->m->role_count + role],
                               s->percepts[lane]};
    uint64_t *key = &s->keys[(size_t)role * LANES + lane];
    *key = infoset_key_after(*key, news);
  }
}

void infoset_step_lanes(infoset_search *s) {
  bundle_row illegal;
  bundle_step(s->bundle, s->joints, &illegal);
  for (uint32_t r = 0; r < s->m->role_count; r++) add_news(s, r);
}

/* ---- games from the start ---- */

static void begin_lanes(infoset_search *s, uint32_t count) {
  for (uint32_t lane = 0; lane < count; lane++) {
    s->games[lane].has_strangers = s->strangers > 0 && infoset_unit(s) < (float)s->strangers;
    machine_start(s->m, s->positions + lane * s->m->position_size);
    for (uint32_t r = 0; r < s->m->role_count; r++)
      s->keys[(size_t)r * LANES + lane] = infoset_key_start(r);
  }
  bundle_load(s->bundle, s->positions, count);
}

/* All roles in turn, then nobody. */
static uint32_t learner_after(const infoset_search *s, uint32_t learner) {
  const uint32_t next = learner >= s->m->role_count ? 0 : learner + 1;
  return next == s->nature ? next + 1 : next;
}

/* Against strangers somebody has to learn: who is aimed at, or all in turn. */
static uint32_t learner_against_strangers(const infoset_search *s, uint32_t last) {
  if (s->focus < s->m->role_count) return s->focus;
  const uint32_t next = learner_after(s, last);
  return next < s->m->role_count ? next : learner_after(s, next);
}

static void begin_games(infoset_search *s, uint32_t count) {
  uint32_t learner = s->m->role_count, against_strangers = s->m->role_count;
  for (uint32_t lane = 0; lane < count; lane++) {
    infoset_game *g = &s->games[lane];
    if (g->has_strangers)
      g->learner = against_strangers = learner_against_strangers(s, against_strangers);
    else
      g->learner = learner = learner_after(s, learner);
    g->is_over = g->is_lost = false;
    g->path.count = 0;
  }
  s->end_count = 0;
}

static uint32_t finish(infoset_search *s, uint32_t count) {
  begin_games(s, count);
  infoset_play_on(s, count);
  if (infoset_is_over(s)) return 0;
  infoset_learn(s, count);
  s->figures.games += count;
  return count;
}

uint32_t infoset_batch(infoset_search *s, uint32_t most) {
  const uint32_t count = most < LANES ? most : LANES;
  if (!count || infoset_is_over(s)) return 0;
  s->focus = s->m->role_count;
  begin_lanes(s, count);
  return finish(s, count);
}

/* ---- games that agree with what a role knows ---- */

static uint32_t draw_share(infoset_search *s, infoset_id id) {
  const uint32_t count = s->store->sets.items[id].count;
  float left = infoset_unit(s);
  infosets_shares(s->store, id, s->shares);
  uint32_t i = 0;
  while (i + 1 < count && (left -= s->shares[i]) >= 0) i++;
  return i;
}

/* A move of another role: as it would choose, or any. */
static move_id move_of_other(infoset_search *s, uint32_t role, uint32_t lane) {
  const move_id *moves = s->moves + (size_t)lane * s->room;
  const uint32_t count = s->counts[lane];
  if (!count) return MOVE_NONE;
  if (count == 1) return moves[0];
  const infoset_id id = role == s->nature || s->games[lane].has_strangers
                            ? INFOSET_NONE
                            : infosets_find(s->store, s->keys[(size_t)role * LANES + lane]);
  return moves[id == INFOSET_NONE ? rng_below(&s->random, count) : draw_share(s, id)];
}

static bool is_listed(const infoset_search *s, uint32_t lane, move_id move) {
  for (uint32_t i = 0; i < s->counts[lane]; i++)
    if (s->moves[(size_t)lane * s->room + i] == move) return true;
  return false;
}

static move_id move_then(infoset_search *s, uint32_t role, uint32_t lane, uint32_t step) {
  if (role != s->focus) return move_of_other(s, role, lane);
  const move_id own = s->told[role].items[step].own;
  return is_listed(s, lane, own) ? own : MOVE_NONE;
}

/* Makes the step that was told in all lanes; `agrees`: those in which it can have been so. */
static void repeat_step(infoset_search *s, uint32_t step, uint64_t key, bool *agrees) {
  const uint32_t roles = s->m->role_count, count = s->bundle->count;
  const bundle_row over = bundle_terminal(s->bundle);
  for (uint32_t lane = 0; lane < count; lane++) agrees[lane] = !row_has(&over, lane);
  for (uint32_t r = 0; r < roles; r++) {
    infoset_list(s, r);
    for (uint32_t lane = 0; lane < count; lane++) {
      move_id *move = &s->joints[(size_t)lane * roles + r];
      *move = move_then(s, r, lane, step);
      agrees[lane] &= *move != MOVE_NONE;
    }
  }
  infoset_step_lanes(s);
  for (uint32_t lane = 0; lane < count; lane++)
    agrees[lane] &= s->keys[(size_t)s->focus * LANES + lane] == key;
}

static void copy_lane(infoset_search *s, uint32_t from, uint32_t to) {
  const size_t size = s->m->position_size;
  memcpy(s->positions + to * size, s->positions + from * size, size);
  for (uint32_t r = 0; r < s->m->role_count; r++)
    s->keys[(size_t)r * LANES + to] = s->keys[(size_t)r * LANES + from];
  s->games[to].has_strangers = s->games[from].has_strangers;
}

/* False: no lane agrees. */
static bool refill(infoset_search *s, const bool *agrees) {
  uint32_t good[LANES], found = 0;
  const uint32_t count = s->bundle->count;
  for (uint32_t lane = 0; lane < count; lane++)
    if (agrees[lane]) good[found++] = lane;
  if (!found || found == count) return found;
  bundle_store(s->bundle, s->positions);
  for (uint32_t lane = 0; lane < count; lane++)
    if (!agrees[lane]) copy_lane(s, good[rng_below(&s->random, found)], lane);
  bundle_load(s->bundle, s->positions, count);
  return true;
}

uint32_t infoset_focus(infoset_search *s, uint32_t role, uint32_t most) {
  const uint32_t count = most < LANES ? most : LANES;
  bool agrees[LANES];
  if (!count || infoset_is_over(s)) return 0;
  s->focus = role;
  begin_lanes(s, count);
  uint64_t key = infoset_key_start(role);
  for (uint32_t i = 0; i < s->told[role].count; i++) {
    key = infoset_key_after(key, s->told[role].items[i]);
    repeat_step(s, i, key, agrees);
    if (infoset_is_over(s) || !refill(s, agrees)) return 0;
  }
  return finish(s, count);
}
