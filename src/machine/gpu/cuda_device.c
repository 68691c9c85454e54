#include "machine/gpu/cuda_device.h"

#include <dlfcn.h>
#include <string.h>

/* ---- the driver's interface, as far as it is used ---- */

typedef int cu_result; /* 0: done */
typedef int cu_device;
typedef void *cu_context, *cu_module, *cu_function, *cu_stream, *cu_event;
typedef uint64_t cu_address;

enum {
  CU_OUT_OF_MEMORY = 2,
  CU_MULTIPROCESSORS = 16,
  CU_SHARED_BYTES = 97,   /* that a block may ask for */
  CU_FUNCTION_SHARED = 8, /* shared memory that a launch may ask for */
  CU_JIT_ERROR_BUFFER = 5,
  CU_JIT_ERROR_SIZE = 6,
  CU_JIT_LEVEL = 7
};

/* Functions of the driver: how they are called here, their name there, and their type. */
#define CUDA_FUNCTIONS(F) \
  F(init, "cuInit", (unsigned flags)) \
  F(device_count, "cuDeviceGetCount", (int *count)) \
  F(device_get, "cuDeviceGet", (cu_device * device, int number)) \
  F(device_name, "cuDeviceGetName", (char *name, int length, cu_device device)) \
  F(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, cu_device device)) \
  F(context_retain, "cuDevicePrimaryCtxRetain", (cu_context * context, cu_device device)) \
  F(context_release, "cuDevicePrimaryCtxRelease_v2", (cu_device device)) \
  F(context_set, "cuCtxSetCurrent", (cu_context context)) \
  F(stream_wait, "cuStreamSynchronize", (cu_stream stream)) \
  F(module_load, "cuModuleLoadDataEx", \
    (cu_module * module, const void *image, unsigned count, int *options, void **values)) \
  F(module_unload, "cuModuleUnload", (cu_module module)) \
  F(module_function, "cuModuleGetFunction", \
    (cu_function * function, cu_module module, const char *name)) \
  F(function_set, "cuFuncSetAttribute", (cu_function function, int attribute, int value)) \
  F(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", \
    (int *blocks, cu_function function, int threads, size_t shared_bytes)) \
  F(stream_join, "cuStreamWaitEvent", (cu_stream stream, cu_event event, unsigned flags)) \
  F(event_new, "cuEventCreate", (cu_event * event, unsigned flags)) \
  F(event_free, "cuEventDestroy_v2", (cu_event event)) \
  F(event_record, "cuEventRecord", (cu_event event, cu_stream stream)) \
  F(allocate, "cuMemAlloc_v2", (cu_address * address, size_t size)) \
  F(release, "cuMemFree_v2", (cu_address address)) \
  F(clear, "cuMemsetD8_v2", (cu_address address, unsigned char byte, size_t size)) \
  F(write, "cuMemcpyHtoD_v2", (cu_address to, const void *from, size_t size)) \
  F(read, "cuMemcpyDtoH_v2", (void *to, cu_address from, size_t size)) \
  F(launch, "cuLaunchKernel", \
    (cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
     unsigned block_y, unsigned block_z, unsigned shared_bytes, cu_stream stream, \
     void **arguments, void **extra)) \
  F(error_string, "cuGetErrorString", (cu_result error, const char **words))

typedef struct cuda_functions {
#define CUDA_MEMBER(name, symbol, arguments) cu_result(*name) arguments;
  CUDA_FUNCTIONS(CUDA_MEMBER)
#undef CUDA_MEMBER
} cuda_functions;

typedef struct cuda_device {
  gpu_device base;
  void *library;
  cuda_functions cu;
  cu_device number;
  cu_context context;
  int multiprocessors;
  char name[128];
} cuda_device;

static cuda_device *of(gpu_device *g) { return (cuda_device *)g; }

/* ---- calls ---- */

static bool tell(cuda_device *d, cu_result result, const char *what) {
  const char *words = NULL;
  if (result == 0) return true;
  d->cu.error_string(result, &words);
  gpu_device_fail(&d->base, "%s: %s (CUDA error %d)", what, words ? words : "unknown", result);
  return false;
}

