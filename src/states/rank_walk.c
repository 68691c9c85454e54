#include "states/rank_walk.h"

/* States are handed to a shard when so many wait; so many that were sent lately are remembered. */
enum { SHARD_STATES = 256, SENT_STATES = 1 << 15 };

typedef struct rank_walker {
  walk *w;
  ranks *r;
  arena *waiting; /* the states in the buffers */
  lane_expander e;
  uint8_t *states;
  state_place *places;
  uint8_t *buffers[STORE_SHARDS]; /* of states to be added */
  uint64_t *hashes[STORE_SHARDS];
  uint32_t counts[STORE_SHARDS];
  uint8_t *sent; /* by the last bits of the hash, a state */
  bool *is_sent;
  bool saw_older;
  budget *limits;
} rank_walker;

/* ---- adding ---- */

static void flush(rank_walker *k, uint32_t shard) {
  if (k->counts[shard])
    store_add(&k->w->store, shard, k->buffers[shard], k->hashes[shard], k->counts[shard],
              &k->saw_older);
  k->counts[shard] = 0;
}

static void add(rank_walker *k, const uint8_t *state, uint64_t hash) {
  const uint32_t shard = shard_of_hash(hash), bytes = k->w->store.state_bytes;
  if (!k->buffers[shard]) {
    k->buffers[shard] = arena_new_array(k->waiting, uint8_t, (size_t)SHARD_STATES * bytes + 8);
    k->hashes[shard] = arena_new_array(k->waiting, uint64_t, SHARD_STATES);
  }
  memcpy(k->buffers[shard] + (size_t)k->counts[shard] * bytes, state, bytes);
  k->hashes[shard][k->counts[shard]++] = hash;
  if (k->counts[shard] == SHARD_STATES) flush(k, shard);
}

static void take_states(void *context, uint32_t from, const uint8_t *states, size_t size) {
  rank_walker *k = context;
  const uint32_t bytes = k->w->store.state_bytes;
  (void)from;
  for (size_t at = 0; at + bytes <= size; at += bytes)
    add(k, states + at, store_hash(&k->w->store, states + at));
}

/* ---- expanding ---- */

/* States of others are sent once, unless so many others came in between. */
static bool was_sent(rank_walker *k, const uint8_t *state, uint64_t hash) {
  const uint32_t slot = hash % SENT_STATES, bytes = k->w->store.state_bytes;
  uint8_t *last = k->sent + (size_t)slot * bytes;
  if (k->is_sent[slot] && memcmp(last, state, bytes) == 0) return true;
  k->is_sent[slot] = true;
  memcpy(last, state, bytes);
  return false;
}

static bool take_steps(void *context, const lane_successors *batch) {
  rank_walker *k = context;
  const uint32_t bytes = k->w->store.state_bytes;
  for (uint32_t i = 0; i < batch->count; i++) {
    const uint8_t *state = batch->states + (size_t)i * bytes;
    const uint64_t hash = store_hash(&k->w->store, state);
    const uint32_t owner = rank_of_hash(k->r, hash);
    if (owner == ranks_rank(k->r))
      add(k, state, hash);
    else if (!was_sent(k, state, hash))
      ranks_post(k->r, RANK_ASK, owner, state, bytes);
  }
  k->w->steps += batch->count;
  return true;
}

static bool is_out_of_limits(const rank_walker *k) {
  const state_store *s = &k->w->store;
  return budget_check_now(k->limits) || atomic_load(&s->is_full) ||
         (k->limits->max_bytes && atomic_load(&s->bytes) > k->limits->max_bytes);
}

static bool expand_level(rank_walker *k) {
  const uint32_t level = k->w->levels.count - 2;
  const uint64_t blocks = (level_size(k->w, level) + LANES - 1) / LANES;
  memset(k->is_sent, 0, SENT_STATES);
  ranks_begin(k->r, RANK_ASK, take_states, k);
  for (uint64_t block = 0; block < blocks && !ranks_have_failed(k->r); block++) {
    const uint32_t count = level_read(k->w, level, block, k->states, k->places);
    lane_expander_look(&k->e, k->states, count);
    lane_expander_make_steps(&k->e, take_steps, k);
    ranks_poll(k->r);
    if (is_out_of_limits(k)) ranks_stop(k->r);
  }
  const bool ok = ranks_finish(k->r, RANK_ASK);
  for (uint32_t i = 0; i < STORE_SHARDS; i++) flush(k, i);
  return ok;
}

/* What all ranks know after a level. */
typedef struct level_news {
  uint64_t fresh, all, older;
} level_news;

static bool tell_news(rank_walker *k, level_news *n) {
  uint64_t numbers[3] = {level_size(k->w, k->w->levels.count - 1), walk_states(k->w), k->saw_older};
  const bool ok = ranks_sum(k->r, numbers, 3);
  *n = (level_news){numbers[0], numbers[1], numbers[2]};
  return ok;
}

static bool walk_levels(rank_walker *k, uint64_t max_states) {
  level_news n;
  do {
    if (!expand_level(k) || !tell_news(k, &n)) return false;
    k->w->is_layered &= !n.older;
    progress_tell(k->limits->progress, (double)n.all, 0, "states found");
    walk_open_level(k->w);
    if (max_states && n.all > max_states) return false;
  } while (n.fresh);
  return k->w->is_complete = true;
}

bool rank_walk_run(walk *w, ranks *r, uint64_t max_states, budget *b) {
  arena *keep = arena_new();
  const uint32_t bytes = w->s->state_bytes;
  rank_walker *k = arena_alloc_zero(keep, sizeof *k);
  *k = (rank_walker){.w = w, .r = r, .waiting = arena_new(), .limits = b};
  lane_expander_init(&k->e, w->s, keep);
  k->e.needs_no_goals = true;
  k->states = arena_new_array(keep, uint8_t, (size_t)LANES * bytes + 8);
  k->places = arena_new_array(keep, state_place, LANES);
  k->sent = arena_new_array(keep, uint8_t, (size_t)SENT_STATES * bytes + 1);
  k->is_sent = arena_zero_array(keep, bool, SENT_STATES);
  const bool ok = walk_levels(k, max_states);
  arena_free(k->waiting);
  arena_free(keep);
  return ok;
}
