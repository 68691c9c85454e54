#include "states/level_end.h"

#include "states/level_ask.h"

#define OPEN UINT32_MAX

/* Blocks of a level after which all have met. */
enum { CHUNK_BLOCKS = 1 << 13, CHUNK_STATES = CHUNK_BLOCKS * LANES };

/* The height of a state is the length of the longest play from it (the rank in
   walk_longest_play.c). */
typedef struct ending {
  level_walk *w;
  arena *scratch;
  budget *limits;
  lane_expander e;
  level_ask ask;
  uint32_t **heights; /* by level; OPEN: not known */
  uint64_t left;      /* states of this rank without a height */
  uint32_t first;     /* of the chunk of a level */
  uint32_t *found;    /* by state of the chunk: the height so far, or OPEN */
  uint8_t *states;    /* of a block, those without a height ... */
  uint32_t *slots;    /* ... their places in the chunk ... */
  uint32_t *asked;    /* ... and those of the steps of a batch */
  /* A state that is followed. */
  uint8_t *at, *next;
  uint32_t *joint;
  bool has_next;
} ending;

/* ---- heights ---- */

static uint32_t known_height(const void *context, state_place p) {
  const ending *x = context;
  return x->heights[p.shard][p.number];
}

static void learn_height(void *context, uint32_t slot, uint32_t height) {
  ending *x = context;
  uint32_t *found = &x->found[slot];
  if (*found == OPEN || height == OPEN)
    *found = OPEN;
  else if (height + 1 > *found)
    *found = height + 1;
}

static bool ask_steps(void *context, const lane_successors *batch) {
  ending *x = context;
  for (uint32_t i = 0; i < batch->count; i++) x->asked[i] = x->slots[batch->lanes[i]];
  level_ask_about(&x->ask, batch->states, x->asked, batch->count);
  return !ranks_have_failed(x->w->r);
}

/* The states of a block that have no height yet. */
static uint32_t read_open(ending *x, uint32_t level, uint32_t first) {
  const level_run *l = x->w->levels.items[level];
  const uint32_t bytes = x->w->s->state_bytes;
  const uint32_t end = l->count - first < LANES ? l->count : first + LANES;
  uint32_t count = 0;
  for (uint32_t i = first; i < end; i++) {
    if (x->heights[level][i] != OPEN) continue;
    x->slots[count] = i - x->first;
    memcpy(x->states + (size_t)count++ * bytes, level_run_state(l, i), bytes);
  }
  return count;
}

static void ask_block(ending *x, uint32_t level, uint32_t first) {
  const uint32_t count = read_open(x, level, first);
  if (!count) return;
  for (uint32_t i = 0; i < count; i++) x->found[x->slots[i]] = 0;
  lane_expander_look(&x->e, x->states, count);
  lane_expander_make_steps(&x->e, ask_steps, x);
}

/* False: a rank has failed. */
static bool ask_chunk(ending *x, uint32_t level, uint32_t end) {
  ranks *r = x->w->r;
  memset(x->found, 0xff, (end - x->first) * sizeof *x->found);
  level_ask_begin(&x->ask, level + 1);
  for (uint32_t at = x->first; at < end && !ranks_have_failed(r); at += LANES) {
    ask_block(x, level, at);
    ranks_poll(r);
    if (budget_check_now(x->limits)) ranks_stop(r);
  }
  return level_ask_end(&x->ask);
}

static void note_chunk(ending *x, uint32_t level, uint32_t end) {
  for (uint32_t i = x->first; i < end; i++) {
    if (x->heights[level][i] != OPEN || x->found[i - x->first] == OPEN) continue;
    x->heights[level][i] = x->found[i - x->first];
    x->left--;
  }
}

static bool rank_level(ending *x, uint32_t level) {
  const uint32_t count = x->w->levels.items[level]->count;
  uint64_t left = 1;
  for (x->first = 0; left;) {
    const uint32_t end = count - x->first < CHUNK_STATES ? count : x->first + CHUNK_STATES;
    if (!ask_chunk(x, level, end)) return false;
    note_chunk(x, level, end);
    x->first = end;
    left = count - end;
    if (!ranks_sum(x->w->r, &left, 1)) return false;
  }
  return true;
}

/* Over all levels, again and again while that helps.  *left: states of all ranks without a height.
   */