/* Threads of the caller may change from call to call. */
static bool enter(cuda_device *d) {
  return tell(d, d->cu.context_set(d->context), "the card cannot be used");
}

/* What the compiler has to say, in one line. */
static void tell_compiler(cuda_device *d, cu_result result, char *log) {
  for (char *c = log; *c; c++)
    if (*c == '\n') *c = ' ';
  tell(d, result, "the driver does not compile the game");
  if (*log) gpu_device_fail(&d->base, "the driver does not compile the game: %.200s", log);
}

static bool compile(cuda_device *d, const char *ptx, gpu_kernel *k) {
  char log[1024] = "";
  int options[] = {CU_JIT_ERROR_BUFFER, CU_JIT_ERROR_SIZE, CU_JIT_LEVEL};
  void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)k->level};
  const unsigned count = k->level == LEVEL_USUAL ? 2 : 3; /* what is cached stays so */
  const cu_result result = d->cu.module_load(&k->code, ptx, count, options, values);
  if (result != 0) tell_compiler(d, result, log);
  return result == 0;
}

static bool load(gpu_device *g, const char *ptx, gpu_kernel *k) {
  cuda_device *d = of(g);
  int blocks = 0;
  if (!enter(d) || !compile(d, ptx, k)) return false;
  if (!tell(d, d->cu.module_function(&k->function, k->code, "play"), "the kernel is missing") ||
      !tell(d, d->cu.function_set(k->function, CU_FUNCTION_SHARED, (int)k->shared_bytes),
            "there is not so much shared memory") ||
      !tell(d, d->cu.occupancy(&blocks, k->function, (int)k->threads, k->shared_bytes),
            "the kernel cannot run")) {
    d->cu.module_unload(k->code);
    return false;
  }
  k->blocks = (uint32_t)(blocks * d->multiprocessors);
  if (blocks) return true;
  gpu_device_fail(g, "the kernel needs more registers or memory than the card has");
  d->cu.module_unload(k->code);
  return false;
}

static void unload(gpu_device *g, gpu_kernel *k) {
  if (enter(of(g))) of(g)->cu.module_unload(k->code);
}

static bool wait_for(gpu_device *g, uint64_t stream) {
  cuda_device *d = of(g);
  return enter(d) &&
         tell(d, d->cu.stream_wait((cu_stream)(uintptr_t)stream), "the card has failed");
}

/* An event that was recorded may be destroyed before it has come. */
static bool join(gpu_device *g, uint64_t stream, uint64_t other) {
  enum { WITHOUT_TIME = 2 };
  cuda_device *d = of(g);
  cu_event event;
  if (stream == other) return true;
  if (!enter(d) || !tell(d, d->cu.event_new(&event, WITHOUT_TIME), "the card has no event left"))
    return false;
  const bool ok =
      tell(d, d->cu.event_record(event, (cu_stream)(uintptr_t)other), "the card has failed") &&
      tell(d, d->cu.stream_join((cu_stream)(uintptr_t)stream, event, 0), "the card has failed");
  d->cu.event_free(event);
  return ok;
}

static bool clear(gpu_device *g, uint64_t address, size_t size) {
  cuda_device *d = of(g);
  return enter(d) && tell(d, d->cu.clear(address, 0, size), "memory of the card cannot be set") &&
         wait_for(g, 0);
}

static uint64_t allocate(gpu_device *g, size_t size) {
  cuda_device *d = of(g);
  cu_address address = 0;
  if (!enter(d)) return 0;
  const cu_result result = d->cu.allocate(&address, size);
  if (result == CU_OUT_OF_MEMORY)
    gpu_device_fail(g, "the card has no %zu MB of memory left", (size >> 20) + 1);
  else
    tell(d, result, "memory of the card cannot be had");
  if (result != 0) return 0;
  if (clear(g, address, size)) return address;
  d->cu.release(address);
  return 0;
}

static void release(gpu_device *g, uint64_t address) {
  if (address && enter(of(g))) of(g)->cu.release(address);
}

static bool put(gpu_device *g, uint64_t address, const void *from, size_t size) {
  cuda_device *d = of(g);
  return enter(d) && tell(d, d->cu.write(address, from, size), "the card does not take data");
}

