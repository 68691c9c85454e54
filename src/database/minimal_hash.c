#include "database/minimal_hash.h"

/* A seed of another depth is another function. */
enum { DEPTH_SHIFT = 40, HEAD_BYTES = 2 + HASH_BUCKETS * 4, UNARY_MAX = 1 << 20 };

uint64_t hash_groups(uint64_t keys) {
  const uint64_t each = HASH_BUCKETS * HASH_BUCKET_KEYS;
  return keys ? (keys + each - 1) / each : 1;
}

/* A number below `range` that depends on key and seed. */
static uint32_t number_under(uint64_t low, uint64_t seed, uint32_t range) {
  uint64_t x = low + seed * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
  return (uint32_t)((x >> 32) * range >> 32);
}

static uint64_t seed_at(uint32_t depth, uint64_t seed) {
  return ((uint64_t)depth + 1) << DEPTH_SHIFT | seed;
}

/* How many of `count` keys go to the left: whole leaves, about half. */
static uint32_t left_of(uint32_t count) {
  const uint32_t leaves = (count + HASH_LEAF - 1) / HASH_LEAF;
  return leaves / 2 * HASH_LEAF;
}

/* Bits below the unary part of a code, near log2 of 0.7 times the expected seed: n^n / n! in a
   leaf, about 1.25 sqrt(n) in a split. */
static uint32_t low_bits(uint32_t count) {
  static const uint8_t of_leaf[HASH_LEAF + 1] = {0, 0, 0, 1, 2, 4, 5, 6};
  if (count <= HASH_LEAF) return of_leaf[count];
  uint32_t bits = 0;
  while ((UINT32_C(4) << 2 * bits) * 4 <= 3 * count) bits++;
  return bits;
}

/* ---- building ---- */

typedef struct hash_builder {
  byte_vec *out;
  arena *keep;
  uint32_t bits; /* written to `out` behind `first` */
  uint32_t first;
  uint64_t *low, *room; /* of the bucket under way */
} hash_builder;

static void put_bit(hash_builder *b, bool bit) {
  if (b->bits % 8 == 0) vec_push(b->keep, b->out, 0);
  if (bit) vec_last(b->out) |= (uint8_t)(1u << b->bits % 8);
  b->bits++;
}

static void put_code(hash_builder *b, uint64_t seed, uint32_t low) {
  for (uint64_t i = seed >> low; i > 0; i--) put_bit(b, true);
  put_bit(b, false);
  for (uint32_t i = 0; i < low; i++) put_bit(b, seed >> i & 1);
}

static bool all_differ(const uint64_t *low, uint32_t count, uint64_t seed) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t bit = UINT32_C(1) << number_under(low[i], seed, count);
    if (seen & bit) return false;
    seen |= bit;
  }
  return true;
}

static bool splits(const uint64_t *low, uint32_t count, uint32_t left, uint64_t seed) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) found += number_under(low[i], seed, count) < left;
  return found == left;
}

static void part(hash_builder *b, uint64_t *low, uint32_t count, uint32_t left, uint64_t seed) {
  uint32_t at[2] = {0, left};
  for (uint32_t i = 0; i < count; i++)
    b->room[at[number_under(low[i], seed, count) >= left]++] = low[i];
  memcpy(low, b->room, count * sizeof *low);
}

/* Splits in halves, so it goes no deeper than the logarithm of the keys of a bucket. */
static void build_tree(hash_builder *b, uint64_t *low, uint32_t count, uint32_t depth) {
  uint64_t seed = 0;
  if (count < 2) return;
  if (count <= HASH_LEAF) {
    while (!all_differ(low, count, seed_at(depth, seed))) seed++;
    put_code(b, seed, low_bits(count));
    return;
  }
  const uint32_t left = left_of(count);
  while (!splits(low, count, left, seed_at(depth, seed))) seed++;
  put_code(b, seed, low_bits(count));
  part(b, low, count, left, seed_at(depth, seed));
  build_tree(b, low, left, depth + 1);
  build_tree(b, low + left, count - left, depth + 1);
}

