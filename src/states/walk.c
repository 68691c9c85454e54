#include "states/walk.h"

#include "base/recovery.h"
#include "states/walk_images.h"

#include <string.h>

/* States are handed to a shard when so many of them wait, or so many bytes. */
enum { BUFFER_STATES = 1024, BUFFER_BYTES = 1 << 15 };

static const double usual_save_every = 20; /* seconds */

/* States of one shard that wait to be added. */
typedef struct shard_buffer {
  uint8_t *states; /* NULL: there have been none */
  uint64_t *hashes;
  uint32_t count;
} shard_buffer;

/* The work on one level that the threads share. */
typedef struct level_work {
  walk *w;
  uint32_t level;
  uint64_t block_count;
  atomic_ullong next_block;
  atomic_bool stop;     /* at once */
  arena_group *group;   /* of what threads make */
  account *account;     /* to which that is charged */
  atomic_bool is_short; /* of memory */
  uint64_t max_states;
  size_t max_bytes;
  const bool *needs_no_step;
  double save_time; /* stop between two blocks to save the walk; 0: never */
} level_work;

/* A block that was expanded, and the steps from its states. */
typedef struct block_done {
  uint64_t block, steps;
} block_done;

typedef struct worker {
  level_work *work;
  arena *keep;
  lane_expander e;
  budget limits;      /* a copy: budgets are of one thread */
  progress *progress; /* of the first worker; NULL: another reports */
  uint8_t *states;
  state_place *places;
  arena *waiting; /* the states in the buffers */
  shard_buffer buffers[STORE_SHARDS];
  uint32_t buffer_states; /* that each of them takes */
  walk_found *targets;
  bitset legal, fired;
  bool saw_older;
  uint64_t steps; /* of the block under way */
  VEC(block_done) done;
  uint64_t unfinished; /* a block that was begun and not finished; UINT64_MAX: none */
  pthread_t thread;
} worker;

/* ---- levels ---- */

static uint32_t level_end(const walk *w, uint32_t level, uint32_t shard) {
  return level + 1 < w->levels.count ? w->levels.items[level + 1].starts[shard]
                                     : w->store.shards[shard].count;
}

uint64_t level_size(const walk *w, uint32_t level) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < STORE_SHARDS; i++)
    size += level_end(w, level, i) - w->levels.items[level].starts[i];
  return size;
}

uint32_t level_read(walk *w, uint32_t level, uint64_t block, uint8_t *states, state_place *places) {
  uint64_t skip = block * LANES;
  uint32_t count = 0;
  for (uint32_t shard = 0; shard < STORE_SHARDS && count < LANES; shard++) {
    const uint32_t first = w->levels.items[level].starts[shard];
    const uint32_t size = level_end(w, level, shard) - first;
    if (skip >= size) {
      skip -= size;
      continue;
    }
    const uint32_t left = size - (uint32_t)skip;
    const uint32_t here = left < LANES - count ? left : LANES - count;
    store_read(&w->store, shard, first + (uint32_t)skip, here,
               states + (size_t)count * w->s->state_bytes);
    for (uint32_t i = 0; i < here; i++)
      places[count + i] = (state_place){shard, first + (uint32_t)skip + i};
    count += here;
    skip = 0;
  }
  return count;
}

/* States that are added from now on are of the next level. */
static void open_level(walk *w) {
  walk_level level;
  for (uint32_t i = 0; i < STORE_SHARDS; i++) level.starts[i] = w->store.shards[i].count;
  vec_push(w->keep, &w->levels, level);
  store_close_level(&w->store);
}

uint32_t walk_level_of(const walk *w, state_place p) {
  uint32_t level = 0;
  while (level + 1 < w->levels.count && w->levels.items[level + 1].starts[p.shard] <= p.number)
    level++;
  return level;
}

uint64_t walk_states(const walk *w) { return store_count(&w->store); }

uint32_t walk_depth(const walk *w) {
  uint32_t depth = w->levels.count - 1;
  while (depth && !level_size(w, depth)) depth--;
  return depth;
}

/* ---- one thread ---- */

static void flush(worker *k, uint32_t shard) {
  shard_buffer *b = &k->buffers[shard];
  if (b->count) store_add(&k->work->w->store, shard, b->states, b->hashes, b->count, &k->saw_older);
  b->count = 0;
}

static bool should_stop(worker *k) {
  level_work *work = k->work;
  const size_t bytes = atomic_load(&work->w->store.bytes);
  if (atomic_load(&work->w->store.is_full) || (work->max_bytes && bytes > work->max_bytes) ||
      budget_check_now(&k->limits))
    atomic_store(&work->stop, true);
  return atomic_load(&work->stop);
}

static bool should_save(const level_work *work) {
  return work->save_time > 0 && clock_now() > work->save_time;
}

