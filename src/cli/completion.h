/* What a shell proposes where the help of a command does not say it. */
#ifndef TABIA_CLI_COMPLETION_H
#define TABIA_CLI_COMPLETION_H

/* `tabia --complete COMMAND WORD`: prints the words that may stand behind WORD, an option of the
   command; or, when WORD is empty, those that may be its first operand.  One a line, with a tab and
   a few words about it; nothing where files or anything else may stand.  Returns the exit
   status. */
int completion_show(int argc, char **argv);

#endif
