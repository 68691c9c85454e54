/* The players of a match at their seats: addresses of those that listen somewhere, and players of
   our own that are started here. */
#ifndef TABIA_GGP_REFEREE_MATCH_TABLE_H
#define TABIA_GGP_REFEREE_MATCH_TABLE_H

#include "ggp/player/local_player.h"
#include "ggp/referee/referee.h"

typedef struct match_player {
  const char *name;
  const char *address; /* HOST:PORT; NULL: one of our own */
  mind_options mind;
} match_player;

typedef struct match_table {
  uint32_t count;
  match_seat *seats;
  local_player **locals; /* NULL where a player sits elsewhere */
} match_table;

/* `cores`: the processors for each of our own players, `core_count` of them one after another for
   each seat; 0: they share all.  False: *why says who cannot play; call clear in any case. */
bool match_table_fill(match_table *t, const match_player *const *who, uint32_t count,
                      const int *cores, uint32_t core_count, arena *keep, const char **why);
void match_table_clear(match_table *t);

#endif
