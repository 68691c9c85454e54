/* A match in the public JSON form of game servers: one object.

   Beside the fields of that form it has `roles`, and `game`, the name by which `tabia` knows the
   rules. */
#ifndef TABIA_GGP_REFEREE_MATCH_RECORD_H
#define TABIA_GGP_REFEREE_MATCH_RECORD_H

#include "ggp/referee/referee.h"

void match_record_add(text *out, const char *game, const match_setup *s, const match_result *r);

#endif
