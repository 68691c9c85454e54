#include "api/api.h"

#include "search/batch.h"

#include <string.h>

_Static_assert((int)TABIA_PERCEPTS == (int)BUNDLE_PERCEPTS &&
                   (int)TABIA_FLUENTS == (int)BUNDLE_FLUENTS &&
                   (int)TABIA_LEGAL == (int)BUNDLE_LEGAL &&
                   (int)TABIA_TERMINAL == (int)BUNDLE_TERMINAL,
               "answers are numbered alike");
_Static_assert((int)TABIA_BITS == (int)BATCH_BITS && (int)TABIA_BYTES == (int)BATCH_BYTES &&
                   (int)TABIA_FLOATS == (int)BATCH_FLOATS && (int)TABIA_PLANES == (int)BATCH_PLANES,
               "layouts are numbered alike");
_Static_assert(TABIA_NO_MOVE == MOVE_NONE && TABIA_NO_GOAL == GOAL_NONE, "and so is nothing");
_Static_assert(TABIA_BLOCK == LANES, "and blocks have as many lanes");

struct tabia_batch {
  arena *keep;
  arena *guard; /* gives the group back */
  const tabia_machine *of;
  uint32_t capacity, threads, lanes;
  bool counter; /* random games are by counter */
  budget budget;
  arena_group group; /* of what `b` is made of: where memory ends, all of it goes */
  batch *b;          /* NULL: it is gone */
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

static void give_back_group(void *what) { arena_group_free(&((tabia_batch *)what)->group); }

static void make_inner(void *context) {
  tabia_batch *b = context;
  b->b = batch_new(b->of->m, b->capacity, b->threads, &b->budget);
}

static tabia_status new_batch(tabia_batch **out, const tabia_machine *m, uint32_t lanes,
                              uint32_t threads, const tabia_limits *limits, tabia_messages *log) {
  if (!lanes || !threads) {
    api_tell_error(log, "a batch has at least one lane and one thread");
    return TABIA_MISUSE;
  }
  budget limit = api_budget(limits);
  if (!machine_prepare(m->m, BULK_STEPS, &limit)) return tell_limit(m, &limit, log);
  arena *keep = arena_new();
  tabia_batch *b = arena_alloc_zero(keep, sizeof *b);
  *b = (tabia_batch){.keep = keep,
                     .of = m,
                     .capacity = lanes,
                     .threads = threads,
                     .lanes = lanes,
                     .budget = limit};
  b->guard = arena_guarding(give_back_group, b);
  if (!recovery_try(&b->group, make_inner, b)) recovery_fail();
  *out = b;
  return TABIA_OK;
}

tabia_status tabia_batch_new(tabia_batch **out, const tabia_machine *m, uint32_t lanes,
                             uint32_t threads, const tabia_limits *limits, tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, new_batch(out, m, lanes, threads, limits, log), api_no_memory(log));
}

void tabia_batch_free(tabia_batch *b) {
  if (!b) return;
  batch_free(b->b);
  arena_free(b->guard);
  arena_free(b->keep);
}

tabia_status tabia_batch_status(const tabia_batch *b, tabia_messages *log) {
  if (!b->b) return api_no_memory(log);
  API_GUARDED(tabia_status, api_tell_trouble(log, batch_workspace(b->b), b->of),
              api_no_memory(log));
}

/* ---- the calls ---- */

/* After a failed allocation the memory of the batch is gone, and all lanes are terminal. */
#define TRY(batch, call) \
  do { \
    if ((batch)->b) API_TRY_IN(&(batch)->group, call, (batch)->b = NULL); \
  } while (0)

bool tabia_batch_load(tabia_batch *b, const void *positions, uint32_t count) {
  if (count > b->capacity) return false;
  b->lanes = count;
  TRY(b, batch_load(b->b, positions, count));
  return true;
}

uint32_t tabia_batch_lanes(const tabia_batch *b) { return b->lanes; }

void tabia_batch_store(tabia_batch *b, void *positions) { TRY(b, batch_store(b->b, positions)); }

