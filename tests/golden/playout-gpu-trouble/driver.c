/* A driver of NVIDIA cards in which what FAULT names is broken. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DONE, OUT_OF_MEMORY = 2, NO_DEVICE = 100, BAD_PTX = 218, LOST = 719 };
enum { MULTIPROCESSORS = 16, ERROR_BUFFER = 5 };

static int result(const char *fault, int error) {
  return strcmp(getenv("FAULT"), fault) == 0 ? error : DONE;
}

#define DRIVER(name, ...) \
  int name(__VA_ARGS__); \
  int name(__VA_ARGS__)

/* What nobody asks for a result. */
#define DRIVER_DOES_NOTHING(name) \
  DRIVER(name, void) { return DONE; }

DRIVER(cuInit, unsigned flags) {
  (void)flags;
  return result("driver", NO_DEVICE);
}

DRIVER(cuGetErrorString, int error, const char **words) {
  *words = error == NO_DEVICE ? "no device" : error == LOST ? "the device is lost" : "an error";
  return DONE;
}

DRIVER(cuDeviceGetCount, int *count) {
  *count = result("card", 1) == DONE;
  return DONE;
}

DRIVER(cuDeviceGetAttribute, int *value, int attribute, int device) {
  (void)device;
  *value = attribute == MULTIPROCESSORS ? 4 : 100000;
  return DONE;
}

DRIVER(cuDevicePrimaryCtxRetain, void **context, int device) {
  (void)device;
  *context = NULL;
  return result("context", OUT_OF_MEMORY);
}

DRIVER(cuModuleLoadDataEx, void **module, const void *image, unsigned count, const int *options,
       void **values) {
  const int error = result("compiler", BAD_PTX);
  (void)image;
  *module = NULL;
  for (unsigned i = 0; error && i < count; i++)
    if (options[i] == ERROR_BUFFER) strcpy(values[i], "ptxas fatal\nUnknown target");
  return error;
}

DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks) {
  *blocks = result("registers", 1) == DONE;
  return DONE;
}

DRIVER(cuMemAlloc_v2, uint64_t *address, size_t size) {
  *address = 8;
  (void)size;
  return result("memory", OUT_OF_MEMORY);
}

/* Nothing is there to read: no game is finished. */
DRIVER(cuMemcpyDtoH_v2, void *to, uint64_t from, size_t size) {
  (void)from;
  memset(to, 0, size);
  return result("read", LOST);
}

DRIVER(cuLaunchKernel, void *function) {
  (void)function;
  return result("start", LOST);
}

/* The third launch is the last one. */
DRIVER(cuStreamSynchronize, void *stream) {
  static int count;
  (void)stream;
  return ++count < 6 ? DONE : result("middle", LOST);
}

DRIVER_DOES_NOTHING(cuDeviceGet)
DRIVER_DOES_NOTHING(cuDeviceGetName)
DRIVER_DOES_NOTHING(cuDevicePrimaryCtxRelease_v2)
DRIVER_DOES_NOTHING(cuCtxSetCurrent)
DRIVER_DOES_NOTHING(cuModuleUnload)
DRIVER_DOES_NOTHING(cuModuleGetFunction)
DRIVER_DOES_NOTHING(cuFuncSetAttribute)
DRIVER_DOES_NOTHING(cuStreamWaitEvent)
DRIVER_DOES_NOTHING(cuEventCreate)
DRIVER_DOES_NOTHING(cuEventDestroy_v2)
DRIVER_DOES_NOTHING(cuEventRecord)
DRIVER_DOES_NOTHING(cuMemFree_v2)
DRIVER_DOES_NOTHING(cuMemsetD8_v2)
DRIVER_DOES_NOTHING(cuMemcpyHtoD_v2)
