/* What the commands share that write a stage of the game as text (tabia_rules_write). */
#ifndef TABIA_CLI_STAGE_H
#define TABIA_CLI_STAGE_H

#include "cli/output.h"
#include "cli/session.h"

/* The values of options that several stages have. */
extern const char *const bases_words[];          /* "onestep", "declared", "iterative" */
extern const char *const translation_words[];    /* "original", "direct", "pruned" */
extern const char *const knowledge_base_words[]; /* "dense", "hash", "trie" */

/* Writes a stage, with the options of the session, to `path`, or to standard output when that is
   NULL or "-"; shows the messages.  Returns the exit status; warnings do not change it. */
int stage_write(session *s, const char *stage, const char *path);

#endif
