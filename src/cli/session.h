/* What a command works with: rules, a machine, limits, and the messages of all of them.

     session s;
     int status;
     if (session_begin(&s, &o.limits, &help, &status) && session_read(&s, game, &status) &&
         session_open(&s, &o.machine, &status))
       status = ...;
     return session_end(&s, status);

   GAME is a path, `-` for standard input, or the name of a built-in game.  Messages are shown on
   standard error; on a terminal, so is the progress of a long job. */
#ifndef TABIA_CLI_SESSION_H
#define TABIA_CLI_SESSION_H

#include "base/json.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/terminal_line.h"
#include "tabia.h"

#include <signal.h>
#include <stdio.h>

typedef struct limit_choice {
  double time_limit; /* seconds; 0: none */
  const char *memory_limit;
} limit_choice;

#define SESSION_LIMITS(o) SESSION_LIMITS_SAYING(o, "stop after this time")

/* With the time that is usual for the command. */
#define SESSION_LIMITS_SAYING(o, time_words) \
  REAL_OPTION("time-limit", &(o)->time_limit, "SECONDS", time_words), \
      STRING_OPTION("memory-limit", &(o)->memory_limit, "BYTES", \
                    "stop when it needs more; K, M and G may follow")

/* The memory limit as a number of bytes.  False: it is none, which was shown. */
bool limit_choice_read(const limit_choice *o, const command_help *help, size_t *bytes, int *status);

/* From now on SIGINT, SIGTERM and SIGHUP set the flag instead of ending the process. */
const volatile sig_atomic_t *session_catch_signals(void);

/* The options of commands that play; zero is the default. */
typedef struct machine_choice {
  const char *machine; /* NULL: auto */
  uint32_t encoding;   /* in encoding_words */
  const char *purpose; /* of tabia_machine_open_with; NULL: single */
  uint64_t depth;      /* of the search that is to come */
  bool ignore_terminal;
} machine_choice;

extern const char *const encoding_words[]; /* "original", "direct", "pruned", "auto" */

#define SESSION_MACHINE(o) \
  STRING_OPTION("machine", &(o)->machine, "NAME", \
                "machine to run it on; `tabia machines` lists them (auto)"), \
      CHOICE_OPTION("encoding", &(o)->encoding, encoding_words, "how frame rules are translated")

/* Another start than the game's; NULL: none.  Each is a text, or @FILE for what is in a file. */
typedef struct start_choice {
  const char *from;  /* fluents */
  const char *after; /* moves */
} start_choice;

#define SESSION_START(o) \
  STRING_OPTION("from", &(o)->from, "STATE", "start from these fluents, or those in @FILE"), \
      STRING_OPTION("after", &(o)->after, "MOVES", "start after these moves, or those in @FILE")

typedef struct session {
  const command_help *help;
  tabia_messages *log;
  tabia_limits *limits;
  tabia_options *options; /* for whoever needs some; empty at first */
  tabia_rules *rules;
  tabia_machine *machine;
  const char *start;   /* the fluents of a start that is not the game's own; NULL: it is */
  size_t bytes;        /* of the memory limit; 0: none */
  arena *keep;         /* for texts that live as long as the session */
  terminal_line *line; /* where progress is shown */
} session;

/* From now on an interrupt ends calls that take the limits.  False: the options are wrong, which
   was shown; *status is to be returned.  Call session_end in any case. */
bool session_begin(session *s, const limit_choice *o, const command_help *help, int *status);

/* Reads the rules and gives them the limits; nothing is shown. */
tabia_status session_read_rules(session *s, const char *game);

/* False: the game cannot be read, or is not in the language, which was shown. */
bool session_read(session *s, const char *game, int *status);

/* The same, but rules that are not in the language will do as far as they can be read: whoever
   works with them is told again what is wrong. */
bool session_read_any(session *s, const char *game, int *status);

/* The same for commands that may begin elsewhere: the rules are those of the game with that start
   (tabia_rules_with_start), whatever is then done with them.  False: likewise. */
bool session_read_from(session *s, const char *game, const start_choice *o, int *status);

bool session_open(session *s, const machine_choice *o, int *status);

/* Where the rules are to stay as they are: the position of the session's machine that `o` says, for
   commands whose files are of the game from its own start.  False: there is none, which was
   shown. */
bool session_place(session *s, const start_choice *o, void *position, int *status);

/* A machine beside that of the session, for the caller to close; messages are in the log. */
tabia_status session_open_other(session *s, const machine_choice *o, tabia_machine **machine);

/* Reads a whole file, "-" for standard input.  False: `why` is errno's words. */
bool session_read_file(const char *path, text *out, const char **why);

/* Shows the messages and forgets them; returns the exit status. */
int session_show(session *s, tabia_status status);
int session_show_from(session *s, tabia_status status, tabia_severity least);
int session_show_log(session *s, tabia_messages *log, tabia_status status); /* messages elsewhere */

/* All messages with their excerpts; they are kept. */
void session_put_messages(const session *s, FILE *stream);

/* Frees all of it; gives `status` back. */
int session_end(session *s, int status);

/* Did the user stop it? */
bool session_is_interrupted(void);

/* Standard input for those who wait for lines of it: an interrupt ends every wait, and is the end
   of the input.  The caller closes it. */
FILE *session_input(void);

/* The name of a game without its folder and its ending. */
const char *game_title(const char *game, arena *keep);

/* A move as text; a joint move, "(mark 1 1) noop". */
const char *move_text(const tabia_machine *m, uint32_t role, tabia_move move, arena *keep);
const char *joint_text(const tabia_machine *m, const tabia_move *joint, arena *keep);

/* The same for programs: an object with the move of each role. */
void session_write_joint(json_writer *w, const char *key, const session *s,
                         const tabia_move *joint);

#endif