static bool get(gpu_device *g, void *to, uint64_t address, size_t size) {
  cuda_device *d = of(g);
  return enter(d) && tell(d, d->cu.read(to, address, size), "the card does not give data back");
}

static bool start(gpu_device *g, const gpu_kernel *k, uint32_t blocks, void **arguments,
                  uint64_t stream) {
  cuda_device *d = of(g);
  return enter(d) && tell(d,
                          d->cu.launch(k->function, blocks, 1, 1, k->threads, 1, 1, k->shared_bytes,
                                       (cu_stream)(uintptr_t)stream, arguments, NULL),
                          "the card does not start");
}

static void close_device(gpu_device *g) {
  cuda_device *d = of(g);
  if (d->context) d->cu.context_release(d->number);
  dlclose(d->library);
}

static const gpu_device_ops cuda_ops = {
    .size = sizeof(cuda_device),
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

/* ---- opening ---- */

static bool find_function(const cuda_device *d, const char *symbol, void *function) {
  void *address = dlsym(d->library, symbol);
  memcpy(function, &address, sizeof address); /* C has no cast from data to functions */
  return address;
}

static bool find_functions(cuda_device *d) {
  bool ok = true;
#define CUDA_FIND(name, symbol, arguments) ok &= find_function(d, symbol, &d->cu.name);
  CUDA_FUNCTIONS(CUDA_FIND)
#undef CUDA_FIND
  if (!ok) gpu_device_fail(&d->base, "libcuda.so.1 is too old");
  return ok;
}

static bool find_cards(cuda_device *d, int *count) {
  if (!tell(d, d->cu.init(0), "the NVIDIA driver does not start") ||
      !tell(d, d->cu.device_count(count), "the NVIDIA driver does not answer"))
    return false;
  if (!*count) gpu_device_fail(&d->base, "there is no NVIDIA card");
  return *count;
}

static bool open_card(cuda_device *d) {
  int shared = 0;
  if (!tell(d, d->cu.device_get(&d->number, (int)d->base.number), "the card cannot be used") ||
      !tell(d, d->cu.device_name(d->name, sizeof d->name, d->number), "the card has no name") ||
      !tell(d, d->cu.device_attribute(&d->multiprocessors, CU_MULTIPROCESSORS, d->number),
            "the card cannot be used") ||
      !tell(d, d->cu.device_attribute(&shared, CU_SHARED_BYTES, d->number),
            "the card cannot be used") ||
      !tell(d, d->cu.context_retain(&d->context, d->number), "the card cannot be used"))
    return false;
  d->base.name = d->name;
  d->base.is_card = true;
  d->base.patience = 0.25;
  d->base.shared_bytes = (uint32_t)shared;
  d->base.multiprocessors = (uint32_t)d->multiprocessors;
  return true;
}

static cuda_device *open_driver(arena *keep, int *count) {
  cuda_device *x = arena_alloc_zero(keep, sizeof *x);
  x->base.ops = &cuda_ops;
  x->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!x->library)
    gpu_device_fail(&x->base, "there is no NVIDIA driver (libcuda.so.1)");
  else if (!find_functions(x) || !find_cards(x, count))
    *count = 0;
  return x;
}

static cuda_device *open_next(const cuda_device *driver, uint32_t number, arena *keep) {
  cuda_device *x = arena_alloc(keep, sizeof *x);
  *x = *driver;
  x->base.number = number;
  return x;
}

/* Every device holds the library once. */
uint32_t cuda_devices_open(gpu_device **all, arena *keep, diag_sink *d) {
  int found = 0;
  uint32_t count = 0;
  cuda_device *driver = open_driver(keep, &found), *x = driver;
  for (; count < (uint32_t)found && count < GPU_DEVICES_MAX; count++) {
    x = open_next(driver, count, keep);
    x->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!open_card(x)) break;
    all[count] = &x->base;
  }
  if (count < (uint32_t)found && count < GPU_DEVICES_MAX) close_device(&x->base);
  if (driver->library) dlclose(driver->library);
  if (count) return count;
  diag *g = diag_add(d, DIAG_E826, SPAN_NONE, "no device to play on: %s", x->base.message);
  diag_hint(d, g, "`--machine lanes` plays on the processor");
  return 0;
}
