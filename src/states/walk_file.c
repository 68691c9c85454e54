/* A walk in a file: a head, the levels, what was found, the states of each shard, and a checksum of
   all of it.  The file is whole at any moment (base/whole_file.h).  What is read is looked over
   before anything is done with it: nobody knows where a file has been.  Whoever changes a file and
   mends the checksum is believed, so verdicts say that they rest on a file. */
#include "states/walk.h"

#include "base/hash.h"
#include "base/whole_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char magic[8] = "tabiawk3";

typedef struct walk_head {
  char magic[8];
  uint64_t question; /* hash of the circuit: another question has other states */
  uint64_t next_block, steps;
  uint32_t level_count, is_layered, is_complete, padding;
  uint32_t counts[STORE_SHARDS];
} walk_head;

static uint64_t hash_latches_and_places(const circuit *c, uint64_t hash) {
  for (uint32_t i = 0; i < c->latches.count; i++) {
    hash = hash_add(hash, c->latches.items[i].next);
    hash = hash_add(hash, c->latches.items[i].initially);
  }
  for (uint32_t i = 0; i < c->places.count; i++)
    hash = hash_add(hash, c->places.items[i].definition);
  return hash;
}

static uint64_t hash_moves(const circuit *c, uint64_t hash) {
  for (uint32_t i = 0; i < c->roles.count; i++) hash = hash_add(hash, c->roles.items[i].move_count);
  for (uint32_t i = 0; i < c->moves.count; i++) {
    hash = hash_add(hash, c->moves.items[i].legal);
    hash = hash_add(hash, c->moves.items[i].does);
  }
  return hash;
}

uint64_t walk_question(const circuit *c) {
  uint64_t hash = hash_bytes(c->gates.items, c->gates.count * sizeof *c->gates.items);
  hash = hash_mix(hash ^ hash_bytes(c->inputs.items, c->inputs.count * sizeof *c->inputs.items));
  hash = hash_moves(c, hash_latches_and_places(c, hash));
  for (uint32_t i = 0; i < c->targets.count; i++) hash = hash_add(hash, c->targets.items[i]);
  return hash_add(hash, c->terminal);
}

static bool complain(diag_sink *d, const char *path, const char *why) {
  diag_add(d, DIAG_E701, SPAN_NONE, "the walk in %s: %s", path, why);
  return false;
}

/* ---- saving ---- */

/* What is read or written, and the checksum of it so far. */
typedef struct summed_file {
  FILE *file;
  hash_stream *sum;
} summed_file;

/* An empty shard has no bytes to point at. */
static bool put(const summed_file *f, const void *bytes, size_t size) {
  hash_stream_add(f->sum, bytes, size);
  return !size || fwrite(bytes, 1, size, f->file) == size;
}

static bool put_checksum(const summed_file *f) {
  const uint64_t sum = hash_stream_value(f->sum);
  return fwrite(&sum, sizeof sum, 1, f->file) == 1;
}

static bool write_walk(const walk *w, const summed_file *f) {
  walk_head head = {.question = walk_question(w->s->c),
                    .next_block = w->next_block,
                    .steps = w->steps,
                    .level_count = w->levels.count,
                    .is_layered = w->is_layered,
                    .is_complete = w->is_complete};
  memcpy(head.magic, magic, sizeof magic);
  for (uint32_t i = 0; i < STORE_SHARDS; i++) head.counts[i] = w->store.shards[i].count;
  bool ok = put(f, &head, sizeof head) &&
            put(f, w->levels.items, w->levels.count * sizeof *w->levels.items) &&
            put(f, w->targets, w->s->c->targets.count * sizeof *w->targets) &&
            put(f, w->legal.words, bitset_words(w->legal) * sizeof *w->legal.words);
  for (uint32_t i = 0; ok && i < STORE_SHARDS; i++)
    ok = put(f, w->store.shards[i].states, (size_t)head.counts[i] * w->store.state_bytes);
  return ok && put_checksum(f);
}

bool walk_save(const walk *w, const char *path, diag_sink *d) {
  arena *keep = arena_new();
  whole_file f;
  bool ok = whole_file_begin(&f, path, keep);
  if (ok) {
    const summed_file to = {f.file, hash_stream_new()};
    const bool is_complete = write_walk(w, &to);
    hash_stream_free(to.sum);
    ok = whole_file_end(&f, is_complete);
  }
  if (!ok) complain(d, path, strerror(errno));
  arena_free(keep);
  return ok;
}

/* ---- loading ---- */

static bool get(const summed_file *f, void *bytes, size_t size) {
  if (fread(bytes, 1, size, f->file) != size) return false;
  hash_stream_add(f->sum, bytes, size);
  return true;
}

static bool has_right_checksum(const summed_file *f, uint64_t *sum) {
  const uint64_t expected = hash_stream_value(f->sum);
  return fread(sum, sizeof *sum, 1, f->file) == 1 && *sum == expected;
}

