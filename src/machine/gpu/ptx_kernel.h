/* What the kernels of batches share (ptx_batch.h): beginning and end, and the place of a thread. */
#ifndef TABIA_MACHINE_GPU_PTX_KERNEL_H
#define TABIA_MACHINE_GPU_PTX_KERNEL_H

#include "machine/gpu/ptx_build.h"

/* The head of the kernel `play`; `parameters` are names with a blank between them. */
void ptx_begin_kernel(ptx_builder *b, const char *parameters, uint32_t threads);
void ptx_end_kernel(ptx_builder *b);

/* Declares registers for temporary values. */
void ptx_declare(ptx_builder *b);

/* %me becomes the number of the thread among all. */
void ptx_find_me(ptx_builder *b, uint32_t threads);

/* Both for blocks of BATCH_THREADS, with the head. */
void ptx_begin_plain(ptx_builder *b, const char *parameters);

/* Threads from the number in this parameter on have nothing to do. */
void ptx_leave_beyond(ptx_builder *b, const char *limit);

void ptx_load_parameter(ptx_builder *b, const char *to, const char *name);
/* A parameter that fits 32 bits. */
void ptx_load_number(ptx_builder *b, const char *to, const char *name);

/* `to` becomes the address of row 0 of the word in a register. */
void ptx_find_word(ptx_builder *b, const char *to, const char *word);

#endif
