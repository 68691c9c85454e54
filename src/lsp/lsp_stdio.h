/* The server on two files: messages with a header each, "Content-Length: N", and an empty line.

   A thread reads, so that a cancellation is seen before the requests ahead of it are done. */
#ifndef TABIA_LSP_LSP_STDIO_H
#define TABIA_LSP_LSP_STDIO_H

#include <stdio.h>

/* Until the client says exit, or the input ends.  0: it has said shutdown before. */
int lsp_serve(FILE *in, FILE *out);

#endif
