/* Results that go to a file or to standard output. */
#ifndef TABIA_CLI_OUTPUT_H
#define TABIA_CLI_OUTPUT_H

#include "base/text.h"
#include "base/whole_file.h"
#include "cli/options.h"

/* The option -o, for a path that is NULL by default. */
#define OUTPUT_OPTION(path) \
  STRING_OPTION("output", path, "FILE", "write there instead of standard output (-)", .letter = 'o')

/* Writes a whole text to `path`, or to standard output when that is NULL or "-".  A file appears
   whole or not at all (whole_file.h).  False: a message
   was shown, or will be when the program ends, as it is whenever standard output fails. */
bool output_write(const char *path, const text *content);

/* Can a file be made there?  For results of long work: false, and a message was shown, before it
   begins.  Nothing is changed; devices and pipes are not tried. */
bool output_is_possible(const char *path);

/* Like output_write, for a text that comes in pieces, between these two. */
typedef struct output {
  const char *path; /* NULL: standard output */
  whole_file whole; /* where there is a path */
  FILE *file;       /* NULL: it could not be opened */
  bool is_failing;
  arena *keep;
} output;

void output_begin(output *o, const char *path);
text_sink output_sink(output *o);
bool output_end(output *o);

/* A tabia_put: standard output, where failures are noticed when the program ends. */
void put_to_stdout(void *context, const char *bytes, size_t length);

#endif
