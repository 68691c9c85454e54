/* The request for a job, and whether it is allowed: the command and each of its words are looked up
   in tables, and anything else is refused. */
#ifndef TABIA_SERVE_JOB_REQUEST_H
#define TABIA_SERVE_JOB_REQUEST_H

#include "base/text.h"

enum { JOB_WORDS_MAX = 64, JOB_FILES_MAX = 8 };

typedef struct job_file {
  const char *name;
  slice text;
} job_file;

typedef struct job_request {
  const char *words[JOB_WORDS_MAX + 2]; /* the command line without the program; ended by NULL */
  uint32_t word_count;
  job_file files[JOB_FILES_MAX + 1]; /* the rulesheet first, unless it is a built-in game */
  uint32_t file_count;
} job_request;

typedef struct job_fault {
  const char *code; /* as in docs/serve.md */
  const char *message;
} job_fault;

/* Texts live in `keep`.  `has_command` says whether the program has a command; NULL: it has all. */
typedef bool has_command(const char *name);
bool job_request_read(job_request *r, slice message, has_command *has, bool allows_compiled,
                      arena *keep, job_fault *fault);

bool job_is_command(const char *name); /* one that jobs may run, if the program has it */
bool job_is_file_name(const char *name);

#endif
