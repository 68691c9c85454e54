#include "api/api.h"

#include "search/batch.h"

_Static_assert((int)TABIA_PERCEPTS == (int)BUNDLE_PERCEPTS &&
                   (int)TABIA_FLUENTS == (int)BUNDLE_FLUENTS &&
                   (int)TABIA_LEGAL == (int)BUNDLE_LEGAL &&
                   (int)TABIA_TERMINAL == (int)BUNDLE_TERMINAL,
               "answers are numbered alike");
_Static_assert((int)TABIA_BITS == (int)BATCH_BITS && (int)TABIA_BYTES == (int)BATCH_BYTES &&
                   (int)TABIA_FLOATS == (int)BATCH_FLOATS && (int)TABIA_PLANES == (int)BATCH_PLANES,
               "layouts are numbered alike");
_Static_assert(TABIA_NO_MOVE == MOVE_NONE && TABIA_NO_GOAL == GOAL_NONE, "and so is nothing");

struct tabia_batch {
  arena *keep;
  const tabia_machine *of;
  uint32_t capacity;
  budget budget;
  batch *b;
};

uint32_t tabia_answer_width(const tabia_machine *m, tabia_answer what, uint32_t role) {
  return batch_width(m->m, (bundle_answer)what, role);
}

size_t tabia_answer_size(const tabia_machine *m, tabia_answer what, uint32_t role,
                         tabia_layout layout, uint32_t lanes) {
  return batch_answer_size(m->m, lanes, (bundle_answer)what, role, (batch_layout)layout);
}

/* ---- making one ---- */

static tabia_status tell_limit(const tabia_machine *m, const budget *b, tabia_messages *log) {
  arena *scratch = arena_new();
  diag_sink d;
  diag_sink_init(&d, scratch);
  budget_report(b, &d, "the machine was not made ready");
  api_tell(log, &d, &m->rules->source);
  arena_free(scratch);
  return TABIA_LIMIT;
}

tabia_status tabia_batch_new(tabia_batch **out, const tabia_machine *m, uint32_t lanes,
                             uint32_t threads, const tabia_limits *limits, tabia_messages *log) {
  *out = NULL;
  if (!lanes || !threads) {
    api_tell_error(log, "a batch has at least one lane and one thread");
    return TABIA_MISUSE;
  }
  budget limit = api_budget(limits);
  if (!machine_prepare(m->m, BULK_STEPS, &limit)) return tell_limit(m, &limit, log);
  arena *keep = arena_new();
  tabia_batch *b = arena_alloc_zero(keep, sizeof *b);
  *b = (tabia_batch){.keep = keep, .of = m, .capacity = lanes, .budget = limit};
  b->b = batch_new(m->m, lanes, threads, &b->budget);
  *out = b;
  return TABIA_OK;
}

void tabia_batch_free(tabia_batch *b) {
  if (!b) return;
  batch_free(b->b);
  arena_free(b->keep);
}

tabia_status tabia_batch_status(const tabia_batch *b, tabia_messages *log) {
  return api_tell_trouble(log, batch_workspace(b->b), b->of);
}

/* ---- the calls ---- */

bool tabia_batch_load(tabia_batch *b, const void *positions, uint32_t count) {
  if (count > b->capacity) return false;
  batch_load(b->b, positions, count);
  return true;
}

uint32_t tabia_batch_lanes(const tabia_batch *b) { return batch_lanes(b->b); }

void tabia_batch_store(tabia_batch *b, void *positions) { batch_store(b->b, positions); }

void tabia_batch_reset(tabia_batch *b, const bool *which) { batch_reset(b->b, which); }

void tabia_batch_put(tabia_batch *b, const void *positions, const bool *which) {
  batch_put(b->b, positions, which);
}

void tabia_batch_read(tabia_batch *b, tabia_answer what, uint32_t role, tabia_layout layout,
                      void *out) {
  batch_read(b->b, (bundle_answer)what, role, (batch_layout)layout, out);
}

uint32_t tabia_batch_terminal(tabia_batch *b, bool *terminal) {
  return batch_terminal(b->b, terminal);
}

void tabia_batch_goals(tabia_batch *b, uint32_t role, int32_t *values) {
  batch_goals(b->b, role, values);
}

void tabia_batch_legal(tabia_batch *b, uint32_t role, tabia_move *moves, uint32_t capacity,
                       uint32_t *counts) {
  batch_list_legal(b->b, role, moves, capacity, counts);
}

void tabia_batch_draw(tabia_batch *b, uint64_t seed, uint64_t stream, tabia_move *joints) {
  batch_draw(b->b, seed, stream, joints);
}

uint32_t tabia_batch_step(tabia_batch *b, const tabia_move *joints, bool *illegal) {
  return batch_step(b->b, joints, illegal);
}

tabia_status tabia_batch_play(tabia_batch *b, uint64_t seed, uint64_t first, uint32_t games,
                              uint64_t max_steps, int32_t *goals, tabia_messages *log) {
  const bundle_games what = {.seed = seed, .first = first, .each = games, .max_steps = max_steps};
  batch_play(b->b, &what, goals);
  return tabia_batch_status(b, log);
}
