#include "search/perft_level.h"

#include <string.h>

level level_new(void) { return (level){.keep = arena_new()}; }

void level_free(level *l) {
  arena_free(l->keep);
  *l = (level){0};
}

static uint64_t hash_of_state(const void *context, uint32_t id) {
  return ((const level *)context)->states.items[id].hash;
}

static bool is_same(const level_state *s, const level_state *key) {
  return s->hash == key->hash && s->length == key->length &&
         memcmp(s->bytes, key->bytes, key->length) == 0;
}

/* Most of a position may be zeros: they are looked at by the word. */
static size_t used_length(const unsigned char *position, size_t size) {
  for (uint64_t word; size >= sizeof word; size -= sizeof word) {
    memcpy(&word, position + size - sizeof word, sizeof word);
    if (word) break;
  }
  while (size && position[size - 1] == 0) size--;
  return size;
}

uint32_t level_add_state(level *l, const level_state *s) {
  id_table_reserve(&l->index, l->keep, hash_of_state, l);
  uint32_t at = id_table_first(&l->index, s->hash);
  for (; l->index.slots[at] != ID_NONE; at = id_table_next(&l->index, at)) {
    level_state *known = &l->states.items[l->index.slots[at]];
    if (!is_same(known, s)) continue;
    known->ways += s->ways;
    return l->index.slots[at];
  }
  level_state fresh = *s;
  fresh.bytes = memcpy(arena_alloc(l->keep, s->length + 1), s->bytes, s->length);
  id_table_put(&l->index, at, l->states.count);
  vec_push(l->keep, &l->states, fresh);
  return l->states.count - 1;
}

uint32_t level_add(level *l, const void *position, size_t size, uint64_t ways) {
  level_state s = {.bytes = position, .length = used_length(position, size), .ways = ways};
  s.hash = hash_bytes(position, s.length);
  return level_add_state(l, &s);
}

void level_get(const level *l, uint32_t i, void *position, size_t size) {
  const level_state *s = &l->states.items[i];
  memcpy(position, s->bytes, s->length);
  memset((unsigned char *)position + s->length, 0, size - s->length);
}

uint64_t level_ways(const level *l) {
  uint64_t ways = 0;
  for (uint32_t i = 0; i < l->states.count; i++) ways += l->states.items[i].ways;
  return ways;
}
