/* Whether every play of a complete walk ends.

   The rank of a state is the length of the longest play from it.  States are visited from the
   last found to the first, and again while that gives some state a rank: a state has one when all
   that can follow have.  Where every step leads to a deeper level once is enough.  States that
   never get a rank are those from which play can go on for ever: each has a successor of the same
   kind, and following those leads into a cycle. */
#include "states/walk.h"

#include "states/walk_images.h"

#include <string.h>

#define UNRANKED UINT32_MAX

typedef struct ranking {
  walk *w;
  arena *scratch;
  lane_expander e;
  uint8_t *states;
  state_place *places;
  uint32_t *ranks[STORE_SHARDS];
  uint32_t found[LANES]; /* by lane: the rank so far, or UNRANKED */
  uint64_t left;         /* states without a rank */
  state_place follower;  /* of the state that is followed: one without a rank ... */
  uint32_t *joint;       /* ... and the move that leads there */
  bool has_follower;
  uint32_t *numbers[STORE_SHARDS]; /* of the states that were followed, from 1 on; 0: not yet */
} ranking;

static uint32_t *rank_of(ranking *r, state_place p) { return &r->ranks[p.shard][p.number]; }

static void begin(ranking *r, walk *w) {
  *r = (ranking){.w = w, .scratch = arena_new(), .left = walk_states(w)};
  lane_expander_init(&r->e, w->s, r->scratch);
  r->states = arena_new_array(r->scratch, uint8_t, (size_t)LANES * w->s->state_bytes + 8);
  r->places = arena_new_array(r->scratch, state_place, LANES);
  r->joint = arena_new_array(r->scratch, uint32_t, w->s->c->roles.count + 1);
  for (uint32_t i = 0; i < STORE_SHARDS; i++) {
    const uint32_t count = w->store.shards[i].count;
    r->ranks[i] = arena_new_array(r->scratch, uint32_t, count + 1);
    memset(r->ranks[i], 0xff, count * sizeof(uint32_t));
  }
}

static bool take_ranks(void *context, const lane_successors *batch) {
  ranking *r = context;
  const uint32_t bytes = r->w->s->state_bytes;
  for (uint32_t i = 0; i < batch->count; i++) {
    uint32_t *found = &r->found[batch->lanes[i]];
    state_place next;
    if (*found == UNRANKED || !store_find(&r->w->store, batch->states + (size_t)i * bytes, &next))
      continue;
    const uint32_t rank = *rank_of(r, next);
    if (rank == UNRANKED)
      *found = UNRANKED;
    else if (rank + 1 > *found)
      *found = rank + 1;
  }
  return true;
}

/* Keeps the states of a block that have no rank yet. */
static uint32_t keep_unranked(ranking *r, uint32_t count) {
  const uint32_t bytes = r->w->s->state_bytes;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (*rank_of(r, r->places[i]) != UNRANKED) continue;
    memmove(r->states + (size_t)kept * bytes, r->states + (size_t)i * bytes, bytes);
    r->places[kept++] = r->places[i];
  }
  return kept;
}

static void rank_block(ranking *r, uint32_t level, uint64_t block) {
  const uint32_t count = keep_unranked(r, level_read(r->w, level, block, r->states, r->places));
  if (!count) return;
  memset(r->found, 0, sizeof r->found);
  lane_expander_look(&r->e, r->states, count);
  lane_expander_make_steps(&r->e, take_ranks, r);
  for (uint32_t i = 0; i < count; i++) {
    if (r->found[i] == UNRANKED) continue;
    *rank_of(r, r->places[i]) = r->found[i];
    r->left--;
  }
}

/* Once over all states.  False: time is up. */
static bool rank_all(ranking *r, budget *b) {
  for (uint32_t level = r->w->levels.count; level-- > 0;)
    for (uint64_t block = (level_size(r->w, level) + LANES - 1) / LANES; block-- > 0;) {
      if (budget_check_now(b)) return false;
      rank_block(r, level, block);
    }
  return true;
}

/* ---- cycles ---- */

static bool take_follower(void *context, const lane_successors *batch) {
  ranking *r = context;
  const uint32_t bytes = r->w->s->state_bytes, roles = r->w->s->c->roles.count;
  for (uint32_t i = 0; i < batch->count && !r->has_follower; i++) {
    state_place next;
    if (!store_find(&r->w->store, batch->states + (size_t)i * bytes, &next)) continue;
    if (*rank_of(r, next) != UNRANKED) continue;
    r->has_follower = true;
    r->follower = next;
    memcpy(r->joint, batch->joints + (size_t)i * roles, roles * sizeof *r->joint);
  }
  return !r->has_follower;
}

