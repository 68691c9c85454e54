/* A walk in a file: a head, the levels, what was found, and the states of each shard.  The file is
   written beside its place and then moved there, so it is whole at any moment. */
#include "prove/walk.h"

#include "base/hash.h"
#include "base/text.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char magic[8] = "tabiawk1";

typedef struct walk_head {
  char magic[8];
  uint64_t question; /* hash of the circuit: another question has other states */
  uint64_t next_block, steps;
  uint32_t level_count, is_layered, is_complete, padding;
  uint32_t counts[STORE_SHARDS];
} walk_head;

static uint64_t hash_question(const circuit *c) {
  uint64_t hash = hash_bytes(c->gates.items, c->gates.count * sizeof *c->gates.items);
  hash = hash_mix(hash ^ hash_bytes(c->inputs.items, c->inputs.count * sizeof *c->inputs.items));
  for (uint32_t i = 0; i < c->latches.count; i++) hash = hash_add(hash, c->latches.items[i].next);
  for (uint32_t i = 0; i < c->moves.count; i++) hash = hash_add(hash, c->moves.items[i].legal);
  for (uint32_t i = 0; i < c->goals.count; i++) hash = hash_add(hash, c->goals.items[i].holds);
  return hash_add(hash, c->terminal);
}

static bool complain(diag_sink *d, const char *path, const char *why) {
  diag_add(d, DIAG_E701, SPAN_NONE, "the walk in %s: %s", path, why);
  return false;
}

/* ---- saving ---- */

static bool put(FILE *f, const void *bytes, size_t size) {
  return fwrite(bytes, 1, size, f) == size;
}

static bool write_walk(const walk *w, FILE *f) {
  walk_head head = {.question = hash_question(w->s->c),
                    .next_block = w->next_block,
                    .steps = w->steps,
                    .level_count = w->levels.count,
                    .is_layered = w->is_layered,
                    .is_complete = w->is_complete};
  memcpy(head.magic, magic, sizeof magic);
  for (uint32_t i = 0; i < STORE_SHARDS; i++) head.counts[i] = w->store.shards[i].count;
  bool ok = put(f, &head, sizeof head) &&
            put(f, w->levels.items, w->levels.count * sizeof *w->levels.items) &&
            put(f, w->targets, w->s->c->goals.count * sizeof *w->targets) &&
            put(f, w->legal.words, bitset_words(w->legal) * sizeof *w->legal.words);
  for (uint32_t i = 0; ok && i < STORE_SHARDS; i++)
    ok = put(f, w->store.shards[i].states, (size_t)head.counts[i] * w->store.state_bytes);
  return ok;
}

bool walk_save(const walk *w, const char *path, diag_sink *d) {
  text beside = text_new(w->keep);
  text_add_format(&beside, "%s.new", path);
  FILE *f = fopen(text_string(&beside), "wb");
  if (!f) return complain(d, path, strerror(errno));
  bool ok = write_walk(w, f);
  ok = fclose(f) == 0 && ok;
  if (ok && rename(text_string(&beside), path) == 0) return true;
  const int why = errno;
  unlink(text_string(&beside));
  return complain(d, path, strerror(why));
}

/* ---- loading ---- */

static bool get(FILE *f, void *bytes, size_t size) { return fread(bytes, 1, size, f) == size; }

/* Adds the states of a shard again, in their order. */
static bool read_shard(walk *w, FILE *f, uint32_t shard, uint32_t count, uint8_t *state) {
  bool was_older = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!get(f, state, w->store.state_bytes)) return false;
    const uint64_t hash = store_hash(&w->store, state);
    if (shard_of_hash(hash) != shard) return false;
    store_add(&w->store, shard, state, &hash, 1, &was_older);
  }
  return w->store.shards[shard].count == count;
}

static bool read_walk(walk *w, FILE *f, const walk_head *head) {
  uint8_t *state = arena_new_array(w->keep, uint8_t, w->store.state_bytes + 8);
  w->levels.count = 0;
  vec_reserve(w->keep, &w->levels, head->level_count);
  w->levels.count = head->level_count;
  bool ok = get(f, w->levels.items, w->levels.count * sizeof *w->levels.items) &&
            get(f, w->targets, w->s->c->goals.count * sizeof *w->targets) &&
            get(f, w->legal.words, bitset_words(w->legal) * sizeof *w->legal.words);
  store_free(&w->store);
  store_init(&w->store, w->s->state_bytes);
  for (uint32_t i = 0; ok && i < STORE_SHARDS; i++) {
    ok = read_shard(w, f, i, head->counts[i], state);
    w->store.shards[i].older = vec_last(&w->levels).starts[i];
  }
  w->next_block = head->next_block;
  w->steps = head->steps;
  w->is_layered = head->is_layered;
  w->is_complete = head->is_complete;
  return ok;
}

bool walk_load(walk *w, const char *path, bool *is_there, diag_sink *d) {
  FILE *f = fopen(path, "rb");
  *is_there = f != NULL;
  if (!f) return errno == ENOENT || complain(d, path, strerror(errno));
  walk_head head;
  const bool is_walk = get(f, &head, sizeof head) && memcmp(head.magic, magic, sizeof magic) == 0;
  const bool is_this = is_walk && head.question == hash_question(w->s->c) && head.level_count >= 2;
  const bool ok = is_this && read_walk(w, f, &head);
  fclose(f);
  if (!is_walk) return complain(d, path, "it is no walk");
  if (!is_this) return complain(d, path, "it is of another game or other properties");
  return ok || complain(d, path, "it is damaged");
}
