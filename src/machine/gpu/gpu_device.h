/* A device that runs kernels: an NVIDIA card by its driver (cuda_device.h), or an emulator on the
   processor (emulated_device.h).

   Memory of a device is an address.  A call that fails returns false or 0, and message says why. */
#ifndef TABIA_MACHINE_GPU_GPU_DEVICE_H
#define TABIA_MACHINE_GPU_GPU_DEVICE_H

#include "base/arena.h"
#include "base/diag.h"

typedef struct gpu_device gpu_device;

/* A kernel made ready. */
typedef struct gpu_kernel {
  void *code, *function;
  uint32_t threads, shared_bytes; /* of a block */
  uint32_t blocks;                /* that can run at one time */
} gpu_kernel;

typedef struct gpu_device_ops {
  void (*close)(gpu_device *d);
  /* Compiles the kernel `play`.  The threads and shared bytes of *k are given. */
  bool (*load)(gpu_device *d, const char *ptx, gpu_kernel *k);
  void (*unload)(gpu_device *d, gpu_kernel *k);
  uint64_t (*allocate)(gpu_device *d, size_t size); /* all zero */
  void (*release)(gpu_device *d, uint64_t address);
  bool (*clear)(gpu_device *d, uint64_t address, size_t size);
  bool (*write)(gpu_device *d, uint64_t address, const void *from, size_t size);
  bool (*read)(gpu_device *d, void *to, uint64_t address, size_t size);
  /* Runs the kernel to its end.  `arguments` has one pointer for each parameter. */
  bool (*launch)(gpu_device *d, const gpu_kernel *k, uint32_t blocks, void **arguments);
} gpu_device_ops;

/* Each has a struct of its own, which starts with this. */
struct gpu_device {
  const gpu_device_ops *ops;
  const char *name;
  uint32_t shared_bytes; /* that a block may have */
  char message[256];
};

/* The device that the machine `gpu` works on: the first card, or where TABIA_GPU is `emulator` that.
   It lives in `keep`, which must outlive gpu_device_close.  NULL: `d` says why there is none. */
gpu_device *gpu_device_open(arena *keep, diag_sink *d);
void gpu_device_close(gpu_device *g);

void gpu_device_fail(gpu_device *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