/* Marks that hold in the lanes: of steps, or of states alone. */
static void note_fired(worker *k, const lane_steps *b, bool without_step, uint32_t count) {
  for (uint32_t i = 0; i < b->s->c->marks.count; i++) {
    if (bitset_has(k->fired, i) || (without_step && !k->work->needs_no_step[i])) continue;
    for (uint32_t lane = 0; lane < count && !bitset_has(k->fired, i); lane += 64) {
      const uint64_t used = count - lane >= 64 ? UINT64_MAX : (UINT64_C(1) << (count - lane)) - 1;
      if (lane_steps_mark(b, i, lane / 64) & used) bitset_add(k->fired, i);
    }
  }
}

/* What holds in states without a step from them. */
static void note_without_step(worker *k, uint32_t count) {
  if (!k->work->needs_no_step) return;
  lane_steps_set_no_moves(&k->e.look);
  lane_steps_run(&k->e.look, PHASE_NEXT);
  note_fired(k, &k->e.look, true, count);
}

static void open_buffer(worker *k, shard_buffer *b) {
  const size_t bytes = (size_t)k->buffer_states * k->work->w->s->state_bytes;
  b->states = arena_new_array(k->waiting, uint8_t, bytes + 8);
  b->hashes = arena_new_array(k->waiting, uint64_t, k->buffer_states);
}

static bool take_steps(void *context, const lane_successors *batch) {
  worker *k = context;
  const state_store *store = &k->work->w->store;
  const uint8_t *state = batch->states;
  for (uint32_t i = 0; i < batch->count; i++, state += store->state_bytes) {
    const uint64_t hash = store_hash(store, state);
    shard_buffer *b = &k->buffers[shard_of_hash(hash)];
    if (!b->states) open_buffer(k, b);
    memcpy(b->states + (size_t)b->count * store->state_bytes, state, store->state_bytes);
    b->hashes[b->count++] = hash;
    if (b->count == k->buffer_states) flush(k, shard_of_hash(hash));
  }
  k->steps += batch->count;
  note_fired(k, &k->e.step, false, batch->count);
  return !should_stop(k);
}

static void note_targets(worker *k, uint32_t count) {
  for (uint32_t t = 0; t < k->e.s->c->targets.count; t++) {
    if (k->targets[t].is_found) continue;
    for (uint32_t lane = 0; lane < count; lane++) {
      if (!(k->e.look.targets[t].words[lane / 64] >> lane % 64 & 1)) continue;
      k->targets[t] = (walk_found){true, k->work->level, k->places[lane]};
      break;
    }
  }
}

/* Also in states in which another role is stuck. */
static void note_legal(worker *k, uint32_t count) {
  const bundle_row present = row_of_first(count);
  for (uint32_t move = 0; move < k->e.s->c->moves.count; move++) {
    if (bitset_has(k->legal, move)) continue;
    uint64_t any = 0;
    for (uint32_t word = 0; word < ROW_WORDS; word++)
      any |= lane_steps_legal(&k->e.look, move, word) & present.words[word] &
             ~k->e.look.terminal->words[word];
    if (any) bitset_add(k->legal, move);
  }
}

static bool expand_block(worker *k, uint64_t block) {
  k->steps = 0;
  const uint32_t count = level_read(k->work->w, k->work->level, block, k->states, k->places);
  lane_expander_look(&k->e, k->states, count);
  note_targets(k, count);
  note_legal(k, count);
  note_without_step(k, count);
  return lane_expander_make_steps(&k->e, take_steps, k);
}

/* However often the walk is saved, each thread expands a block in between. */
static void work_on_level(void *context) {
  worker *k = context;
  level_work *work = k->work;
  while (!should_stop(k) && !(k->done.count && should_save(work))) {
    const uint64_t block = atomic_fetch_add(&work->next_block, 1);
    if (block >= work->block_count) break;
    progress_tell(k->progress, (double)(block * LANES), (double)(work->block_count * LANES),
                  "states of depth %u", work->level);
    if (!expand_block(k, block)) {
      k->unfinished = block;
      break;
    }
    const block_done it = {block, k->steps};
    vec_push(k->keep, &k->done, it);
  }
  for (uint32_t i = 0; i < STORE_SHARDS; i++) flush(k, i);
}

static void *try_to_work(void *context) {
  level_work *work = ((worker *)context)->work;
  if (recovery_try_for(work->account, work->group, work_on_level, context)) return NULL;
  atomic_store(&work->is_short, true);
  atomic_store(&work->stop, true);
  return NULL;
}

/* ---- many threads ---- */

