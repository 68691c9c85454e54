#include "states/level_walk.h"

#include "states/level_sort.h"
#include "states/walk.h"

/* States are handed to a shard when so many wait; so many that were sent lately are remembered. */
enum { SHARD_STATES = 256, SENT_STATES = 1 << 15, SUMS_AT_ONCE = 1024 };

typedef struct level_walker {
  level_walk *w;
  ranks *r;
  arena *waiting; /* the states in the buffers */
  lane_expander e;
  uint8_t *buffers[STORE_SHARDS]; /* of states to be added */
  uint64_t *hashes[STORE_SHARDS];
  uint32_t counts[STORE_SHARDS];
  uint8_t *sent; /* by the last bits of the hash, a state */
  bool *is_sent;
  uint32_t began; /* where the part of the level that is being expanded begins */
  level_walk_limits o;
  budget *limits;
} level_walker;

/* ---- adding ---- */

static void flush(level_walker *k, uint32_t shard) {
  bool was_older = false;
  if (k->counts[shard])
    store_add(&k->w->fresh, shard, k->buffers[shard], k->hashes[shard], k->counts[shard],
              &was_older);
  k->counts[shard] = 0;
}

static void add(level_walker *k, const uint8_t *state, uint64_t hash) {
  const uint32_t shard = shard_of_hash(hash), bytes = k->w->s->state_bytes;
  if (!k->buffers[shard]) {
    k->buffers[shard] = arena_new_array(k->waiting, uint8_t, (size_t)SHARD_STATES * bytes + 8);
    k->hashes[shard] = arena_new_array(k->waiting, uint64_t, SHARD_STATES);
  }
  memcpy(k->buffers[shard] + (size_t)k->counts[shard] * bytes, state, bytes);
  k->hashes[shard][k->counts[shard]++] = hash;
  if (k->counts[shard] == SHARD_STATES) flush(k, shard);
}

static void take_states(void *context, uint32_t from, const uint8_t *states, size_t size) {
  level_walker *k = context;
  const uint32_t bytes = k->w->s->state_bytes;
  (void)from;
  for (size_t at = 0; at + bytes <= size; at += bytes)
    add(k, states + at, store_hash(&k->w->fresh, states + at));
}

/* ---- expanding ---- */

/* States of others are sent once, unless so many others came in between. */
static bool was_sent(level_walker *k, const uint8_t *state, uint64_t hash) {
  const uint32_t slot = hash % SENT_STATES, bytes = k->w->s->state_bytes;
  uint8_t *last = k->sent + (size_t)slot * bytes;
  if (k->is_sent[slot] && memcmp(last, state, bytes) == 0) return true;
  k->is_sent[slot] = true;
  memcpy(last, state, bytes);
  return false;
}

static bool take_steps(void *context, const lane_successors *batch) {
  level_walker *k = context;
  const uint32_t bytes = k->w->s->state_bytes;
  for (uint32_t i = 0; i < batch->count; i++) {
    const uint8_t *state = batch->states + (size_t)i * bytes;
    const uint64_t hash = store_hash(&k->w->fresh, state);
    const uint32_t owner = rank_of_hash(k->r, hash);
    if (owner == ranks_rank(k->r))
      add(k, state, hash);
    else if (!was_sent(k, state, hash))
      ranks_post(k->r, RANK_ASK, owner, state, bytes);
  }
  return !budget_is_spent(k->limits);
}

/* The next states to be expanded: from w->next on, *count of them.  False: there are none. */
static bool next_states(level_walk *w, uint32_t *count) {
  const level_run *l = vec_last(&w->levels);
  uint32_t end = l->count;
  for (uint32_t i = 0; i < w->done.count; i++) {
    const number_span *s = &w->done.items[i];
    if (s->first <= w->next && w->next < s->end) {
      w->next = s->end;
      i = UINT32_MAX; /* from the first again */
      end = l->count;
    } else if (s->first > w->next && s->first < end) {
      end = s->first;
    }
  }
  *count = end - w->next < LANES ? end - w->next : LANES;
  return w->next < l->count;
}

static bool shard_is_almost_full(const state_store *s) {
  for (uint32_t i = 0; i < STORE_SHARDS; i++)
    if (s->shards[i].count > STORE_SHARD_MAX / 2) return true;
  return false;
}

static bool is_short_of_memory(const level_walker *k) {
  const size_t used = atomic_load(&k->w->fresh.bytes);
  return (k->o.max_bytes && used > k->o.max_bytes / 2) || shard_is_almost_full(&k->w->fresh);
}

