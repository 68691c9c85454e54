#include "states/level_run.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = "tabialr1";

enum { BEHIND = 8 /* bytes that may be read behind the states */, A_BUCKET = 8 /* states */ };

typedef struct run_head {
  char magic[8];
  run_label label;
  uint64_t count, span_count;
  uint64_t states_sum; /* checksum of the states */
  uint64_t sum;        /* of the head, with 0 here, and the spans */
} run_head;

/* ---- writing ---- */

static void fail(run_writer *w) {
  if (!w->has_failed)
    diag_add(w->diags, DIAG_E701, SPAN_NONE, "states in %s: %s", w->path, strerror(errno));
  w->has_failed = true;
}

static uint64_t sum_of_head(const run_head *h, const hash_span *spans) {
  run_head plain = *h;
  plain.sum = 0;
  hash_stream *sum = hash_stream_new();
  hash_stream_add(sum, &plain, sizeof plain);
  hash_stream_add(sum, spans, h->span_count * sizeof *spans);
  const uint64_t value = hash_stream_value(sum);
  hash_stream_free(sum);
  return value;
}

static void put(run_writer *w, const void *bytes, size_t size) {
  if (!w->has_failed && size && fwrite(bytes, 1, size, w->file.file) != size) fail(w);
}

static void put_head(run_writer *w) {
  run_head h = {.label = w->label, .count = w->count, .span_count = w->spans.count};
  memcpy(h.magic, magic, sizeof magic);
  h.states_sum = hash_stream_value(w->sum);
  h.sum = sum_of_head(&h, w->spans.items);
  put(w, &h, sizeof h);
  put(w, w->spans.items, w->spans.count * sizeof *w->spans.items);
}

void run_writer_begin(run_writer *w, const char *path, const run_label *label,
                      const span_vec *spans, diag_sink *d) {
  *w = (run_writer){.keep = arena_new(), .label = *label, .path = path, .diags = d};
  if (spans) vec_append(w->keep, &w->spans, spans->items, spans->count);
  if (!path) return;
  w->sum = hash_stream_new();
  w->is_open = whole_file_begin(&w->file, path, w->keep);
  if (!w->is_open) fail(w);
  put_head(w); /* its place; what it says comes at the end */
}

static void add_in_memory(run_writer *w, const uint8_t *states, uint32_t count) {
  const uint32_t bytes = w->label.state_bytes;
  if (w->count + count > w->capacity || !w->states) {
    const size_t more = w->count + count + w->capacity / 4;
    w->states = arena_grow(w->keep, w->states, w->states ? w->capacity * bytes + BEHIND : 0,
                           more * bytes + BEHIND);
    w->capacity = more;
  }
  if (count) memcpy(w->states + w->count * bytes, states, (size_t)count * bytes);
}

void run_writer_add(run_writer *w, const uint8_t *states, uint32_t count) {
  const size_t size = (size_t)count * w->label.state_bytes;
  if (w->path) {
    hash_stream_add(w->sum, states, size);
    put(w, states, size);
  } else {
    add_in_memory(w, states, count);
  }
  w->count += count;
}

static level_run *end_in_memory(run_writer *w) {
  add_in_memory(w, NULL, 0);
  memset(w->states + w->count * w->label.state_bytes, 0, BEHIND);
  level_run *r = arena_alloc_zero(w->keep, sizeof *r);
  *r = (level_run){.keep = w->keep,
                   .label = w->label,
                   .states = w->states,
                   .count = (uint32_t)w->count,
                   .spans = w->spans,
                   .bytes = w->capacity * w->label.state_bytes};
  return r;
}

static bool end_file(run_writer *w) {
  static const uint8_t behind[BEHIND];
  put(w, behind, sizeof behind);
  if (!w->has_failed && fseek(w->file.file, 0, SEEK_SET) != 0) fail(w);
  put_head(w);
  return whole_file_end(&w->file, !w->has_failed) || (fail(w), false);
}

level_run *run_writer_end(run_writer *w) {
  if (w->count > UINT32_MAX - 1) {
    errno = EFBIG;
    fail(w);
  }
  if (!w->path && !w->has_failed) return end_in_memory(w);
  const bool ok = w->is_open && end_file(w);
  if (w->sum) hash_stream_free(w->sum);
  level_run *r = ok ? level_run_open(w->path, &w->label, w->diags) : NULL;
  arena_free(w->keep);
  return r;
}

/* ---- opening ---- */

static void unmap(void *what) {
  const level_run *r = what;
  if (r->mapped) munmap(r->mapped, r->mapped_size);
}