static void worker_init(worker *k, level_work *work, const budget *limits) {
  const lane_stepper *s = work->w->s;
  *k = (worker){.work = work, .keep = arena_new(), .waiting = arena_new(), .limits = *limits};
  k->limits.progress = NULL;
  k->limits.watched_count = 0;
  lane_expander_init(&k->e, s, k->keep);
  k->states = arena_new_array(k->keep, uint8_t, (size_t)LANES * s->state_bytes + 8);
  k->places = arena_new_array(k->keep, state_place, LANES);
  k->targets = arena_zero_array(k->keep, walk_found, s->c->targets.count + 1);
  k->legal = bitset_new(k->keep, s->c->moves.count + 1);
  k->fired = bitset_new(k->keep, s->c->marks.count + 1);
  k->buffer_states = BUFFER_BYTES / (s->state_bytes + 1) + 1;
  if (k->buffer_states > BUFFER_STATES) k->buffer_states = BUFFER_STATES;
}

/* What the thread saw, added to the walk.  Blocks from `end` on will be expanded again. */
static void collect(walk *w, worker *k, uint64_t end) {
  for (uint32_t t = 0; t < w->s->c->targets.count; t++)
    if (!w->targets[t].is_found) w->targets[t] = k->targets[t];
  for (uint32_t i = 0; i < bitset_words(w->legal); i++) w->legal.words[i] |= k->legal.words[i];
  for (uint32_t i = 0; i < bitset_words(w->fired); i++) w->fired.words[i] |= k->fired.words[i];
  w->is_layered &= !k->saw_older;
  for (uint32_t i = 0; i < k->done.count; i++)
    if (k->done.items[i].block < end) w->steps += k->done.items[i].steps;
  k->done.count = 0;
}

/* True: the level is done. */
static bool run_level(level_work *work, worker *workers, uint32_t count) {
  walk *w = work->w;
  if (work->block_count < 2 * (uint64_t)count) count = 1;
  for (uint32_t i = 0; i < count; i++) workers[i].unfinished = UINT64_MAX;
  uint32_t started = 1;
  while (started < count &&
         pthread_create(&workers[started].thread, NULL, try_to_work, &workers[started]) == 0)
    started++;
  try_to_work(&workers[0]);
  for (uint32_t i = 1; i < started; i++) pthread_join(workers[i].thread, NULL);
  if (atomic_load(&work->is_short)) recovery_fail();
  uint64_t done = atomic_load(&work->next_block);
  if (done > work->block_count) done = work->block_count;
  for (uint32_t i = 0; i < started; i++)
    if (workers[i].unfinished < done) done = workers[i].unfinished;
  for (uint32_t i = 0; i < started; i++) collect(w, &workers[i], done);
  w->next_block = done;
  return done == work->block_count;
}

static bool is_satisfied(const walk *w, walk_options o) {
  for (uint32_t t = 0; o.only_targets && t < w->s->c->targets.count; t++)
    if (bitset_has(o.wanted, t) && !w->targets[t].is_found) return false;
  return o.only_targets;
}

/* The last level is being made, the one before is whole. */
static bool is_deep_enough(const walk *w, walk_options o) {
  return o.max_depth && w->levels.count - 2 >= o.max_depth;
}

/* A level as far as limits allow.  False: stop. */
static bool walk_level_through(walk *w, level_work *work, worker *workers, walk_options o) {
  work->level = w->levels.count - 2;
  work->block_count = (level_size(w, work->level) + LANES - 1) / LANES;
  atomic_store(&work->next_block, w->next_block);
  atomic_store(&work->stop, false);
  if (!run_level(work, workers, o.threads) || atomic_load(&w->store.is_full)) return false;
  w->next_block = 0;
  w->is_complete = level_size(w, w->levels.count - 1) == 0;
  open_level(w);
  if (w->is_complete || is_satisfied(w, o) || is_deep_enough(w, o)) return false;
  return !o.max_states || walk_states(w) <= o.max_states;
}

static bool is_out_of_limits(const walk *w, walk_options o, budget *b) {
  return budget_check_now(b) || atomic_load(&w->store.is_full) ||
         (b->max_bytes && atomic_load(&w->store.bytes) > b->max_bytes) ||
         (o.max_states && walk_states(w) > o.max_states) || is_deep_enough(w, o);
}

/* Walks until something stops it, saving the walk now and then. */
static bool walk_on(walk *w, level_work *work, worker *workers, walk_options o, budget *b,
                    diag_sink *d) {
  for (;;) {
    const double every = o.save_every > 0 ? o.save_every : usual_save_every;
    work->save_time = o.file ? clock_now() + every : 0;
    while (walk_level_through(w, work, workers, o)) continue;
    if (o.file && !walk_save(w, o.file, d)) return false;
    const bool is_done = w->is_complete || is_satisfied(w, o);
    if (is_done || is_out_of_limits(w, o, b)) return true;
  }
}

