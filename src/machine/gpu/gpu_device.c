#include "machine/gpu/gpu_device.h"

#include "machine/gpu/cuda_device.h"
#include "machine/gpu/emulated_device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gpu_device *gpu_device_open(arena *keep, diag_sink *d) {
  const char *chosen = getenv("TABIA_GPU");
  if (chosen && strcmp(chosen, "emulator") == 0) return emulated_device_open(keep);
  return cuda_device_open(keep, d);
}

void gpu_device_close(gpu_device *g) {
  if (g) g->ops->close(g);
}

void gpu_device_fail(gpu_device *g, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(g->message, sizeof g->message, format, list);
  va_end(list);
}