/* How long the file must be, as its head has it; 0: it cannot be so. */
static uint64_t expected_size(const walk *w, const walk_head *head) {
  uint64_t size = sizeof *head + sizeof(uint64_t) /* the checksum */ +
                  (uint64_t)head->level_count * sizeof *w->levels.items +
                  w->s->c->targets.count * sizeof *w->targets +
                  bitset_words(w->legal) * sizeof *w->legal.words;
  for (uint32_t i = 0; i < STORE_SHARDS; i++) {
    if (head->counts[i] > STORE_SHARD_MAX) return 0;
    size += (uint64_t)head->counts[i] * w->store.state_bytes;
  }
  return head->level_count >= 2 ? size : 0;
}

static bool has_expected_size(const walk *w, const walk_head *head, FILE *f) {
  struct stat s;
  return fstat(fileno(f), &s) == 0 && (uint64_t)s.st_size == expected_size(w, head);
}

/* Levels begin at 0, none before the one above it, and none behind the states that there are. */
static bool levels_are_sound(const walk *w, const walk_head *head) {
  for (uint32_t shard = 0; shard < STORE_SHARDS; shard++) {
    uint32_t before = 0;
    if (w->levels.items[0].starts[shard]) return false;
    for (uint32_t i = 0; i < w->levels.count; i++) {
      const uint32_t start = w->levels.items[i].starts[shard];
      if (start < before || start > head->counts[shard]) return false;
      before = start;
    }
  }
  return true;
}

/* The bytes of a bool that was read may be no bool. */
static bool target_is_sound(const walk *w, const walk_head *head, const walk_found *t) {
  uint8_t is_found;
  memcpy(&is_found, &t->is_found, sizeof is_found);
  if (is_found != 1) return is_found == 0;
  return t->where.shard < STORE_SHARDS && t->where.number < head->counts[t->where.shard] &&
         t->depth == walk_level_of(w, t->where);
}

static bool targets_are_sound(const walk *w, const walk_head *head) {
  for (uint32_t i = 0; i < w->s->c->targets.count; i++)
    if (!target_is_sound(w, head, &w->targets[i])) return false;
  return true;
}

/* Level 0 is the state in which the game starts. */
static bool begins_at_start(const walk *w, uint8_t *state) {
  state_place where;
  lane_stepper_start(w->s, state);
  return level_size(w, 0) == 1 && store_find(&w->store, state, &where) &&
         walk_level_of(w, where) == 0;
}

/* The level that is being expanded has so many blocks, and nothing is left of it when all is done.
 */
static bool progress_is_sound(const walk *w, const walk_head *head) {
  const uint64_t size = level_size(w, w->levels.count - 2);
  return head->next_block <= (size + LANES - 1) / LANES && !(head->is_complete && size);
}

/* Adds the states of a shard again, in their order. */
static bool read_shard(walk *w, const summed_file *f, uint32_t shard, uint32_t count,
                       uint8_t *state) {
  bool was_older = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!get(f, state, w->store.state_bytes)) return false;
    const uint64_t hash = store_hash(&w->store, state);
    if (shard_of_hash(hash) != shard) return false;
    store_add(&w->store, shard, state, &hash, 1, &was_older);
  }
  return w->store.shards[shard].count == count;
}

static bool read_states(walk *w, const summed_file *f, const walk_head *head) {
  uint8_t *state = arena_zero_array(w->keep, uint8_t, w->store.state_bytes + 8);
  store_free(&w->store);
  store_init(&w->store, w->s->state_bytes);
  for (uint32_t i = 0; i < STORE_SHARDS; i++) {
    if (!read_shard(w, f, i, head->counts[i], state)) return false;
    w->store.shards[i].older = vec_last(&w->levels).starts[i];
  }
  return begins_at_start(w, state) && progress_is_sound(w, head);
}

static bool read_walk(walk *w, const summed_file *f, const walk_head *head) {
  if (!has_expected_size(w, head, f->file)) return false;
  w->levels.count = 0;
  vec_reserve(w->keep, &w->levels, head->level_count);
  w->levels.count = head->level_count;
  w->next_block = head->next_block;
  w->steps = head->steps;
  w->is_layered = head->is_layered;
  w->is_complete = head->is_complete;
  return get(f, w->levels.items, w->levels.count * sizeof *w->levels.items) &&
         get(f, w->targets, w->s->c->targets.count * sizeof *w->targets) &&
         get(f, w->legal.words, bitset_words(w->legal) * sizeof *w->legal.words) &&
         levels_are_sound(w, head) && targets_are_sound(w, head) && read_states(w, f, head) &&
         has_right_checksum(f, &w->file_checksum);
}

static void close_stream(void *file) { fclose(file); }

bool walk_load(walk *w, const char *path, bool *is_there, diag_sink *d) {
  FILE *f = fopen(path, "rb");
  *is_there = f != NULL;
  if (!f) return errno == ENOENT || complain(d, path, strerror(errno));
  walk_head head;
  arena *guard = arena_guarding(close_stream, f);
  const summed_file from = {f, hash_stream_new()};
  const bool is_walk =
      get(&from, &head, sizeof head) && memcmp(head.magic, magic, sizeof magic) == 0;
  const bool is_this = is_walk && head.question == walk_question(w->s->c);
  const bool ok = is_this && read_walk(w, &from, &head);
  hash_stream_free(from.sum);
  arena_free(guard);
  if (!is_walk) return complain(d, path, "it is not a walk file");
  if (!is_this) return complain(d, path, "it is of another game or other properties");
  return ok || complain(d, path, "it is damaged");
}