static bool rank_all(ending *x, uint64_t *left) {
  uint64_t before = UINT64_MAX;
  *left = level_walk_states(x->w);
  while (*left && *left < before) {
    before = *left;
    for (uint32_t level = x->w->levels.count; level-- > 0;)
      if (!rank_level(x, level)) return false;
    *left = x->left;
    if (!ranks_sum(x->w->r, left, 1)) return false;
  }
  return true;
}

/* ---- cycles ---- */

/* A state that all are told of: its level, and the rank that has it. */
typedef struct first_open {
  uint32_t bytes, level, from;
  uint8_t *state;
} first_open;

static void take_first(void *context, uint32_t from, const uint8_t *record, size_t size) {
  first_open *f = context;
  uint32_t level;
  if (size != 4 + (size_t)f->bytes) return;
  memcpy(&level, record, 4);
  if (level > f->level || (level == f->level && from > f->from)) return;
  f->level = level;
  f->from = from;
  memcpy(f->state, record + 4, f->bytes);
}

/* False: none. */
static bool own_first(const ending *x, uint8_t *record) {
  for (uint32_t level = 0; level < x->w->levels.count; level++) {
    const level_run *l = x->w->levels.items[level];
    for (uint32_t i = 0; i < l->count; i++) {
      if (x->heights[level][i] != OPEN) continue;
      memcpy(record, &level, 4);
      memcpy(record + 4, level_run_state(l, i), x->w->s->state_bytes);
      return true;
    }
  }
  return false;
}

/* The first state without a height: of the lowest level the one with the lowest hash, since the
   first ranks have these. */
static bool find_first(ending *x) {
  ranks *r = x->w->r;
  first_open f = {x->w->s->state_bytes, UINT32_MAX, UINT32_MAX, x->at};
  uint8_t *record = arena_new_array(x->scratch, uint8_t, f.bytes + (size_t)4);
  const bool has_one = own_first(x, record);
  ranks_begin(r, RANK_ANSWER, take_first, &f);
  if (has_one) ranks_post_all(r, RANK_ANSWER, record, 4 + f.bytes);
  return ranks_finish(r, RANK_ANSWER) && f.level != UINT32_MAX;
}

static bool is_open_here(const ending *x, const uint8_t *state) {
  state_place p;
  return level_walk_find(x->w, state, &p) && x->heights[p.shard][p.number] == OPEN;
}

/* All ranks make the same steps; whoever has a state that they lead to says whether it has a
   height. */
static bool take_next(void *context, const lane_successors *batch) {
  ending *x = context;
  const uint32_t bytes = x->w->s->state_bytes, roles = x->w->s->c->roles.count;
  uint64_t numbers[LANES];
  for (uint32_t i = 0; i < batch->count; i++)
    numbers[i] = is_open_here(x, batch->states + (size_t)i * bytes);
  if (!ranks_sum(x->w->r, numbers, batch->count)) return false;
  for (uint32_t i = 0; i < batch->count && !x->has_next; i++) {
    if (!numbers[i]) continue;
    x->has_next = true;
    memcpy(x->next, batch->states + (size_t)i * bytes, bytes);
    memcpy(x->joint, batch->joints + (size_t)i * roles, roles * sizeof *x->joint);
  }
  return !x->has_next;
}

static bool follow(ending *x) {
  x->has_next = false;
  if (budget_check_now(x->limits)) ranks_stop(x->w->r);
  lane_expander_look(&x->e, x->at, 1);
  lane_expander_make_steps(&x->e, take_next, x);
  return x->has_next;
}

/* States that were followed, by number. */
typedef struct followed {
  uint32_t bytes;
  arena *keep;
  id_table table;
  VEC(uint8_t) states;
} followed;

static uint64_t hash_followed(const void *context, uint32_t id) {
  const followed *f = context;
  return hash_bytes(f->states.items + (size_t)id * f->bytes, f->bytes);
}

/* The number that a state has, or `number`, which it gets. */
static uint32_t number_of(followed *f, const uint8_t *state, uint32_t number) {
  id_table_reserve(&f->table, f->keep, hash_followed, f);
  uint32_t at = id_table_first(&f->table, hash_bytes(state, f->bytes));
  for (; f->table.slots[at] != ID_NONE; at = id_table_next(&f->table, at))
    if (memcmp(f->states.items + (size_t)f->table.slots[at] * f->bytes, state, f->bytes) == 0)
      return f->table.slots[at];
  vec_append(f->keep, &f->states, state, f->bytes);
  id_table_put(&f->table, at, number);
  return number;
}