void tabia_batch_reset(tabia_batch *b, const bool *which) { TRY(b, batch_reset(b->b, which)); }

void tabia_batch_put(tabia_batch *b, const void *positions, const bool *which) {
  TRY(b, batch_put(b->b, positions, which));
}

void tabia_batch_read(tabia_batch *b, tabia_answer what, uint32_t role, tabia_layout layout,
                      void *out) {
  TRY(b, batch_read(b->b, (bundle_answer)what, role, (batch_layout)layout, out));
  if (!b->b) memset(out, 0, tabia_answer_size(b->of, what, role, layout, b->lanes));
}

uint32_t tabia_batch_terminal(tabia_batch *b, bool *terminal) {
  volatile uint32_t count = b->lanes; /* kept by setjmp */
  TRY(b, count = batch_terminal(b->b, terminal));
  if (!b->b && terminal) memset(terminal, true, b->lanes * sizeof *terminal);
  return count;
}

void tabia_batch_goals(tabia_batch *b, uint32_t role, int32_t *values) {
  TRY(b, batch_goals(b->b, role, values));
  for (uint32_t i = 0; !b->b && i < b->lanes; i++) values[i] = TABIA_NO_GOAL;
}

void tabia_batch_legal(tabia_batch *b, uint32_t role, tabia_move *moves, uint32_t capacity,
                       uint32_t *counts) {
  TRY(b, batch_list_legal(b->b, role, moves, capacity, counts));
  if (!b->b) memset(counts, 0, b->lanes * sizeof *counts);
}

void tabia_batch_draw(tabia_batch *b, uint64_t seed, uint64_t stream, tabia_move *joints) {
  const size_t count = (size_t)b->lanes * b->of->m->role_count;
  TRY(b, batch_draw(b->b, seed, stream, joints));
  for (size_t i = 0; !b->b && i < count; i++) joints[i] = TABIA_NO_MOVE;
}

uint32_t tabia_batch_step(tabia_batch *b, const tabia_move *joints, bool *illegal) {
  volatile uint32_t count = 0; /* kept by setjmp */
  TRY(b, count = batch_step(b->b, joints, illegal));
  if (!b->b && illegal) memset(illegal, false, b->lanes * sizeof *illegal);
  return count;
}

bool tabia_batch_set_random(tabia_batch *b, const char *random) {
  const bool counter = strcmp(random, "counter") == 0;
  if (!counter && strcmp(random, "stream") != 0) return false;
  if (counter && !b->of->m->ops->bulk_play) return false;
  b->counter = counter;
  return true;
}

tabia_status tabia_batch_play(tabia_batch *b, uint64_t seed, uint64_t first, uint32_t games,
                              uint64_t max_steps, int32_t *goals, tabia_messages *log) {
  const bundle_games what = {
      .seed = seed, .first = first, .each = games, .max_steps = max_steps, .counter = b->counter};
  const size_t count = (size_t)b->lanes * games * b->of->m->role_count;
  TRY(b, batch_play(b->b, &what, goals));
  for (size_t i = 0; !b->b && i < count; i++) goals[i] = TABIA_NO_GOAL;
  return tabia_batch_status(b, log);
}

/* ---- parts ---- */

typedef struct each_part {
  const tabia_batch *b;
  tabia_part_work *work;
  void *context;
} each_part;

/* Where memory ends in a part, its lanes are terminal until its work comes back; then all parts
   are gone. */
static void work_on_part(void *context, batch *lanes, uint32_t first) {
  const each_part *e = context;
  tabia_batch part = {
      .of = e->b->of, .lanes = batch_lanes(lanes), .counter = e->b->counter, .b = lanes};
  e->work(e->context, &part, first);
  if (!part.b) recovery_fail();
  arena_group_move(&part.group, recovery_group());
}

void tabia_batch_each(tabia_batch *b, tabia_part_work *work, void *context) {
  each_part e = {b, work, context};
  TRY(b, batch_each(b->b, work_on_part, &e));
}
