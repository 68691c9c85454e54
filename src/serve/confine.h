/* Confines a child that works for strangers.  The child applies this to itself before it reads any
   of their input: `tabia --confined SPEC COMMAND ...`. */
#ifndef TABIA_SERVE_CONFINE_H
#define TABIA_SERVE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct confinement {
  uint64_t cpu_seconds; /* of the processor */
  uint64_t memory;      /* bytes of address space */
  uint64_t file_size;   /* bytes that a file may have */
  bool allows_programs; /* it may run others: a compiler */
} confinement;

enum { CONFINEMENT_SIZE = 100 };

/* "CPU,MEMORY,FILE,PROGRAMS". */
void confinement_write(const confinement *c, char words[CONFINEMENT_SIZE]);
bool confinement_read(confinement *c, const char *words);

/* Sets resource limits, gives up privileges, and, where the kernel can: files may be written in the
   working directory alone (Landlock), no sockets, no other programs, no other processes (seccomp).
   False: a resource limit could not be set. */
bool confine(const confinement *c);

#endif
