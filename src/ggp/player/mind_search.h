/* A mind that searches: tabia_search on what the role knows.

   Where the role knows the position, that is searched.  Where it does not (GDL-II), positions are
   drawn from what the tracker holds, each is searched for a part of the time as if it were known,
   and the values of the moves are added up. */
#ifndef TABIA_GGP_PLAYER_MIND_SEARCH_H
#define TABIA_GGP_PLAYER_MIND_SEARCH_H

#include "ggp/player/mind.h"

typedef struct mind_search mind_search;

/* NULL: the machine cannot be searched on; the log says why. */
mind_search *mind_search_open(const mind_options *o, const tabia_machine *m, uint32_t role,
                              const tabia_limits *limits, tabia_messages *log);
void mind_search_close(mind_search *s);
void mind_search_set_role(mind_search *s, uint32_t role); /* who thinks from now on */
void mind_search_learn(mind_search *s, double seconds, const tabia_limits *limits);
const char *mind_search_choose(mind_search *s, tracker *where, double seconds,
                               const tabia_limits *limits, text *note, arena *keep);
void mind_search_ponder(mind_search *s, tracker *where, const tabia_limits *limits);
void mind_search_set_listener(mind_search *s, mind_listener *tell, void *context);

#endif