static bool is_out_of_limits(const level_walker *k) {
  level_walk *w = k->w;
  if (atomic_load(&w->fresh.is_full) ||
      (!w->files && k->o.max_bytes && level_walk_bytes(w) > k->o.max_bytes))
    w->is_too_large = true;
  return w->is_too_large || budget_check_now(k->limits);
}

/* Is it time to write what there is? */
static bool should_pause(const level_walker *k) {
  if (!k->w->files) return false;
  const bool is_short = is_short_of_memory(k);
  if (is_short || checkpoint_is_due(k->w->files)) ranks_hurry(k->r, RANK_ASK);
  return ranks_are_hurried(k->r, RANK_ASK);
}

/* As far as the level goes, or until something has to be written. */
static bool expand_part(level_walker *k) {
  level_walk *w = k->w;
  const level_run *l = vec_last(&w->levels);
  uint32_t count;
  memset(k->is_sent, 0, SENT_STATES);
  k->began = w->next;
  ranks_begin(k->r, RANK_ASK, take_states, k);
  while (!ranks_have_failed(k->r) && next_states(w, &count)) {
    progress_tell(k->limits->progress, w->next, l->count, "states of depth %u",
                  w->levels.count - 1);
    lane_expander_look(&k->e, level_run_state(l, w->next), count);
    if (k->o.look) k->o.look(k->o.context, &k->e, l->label.level);
    if (!lane_expander_make_steps(&k->e, take_steps, k)) { /* a state may have steps without end */
      ranks_stop(k->r);
      break;
    }
    w->next += count;
    ranks_poll(k->r);
    if (is_out_of_limits(k)) ranks_stop(k->r);
    if (should_pause(k)) break;
  }
  const bool ok = ranks_finish(k->r, RANK_ASK);
  for (uint32_t i = 0; i < STORE_SHARDS; i++) flush(k, i);
  return ok && !atomic_load(&w->fresh.is_full);
}

/* ---- writing ---- */

/* The states of a shard that the level being made has: of the store, and of runs. */
static sorted_slice sort_shard(level_walk *w, uint32_t shard, bool with_runs, hash_span span,
                               arena *keep, arena *scratch) {
  state_block *blocks = arena_new_array(scratch, state_block, w->runs.count + (size_t)1);
  uint32_t count = 0;
  blocks[count++] = (state_block){w->fresh.shards[shard].states, w->fresh.shards[shard].count};
  for (uint32_t i = 0; i < w->runs.count && with_runs; i++) {
    uint32_t first, end;
    level_run_slice(w->runs.items[i], span, &first, &end);
    blocks[count++] = (state_block){level_run_state(w->runs.items[i], first), end - first};
  }
  return level_sort(blocks, count, w->s->state_bytes, span, keep, scratch);
}

static void drop_older(level_walk *w, sorted_slice *s, hash_span span) {
  for (uint32_t level = w->levels.count; level-- > 0 && s->count;)
    if (level_subtract(s, w->levels.items[level], span)) w->is_layered = false;
}

static void write_shards(level_walk *w, run_writer *out, bool is_level) {
  arena *keep = arena_new(), *scratch = arena_new();
  for (uint32_t shard = 0; shard < STORE_SHARDS; shard++) {
    hash_span span;
    if (!hash_span_meet(w->part, shard_span(shard), &span)) continue;
    sorted_slice s = sort_shard(w, shard, is_level, span, keep, scratch);
    if (is_level) drop_older(w, &s, span);
    run_writer_add(out, s.states, s.count);
    arena_clear(scratch);
    arena_clear(keep);
  }
  arena_free(scratch);
  arena_free(keep);
}

static void empty_store(level_walk *w) {
  store_free(&w->fresh);
  store_init(&w->fresh, w->s->state_bytes);
}

static run_label label_of(const level_walk *w, uint32_t run) {
  if (w->files) return checkpoint_label(w->files, w->levels.count, run);
  return (run_label){.question = walk_question(w->s->c),
                     .level = w->levels.count,
                     .number = run,
                     .rank = ranks_rank(w->r),
                     .size = ranks_size(w->r),
                     .state_bytes = w->s->state_bytes};
}

/* The hashes of the states from `first` on and before `end`.  Where the next one has the same hash
   as the last, that is left out: to expand a state twice does no harm. */
static bool span_of(const level_run *l, uint32_t first, uint32_t end, hash_span *s) {
  if (first == end) return false;
  const hash_span part = hash_part_of(l->label.rank, l->label.size);
  const uint32_t bytes = l->label.state_bytes;
  s->first = first ? hash_bytes(level_run_state(l, first), bytes) : part.first;
  s->last = part.last;
  if (end == l->count) return true;
  s->last = hash_bytes(level_run_state(l, end - 1), bytes);
  if (hash_bytes(level_run_state(l, end), bytes) != s->last) return true;
  return s->last-- > s->first;
}

