#include "machine/gpu/emulated_device.h"

#include "machine/gpu/ptx_emulator.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* A device with two multiprocessors. */
enum { BLOCKS = 2, SHARED_BYTES = 227 * 1024, RANGES_MAX = 64 };

/* Memory is mapped, not taken from an arena: it outlives the call that asked for it. */
typedef struct emulated_device {
  gpu_device base;
  ptx_range ranges[RANGES_MAX]; /* memory that is allocated */
  uint32_t range_count;
  double compile_seconds;
  uint32_t launches, failing; /* the one that fails; 0: none does */
  ptx_issues *issues;         /* NULL: they are not counted */
} emulated_device;

static emulated_device *of(gpu_device *g) { return (emulated_device *)g; }

static void unmap(const ptx_range *r) { munmap((void *)(uintptr_t)r->first, r->size); }

static void close_device(gpu_device *g) {
  for (uint32_t i = 0; i < of(g)->range_count; i++) unmap(&of(g)->ranges[i]);
}

static void sleep_for(double seconds) {
  struct timespec left = {.tv_sec = (time_t)seconds};
  left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
  while (nanosleep(&left, &left) != 0) continue;
}

static bool load(gpu_device *g, const char *ptx, gpu_kernel *k) {
  const char *error;
  arena *code = arena_new();
  sleep_for(of(g)->compile_seconds);
  k->function = ptx_read(ptx, &error, code);
  k->blocks = BLOCKS;
  if (!k->function) {
    gpu_device_fail(g, "%s", error);
    arena_free(code);
    return false;
  }
  arena_enter_group(code, NULL); /* it is given back by unload alone */
  k->code = code;
  return true;
}

static void unload(gpu_device *g, gpu_kernel *k) {
  (void)g;
  arena_free(k->code);
}

static uint64_t allocate(gpu_device *g, size_t size) {
  emulated_device *d = of(g);
  void *at = d->range_count < RANGES_MAX
                 ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                 : MAP_FAILED;
  if (at == MAP_FAILED) {
    gpu_device_fail(g, "the emulator has no memory left");
    return 0;
  }
  d->ranges[d->range_count++] = (ptx_range){(uint64_t)(uintptr_t)at, size};
  return (uint64_t)(uintptr_t)at;
}

static void release(gpu_device *g, uint64_t address) {
  emulated_device *d = of(g);
  uint32_t i = 0;
  while (i < d->range_count && d->ranges[i].first != address) i++;
  if (i == d->range_count) return;
  unmap(&d->ranges[i]);
  d->ranges[i] = d->ranges[--d->range_count];
}

static bool clear(gpu_device *g, uint64_t address, size_t size) {
  (void)g;
  memset((void *)(uintptr_t)address, 0, size);
  return true;
}

static bool put(gpu_device *g, uint64_t address, const void *from, size_t size) {
  (void)g;
  memcpy((void *)(uintptr_t)address, from, size);
  return true;
}

static bool get(gpu_device *g, void *to, uint64_t address, size_t size) {
  (void)g;
  memcpy(to, (const void *)(uintptr_t)address, size);
  return true;
}

/* The first argument is where all of them are, in the order and layout of the kernel. */
static bool start(gpu_device *g, const gpu_kernel *k, uint32_t blocks, void **arguments,
                  uint64_t stream) {
  emulated_device *d = of(g);
  (void)stream;
  if (++d->launches == d->failing) {
    gpu_device_fail(g, "the emulator fails, as it was told");
    return false;
  }
  arena *scratch = arena_new();
  const ptx_launch l = {.blocks = blocks,
                        .threads = k->threads,
                        .shared_bytes = k->shared_bytes,
                        .arguments = arguments[0],
                        .memory = d->ranges,
                        .memory_count = d->range_count,
                        .issues = d->issues};
  const char *error = ptx_run(k->function, &l, scratch);
  if (error) gpu_device_fail(g, "%s", error);
  arena_free(scratch);
  return !error;
}

static bool wait_for(gpu_device *g, uint64_t stream) {
  (void)stream;
  (void)g;
  return true;
}

static bool join(gpu_device *g, uint64_t stream, uint64_t other) {
  (void)other;
  return wait_for(g, stream);
}

static const gpu_device_ops emulated_ops = {
    .size = sizeof(emulated_device),
    .close = close_device,
    .load = load,
    .unload = unload,
    .allocate = allocate,
    .release = release,
    .clear = clear,
    .write = put,
    .read = get,
    .start = start,
    .wait = wait_for,
    .join = join,
};

gpu_device *emulated_device_open(arena *keep) {
  emulated_device *d = arena_alloc_zero(keep, sizeof *d);
  d->base = (gpu_device){.ops = &emulated_ops,
                         .name = "emulator",
                         .shared_bytes = SHARED_BYTES,
                         .multiprocessors = BLOCKS,
                         .patience = PATIENCE_FOREVER};
  return &d->base;
}

void emulated_device_count(gpu_device *g, ptx_issues *issues) { of(g)->issues = issues; }

/* ---- several ---- */

/* What stands behind a name, like ",fail="; 0: it is not there. */
static double number_behind(const char *words, const char *name) {
  const char *at = strstr(words, name);
  return at ? strtod(at + strlen(name), NULL) : 0;
}

uint32_t emulated_devices_open(gpu_device **all, const char *words, arena *keep) {
  const double wanted = number_behind(words, ",devices=");
  const uint32_t count = wanted >= 1 && wanted <= GPU_DEVICES_MAX ? (uint32_t)wanted : 1;
  for (uint32_t i = 0; i < count; i++) {
    all[i] = emulated_device_open(keep);
    all[i]->number = i;
    of(all[i])->compile_seconds = number_behind(words, ",compile=");
    if (of(all[i])->compile_seconds > 0) all[i]->patience = 0;
  }
  of(all[count - 1])->failing = (uint32_t)number_behind(words, ",fail=");
  return count;
}
