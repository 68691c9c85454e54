/* The commands of the program and what they share.

   A command is a row of command_table.def and a file cmd_NAME.c; argv[0] is its name.  What it
   returns is the exit status of the program.  Results go to standard output, messages to
   standard error. */
#ifndef TABIA_CLI_COMMAND_H
#define TABIA_CLI_COMMAND_H

typedef enum exit_status {
  EXIT_YES = 0,
  EXIT_NO = 1,          /* or: rejected */
  EXIT_USAGE = 2,       /* the command line is wrong */
  EXIT_CANNOT_READ = 3, /* or: cannot write */
  EXIT_LIMIT = 4        /* of time or memory, or the user stopped it */
} exit_status;

#define COMMAND(name, summary) int cmd_##name(int argc, char **argv);
#include "cli/command_table.def"
#undef COMMAND

/* The words that may be the first operand of `show` and `export`, one a line. */
void show_stages_list(void);
void export_kinds_list(void);

#endif
