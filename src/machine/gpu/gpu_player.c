#include "machine/gpu/gpu_player.h"

#include "machine/lanes/lane_counter.h"

/* ---- code ---- */

bool gpu_code_make(gpu_code *c, gpu_device *device, const gpu_step *step, gpu_shape shape,
                   arena *keep, budget *b) {
  *c = (gpu_code){.device = device, .step = *step};
  arena *scratch = arena_new();
  text ptx = text_new(scratch);
  budget_watch(b, scratch);
  if (ptx_write(&c->program, &c->step, shape, &ptx, keep, b)) {
    c->kernel.threads = shape.threads;
    c->kernel.shared_bytes = c->program.shared_bytes;
    c->is_ready = device->ops->load(device, text_string(&ptx), &c->kernel);
  }
  budget_unwatch(b, scratch);
  arena_free(scratch);
  return c->is_ready;
}

void gpu_code_free(gpu_code *c) {
  if (c->is_ready) c->device->ops->unload(c->device, &c->kernel);
}

/* ---- playing ---- */

/* What is on the device while parts are played. */
typedef struct session {
  const gpu_code *c;
  gpu_device *d;
  ptx_arguments arguments;
  uint32_t blocks, length_count;
  size_t scratch_bytes, sum_bytes;
  arena *guard; /* gives the memory of the device back */
} session;

static void give_back(void *what) {
  const session *s = what;
  s->d->ops->release(s->d, s->arguments.scratch);
  s->d->ops->release(s->d, s->arguments.sums);
  s->d->ops->release(s->d, s->arguments.flips);
}

static void size_up(session *s, const bulk_parts *parts) {
  const gpu_code *c = s->c;
  const uint64_t words = parts->count * COUNTER_WORDS;
  const uint64_t blocks = (words + c->kernel.threads - 1) / c->kernel.threads;
  s->blocks = blocks < c->kernel.blocks ? (uint32_t)blocks : c->kernel.blocks;
  s->scratch_bytes = (size_t)s->blocks * c->program.rows * c->kernel.threads * sizeof(uint32_t);
  const uint32_t rows = c->program.shape.length_rows; /* of which each block adds all */
  s->length_count = s->arguments.max_steps < rows ? rows : s->arguments.max_steps + 1;
  s->sum_bytes = (c->program.sum_count + (size_t)s->length_count) * sizeof(uint64_t);
}

static void fill_arguments(session *s, const bulk_parts *parts) {
  const bulk_part *p = &parts->first;
  s->arguments.seed = p->seed;
  s->arguments.first_part = p->number;
  s->arguments.words = (uint32_t)(parts->count * COUNTER_WORDS);
  s->arguments.starts = (uint32_t)p->starts;
  s->arguments.last_starts = (uint32_t)parts->last_starts;
  s->arguments.max_steps =
      p->max_steps && p->max_steps < GPU_STEPS_MAX ? (uint32_t)p->max_steps : GPU_STEPS_MAX;
}

static bool allocate(session *s, const uint32_t *flips) {
  const gpu_device_ops *ops = s->d->ops;
  const uint32_t latches = s->c->step.net->latches.count;
  const uint64_t none = UINT64_MAX;
  s->arguments.scratch = ops->allocate(s->d, s->scratch_bytes);
  if (s->arguments.scratch) s->arguments.sums = ops->allocate(s->d, s->sum_bytes);
  if (s->arguments.sums) s->arguments.flips = ops->allocate(s->d, (latches + 1) * sizeof(uint32_t));
  return s->arguments.flips &&
         ops->write(s->d, s->arguments.sums + SUM_FAULTY * sizeof none, &none, sizeof none) &&
         (!flips || ops->write(s->d, s->arguments.flips, flips, latches * sizeof *flips));
}

static bool launch(session *s, uint32_t steps) {
  ptx_arguments *a = &s->arguments;
  a->steps = steps;
  void *all[] = {a,         &a->sums,   &a->flips,       &a->seed,      &a->first_part,
                 &a->words, &a->starts, &a->last_starts, &a->max_steps, &a->steps};
  return s->d->ops->launch(s->d, &s->c->kernel, s->blocks, all);
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
  size_up(s, parts);
  s->guard = arena_guarding(give_back, s);
  const bool ok = allocate(s, flips) && play_all(s, b) && fetch(s, r, keep);
  arena_free(s->guard);
  return ok;
}
