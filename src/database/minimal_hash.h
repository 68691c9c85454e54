/* Minimal perfect hashing: the n keys of a group get the numbers 0 .. n-1, in about two bits a key.
   A key that is not in the group gets some number, too: the keys themselves are not stored.

   After RecSplit (Esposito, Graf and Vigna 2020), with halves only.  A group has HASH_BUCKETS
   buckets.  A bucket of more than HASH_LEAF keys is split in two by the first seed under which
   exactly the wanted number of keys falls to the left; a small one gets the first seed under which
   all its keys get different numbers.  The seeds, in the order of that tree, are written as
   Golomb-Rice codes.  So the bytes depend on the keys alone.

   Bytes, little-endian: the number of keys (16 bits); by bucket, how many keys and how many bits
   are before it (16 bits each); the codes. */
#ifndef TABIA_DATABASE_MINIMAL_HASH_H
#define TABIA_DATABASE_MINIMAL_HASH_H

#include "base/hash.h"
#include "base/vec.h"

enum { HASH_BUCKETS = 64, HASH_BUCKET_KEYS = 128, HASH_LEAF = 7, HASH_KEYS_MAX = UINT16_MAX };

typedef VEC(uint8_t) byte_vec;

typedef struct hash_key {
  uint64_t high; /* says which group and bucket, see bucket_of_key */
  uint64_t low;  /* distinguishes keys of a bucket */
} hash_key;

/* Buckets of all groups are numbered through, in the order of keys. */
static inline uint64_t bucket_of_key(hash_key k, uint64_t groups) {
  return hash_scale(k.high, groups * HASH_BUCKETS);
}

static inline uint64_t group_of_key(hash_key k, uint64_t groups) {
  return bucket_of_key(k, groups) / HASH_BUCKETS;
}

/* The number of groups for this number of keys. */
uint64_t hash_groups(uint64_t keys);

/* Appends the bytes of a group whose keys are sorted.  False: two keys are the same in all bits
   that count, or there are more than HASH_KEYS_MAX. */
bool minimal_hash_build(const hash_key *keys, uint32_t count, uint64_t groups, byte_vec *out,
                        arena *keep);

/* The number of a key among `count`.  False: its bucket is empty, or the bytes are none of a group.
 */
bool minimal_hash_find(const uint8_t *bytes, size_t size, hash_key key, uint64_t groups,
                       uint32_t *count, uint32_t *number);

#endif