/* What was found since the last time becomes a run. */
static bool write_run(level_walker *k, uint32_t number) {
  level_walk *w = k->w;
  run_writer out;
  hash_span span;
  span_vec spans = {0};
  arena *scratch = arena_new();
  const run_label label = label_of(w, number);
  if (span_of(vec_last(&w->levels), k->began, w->next, &span)) vec_push(scratch, &spans, span);
  run_writer_begin(&out, checkpoint_path(w->files, CHECKPOINT_RUN, number), &label, &spans,
                   w->diags);
  write_shards(w, &out, false);
  level_run *made = run_writer_end(&out);
  arena_free(scratch);
  if (!made) return false;
  level_run_index(made);
  vec_push(w->keep, &w->runs, made);
  empty_store(w);
  return true;
}

static bool commit_run(level_walker *k) {
  checkpoint *c = k->w->files;
  checkpoint_head next = c->head;
  const bool is_done = write_run(k, next.end_run++);
  next.is_layered = k->w->is_layered;
  return checkpoint_commit(c, &next, is_done);
}

static bool make_level(level_walk *w) {
  run_writer out;
  const run_label label = label_of(w, 0);
  const char *path = w->files ? checkpoint_path(w->files, CHECKPOINT_LEVEL, w->levels.count) : NULL;
  run_writer_begin(&out, path, &label, NULL, w->diags);
  write_shards(w, &out, true);
  level_run *made = run_writer_end(&out);
  if (!made) return false;
  level_run_index(made);
  vec_push(w->keep, &w->levels, made);
  return true;
}

static void drop_runs(level_walk *w) {
  for (uint32_t i = 0; i < w->runs.count; i++) level_run_free(w->runs.items[i]);
  w->runs.count = 0;
  w->done.count = 0;
  w->next = 0;
}

/* What all ranks know of a new level: its size, and whether a step led to an older one. */
static bool share_level(level_walk *w, bool is_made) {
  uint64_t n[3] = {is_made ? vec_last(&w->levels)->count : 0, !w->is_layered, !is_made};
  if (!ranks_sum(w->r, n, 3) || n[2]) return false;
  vec_push(w->keep, &w->sizes, n[0]);
  w->is_layered = n[1] == 0;
  w->is_complete = n[0] == 0;
  return true;
}

static bool close_level(level_walk *w) {
  const bool is_made = make_level(w);
  if (!share_level(w, is_made)) return false;
  empty_store(w);
  drop_runs(w);
  if (!w->files) return true;
  checkpoint_head next = w->files->head;
  next.level_count = w->levels.count;
  next.first_run = next.end_run;
  next.is_layered = w->is_layered;
  next.is_complete = w->is_complete;
  return checkpoint_commit(w->files, &next, true);
}

/* ---- walking ---- */

/* True: states of the level are left, on some rank. */
static bool is_paused(level_walker *k, bool *ok) {
  uint32_t count;
  uint64_t left = next_states(k->w, &count);
  *ok = ranks_sum(k->r, &left, 1);
  return left > 0;
}

static bool expand_level(level_walker *k) {
  for (bool ok = true;;) {
    if (!expand_part(k)) return false;
    const bool is_left = is_paused(k, &ok);
    if (!ok) return false;
    if (!is_left) return close_level(k->w);
    if (!commit_run(k)) return false;
  }
}

static bool walk_levels(level_walker *k) {
  level_walk *w = k->w;
  while (!w->is_complete && (!k->o.max_level || w->levels.count <= k->o.max_level)) {
    if (!expand_level(k)) return false;
    const uint64_t all = level_walk_states(w);
    if (k->o.max_states && all > k->o.max_states) return false;
  }
  return true;
}

bool level_walk_run(level_walk *w, level_walk_limits o, budget *b) {
  arena *keep = arena_new();
  const uint32_t bytes = w->s->state_bytes;
  level_walker *k = arena_alloc_zero(keep, sizeof *k);
  *k = (level_walker){.w = w, .r = w->r, .waiting = arena_new(), .o = o, .limits = b};
  lane_expander_init(&k->e, w->s, keep);
  k->e.needs_no_goals = !o.look;
  k->sent = arena_new_array(keep, uint8_t, (size_t)SENT_STATES * bytes + 1);
  k->is_sent = arena_zero_array(keep, bool, SENT_STATES);
  const bool ok = walk_levels(k);
  arena_free(k->waiting);
  arena_free(keep);
  return ok;
}