static void write_16(uint8_t *to, uint32_t number) {
  to[0] = (uint8_t)number;
  to[1] = (uint8_t)(number >> 8);
}

/* The keys of a bucket; false: two are equal. */
static bool build_bucket(hash_builder *b, const hash_key *keys, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    b->low[i] = keys[i].low;
    for (uint32_t k = 0; k < i; k++)
      if (b->low[k] == b->low[i]) return false;
  }
  build_tree(b, b->low, count, 0);
  return true;
}

bool minimal_hash_build(const hash_key *keys, uint32_t count, uint64_t groups, byte_vec *out,
                        arena *keep) {
  if (count > HASH_KEYS_MAX) return false;
  arena *scratch = arena_new();
  const uint32_t head = out->count;
  hash_builder b = {.out = out,
                    .keep = keep,
                    .low = arena_new_array(scratch, uint64_t, count + 1),
                    .room = arena_new_array(scratch, uint64_t, count + 1)};
  vec_reserve(keep, out, HEAD_BYTES);
  out->count += HEAD_BYTES;
  write_16(out->items + head, count);
  uint32_t at = 0;
  bool ok = true;
  for (uint32_t bucket = 0; ok && bucket < HASH_BUCKETS; bucket++) {
    uint32_t end = at;
    while (end < count && bucket_of_key(keys[end], groups) % HASH_BUCKETS == bucket) end++;
    write_16(out->items + head + 2 + bucket * 4, at);
    write_16(out->items + head + 4 + bucket * 4, b.bits);
    ok = b.bits <= UINT16_MAX && build_bucket(&b, keys + at, end - at);
    at = end;
  }
  arena_free(scratch);
  return ok && at == count;
}

/* ---- finding ---- */

typedef struct code_reader {
  const uint8_t *bytes;
  uint64_t at, end; /* in bits */
} code_reader;

static uint32_t read_16(const uint8_t *from) { return from[0] | (uint32_t)from[1] << 8; }

/* Behind the end all bits are 0, so that reading comes to an end in any bytes. */
static uint32_t get_bit(code_reader *r) {
  const uint64_t at = r->at++;
  return at < r->end ? r->bytes[at / 8] >> at % 8 & 1 : 0;
}

static uint64_t get_code(code_reader *r, uint32_t low) {
  uint64_t high = 0, rest = 0;
  while (high < UNARY_MAX && get_bit(r)) high++;
  for (uint32_t i = 0; i < low; i++) rest |= (uint64_t)get_bit(r) << i;
  return high << low | rest;
}

static void skip_tree(code_reader *r, uint32_t count) {
  if (count < 2) return;
  get_code(r, low_bits(count));
  if (count <= HASH_LEAF) return;
  skip_tree(r, left_of(count));
  skip_tree(r, count - left_of(count));
}

static uint32_t find_in_tree(code_reader *r, uint32_t count, uint64_t low) {
  uint32_t before = 0;
  for (uint32_t depth = 0;; depth++) {
    if (count < 2) return before;
    const uint64_t seed = seed_at(depth, get_code(r, low_bits(count)));
    const uint32_t number = number_under(low, seed, count);
    if (count <= HASH_LEAF) return before + number;
    const uint32_t left = left_of(count);
    if (number < left) {
      count = left;
      continue;
    }
    skip_tree(r, left);
    before += left;
    count -= left;
  }
}

bool minimal_hash_find(const uint8_t *bytes, size_t size, hash_key key, uint64_t groups,
                       uint32_t *count, uint32_t *number) {
  if (size < HEAD_BYTES) return false;
  const uint32_t bucket = (uint32_t)(bucket_of_key(key, groups) % HASH_BUCKETS);
  const uint8_t *starts = bytes + 2 + (size_t)bucket * 4;
  const uint32_t first = read_16(starts);
  *count = read_16(bytes);
  const uint32_t end = bucket + 1 < HASH_BUCKETS ? read_16(starts + 4) : *count;
  if (first >= end || end > *count) return false;
  code_reader r = {bytes + HEAD_BYTES, read_16(starts + 2), (size - HEAD_BYTES) * 8};
  *number = first + find_in_tree(&r, end - first, key.low);
  return *number < *count;
}
