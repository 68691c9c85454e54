/* A game played by messages: the methods of /ws/session in docs/serve.md, one line for each request
   and answer. */
#ifndef TABIA_SERVE_PLAY_SESSION_H
#define TABIA_SERVE_PLAY_SESSION_H

#include <stdio.h>

/* Answers requests of `in` on `out` until `in` ends. */
void play_session_run(FILE *in, FILE *out);

#endif