/* ---- what was expanded before ---- */

typedef struct second_look {
  lane_expander e;
  level_look *look;
  void *context;
  budget *limits;
} second_look;

static bool look_at_span(second_look *x, const level_run *l, uint32_t first, uint32_t end) {
  while (first < end && !budget_check_now(x->limits)) {
    const uint32_t count = end - first < LANES ? end - first : LANES;
    lane_expander_look(&x->e, level_run_state(l, first), count);
    x->look(x->context, &x->e, l->label.level);
    first += count;
  }
  return first >= end;
}

bool level_walk_look_again(const level_walk *w, level_look *look, void *context, budget *b) {
  arena *keep = arena_new();
  second_look x = {.look = look, .context = context, .limits = b};
  bool ok = true;
  lane_expander_init(&x.e, w->s, keep);
  for (uint32_t i = 0; i + 1 < w->levels.count && ok; i++)
    ok = look_at_span(&x, w->levels.items[i], 0, w->levels.items[i]->count);
  for (uint32_t i = 0; i < w->done.count && ok; i++)
    ok = look_at_span(&x, vec_last(&w->levels), w->done.items[i].first, w->done.items[i].end);
  arena_free(keep);
  return ok;
}

/* ---- beginning ---- */

static void add_start(level_walk *w) {
  bool was_older = false;
  arena *scratch = arena_new();
  uint8_t *start = arena_zero_array(scratch, uint8_t, w->s->state_bytes + (size_t)8);
  lane_stepper_start(w->s, start);
  const uint64_t hash = store_hash(&w->fresh, start);
  if (rank_of_hash(w->r, hash) == ranks_rank(w->r))
    store_add(&w->fresh, shard_of_hash(hash), start, &hash, 1, &was_older);
  arena_free(scratch);
}

static bool load_levels(level_walk *w) {
  const checkpoint *c = w->files;
  while (w->levels.count < c->head.level_count) {
    const run_label label = label_of(w, 0);
    level_run *l =
        level_run_open(checkpoint_path(c, CHECKPOINT_LEVEL, w->levels.count), &label, w->diags);
    if (!l) return false;
    level_run_index(l);
    vec_push(w->keep, &w->levels, l);
  }
  return true;
}

static void note_done(level_walk *w, const level_run *run) {
  for (uint32_t i = 0; i < run->spans.count; i++) {
    number_span done;
    level_run_slice(vec_last(&w->levels), run->spans.items[i], &done.first, &done.end);
    vec_push(w->keep, &w->done, done);
  }
}

static bool load_runs(level_walk *w) {
  const checkpoint *c = w->files;
  for (uint32_t i = c->head.first_run; i < c->head.end_run; i++) {
    const run_label label = label_of(w, i);
    level_run *run = level_run_open(checkpoint_path(c, CHECKPOINT_RUN, i), &label, w->diags);
    if (!run) return false;
    level_run_index(run);
    vec_push(w->keep, &w->runs, run);
    note_done(w, run);
  }
  return true;
}

/* Every rank learns how large each level is. */
static bool share_sizes(level_walk *w, bool is_loaded) {
  uint64_t sizes[SUMS_AT_ONCE] = {!is_loaded};
  if (!ranks_sum(w->r, sizes, 1) || sizes[0]) return false;
  for (uint32_t first = 0; first < w->levels.count; first += SUMS_AT_ONCE) {
    const uint32_t left = w->levels.count - first;
    const uint32_t count = left < SUMS_AT_ONCE ? left : SUMS_AT_ONCE;
    for (uint32_t i = 0; i < count; i++) sizes[i] = w->levels.items[first + i]->count;
    if (!ranks_sum(w->r, sizes, count)) return false;
    vec_append(w->keep, &w->sizes, sizes, count);
  }
  return true;
}

bool level_walk_init(level_walk *w, const lane_stepper *s, ranks *r, checkpoint *files, arena *keep,
                     diag_sink *d) {
  *w = (level_walk){.keep = keep, .s = s, .r = r, .files = files, .diags = d, .is_layered = true};
  w->part = hash_part_of(ranks_rank(r), ranks_size(r));
  store_init(&w->fresh, s->state_bytes);
  if (!files || !files->head.size) {
    add_start(w);
    return close_level(w);
  }
  w->is_layered = files->head.is_layered;
  w->is_complete = files->head.is_complete;
  return share_sizes(w, load_levels(w) && load_runs(w));
}

void level_walk_free(level_walk *w) {
  drop_runs(w);
  for (uint32_t i = 0; i < w->levels.count; i++) level_run_free(w->levels.items[i]);
  store_free(&w->fresh);
}
