/* States in the order of their hashes, each once: a level of a walk over several ranks, or a part
   of a level that is being made.  They lie in memory, or in a file that is mapped, so that the
   system may take their memory back at any time.

   A file is a head with a checksum, spans of hashes, the states, and eight bytes behind them.  It
   appears whole or not at all (base/whole_file.h).  The same states give the same bytes. */
#ifndef TABIA_STATES_LEVEL_RUN_H
#define TABIA_STATES_LEVEL_RUN_H

#include "base/diag.h"
#include "base/vec.h"
#include "base/whole_file.h"
#include "states/hash_part.h"

/* What a file is of. */
typedef struct run_label {
  uint64_t question;   /* walk_question, or that of a checkpoint */
  uint32_t level;      /* of its states */
  uint32_t number;     /* of a part; 0: a whole level */
  uint32_t rank, size; /* whose states they are, of how many ranks */
  uint32_t state_bytes;
  uint32_t padding;
} run_label;

typedef VEC(hash_span) span_vec;

typedef struct level_run {
  arena *home;  /* of a mapped one: of this; or NULL */
  arena *keep;  /* the memory or the mapping, and the index */
  size_t bytes; /* in memory, but for what is mapped */
  run_label label;
  const uint8_t *states; /* eight bytes behind the last one may be read */
  uint32_t count;
  span_vec spans; /* of a part: the level before is expanded so far */
  /* Where states of a bucket begin; bucket: (hash - first) >> shift. */
  uint64_t first;
  uint32_t shift;
  uint32_t *starts; /* one more than there are buckets; NULL: there is no index */
  void *mapped;
  size_t mapped_size;
} level_run;

static inline const uint8_t *level_run_state(const level_run *r, uint32_t number) {
  return r->states + (size_t)number * r->label.state_bytes;
}

/* ---- making ---- */

typedef struct run_writer {
  arena *keep;
  run_label label;
  const char *path; /* or NULL: in memory */
  whole_file file;
  bool is_open;
  hash_stream *sum;
  span_vec spans;
  uint8_t *states; /* in memory */
  size_t capacity;
  uint64_t count;
  bool has_failed;
  diag_sink *diags;
} run_writer;

/* `path` NULL: in memory.  The writer must not be moved; call run_writer_end in any case. */
void run_writer_begin(run_writer *w, const char *path, const run_label *label,
                      const span_vec *spans, diag_sink *d);

/* More states, in their order. */
void run_writer_add(run_writer *w, const uint8_t *states, uint32_t count);

/* NULL: it was not written, and the sink says why.  Release the run by level_run_free. */
level_run *run_writer_end(run_writer *w);

/* ---- reading ---- */

/* NULL: there is no such file or it is damaged, and `d` says so. */
level_run *level_run_open(const char *path, const run_label *label, diag_sink *d);
void level_run_free(level_run *r);

/* Makes the index, which the next two need. */
void level_run_index(level_run *r);

/* The states of a span: from *first on, before *end. */
void level_run_slice(const level_run *r, hash_span s, uint32_t *first, uint32_t *end);

/* The number of a state; UINT32_MAX: it is not there. */
uint32_t level_run_find(const level_run *r, const uint8_t *state, uint64_t hash);

/* Prefetches what level_run_find needs, first of the index, then of the states. */
static inline void level_run_prefetch_index(const level_run *r, uint64_t hash) {
  __builtin_prefetch(r->starts + ((hash - r->first) >> r->shift));
}

static inline void level_run_prefetch_states(const level_run *r, uint64_t hash) {
  const uint8_t *at = level_run_state(r, r->starts[(hash - r->first) >> r->shift]);
  __builtin_prefetch(at);
  __builtin_prefetch(at + 64);
}

#endif
