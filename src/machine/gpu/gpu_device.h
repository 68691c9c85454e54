/* A device that runs kernels: an NVIDIA card by its driver (cuda_device.h), or an emulator on the
   processor (emulated_device.h).

   Memory of a device is an address.  A call that fails returns false or 0, and message says why. */
#ifndef TABIA_MACHINE_GPU_GPU_DEVICE_H
#define TABIA_MACHINE_GPU_GPU_DEVICE_H

#include "base/arena.h"
#include "base/diag.h"

typedef struct gpu_device gpu_device;

enum { LEVEL_USUAL = 4 }; /* of optimisation: the driver's default */

/* A kernel made ready. */
typedef struct gpu_kernel {
  void *code, *function;
  uint32_t threads, shared_bytes; /* of a block */
  uint32_t level;                 /* of optimisation, from 0 to LEVEL_USUAL */
  uint32_t blocks;                /* that can run at one time */
} gpu_kernel;

typedef struct gpu_device_ops {
  size_t size; /* of the struct */
  void (*close)(gpu_device *d);
  /* Compiles the kernel `play`.  Threads, shared bytes and level of *k are given. */
  bool (*load)(gpu_device *d, const char *ptx, gpu_kernel *k);
  void (*unload)(gpu_device *d, gpu_kernel *k);
  uint64_t (*allocate)(gpu_device *d, size_t size); /* all zero */
  void (*release)(gpu_device *d, uint64_t address);
  bool (*clear)(gpu_device *d, uint64_t address, size_t size);
  bool (*write)(gpu_device *d, uint64_t address, const void *from, size_t size);
  bool (*read)(gpu_device *d, void *to, uint64_t address, size_t size);
  /* Starts the kernel after all that was started on the stream (0: the default stream).
     `arguments` has one pointer for each parameter; they lie one behind another. */
  bool (*start)(gpu_device *d, const gpu_kernel *k, uint32_t blocks, void **arguments,
                uint64_t stream);
  bool (*wait)(gpu_device *d, uint64_t stream); /* for all that was started there */
  /* What is started on the stream from now on waits for what was started on the other. */
  bool (*join)(gpu_device *d, uint64_t stream, uint64_t other);
} gpu_device_ops;

/* Each has a struct of its own, which starts with this. */
struct gpu_device {
  const gpu_device_ops *ops;
  const char *name;
  uint32_t number;       /* of the card */
  bool is_card;          /* its memory is not that of the process */
  uint32_t shared_bytes; /* that a block may have */
  uint32_t multiprocessors;
  double patience; /* seconds that a compiler is waited for, which may have its work in a cache */
  char message[256];
};

enum { GPU_DEVICES_MAX = 64 };

#define PATIENCE_FOREVER 1e6 /* seconds */

/* Devices that the machine `gpu` works on, at most GPU_DEVICES_MAX: all cards; or, where TABIA_GPU
   begins with `emulator`, emulators as it says (emulated_device.h).  Where it is `card`, compilers
   are always waited for, so that the processor plays nothing.  They live in `keep`, which must
   outlive gpu_device_close.  Returns how many there are; 0: `d` says why there is none. */
uint32_t gpu_devices_open(gpu_device **all, arena *keep, diag_sink *d);
void gpu_device_close(gpu_device *g);

/* The same device for another thread, with a message of its own; it is not closed. */
gpu_device *gpu_device_twin(const gpu_device *g, arena *keep);

void gpu_device_fail(gpu_device *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
