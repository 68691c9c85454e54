/* One table of options for each command: it yields parsing, messages and help.

     bool as_json = false;
     const char *path = NULL;
     const option options[] = {
       FLAG_OPTION("json", &as_json, "print JSON"),
       STRING_OPTION("output", &path, "FILE", "write there", .letter = 'o'),
       {0}};
     const command_help help = {"tabia games [OPTION] [NAME]", "Lists ...", "tabia games nim"};
     arguments given;
     int status;
     if (!options_parse(&help, options, argc, argv, &given, &status)) return status;

   -h and --help are understood by every command.  Options and operands may be mixed; `--`
   ends the options, and `-` is an operand. */
#ifndef TABIA_CLI_OPTIONS_H
#define TABIA_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum option_kind {
  OPTION_FLAG,   /* bool: set to true */
  OPTION_NUMBER, /* uint64_t: from `least` to `most`; most == 0 is no bound */
  OPTION_REAL,   /* double, not negative: seconds and the like */
  OPTION_STRING, /* const char * */
  OPTION_LIST,   /* option_list: a string each time that it is given */
  OPTION_CHOICE  /* uint32_t: the index in `choices` */
} option_kind;

enum { OPTION_LIST_MAX = 64 };

typedef struct option_list {
  uint32_t count;
  const char *items[OPTION_LIST_MAX];
} option_list;

typedef struct option {
  const char *name; /* long, without dashes; NULL ends the table */
  char letter;      /* short; '\0' for none */
  option_kind kind;
  void *target;               /* holds the default; type as by kind */
  const char *argument;       /* what the help calls the value; choices name themselves */
  const char *help;           /* one line */
  const char *const *choices; /* ended by NULL */
  uint64_t least, most;
} option;

/* Rows of a table by kind, with the type of the target checked.  Behind the help other fields may
   be set: .letter, .least, .most. */
#define FLAG_OPTION(name_, to, ...) \
  OPTION_ROW(OPTION_FLAG, name_, to, bool, NULL, NULL, __VA_ARGS__)
#define NUMBER_OPTION(name_, to, argument_, ...) \
  OPTION_ROW(OPTION_NUMBER, name_, to, uint64_t, argument_, NULL, __VA_ARGS__)
#define REAL_OPTION(name_, to, argument_, ...) \
  OPTION_ROW(OPTION_REAL, name_, to, double, argument_, NULL, __VA_ARGS__)
#define STRING_OPTION(name_, to, argument_, ...) \
  OPTION_ROW(OPTION_STRING, name_, to, const char *, argument_, NULL, __VA_ARGS__)
#define LIST_OPTION(name_, to, argument_, ...) \
  OPTION_ROW(OPTION_LIST, name_, to, option_list, argument_, NULL, __VA_ARGS__)
#define CHOICE_OPTION(name_, to, choices_, ...) \
  OPTION_ROW(OPTION_CHOICE, name_, to, uint32_t, NULL, choices_, __VA_ARGS__)
#define OPTION_ROW(kind_, name_, to, type, argument_, choices_, ...) \
  { \
    .name = (name_), .kind = (kind_), .target = true ? (to) : (type *)NULL, \
    .argument = (argument_), .choices = (choices_), .help = __VA_ARGS__ \
  }

typedef struct command_help {
  const char *usage;   /* "tabia games [OPTION] [NAME]" */
  const char *details; /* what it does: some lines without a last line end */
  const char *example; /* a command line that works as it stands */
} command_help;

typedef struct arguments {
  char **items; /* the operands: the start of argv + 1, reordered */
  int count;
  uint64_t options; /* a bit for each row of the table that was given */
} arguments;

/* False: the command is done, with *status to return: help was shown, or a message was. */
bool options_parse(const command_help *help, const option *options, int argc, char **argv,
                   arguments *given, int *status);

/* Checks the number of operands; most < 0 is no bound.  False: a message was shown. */
bool arguments_expect(const command_help *help, const arguments *given, int least, int most,
                      int *status);

/* What would have no effect is refused: `names`, ended by NULL, are options that go `where` they
   have none ("with --check").  False: one of them was given, and a message was shown. */
bool options_have_effect(const command_help *help, const option *options, const arguments *given,
                         const char *const *names, const char *where, int *status);

/* "tabia: MESSAGE", then where help is to be found; returns EXIT_USAGE. */
int usage_error(const command_help *help, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