/* Who has the state tells its level. */
static bool find_level(const ending *x, const uint8_t *state, uint32_t *level) {
  state_place p = {0};
  uint64_t number = level_walk_find(x->w, state, &p) ? p.shard : 0;
  const bool ok = ranks_sum(x->w->r, &number, 1);
  *level = (uint32_t)number;
  return ok;
}

/* Follows states without a height until one comes again. */
static bool find_cycle(ending *x, level_end *found, arena *keep) {
  const uint32_t roles = x->w->s->c->roles.count, bytes = x->w->s->state_bytes;
  arena *lines = arena_new(); /* the expander rewinds its own */
  id_vec line = {0};
  followed f = {.bytes = bytes, .keep = lines};
  bool ok = find_first(x);
  uint32_t steps = 0, before = 0;
  vec_reserve(lines, &f.states, bytes + 1); /* states may have no bytes */
  while (ok && (before = number_of(&f, x->at, steps)) == steps) {
    ok = follow(x);
    vec_append(lines, &line, x->joint, roles);
    memcpy(x->at, x->next, bytes);
    steps++;
  }
  if (ok)
    vec_append(keep, &found->round, vec_from(&line, (size_t)before * roles),
               (steps - before) * roles);
  arena_free(lines);
  found->state = arena_zero_array(keep, uint8_t, bytes + (size_t)8);
  memcpy(found->state, x->at, bytes);
  return ok && find_level(x, found->state, &found->level);
}

/* ---- all of it ---- */

static bool share_longest(const ending *x, level_end *found) {
  uint64_t longest = x->w->levels.items[0]->count ? x->heights[0][0] : 0;
  const bool ok = ranks_sum(x->w->r, &longest, 1);
  found->longest = (uint32_t)longest;
  return ok;
}

static uint32_t largest_level(const level_walk *w) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < w->levels.count; i++)
    if (w->levels.items[i]->count > most) most = w->levels.items[i]->count;
  return most;
}

static void open_heights(ending *x) {
  const level_walk *w = x->w;
  x->heights = arena_new_array(x->scratch, uint32_t *, w->levels.count + (size_t)1);
  for (uint32_t i = 0; i < w->levels.count; i++) {
    const uint32_t count = w->levels.items[i]->count;
    x->heights[i] = arena_new_array(x->scratch, uint32_t, count + (size_t)1);
    memset(x->heights[i], 0xff, count * sizeof **x->heights);
    x->left += count;
  }
}

static void ending_init(ending *x, level_walk *w, budget *b) {
  const uint32_t bytes = w->s->state_bytes, most = largest_level(w);
  *x = (ending){.w = w, .scratch = arena_new(), .limits = b};
  open_heights(x);
  x->found = arena_new_array(x->scratch, uint32_t,
                             (most < CHUNK_STATES ? most : CHUNK_STATES) + (size_t)1);
  x->states = arena_new_array(x->scratch, uint8_t, (size_t)LANES * bytes + 8);
  x->slots = arena_new_array(x->scratch, uint32_t, LANES);
  x->asked = arena_new_array(x->scratch, uint32_t, LANES);
  x->at = arena_zero_array(x->scratch, uint8_t, bytes + (size_t)8);
  x->next = arena_zero_array(x->scratch, uint8_t, bytes + (size_t)8);
  x->joint = arena_new_array(x->scratch, uint32_t, w->s->c->roles.count + (size_t)1);
  level_ask_init(&x->ask, w, x->scratch);
  x->ask.known = known_height;
  x->ask.learn = learn_height;
  x->ask.context = x;
  lane_expander_init(&x->e, w->s, x->scratch);
  x->e.needs_no_goals = true;
}

static void find_end(ending *x, level_end *found, arena *keep) {
  uint64_t left;
  if (!rank_all(x, &left)) return;
  if (!left && share_longest(x, found)) found->end = WALK_ENDS;
  if (left && find_cycle(x, found, keep)) found->end = WALK_CYCLES;
}

void level_walk_find_end(level_end *found, level_walk *w, budget *b, arena *keep) {
  *found = (level_end){.end = WALK_UNDECIDED};
  if (w->is_layered) {
    *found = (level_end){.end = WALK_ENDS, .longest = w->sizes.count - 2};
    return;
  }
  ending x;
  ending_init(&x, w, b);
  budget_watch(b, x.scratch);
  find_end(&x, found, keep);
  budget_unwatch(b, x.scratch);
  arena_free(x.scratch);
}
