/* A fresh execution of the program that works for a stranger: confined, in its own process group
   and folder, with non-blocking descriptors. */
#ifndef TABIA_SERVE_CHILD_H
#define TABIA_SERVE_CHILD_H

#include "base/own_folder.h"
#include "base/text.h"
#include "serve/confine.h"
#include "serve/job_request.h"

#include <sys/types.h>

typedef struct child_plan {
  const char *program;      /* its file */
  const own_folder *parent; /* where its folder goes */
  confinement limits;
  const char *const *words; /* the command line without the program */
  const job_file *files;    /* written to its folder first */
  uint32_t file_count;
  bool talks; /* it reads what is written to `out`; its errors are not wanted */
} child_plan;

typedef struct child {
  pid_t pid;    /* 0: there is none */
  int out, err; /* below 0: closed */
  own_folder folder;
  arena *keep; /* of the folder */
  double started;
  double interrupted; /* when it was asked to end; 0: not yet */
} child;

/* False: errno says why, and nothing is left. */
bool child_start(child *c, const child_plan *p);

/* Asks it to end in order; kills it when it has been asked before, or at once. */
void child_interrupt(child *c);
void child_kill(child *c);

/* Has it ended?  *status is as of waitpid; its other processes are killed. */
bool child_has_ended(child *c, int *status);

/* Closes and removes what is left of one that has ended. */
void child_clear(child *c, const own_folder *parent);

#endif