bool walk_run(walk *w, walk_options o, budget *b, diag_sink *d) {
  bool is_there = false;
  if (o.file && !w->is_begun && !walk_load(w, o.file, &is_there, d)) return false;
  w->is_begun = true;
  if (w->is_complete) return true;
  level_work work = {.w = w,
                     .max_states = o.max_states,
                     .max_bytes = b->max_bytes,
                     .needs_no_step = o.needs_no_step,
                     .group = recovery_group(),
                     .account = recovery_account()};
  worker *workers = arena_new_array(w->keep, worker, o.threads);
  for (uint32_t i = 0; i < o.threads; i++) worker_init(&workers[i], &work, b);
  workers[0].progress = b->progress;
  const bool ok = walk_on(w, &work, workers, o, b, d);
  for (uint32_t i = 0; i < o.threads; i++) {
    arena_free(workers[i].waiting);
    arena_free(workers[i].keep);
  }
  return ok;
}

/* ---- a walk ---- */

static void add_start(walk *w) {
  uint8_t *start = arena_zero_array(w->keep, uint8_t, w->s->state_bytes + 8);
  lane_stepper_start(w->s, start);
  const uint64_t hash = store_hash(&w->store, start);
  bool was_older = false;
  store_add(&w->store, shard_of_hash(hash), start, &hash, 1, &was_older);
}

void walk_init(walk *w, const lane_stepper *s, arena *keep) {
  *w = (walk){.keep = keep, .s = s, .is_layered = true};
  store_init(&w->store, s->state_bytes);
  w->targets = arena_zero_array(keep, walk_found, s->c->targets.count + 1);
  w->legal = bitset_new(keep, s->c->moves.count + 1);
  w->fired = bitset_new(keep, s->c->marks.count + 1);
  open_level(w);
  add_start(w);
  open_level(w);
}

void walk_free(walk *w) { store_free(&w->store); }

/* ---- lines ---- */

typedef struct line_search {
  const walk *w;
  const uint8_t *wanted;
  uint8_t *states; /* of a block */
  bool is_found;
  uint32_t lane;
  uint32_t *joint;
} line_search;

static bool compare_steps(void *context, const lane_successors *batch) {
  line_search *l = context;
  const uint32_t bytes = l->w->s->state_bytes, roles = l->w->s->c->roles.count;
  for (uint32_t i = 0; i < batch->count && !l->is_found; i++) {
    if (memcmp(batch->states + (size_t)i * bytes, l->wanted, bytes) != 0) continue;
    l->is_found = true;
    l->lane = batch->lanes[i];
    memcpy(l->joint, batch->joints + (size_t)i * roles, roles * sizeof *l->joint);
  }
  return !l->is_found;
}

/* A state of the level from which the wanted one is a step away, if one is found. */
static state_place find_predecessor(walk *w, lane_expander *e, uint32_t level, line_search *l,
                                    budget *b) {
  state_place places[LANES];
  const uint64_t blocks = (level_size(w, level) + LANES - 1) / LANES;
  l->is_found = false;
  for (uint64_t block = 0; block < blocks && !l->is_found && !budget_check_now(b); block++) {
    const uint32_t count = level_read(w, level, block, l->states, places);
    lane_expander_look(e, l->states, count);
    lane_expander_make_steps(e, compare_steps, l);
  }
  return l->is_found ? places[l->lane] : (state_place){0};
}

bool walk_kept_line(walk *w, state_place to, budget *b, id_vec *line, arena *keep) {
  arena *scratch = arena_new();
  bool is_whole = true;
  const uint32_t length = walk_level_of(w, to), roles = w->s->c->roles.count;
  lane_expander e;
  lane_expander_init(&e, w->s, scratch);
  uint8_t *states = arena_new_array(scratch, uint8_t, (size_t)LANES * w->s->state_bytes + 8);
  vec_reserve(keep, line, length * roles + 1);
  line->count = length * roles;
  for (uint32_t level = length; is_whole && level-- > 0;) {
    line_search l = {.w = w,
                     .wanted = store_state(&w->store, to),
                     .states = states,
                     .joint = vec_from(line, (size_t)level * roles)};
    to = find_predecessor(w, &e, level, &l, b);
    is_whole = l.is_found;
  }
  arena_free(scratch);
  return is_whole;
}

bool walk_line(walk *w, state_place to, budget *b, id_vec *line, arena *keep) {
  const bool is_whole = walk_kept_line(w, to, b, line, keep);
  if (is_whole) line_straighten(w->s, line);
  return is_whole;
}

uint64_t walk_images(walk *w) {
  if (!w->s->symmetries) return walk_states(w);
  uint64_t images = 0;
  for (uint32_t shard = 0; shard < STORE_SHARDS; shard++)
    for (uint32_t i = 0; i < w->store.shards[shard].count; i++)
      images +=
          state_group_images(w->s->symmetries, store_state(&w->store, (state_place){shard, i}));
  return images;
}
