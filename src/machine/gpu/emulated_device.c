#include "machine/gpu/emulated_device.h"

#include "machine/gpu/ptx_emulator.h"

#include <string.h>
#include <sys/mman.h>

/* A device with two multiprocessors. */
enum { BLOCKS = 2, SHARED_BYTES = 227 * 1024, RANGES_MAX = 16 };

/* Memory is mapped, not taken from an arena: it outlives the call that asked for it. */
typedef struct emulated_device {
  gpu_device base;
  ptx_range ranges[RANGES_MAX]; /* memory that is allocated */
  uint32_t range_count;
} emulated_device;

static emulated_device *of(gpu_device *g) { return (emulated_device *)g; }

static void unmap(const ptx_range *r) { munmap((void *)(uintptr_t)r->first, r->size); }

static void close_device(gpu_device *g) {
  for (uint32_t i = 0; i < of(g)->range_count; i++) unmap(&of(g)->ranges[i]);
}

static bool load(gpu_device *g, const char *ptx, gpu_kernel *k) {
  const char *error;
  k->code = arena_new();
  k->function = ptx_read(ptx, &error, k->code);
  k->blocks = BLOCKS;
  if (k->function) return true;
  arena_free(k->code);
  gpu_device_fail(g, "%s", error);
  return false;
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
static bool launch(gpu_device *g, const gpu_kernel *k, uint32_t blocks, void **arguments) {
  const emulated_device *d = of(g);
  arena *scratch = arena_new();
  const ptx_launch l = {.blocks = blocks,
                        .threads = k->threads,
                        .shared_bytes = k->shared_bytes,
                        .arguments = arguments[0],
                        .memory = d->ranges,
                        .memory_count = d->range_count};
  const char *error = ptx_run(k->function, &l, scratch);
  if (error) gpu_device_fail(g, "%s", error);
  arena_free(scratch);
  return !error;
}

static const gpu_device_ops emulated_ops = {
    .close = close_device,
    .load = load,
    .unload = unload,
    .allocate = allocate,
    .release = release,
    .clear = clear,
    .write = put,
    .read = get,
    .launch = launch,
};

gpu_device *emulated_device_open(arena *keep) {
  emulated_device *d = arena_alloc_zero(keep, sizeof *d);
  d->base = (gpu_device){.ops = &emulated_ops, .name = "emulator", .shared_bytes = SHARED_BYTES};
  return &d->base;
}
