#include "machine/gpu/gpu_player.h"

#include "machine/lanes/lane_counter.h"

/* ---- playing ---- */

/* What is on the device while parts are played. */
typedef struct session {
  const gpu_code *c;
  gpu_device *d;
  ptx_arguments arguments;
  uint32_t blocks, length_count;
  size_t scratch_bytes, sum_bytes, flip_bytes;
  arena *guard; /* gives the memory of the device back */
} session;

static void give_back(void *what) {
  const session *s = what;
  s->d->ops->release(s->d, s->arguments.scratch);
  s->d->ops->release(s->d, s->arguments.sums);
  s->d->ops->release(s->d, s->arguments.flips);
}

static void choose_blocks(session *s) {
  const gpu_code *c = s->c;
  const gpu_kernel *k = gpu_code_kernel(c);
  const uint32_t threads = k->threads, blocks = (s->arguments.words - 1) / threads + 1;
  s->blocks = blocks < k->blocks ? blocks : k->blocks;
  s->scratch_bytes = (size_t)s->blocks * c->program.rows * threads * sizeof(uint32_t);
}

static void size_up(session *s) {
  const gpu_code *c = s->c;
  choose_blocks(s);
  const uint32_t most = s->arguments.max_steps, rows = 1u << c->step.age_bits;
  s->length_count = most < rows ? rows : most + 1; /* a block adds all that it has near */
  s->sum_bytes = (c->program.sum_count + (size_t)s->length_count) * sizeof(uint64_t);
  s->flip_bytes = c->step.net->latches.count * sizeof(uint32_t);
}

static void fill_arguments(session *s, const bulk_parts *parts) {
  const bulk_part *p = &parts->first;
  philox_keys(p->seed, s->arguments.keys);
  s->arguments.first_part = p->number;
  s->arguments.words = (uint32_t)(parts->count * COUNTER_WORDS);
  s->arguments.starts = (uint32_t)p->starts;
  s->arguments.last_starts = (uint32_t)parts->last_starts;
  s->arguments.max_steps =
      p->max_steps && p->max_steps < GPU_STEPS_MAX ? (uint32_t)p->max_steps : GPU_STEPS_MAX;
  size_up(s);
}

static bool allocate(session *s, const uint32_t *flips) {
  const gpu_device_ops *ops = s->d->ops;
  const uint64_t none = UINT64_MAX;
  s->arguments.scratch = ops->allocate(s->d, s->scratch_bytes);
  if (s->arguments.scratch) s->arguments.sums = ops->allocate(s->d, s->sum_bytes);
  if (s->arguments.sums) s->arguments.flips = ops->allocate(s->d, s->flip_bytes + 1);
  return s->arguments.flips &&
         ops->write(s->d, s->arguments.sums + SUM_FAULTY * sizeof none, &none, sizeof none) &&
         (!flips || ops->write(s->d, s->arguments.flips, flips, s->flip_bytes));
}

static bool launch(session *s, uint32_t steps) {
  ptx_arguments *a = &s->arguments;
  a->steps = steps;
  void *all[] = {a,         &a->sums,   &a->flips,       a->keys,       &a->first_part,
                 &a->words, &a->starts, &a->last_starts, &a->max_steps, &a->steps};
  const gpu_kernel *k = gpu_code_kernel(s->c); /* a better one than before, perhaps */
  return s->d->ops->start(s->d, k, s->blocks, all, 0) && s->d->ops->wait(s->d, 0);
}

/* Launches take some hundredths of a second, after which the budget is looked at. */
static uint32_t next_steps(uint32_t steps, double seconds) {
  enum { MOST = 1 << 16 };
#define LAUNCH_SECONDS 0.04
  if (seconds < LAUNCH_SECONDS / 2 && steps < MOST) return steps * 2;
  return seconds > LAUNCH_SECONDS * 2 && steps > 1 ? steps / 2 : steps;
}

static bool play_all(session *s, budget *b) {
  const uint64_t at = s->arguments.sums + SUM_FINISHED * sizeof(uint64_t);
  uint64_t finished = 0;
  uint32_t steps = 16;
  while (finished < s->arguments.words) {
    const double begun = clock_now();
    if (b && budget_check_now(b)) return false;
    if (!launch(s, steps) || !s->d->ops->read(s->d, &finished, at, sizeof finished)) return false;
    steps = next_steps(steps, clock_now() - begun);
  }
  return true;
}

static bool fetch(const session *s, gpu_result *r, arena *keep) {
  const uint32_t count = s->c->program.sum_count;
  r->sums = arena_alloc(keep, s->sum_bytes);
  r->lengths = r->sums + count;
  r->length_count = s->length_count;
  return s->d->ops->read(s->d, r->sums, s->arguments.sums, s->sum_bytes);
}

bool gpu_play(const gpu_code *c, const bulk_parts *parts, const uint32_t *flips, gpu_result *r,
              arena *keep, budget *b) {
  session *s = arena_alloc_zero(keep, sizeof *s); /* the guard may outlive this call */
  *s = (session){.c = c, .d = c->device};
  fill_arguments(s, parts);
  s->guard = arena_guarding(give_back, s);
  const bool ok = allocate(s, flips) && play_all(s, b) && fetch(s, r, keep);
  arena_free(s->guard);
  return ok;
}

/* ---- games in lanes of their own ---- */

static void fill_for_each(session *s, const gpu_lanes *l) {
  const gpu_step *step = &s->c->step;
  const size_t row = (size_t)gpu_tiles(l) * PTX_TILE_WORDS * sizeof(uint32_t);
  philox_keys(l->seed, s->arguments.keys);
  s->arguments.first_part = l->first_part;
  s->arguments.words = (l->end + PTX_LANES - 1) / PTX_LANES;
  s->arguments.starts = l->begin;
  s->arguments.last_starts = l->end;
  s->arguments.max_steps =
      l->max_steps && l->max_steps < UINT32_MAX ? (uint32_t)l->max_steps : UINT32_MAX;
  choose_blocks(s);
  s->sum_bytes = PTX_RESULTS + row * step->result_count;
  s->flip_bytes = row * step->latch_count;
}

/* What there is of results is read, too, where the budget is spent. */
static bool play_and_read(session *s, const gpu_lanes *l, budget *b) {
  const bool is_done = play_all(s, b);
  if (!is_done && (!b || b->end == BUDGET_LEFT)) return false;
  return s->d->ops->read(s->d, l->results, s->arguments.sums + PTX_RESULTS,
                         s->sum_bytes - PTX_RESULTS) &&
         is_done;
}

bool gpu_play_each(const gpu_code *c, const gpu_lanes *l, budget *b) {
  arena *keep = arena_new();
  session *s = arena_alloc_zero(keep, sizeof *s);
  *s = (session){.c = c, .d = c->device};
  fill_for_each(s, l);
  s->guard = arena_guarding(give_back, s);
  const bool ok = allocate(s, l->flips) && play_and_read(s, l, b);
  arena_free(s->guard);
  arena_free(keep);
  return ok;
}
