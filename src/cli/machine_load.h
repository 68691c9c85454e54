/* From the name of a game to a machine that runs it: what every command does first that plays.

   Rules that the checks reject may still be played, if they have a meaning: only a text that is
   not in the language is turned down here. */
#ifndef TABIA_CLI_MACHINE_LOAD_H
#define TABIA_CLI_MACHINE_LOAD_H

#include "cli/game_load.h"
#include "cli/limits.h"
#include "cli/session.h"
#include "machine/fault.h"
#include "machine/portfolio.h"

/* The options that all these commands have; zero is the default. */
typedef struct machine_options {
  const char *machine; /* NULL: auto */
  uint32_t encoding;   /* a frame_encoding, or ENCODING_COUNT for the fastest */
  limit_choice limits;
  bool only_sound; /* turn down what the checks reject, too */
  machine_bulk bulk;
  bool for_long;  /* very many states are wanted, one at a time */
  uint32_t depth; /* of the search that is to come; 0: there is none */
  frame_scope scope;
} machine_options;

#define MACHINE_OPTIONS(o) \
  STRING_OPTION("machine", &(o)->machine, "NAME", \
                "what to run it on; `tabia machines` lists them (auto)"), \
      CHOICE_OPTION("encoding", &(o)->encoding, encoding_choices, "what becomes of frame rules"), \
      SESSION_LIMITS(&(o)->limits)

extern const char *const encoding_choices[];

typedef struct running_game {
  loaded_game game;
  machine_bulk bulk; /* this and the next three as machine_options has them */
  bool for_long;
  uint32_t depth;
  frame_scope scope;
  portfolio encodings;    /* those that were made */
  const program *program; /* the rules in the encoding that is played */
  frame_encoding encoding;
  uint32_t inertia_count; /* as machine_source has it */
  budget budget;
  machine *m;
  machine_workspace *w;
} running_game;

/* False: the command is done, with *status to return; a message was shown.  game_stop is due in
   both cases. */
bool game_run(running_game *g, const char *name, const machine_options *o, const command_help *help,
              int *status);
void game_stop(running_game *g);

machine_source game_source(const running_game *g);

/* From now on game_source gives the rules in this encoding (as machine_options has it). */
void game_encode(running_game *g, uint32_t encoding, const char *machine);

/* Shows the trouble of the workspace, if there is any; tells how the command ends. */
int game_trouble(running_game *g, const machine_workspace *w);

/* Shows diagnostics that were added after loading; tells how the command ends. */
int game_show_late(running_game *g);

/* Shows the fault on standard error, if there is one, behind the words that tell where (or NULL);
   tells how the command ends. */
int game_show_fault(const running_game *g, const game_fault *f, const char *where);

#endif
