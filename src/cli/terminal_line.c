#include "cli/terminal_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

terminal_line terminal_line_new(void) {
  const char *how = getenv("TABIA_PROGRESS");
  return (terminal_line){.is_terminal = isatty(STDERR_FILENO),
                         .is_read_by_program = how && strcmp(how, "lines") == 0};
}

static void show(const char *what, double done, double whole) {
  if (whole > 0)
    fprintf(stderr, "%.0f of %.0f %s", done, whole, what);
  else if (done > 0)
    fprintf(stderr, "%.0f %s", done, what);
  else
    fputs(what, stderr);
}

void terminal_line_tell(void *context, const char *what, double done, double whole) {
  terminal_line *line = context;
  if (!line->is_terminal && !line->is_read_by_program) return;
  fputs(line->is_terminal ? "\r\033[K" : "progress: ", stderr);
  show(what, done, whole);
  if (!line->is_terminal) putc('\n', stderr);
  line->stands = line->is_terminal;
}

void terminal_line_wipe(terminal_line *line) {
  if (line->stands) fputs("\r\033[K", stderr);
  line->stands = false;
}
