/* From the name of a game to its program: what every command does first.

   GAME is a path, `-` for standard input, or the name of a built-in game.  A file goes before a
   built-in game of the same name. */
#ifndef TABIA_CLI_GAME_LOAD_H
#define TABIA_CLI_GAME_LOAD_H

#include "base/budget.h"
#include "base/diag_choice.h"
#include "rules/check.h"

typedef enum load_depth {
  LOAD_TREE,     /* source and tree */
  LOAD_PROGRAM,  /* and program */
  LOAD_ANALYSIS, /* and its analysis */
  LOAD_CHECK     /* and the result of all checks */
} load_depth;

typedef struct loaded_game {
  arena *keep;    /* all that is below lives here */
  arena *scratch; /* for whoever works with the game */
  source source;
  symbol_table *symbols;
  tree tree;
  program program;
  analysis analysis;
  check_result check;
  diag_sink diags;    /* sorted by place */
  diag_choice choice; /* by default */
  bool is_readable;
} loaded_game;

/* `limit`: how many diagnostics of a kind are kept; 0: all.  False when the game cannot be read
   at all; faults in the text are in `diags` and do not stop anything.  game_free is due in both
   cases. */
bool game_load(loaded_game *g, const char *name, load_depth depth, uint32_t limit);

/* The same with a choice of what is told, which must live as long as the game; game_load tells
   what is told by default. */
bool game_load_chosen(loaded_game *g, const char *name, load_depth depth, uint32_t limit,
                      const diag_choice *choice);
void game_free(loaded_game *g);

/* Loads a game that must have no error up to that depth.  False: the command is done, with *status
   to return; a message was shown.  game_free is due in both cases. */
bool game_load_sound(loaded_game *g, const char *name, load_depth depth, int *status);

/* Shows the diagnostics on standard error (warnings only when `with_warnings`) and tells how a
   command should end that needs a sound game: EXIT_YES when there is no error. */
int game_report(loaded_game *g, bool with_warnings);

/* The same for errors that were added after loading; EXIT_LIMIT when the budget is spent. */
int game_report_late(loaded_game *g, const budget *b);

/* For commands whose work can give warnings: those of the load, which are for `check`, are
   forgotten before it, and what is there behind it is shown with the errors. */
void game_forget_warnings(loaded_game *g);
int game_report_late_warnings(loaded_game *g, const budget *b);

#endif
