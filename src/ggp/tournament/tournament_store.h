/* Results of a tournament in a file of SQLite: a match is there whole or not at all, whenever the
   process ends.  One process at a time may hold a file. */
#ifndef TABIA_GGP_TOURNAMENT_TOURNAMENT_STORE_H
#define TABIA_GGP_TOURNAMENT_TOURNAMENT_STORE_H

#include "base/text.h"

typedef struct match_row {
  const char *key, *game;
  const char *first, *second; /* names; the second is "" where there is one role */
  uint32_t round, steps;
  bool is_completed;
  double first_goal, second_goal;       /* means over their seats */
  uint32_t first_errors, second_errors; /* late, illegal or unreachable */
  double seconds;
  const char *record; /* JSON; not given back by tournament_store_each */
} match_row;

typedef struct tournament_store tournament_store;

/* Opens or makes the file.  NULL: *why says what is wrong; another tournament holds it, or it has
   results under other settings. */
tournament_store *tournament_store_open(const char *path, const char *settings, arena *keep,
                                        const char **why);
void tournament_store_close(tournament_store *s);

bool tournament_store_has(tournament_store *s, const char *key);
/* False: it cannot be written; tournament_store_fault says why. */
bool tournament_store_add(tournament_store *s, const match_row *row);
const char *tournament_store_fault(tournament_store *s);

/* All rows, by round and key. */
void tournament_store_each(tournament_store *s, void (*take)(void *context, const match_row *row),
                           void *context);

#endif