/* Of an empty file there is nothing to map. */
static bool map_file(level_run *r, const char *path) {
  struct stat s;
  void *bytes = MAP_FAILED;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_there = fstat(file, &s) == 0;
  if (is_there && s.st_size) bytes = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_SHARED, file, 0);
  const int why = errno;
  close(file);
  errno = why;
  if (is_there && !s.st_size) return true;
  if (bytes == MAP_FAILED) return false;
  r->mapped = bytes;
  r->mapped_size = (size_t)s.st_size;
  return true;
}

/* False: the file is not what it should be. */
static bool read_mapped(level_run *r, const run_label *label) {
  run_head h;
  if (r->mapped_size < sizeof h) return false;
  memcpy(&h, r->mapped, sizeof h);
  const uint64_t room = r->mapped_size - sizeof h;
  if (memcmp(h.magic, magic, sizeof magic) != 0 || memcmp(&h.label, label, sizeof *label) != 0 ||
      h.span_count > room / sizeof(hash_span) || h.count > UINT32_MAX - 1)
    return false;
  const uint64_t spans_size = h.span_count * sizeof(hash_span);
  const uint64_t size = h.count * label->state_bytes;
  if (room != spans_size + size + BEHIND) return false;
  const uint8_t *behind = (const uint8_t *)r->mapped + sizeof h;
  vec_reserve(r->keep, &r->spans, h.span_count + 1);
  memcpy(r->spans.items, behind, spans_size);
  r->spans.count = (uint32_t)h.span_count;
  r->states = behind + spans_size;
  r->count = (uint32_t)h.count;
  return h.sum == sum_of_head(&h, r->spans.items) && h.states_sum == hash_bytes(r->states, size);
}

level_run *level_run_open(const char *path, const run_label *label, diag_sink *d) {
  arena *home = arena_new();
  level_run *r = arena_alloc_zero(home, sizeof *r);
  r->label = *label;
  const bool is_there = map_file(r, path);
  if (!is_there) diag_add(d, DIAG_E701, SPAN_NONE, "states in %s: %s", path, strerror(errno));
  r->keep = arena_guarding(unmap, r);
  if (is_there && read_mapped(r, label)) {
    r->home = home;
    return r;
  }
  if (is_there)
    diag_add(d, DIAG_E701, SPAN_NONE, "states in %s: the file is damaged or of another game", path);
  arena_free(r->keep);
  arena_free(home);
  return NULL;
}

void level_run_free(level_run *r) {
  if (!r) return;
  arena *home = r->home;
  arena_free(r->keep);
  arena_free(home);
}

/* ---- looking up ---- */

static uint64_t hash_at(const level_run *r, uint32_t number) {
  return hash_bytes(level_run_state(r, number), r->label.state_bytes);
}

void level_run_index(level_run *r) {
  const hash_span part = hash_part_of(r->label.rank, r->label.size);
  const uint64_t width = part.last - part.first;
  r->first = part.first;
  for (r->shift = 0; r->shift < 63 && width >> r->shift >= r->count / A_BUCKET + 1;) r->shift++;
  const uint64_t buckets = (width >> r->shift) + 1;
  r->starts = arena_new_array(r->keep, uint32_t, buckets + 1);
  r->bytes += (buckets + 1) * sizeof *r->starts;
  uint64_t bucket = 0;
  for (uint32_t i = 0; i < r->count; i++)
    for (const uint64_t own = (hash_at(r, i) - r->first) >> r->shift;
         bucket <= own && bucket <= buckets; bucket++) /* nobody knows where a file has been */
      r->starts[bucket] = i;
  for (; bucket <= buckets; bucket++) r->starts[bucket] = r->count;
}

/* The first state whose hash is not below this one. */
static uint32_t lower_bound(const level_run *r, uint64_t hash) {
  const uint64_t bucket = (hash - r->first) >> r->shift;
  uint32_t i = r->starts[bucket];
  while (i < r->starts[bucket + 1] && hash_at(r, i) < hash) i++;
  return i;
}

void level_run_slice(const level_run *r, hash_span s, uint32_t *first, uint32_t *end) {
  const hash_span part = hash_part_of(r->label.rank, r->label.size);
  hash_span here;
  *first = *end = 0;
  if (!hash_span_meet(part, s, &here)) return;
  *first = lower_bound(r, here.first);
  *end = here.last == part.last ? r->count : lower_bound(r, here.last + 1);
}

uint32_t level_run_find(const level_run *r, const uint8_t *state, uint64_t hash) {
  const uint64_t bucket = (hash - r->first) >> r->shift;
  for (uint32_t i = r->starts[bucket]; i < r->starts[bucket + 1]; i++)
    if (memcmp(level_run_state(r, i), state, r->label.state_bytes) == 0) return i;
  return UINT32_MAX;
}
