#include "machine/large_states.h"

#include "base/hash.h"
#include "base/recovery.h"
#include "base/vec.h"

#include <string.h>

typedef struct kept_state {
  const uint32_t *list; /* how many fluents, then these */
  uint64_t hash;
} kept_state;

typedef struct kept_states {
  arena *keep;
  VEC(kept_state) all;
  id_table index;
} kept_states;

struct large_states {
  pthread_mutex_t lock;
  arena *keep; /* of this struct */
  kept_states states;
};

large_states *large_states_new(void) {
  arena *keep = arena_new();
  large_states *s = arena_alloc_zero(keep, sizeof *s);
  s->keep = keep;
  s->states.keep = arena_new();
  pthread_mutex_init(&s->lock, NULL);
  return s;
}

void large_states_free(large_states *s) {
  if (!s) return;
  pthread_mutex_destroy(&s->lock);
  arena_free(s->states.keep);
  arena_free(s->keep);
}

static uint64_t hash_of_state(const void *context, uint32_t id) {
  return ((const kept_states *)context)->all.items[id].hash;
}

static bool is_same(const kept_state *s, uint64_t hash, const uint32_t *fluents, uint32_t count) {
  return s->hash == hash && s->list[0] == count &&
         memcmp(s->list + 1, fluents, count * sizeof *fluents) == 0;
}

static const uint32_t *copied(kept_states *s, const uint32_t *fluents, uint32_t count) {
  uint32_t *list = arena_new_array(s->keep, uint32_t, count + (size_t)1);
  list[0] = count;
  memcpy(list + 1, fluents, count * sizeof *fluents);
  return list;
}

/* The number of the state, which is new or not. */
static uint32_t number_of(kept_states *s, const uint32_t *fluents, uint32_t count) {
  const uint64_t hash = hash_ids(fluents, count);
  id_table_reserve(&s->index, s->keep, hash_of_state, s);
  uint32_t at = id_table_first(&s->index, hash);
  for (; s->index.slots[at] != ID_NONE; at = id_table_next(&s->index, at))
    if (is_same(&s->all.items[s->index.slots[at]], hash, fluents, count)) return s->index.slots[at];
  const kept_state fresh = {copied(s, fluents, count), hash};
  vec_push(s->keep, &s->all, fresh);
  id_table_put(&s->index, at, s->all.count - 1);
  return s->all.count - 1;
}

static uint32_t number_of_large(large_states *s, const uint32_t *fluents, uint32_t count) {
  recovery_lock(&s->lock);
  const uint32_t number = number_of(&s->states, fluents, count);
  recovery_unlock(&s->lock);
  return number;
}

/* The position stays as it is where there is no memory. */
void large_states_write(large_states *s, uint32_t room, const uint32_t *fluents, uint32_t count,
                        uint32_t *position) {
  const uint32_t used = count > room ? 1 : count;
  const uint32_t number = count > room ? number_of_large(s, fluents, count) : 0;
  memset(position + 1 + used, 0, (room - used) * sizeof *position);
  position[0] = count > room ? LARGE_STATE : count;
  if (count > room)
    position[1] = number;
  else if (count)
    memcpy(position + 1, fluents, count * sizeof *fluents);
}

const uint32_t *large_states_find(large_states *s, uint32_t number) {
  recovery_lock(&s->lock);
  const uint32_t *list = s->states.all.items[number].list;
  recovery_unlock(&s->lock);
  return list;
}

size_t large_states_bytes(large_states *s) {
  recovery_lock(&s->lock);
  const size_t bytes = arena_bytes(s->states.keep);
  recovery_unlock(&s->lock);
  return bytes;
}
