/* Runs another program: gringo, SWI-Prolog, a C compiler.

   It runs as a child process with its input as a file in memory.  Its output is read as it comes;
   when the budget is spent or the user interrupts, it is killed, with all processes that it has
   started.  It does not outlive us. */
#ifndef TABIA_BASE_PROCESS_H
#define TABIA_BASE_PROCESS_H

#include "base/budget.h"
#include "base/text.h"

typedef struct process process;

typedef struct process_command {
  const char *package; /* the Debian package that has it */
  const char *const
      *arguments; /* ended by NULL; the first one names the program: a path, or found by $PATH */
  const char *temporary_folder; /* its TMPDIR; NULL: as ours */
} process_command;

/* NULL: it cannot be run (reported).  process_end must follow otherwise. */
process *process_start(const process_command *c, const text *input, arena *keep, budget *limits,
                       diag_sink *d);

/* The next byte of its standard output; EOF at its end, or when it was stopped. */
int process_fill(process *p); /* for the two below */

typedef struct process_buffer {
  const unsigned char *at, *end;
} process_buffer;

static inline int process_peek(process *p) {
  const process_buffer *b = (const process_buffer *)p;
  return b->at < b->end ? *b->at : process_fill(p);
}

static inline int process_next(process *p) {
  const int byte = process_peek(p);
  if (byte != EOF) ((process_buffer *)p)->at++;
  return byte;
}

/* Waits until it has ended.  `is_understood`: its output was complete and could be read.  False: it
   failed, was stopped, or was not understood (reported once). */
bool process_end(process *p, bool is_understood);

/* The bytes of all physical memory: a limit for a program that asks for one. */
uint64_t memory_of_machine(void);

#endif
