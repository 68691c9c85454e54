#include "cli/terminal_line.h"

#include <stdio.h>
#include <unistd.h>

terminal_line terminal_line_new(void) {
  return (terminal_line){.is_terminal = isatty(STDERR_FILENO)};
}

void terminal_line_tell(void *context, const char *what, double done, double whole) {
  terminal_line *line = context;
  if (!line->is_terminal) return;
  fputs("\r\033[K", stderr);
  if (whole > 0)
    fprintf(stderr, "%.0f of %.0f %s", done, whole, what);
  else if (done > 0)
    fprintf(stderr, "%.0f %s", done, what);
  else
    fputs(what, stderr);
  line->stands = true;
}

void terminal_line_wipe(terminal_line *line) {
  if (line->stands) fputs("\r\033[K", stderr);
  line->stands = false;
}
