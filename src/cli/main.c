/* The program: finds the command and runs it. */
#include "base/recovery.h"
#include "base/spelling.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "serve/confine.h"
#include "tabia.h"

#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
  const char *name;
  const char *summary;
  int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
#define COMMAND(name, summary) {#name, summary, cmd_##name},
#include "cli/command_table.def"
#undef COMMAND
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void show_help(FILE *out) {
  fputs("Usage: tabia COMMAND [OPTION] [GAME]\n\n"
        "Reads the rules of a game in the Game Description Language.  GAME is a file, `-` for\n"
        "standard input, or the name of a built-in game.\n\nCommands:\n",
        out);
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    fprintf(out, "  %-10s  %s\n", commands[i].name, commands[i].summary);
  fputs("\n`tabia COMMAND -h` explains a command; `tabia --version` prints the version.\n"
        "Exit status: 0 yes, 1 no or rejected, 2 wrong usage, 3 cannot read, 4 limit reached.\n\n"
        "Example:\n  tabia games tic-tac-toe\n",
        out);
}

static const command *find_command(const char *name) {
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(commands[i].name, name) == 0) return &commands[i];
  return NULL;
}

static int complain_unknown(const char *name) {
  spelling s = spelling_of(slice_of(name));
  for (size_t i = 0; i < COMMAND_COUNT; i++) spelling_is_nearer(&s, slice_of(commands[i].name));
  fprintf(stderr, "tabia: there is no command `%s`", name);
  if (s.best.start) fprintf(stderr, "; did you mean `%s`?", s.best.start);
  fputs("\nSee `tabia --help`.\n", stderr);
  return EXIT_USAGE;
}

static bool is_one_of(const char *word, const char *a, const char *b) {
  return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

/* `tabia help COMMAND` is `tabia COMMAND --help`. */
static int run_help(int argc, char **argv) {
  if (argc < 2) {
    show_help(stdout);
    return EXIT_YES;
  }
  const command *c = find_command(argv[1]);
  char help[] = "--help";
  char *help_argv[] = {argv[1], help, NULL};
  return c ? c->run(2, help_argv) : complain_unknown(argv[1]);
}

static int run(int argc, char **argv);

/* `tabia --confined LIMITS COMMAND ...`: how the server starts its children. */
static int run_confined(int argc, char **argv) {
  confinement c;
  if (argc < 3 || !confinement_read(&c, argv[1]) || !confine(&c)) {
    fputs("tabia: --confined needs limits that can be set, and a command\n", stderr);
    return EXIT_USAGE;
  }
  return run(argc - 1, argv + 1);
}

static int run(int argc, char **argv) {
  if (argc < 2) {
    show_help(stderr);
    return EXIT_USAGE;
  }
  const command *c = find_command(argv[1]);
  if (c) return c->run(argc - 1, argv + 1);
  if (is_one_of(argv[1], "-h", "--help") || strcmp(argv[1], "help") == 0)
    return run_help(argc - 1, argv + 1);
  if (strcmp(argv[1], "--complete") == 0) return completion_show(argc - 1, argv + 1);
  if (strcmp(argv[1], "--confined") == 0) return run_confined(argc - 1, argv + 1);
  if (!is_one_of(argv[1], "-V", "--version")) return complain_unknown(argv[1]);
  printf("tabia %s\n", tabia_version());
  return EXIT_YES;
}

/* A full disk shows itself only here: NULL if all was written, else why not.  What failed a while
   ago is tried once more, since nobody has kept the reason. */
static const char *output_fault(void) {
  if (fflush(stdout) != 0) return strerror(errno);
  if (!ferror(stdout)) return NULL;
  clearerr(stdout);
  const bool works_now = fputc('\n', stdout) != EOF && fflush(stdout) == 0;
  return works_now ? "a part of it is lost" : strerror(errno);
}

/* Stages give their memory back and the next takes it again: it stays with the process, but for
   large blocks, which the system can enlarge without copying. */
static void keep_freed_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_TOP_PAD, 1 << 18);
}

/* The library recovers by itself; this is for what the program keeps on its own. */
static int run_or_recover(int argc, char **argv) {
  recovery r;
  recovery_enter(&r, NULL);
  if (setjmp(r.here) == 0) {
    const int status = run(argc, argv);
    recovery_leave(&r);
    return status;
  }
  fputs("tabia: the system has no memory left\n", stderr);
  return EXIT_LIMIT;
}

int main(int argc, char **argv) {
  keep_freed_memory();
  const int status = run_or_recover(argc, argv);
  const char *fault = output_fault();
  if (!fault) return status;
  fprintf(stderr, "tabia: cannot write the output: %s\n", fault);
  return EXIT_CANNOT_READ;
}
