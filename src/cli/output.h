/* Results that go to a file or to standard output. */
#ifndef TABIA_CLI_OUTPUT_H
#define TABIA_CLI_OUTPUT_H

#include "base/text.h"
#include "cli/options.h"

/* The option -o, for a path that is NULL by default. */
#define OUTPUT_OPTION(path) \
  STRING_OPTION("output", path, "FILE", "write there instead of standard output (-)", .letter = 'o')

/* Writes a whole text to `path`, or to standard output when that is NULL or "-".  A file appears
   complete or not at all: it is written beside its place and then moved there.  False: a message
   was shown, or will be when the program ends, as it is whenever standard output fails. */
bool output_write(const char *path, const text *content);

#endif
