/* Batches on the machine `gpu`: what device_batch.h asks for. */
#ifndef TABIA_MACHINE_GPU_GPU_BATCH_H
#define TABIA_MACHINE_GPU_GPU_BATCH_H

#include "machine/device_batch.h"
#include "machine/gpu/gpu_device.h"
#include "machine/lanes/lanes_machine.h"

extern const device_batch_ops gpu_batches;

#endif
