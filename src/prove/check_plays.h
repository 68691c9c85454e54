/* Certificates that are checked by playing: a line of play, or all plays of a small game.

   Lines are played on machine `reference`; all states are looked at on machine `datalog`, one by
   one, which has nothing to do with circuits and is slow: for games that are small. */
#ifndef TABIA_PROVE_CHECK_PLAYS_H
#define TABIA_PROVE_CHECK_PLAYS_H

#include "prove/check_section.h"
#include "prove/witness.h"

typedef struct play_check {
  const program *program;
  const ground_program *g;   /* for the names of moves and fluents */
  const char *property;      /* as it is asked for: "winnable x" */
  const claim_facts *facts;  /* that must hold in every state */
  const char **fluent_names; /* of `g`, sorted as its fluents are */
  arena *keep;
  budget *b;
  diag_sink *d;
} play_check;

/* Does the line (the texts of its moves, role by role) decide the property?  `why` tells why not.
   `returns_to`: of a line that can be repeated for ever. */
bool check_line(const play_check *q, const char **texts, uint32_t length, uint32_t returns_to,
                const char **why);

/* Is nothing reached that would decide the property the other way; do the facts hold everywhere;
   does every play end if that is asked, the longest after `longest` steps? */
bool check_all_plays(const play_check *q, uint32_t longest, const char **why);

#endif
