/* One line on standard error that shows the progress of a long job: only on a terminal, and erased
   when done.  If TABIA_PROGRESS is `lines`, each report is a line of its own, `progress: 12 of 40
   states`, for a program that reads them. */
#ifndef TABIA_CLI_TERMINAL_LINE_H
#define TABIA_CLI_TERMINAL_LINE_H

#include <stdbool.h>

typedef struct terminal_line {
  bool is_terminal;
  bool is_read_by_program;
  bool stands; /* a line stands there now */
} terminal_line;

terminal_line terminal_line_new(void);

/* A tabia_progress; the context is a terminal_line. */
void terminal_line_tell(void *line, const char *what, double done, double whole);
void terminal_line_wipe(terminal_line *line);

#endif
