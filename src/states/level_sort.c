#include "states/level_sort.h"

enum { A_BUCKET = 4 /* states */, LOOKUP_GAIN = 16 };

typedef struct sorting {
  uint32_t bytes;
  uint8_t *states;
  uint64_t *hashes;
  uint32_t count;
} sorting;

static const uint8_t *state_at(const sorting *s, uint32_t i) {
  return s->states + (size_t)i * s->bytes;
}

static bool is_before(const sorting *s, uint32_t a, uint32_t b) {
  if (s->hashes[a] != s->hashes[b]) return s->hashes[a] < s->hashes[b];
  return memcmp(state_at(s, a), state_at(s, b), s->bytes) < 0;
}

static sorting gather(const state_block *blocks, uint32_t block_count, uint32_t bytes,
                      arena *scratch) {
  sorting s = {.bytes = bytes};
  for (uint32_t i = 0; i < block_count; i++) s.count += blocks[i].count;
  s.states = arena_new_array(scratch, uint8_t, (size_t)s.count * bytes + 8);
  s.hashes = arena_new_array(scratch, uint64_t, s.count + (size_t)1);
  uint32_t at = 0;
  for (uint32_t i = 0; i < block_count; i++) {
    if (blocks[i].count)
      memcpy(s.states + (size_t)at * bytes, blocks[i].states, (size_t)blocks[i].count * bytes);
    at += blocks[i].count;
  }
  for (uint32_t i = 0; i < s.count; i++) s.hashes[i] = hash_bytes(state_at(&s, i), bytes);
  return s;
}

/* Hashes are spread evenly: states are put into many small buckets, and these are sorted. */
static uint32_t *order_of(const sorting *s, hash_span span, arena *scratch) {
  const uint64_t width = span.last - span.first;
  uint32_t shift = 0;
  while (shift < 63 && width >> shift >= s->count / A_BUCKET + 1) shift++;
  const uint64_t buckets = (width >> shift) + 1;
  uint32_t *ends = arena_zero_array(scratch, uint32_t, buckets + 1);
  uint32_t *order = arena_new_array(scratch, uint32_t, s->count + (size_t)1);
  for (uint32_t i = 0; i < s->count; i++) ends[((s->hashes[i] - span.first) >> shift) + 1]++;
  for (uint64_t b = 0; b < buckets; b++) ends[b + 1] += ends[b];
  for (uint32_t i = 0; i < s->count; i++) order[ends[(s->hashes[i] - span.first) >> shift]++] = i;
  for (uint64_t b = 0; b < buckets; b++) {
    const uint32_t first = b ? ends[b - 1] : 0;
    for (uint32_t i = first + 1; i < ends[b]; i++) {
      const uint32_t it = order[i];
      uint32_t at = i;
      for (; at > first && is_before(s, it, order[at - 1]); at--) order[at] = order[at - 1];
      order[at] = it;
    }
  }
  return order;
}

sorted_slice level_sort(const state_block *blocks, uint32_t block_count, uint32_t state_bytes,
                        hash_span span, arena *keep, arena *scratch) {
  const sorting s = gather(blocks, block_count, state_bytes, scratch);
  const uint32_t *order = order_of(&s, span, scratch);
  sorted_slice out = {.states = arena_new_array(keep, uint8_t, (size_t)s.count * state_bytes + 8),
                      .hashes = arena_new_array(keep, uint64_t, s.count + (size_t)1)};
  for (uint32_t i = 0; i < s.count; i++) {
    if (i && s.hashes[order[i]] == s.hashes[order[i - 1]] &&
        memcmp(state_at(&s, order[i]), state_at(&s, order[i - 1]), state_bytes) == 0)
      continue;
    memcpy(out.states + (size_t)out.count * state_bytes, state_at(&s, order[i]), state_bytes);
    out.hashes[out.count++] = s.hashes[order[i]];
  }
  return out;
}

/* ---- dropping ---- */

/* Where the run is at. */
typedef struct run_reader {
  const level_run *r;
  uint32_t at, end;
  uint64_t hash; /* of the state there */
} run_reader;

static void look(run_reader *m) {
  if (m->at < m->end) m->hash = hash_bytes(level_run_state(m->r, m->at), m->r->label.state_bytes);
}

/* Goes on to where the state is or would be. */
static bool advance_to(run_reader *m, const uint8_t *state, uint64_t hash) {
  while (m->at < m->end) {
    const int order = m->hash != hash
                          ? (m->hash < hash ? -1 : 1)
                          : memcmp(level_run_state(m->r, m->at), state, m->r->label.state_bytes);
    if (order >= 0) return order == 0;
    m->at++;
    look(m);
  }
  return false;
}

bool level_subtract(sorted_slice *s, const level_run *r, hash_span span) {
  const uint32_t bytes = r->label.state_bytes;
  run_reader m = {.r = r};
  level_run_slice(r, span, &m.at, &m.end);
  const bool looks_up = s->count < (m.end - m.at) / LOOKUP_GAIN;
  uint32_t kept = 0;
  look(&m);
  for (uint32_t i = 0; i < s->count; i++) {
    const uint8_t *state = s->states + (size_t)i * bytes;
    if (looks_up ? level_run_find(r, state, s->hashes[i]) != UINT32_MAX
                 : advance_to(&m, state, s->hashes[i]))
      continue;
    if (kept < i) memcpy(s->states + (size_t)kept * bytes, state, bytes);
    s->hashes[kept++] = s->hashes[i];
  }
  const bool had_any = kept < s->count;
  s->count = kept;
  return had_any;
}
