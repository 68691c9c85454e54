#include "machine/gpu/gpu_device.h"

#include "machine/gpu/cuda_device.h"
#include "machine/gpu/emulated_device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t gpu_devices_open(gpu_device **all, arena *keep, diag_sink *d) {
  const char *chosen = getenv("TABIA_GPU");
  if (chosen && strncmp(chosen, "emulator", 8) == 0)
    return emulated_devices_open(all, chosen, keep);
  const uint32_t count = cuda_devices_open(all, keep, d);
  for (uint32_t i = 0; i < count && chosen && strcmp(chosen, "card") == 0; i++)
    all[i]->patience = PATIENCE_FOREVER;
  return count;
}

void gpu_device_close(gpu_device *g) {
  if (g) g->ops->close(g);
}

gpu_device *gpu_device_twin(const gpu_device *g, arena *keep) {
  gpu_device *twin = arena_alloc(keep, g->ops->size);
  memcpy(twin, g, g->ops->size);
  return twin;
}

void gpu_device_fail(gpu_device *g, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(g->message, sizeof g->message, format, list);
  va_end(list);
}
