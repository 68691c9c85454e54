/* The server: one thread, one poll loop over connections and children. docs/serve.md has the
   protocol. */
#ifndef TABIA_SERVE_SERVER_H
#define TABIA_SERVE_SERVER_H

#include "serve/access.h"
#include "serve/job_request.h"

#include <signal.h>
#include <stdio.h>

typedef struct server_command { /* of the program */
  const char *name, *summary;
} server_command;

typedef struct server_options {
  access_rules access; /* `port` is that of the listener */
  int listener;
  const char *program; /* its file, which children execute */
  const server_command *commands;
  uint32_t command_count;
  const job_file *games; /* that were named on the command line */
  uint32_t game_count;
  uint64_t jobs, queue, sessions, connections;
  double job_seconds;
  uint64_t job_bytes, job_output;
  bool allows_compiled;
  FILE *log; /* NULL: none */
} server_options;

typedef struct server server;

/* NULL: there is no folder for temporary files, and errno says why.  Takes the listener over. */
server *server_new(const server_options *o);
void server_free(server *s); /* ends all children, removes all folders */

/* Serves until *stop is not 0. */
void server_run(server *s, const volatile sig_atomic_t *stop);

#endif
