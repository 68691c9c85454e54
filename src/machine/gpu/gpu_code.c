#include "machine/gpu/gpu_code.h"

#include "base/recovery.h"

/* Levels of the driver's compiler.  Steps of fewer instructions are compiled in less than a second,
   and at once well. */
enum { HASTY_LEVEL = 1, LEVELS = 2, LARGE_STEP = 6000 };

struct gpu_compiler {
  gpu_code *code;
  gpu_shape shape;
  arena *keep;
  gpu_device *device; /* a twin of the code's, with a message of its own */
  uint32_t levels[LEVELS], level_count;
  /* under the lock */
  gpu_kernel kernels[LEVELS];
  uint32_t kernel_count;
  bool is_over, is_unwanted;
  pthread_mutex_t lock;
  pthread_cond_t news;
  pthread_t thread;
  bool is_thread;
  arena *guard; /* ends it */
};

/* ---- the thread ---- */

/* False: there is no need for another kernel. */
static bool publish(gpu_compiler *x, const gpu_kernel *k) {
  pthread_mutex_lock(&x->lock);
  x->kernels[x->kernel_count++] = *k;
  const bool goes_on = !x->is_unwanted;
  pthread_cond_broadcast(&x->news);
  pthread_mutex_unlock(&x->lock);
  return goes_on;
}

static void compile_all(void *compiler) {
  gpu_compiler *x = compiler;
  text ptx = text_new(x->keep);
  ptx_program *p = &x->code->program;
  bool goes_on = ptx_write(p, &x->code->step, x->shape, &ptx, x->keep, NULL);
  for (uint32_t i = 0; goes_on && i < x->level_count; i++) {
    gpu_kernel k = {
        .threads = p->shape.threads, .shared_bytes = p->shared_bytes, .level = x->levels[i]};
    goes_on = x->device->ops->load(x->device, text_string(&ptx), &k) && publish(x, &k);
  }
}

static void *run_compiler(void *compiler) {
  gpu_compiler *x = compiler;
  if (!recovery_try(NULL, compile_all, x)) gpu_device_fail(x->device, "there is no memory left");
  pthread_mutex_lock(&x->lock);
  x->is_over = true;
  pthread_cond_broadcast(&x->news);
  pthread_mutex_unlock(&x->lock);
  return NULL;
}

static void end_compiler(void *compiler) {
  gpu_compiler *x = compiler;
  pthread_mutex_lock(&x->lock);
  x->is_unwanted = true;
  pthread_mutex_unlock(&x->lock);
  if (x->is_thread) pthread_join(x->thread, NULL);
  for (uint32_t i = 0; i < x->kernel_count; i++) x->device->ops->unload(x->device, &x->kernels[i]);
  pthread_mutex_destroy(&x->lock);
  pthread_cond_destroy(&x->news);
}

static void choose_levels(gpu_compiler *x, uint32_t instructions) {
  if (instructions >= LARGE_STEP) x->levels[x->level_count++] = HASTY_LEVEL;
  x->levels[x->level_count++] = LEVEL_USUAL;
}

/* Without a thread it is done here. */
void gpu_code_begin(gpu_code *c, gpu_device *device, const gpu_step *step, gpu_shape shape,
                    arena *keep) {
  gpu_compiler *x = arena_alloc_zero(keep, sizeof *x);
  *c = (gpu_code){.device = device, .step = *step, .compiler = x};
  x->code = c;
  x->shape = shape;
  x->keep = keep;
  x->device = gpu_device_twin(device, keep);
  choose_levels(x, step->all.count);
  pthread_mutex_init(&x->lock, NULL);
  pthread_cond_init(&x->news, NULL);
  x->guard = arena_guarding(end_compiler, x);
  x->is_thread = pthread_create(&x->thread, NULL, run_compiler, x) == 0;
  if (!x->is_thread) run_compiler(x);
}

/* ---- who waits for it ---- */

static struct timespec moment_in(double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  const double parts = seconds - (double)(time_t)seconds;
  until.tv_sec += (time_t)seconds;
  until.tv_nsec += (long)(parts * 1e9);
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  return until;
}

gpu_progress gpu_code_wait(const gpu_code *c, double seconds) {
  gpu_compiler *x = c->compiler;
  const struct timespec until = moment_in(seconds);
  bool is_late = seconds <= 0;
  pthread_mutex_lock(&x->lock);
  while (!x->kernel_count && !x->is_over && !is_late)
    is_late = pthread_cond_timedwait(&x->news, &x->lock, &until) != 0;
  const bool is_ready = x->kernel_count, is_over = x->is_over;
  pthread_mutex_unlock(&x->lock);
  if (is_ready) return CODE_IS_READY;
  if (is_over) gpu_device_fail(c->device, "%s", x->device->message);
  return is_over ? CODE_FAILED : CODE_COMPILES;
}

const gpu_kernel *gpu_code_kernel(const gpu_code *c) {
  gpu_compiler *x = c->compiler;
  pthread_mutex_lock(&x->lock);
  const gpu_kernel *best = &x->kernels[x->kernel_count - 1];
  pthread_mutex_unlock(&x->lock);
  return best;
}

/* ---- all of it ---- */

void gpu_code_free(gpu_code *c) { arena_free(c->compiler->guard); }

bool gpu_code_make(gpu_code *c, gpu_device *device, const gpu_step *step, gpu_shape shape,
                   arena *keep) {
  gpu_code_begin(c, device, step, shape, keep);
  return gpu_code_wait(c, PATIENCE_FOREVER) == CODE_IS_READY;
}