static void follow(ranking *r, state_place from) {
  r->has_follower = false;
  memcpy(r->states, store_state(&r->w->store, from), r->w->s->state_bytes);
  lane_expander_look(&r->e, r->states, 1);
  lane_expander_make_steps(&r->e, take_follower, r);
  assert(r->has_follower);
}

static void begin_cycle(ranking *r) {
  for (uint32_t i = 0; i < STORE_SHARDS; i++)
    r->numbers[i] = arena_zero_array(r->scratch, uint32_t, r->w->store.shards[i].count + 1);
}

/* Follows states without a rank until one comes again.  False: time is up. */
static bool find_cycle(ranking *r, state_place at, budget *b, state_place *cycle, id_vec *round,
                       arena *keep) {
  const uint32_t roles = r->w->s->c->roles.count;
  id_vec line = {0};
  begin_cycle(r);
  for (uint32_t steps = 0; !r->numbers[at.shard][at.number]; steps++) {
    if (budget_is_spent(b)) return false;
    r->numbers[at.shard][at.number] = steps + 1;
    follow(r, at);
    vec_append(r->scratch, &line, r->joint, roles);
    at = r->follower;
  }
  const uint32_t before = (r->numbers[at.shard][at.number] - 1) * roles;
  *cycle = at;
  vec_append(keep, round, vec_from(&line, before), line.count - before);
  return true;
}

/* Of the states of a level that have no rank the one with the lowest hash: the same however many
   threads, or processes (level_end.c), have found them.  False: all have one. */
static bool first_of_level(ranking *r, uint32_t level, state_place *first) {
  const uint32_t bytes = r->w->s->state_bytes;
  uint64_t lowest = UINT64_MAX;
  bool is_found = false;
  for (uint64_t block = 0; block * LANES < level_size(r->w, level); block++) {
    const uint32_t count = level_read(r->w, level, block, r->states, r->places);
    for (uint32_t i = 0; i < count; i++) {
      const uint64_t hash = store_hash(&r->w->store, r->states + (size_t)i * bytes);
      if (*rank_of(r, r->places[i]) != UNRANKED || (is_found && hash >= lowest)) continue;
      is_found = true;
      lowest = hash;
      *first = r->places[i];
    }
  }
  return is_found;
}

/* The first state without a rank, from the start on. */
static state_place first_unranked(ranking *r) {
  state_place first = {0};
  uint32_t level = 0;
  while (level < r->w->levels.count && !first_of_level(r, level, &first)) level++;
  assert(level < r->w->levels.count);
  return first;
}

static uint32_t rank_of_start(ranking *r) {
  level_read(r->w, 0, 0, r->states, r->places);
  return *rank_of(r, r->places[0]);
}

walk_end walk_find_end(walk *w, budget *b, uint32_t *longest, state_place *cycle, id_vec *round,
                       arena *keep) {
  *longest = walk_depth(w);
  if (w->is_layered) return WALK_ENDS;
  ranking r;
  walk_end end = WALK_UNDECIDED;
  begin(&r, w);
  budget_watch(b, r.scratch);
  for (uint64_t before = UINT64_MAX; r.left < before && r.left;) {
    before = r.left;
    if (!rank_all(&r, b)) goto done;
  }
  if (r.left && find_cycle(&r, first_unranked(&r), b, cycle, round, keep)) end = WALK_CYCLES;
  if (!r.left) end = WALK_ENDS, *longest = rank_of_start(&r);
done:
  budget_unwatch(b, r.scratch);
  arena_free(r.scratch);
  return end;
}

/* Among the states where rounds begin, which are images of each other, one comes again when there
   are as many rounds as symmetries. */
bool walk_round(walk *w, state_place cycle, const id_vec *round, budget *b, id_vec *line,
                uint32_t *returns_to, arena *keep) {
  const uint32_t order = w->s->symmetries ? w->s->symmetries->order : 1;
  const uint32_t roles = w->s->c->roles.count;
  if (!walk_kept_line(w, cycle, b, line, keep)) return false;
  const uint32_t before = line->count;
  bool is_closed = false;
  for (uint32_t rounds = 1; !is_closed && !budget_check_now(b); rounds *= 2) {
    id_vec longer = {0};
    vec_append(keep, &longer, line->items, before);
    for (uint32_t i = 0; i < rounds; i++) vec_append(keep, &longer, round->items, round->count);
    line_straighten(w->s, &longer);
    is_closed = line_cut_round(w->s, &longer, before / roles, round->count / roles, returns_to);
    if (is_closed) *line = longer;
    if (rounds >= order) break;
  }
  return is_closed;
}
