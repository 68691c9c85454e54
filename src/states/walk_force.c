#include "states/walk_force.h"

#include <string.h>

#define NOT_YET UINT32_MAX

typedef struct forcing {
  walk *w;
  uint32_t role, won;
  arena *scratch;
  lane_expander e;
  uint8_t *states;
  state_place *places;
  uint32_t *steps[STORE_SHARDS]; /* by state: to the end, whatever the others do; or NOT_YET */
  VEC(uint32_t) worst; /* as lane_expander.legal: of a move of the role, the most steps after it */
  uint64_t found;
  bool has_choices_at_once;
} forcing;

static uint32_t *steps_of(forcing *f, state_place p) { return &f->steps[p.shard][p.number]; }

static void begin(forcing *f, walk *w) {
  f->w = w;
  f->scratch = arena_new();
  lane_expander_init(&f->e, w->s, f->scratch);
  f->states = arena_new_array(f->scratch, uint8_t, (size_t)LANES * w->s->state_bytes + 8);
  f->places = arena_new_array(f->scratch, state_place, LANES);
  for (uint32_t i = 0; i < STORE_SHARDS; i++) {
    const uint32_t count = w->store.shards[i].count;
    f->steps[i] = arena_new_array(f->scratch, uint32_t, count + 1);
    memset(f->steps[i], 0xff, count * sizeof(uint32_t));
  }
}

/* Where the move of the role is among the legal moves of its lane. */
static uint32_t place_of_move(const forcing *f, uint32_t lane, const uint32_t *joint) {
  uint32_t at = f->e.starts[f->role * LANES + lane];
  while (f->e.legal.items[at] != joint[f->role]) at++;
  return at;
}

static bool take_steps(void *context, const lane_successors *batch) {
  forcing *f = context;
  const walk *w = f->w;
  for (uint32_t i = 0; i < batch->count; i++) {
    const uint8_t *state = batch->states + (size_t)i * w->s->state_bytes;
    const uint32_t *joint = batch->joints + (size_t)i * w->s->c->roles.count;
    uint32_t *worst = &f->worst.items[place_of_move(f, batch->lanes[i], joint)];
    state_place next;
    const bool is_there = store_find(&w->store, state, &next);
    const uint32_t after = is_there ? *steps_of(f, next) : NOT_YET;
    if (after == NOT_YET || *worst == NOT_YET)
      *worst = NOT_YET;
    else if (after + 1 > *worst)
      *worst = after + 1;
  }
  return true;
}

/* The best of the role's moves in a lane. */
static uint32_t best_in(const forcing *f, uint32_t lane) {
  const uint32_t at = f->role * LANES + lane;
  uint32_t best = NOT_YET;
  if (!lane_expander_is_open(&f->e, lane)) return NOT_YET;
  for (uint32_t i = f->e.starts[at]; i < f->e.ends[at]; i++)
    if (f->worst.items[i] < best) best = f->worst.items[i];
  return best;
}

static void note_choices(forcing *f, uint32_t lane) {
  uint32_t choosers = 0;
  for (uint32_t role = 0; role < f->w->s->c->roles.count; role++)
    choosers += f->e.ends[role * LANES + lane] > f->e.starts[role * LANES + lane] + 1;
  f->has_choices_at_once |= choosers > 1 && lane_expander_is_open(&f->e, lane);
}

static void force_block(forcing *f, uint32_t level, uint64_t block) {
  const uint32_t count = level_read(f->w, level, block, f->states, f->places);
  lane_expander_look(&f->e, f->states, count);
  f->worst.count = 0;
  vec_reserve(f->scratch, &f->worst, f->e.legal.count + 1);
  memset(f->worst.items, 0, f->e.legal.count * sizeof *f->worst.items);
  const bundle_row won = f->e.look.targets[f->won];
  lane_expander_make_steps(&f->e, take_steps, f);
  for (uint32_t lane = 0; lane < count; lane++) {
    note_choices(f, lane);
    uint32_t *steps = steps_of(f, f->places[lane]);
    if (*steps != NOT_YET) continue;
    *steps = won.words[lane / 64] >> lane % 64 & 1 ? 0 : best_in(f, lane);
    f->found += *steps != NOT_YET;
  }
}

/* Once over all states.  False: time is up. */
static bool force_all(forcing *f, budget *b) {
  for (uint32_t level = f->w->levels.count; level-- > 0;)
    for (uint64_t block = (level_size(f->w, level) + LANES - 1) / LANES; block-- > 0;) {
      if (budget_check_now(b)) return false;
      force_block(f, level, block);
    }
  return true;
}

walk_force walk_find_force(walk *w, uint32_t role, uint32_t won, budget *b, force_found *found) {
  forcing f = {.role = role, .won = won};
  uint64_t before;
  bool is_timely;
  assert(w->is_complete);
  begin(&f, w);
  budget_watch(b, f.scratch);
  do {
    before = f.found;
    is_timely = force_all(&f, b);
  } while (is_timely && f.found > before && !w->is_layered);
  level_read(w, 0, 0, f.states, f.places);
  *found = (force_found){*steps_of(&f, f.places[0]), f.has_choices_at_once};
  budget_unwatch(b, f.scratch);
  arena_free(f.scratch);
  return found->steps != NOT_YET ? FORCE_CAN : is_timely ? FORCE_CANNOT : FORCE_UNDECIDED;
}
