/* Hash functions, and an open-addressing table of ids.

   An id_table holds 32-bit ids whose keys live elsewhere (in a symbol table, in rows of
   a relation).  The caller hashes the key, walks the slots that id_table_first/next give,
   and compares:

     for (uint32_t at = id_table_first(&t, hash);; at = id_table_next(&t, at)) {
       const uint32_t id = t.slots[at];
       if (id == ID_NONE) { id_table_put(&t, at, new_id); break; }
       if (same_key(id)) ...
     }

   A table must be asked for room with id_table_reserve before each put. */
#ifndef TABIA_BASE_HASH_H
#define TABIA_BASE_HASH_H

#include "base/arena.h"

#define ID_NONE UINT32_MAX

uint64_t hash_bytes(const void *bytes, size_t length);

/* Another function for each seed. */
uint64_t hash_bytes_seeded(const void *bytes, size_t length, uint64_t seed);

/* A number below `range`, in the order of hashes and spread evenly (Lemire). */
static inline uint64_t hash_scale(uint64_t hash, uint64_t range) {
  __extension__ typedef unsigned __int128 wide;
  return (uint64_t)((wide)hash * range >> 64);
}

/* Like hash_bytes, for bytes that come in pieces. */
typedef struct hash_stream hash_stream;
hash_stream *hash_stream_new(void);
void hash_stream_add(hash_stream *s, const void *bytes, size_t length);
uint64_t hash_stream_value(const hash_stream *s);
void hash_stream_free(hash_stream *s);

static inline uint64_t hash_mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

/* Adds one number to a running hash. */
static inline uint64_t hash_add(uint64_t hash, uint32_t value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15u ^ (hash >> 29);
}

/* Two ids at a time; one multiplication mixes both halves into the low bits that tables use. */
static inline uint64_t hash_ids(const uint32_t *ids, uint32_t count) {
  uint64_t hash = (uint64_t)count * 0xd6e8feb86659fd93u;
  for (; count >= 2; ids += 2, count -= 2) {
    hash = (hash ^ ids[0] ^ (uint64_t)ids[1] << 32) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  if (count) {
    hash = (hash ^ ids[0]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

typedef struct id_table {
  uint32_t *slots; /* ID_NONE where empty */
  uint32_t mask;   /* slots - 1; 0 before the first reserve */
  uint32_t count;
} id_table;

/* Returns the hash of an id that is in the table already. */
typedef uint64_t id_hash_fn(const void *context, uint32_t id);

/* Makes room for `count` ids in a table that is empty. */
void id_table_expect(id_table *t, arena *keep, uint32_t count);

void id_table_grow(id_table *t, arena *keep, id_hash_fn *hash_of, const void *context);

/* Makes room for one more id; rehashes when more than 5/8 full. */
static inline void id_table_reserve(id_table *t, arena *keep, id_hash_fn *hash_of,
                                    const void *context) {
  if (!t->slots || ((uint64_t)t->count + 1) * 8 > ((uint64_t)t->mask + 1) * 5)
    id_table_grow(t, keep, hash_of, context);
}

static inline uint32_t id_table_first(const id_table *t, uint64_t hash) {
  return (uint32_t)hash & t->mask;
}

static inline uint32_t id_table_next(const id_table *t, uint32_t at) { return (at + 1) & t->mask; }

static inline void id_table_put(id_table *t, uint32_t at, uint32_t id) {
  t->slots[at] = id;
  t->count++;
}

void id_table_clear(id_table *t);

#endif
