/* A mind that does not know the state (GDL-II): tabia_strategy on what the role has perceived. */
#ifndef TABIA_GGP_PLAYER_MIND_HIDDEN_H
#define TABIA_GGP_PLAYER_MIND_HIDDEN_H

#include "ggp/player/mind.h"

typedef struct mind_hidden mind_hidden;

/* NULL: there is nothing hidden, or the machine does not know its moves beforehand. */
mind_hidden *mind_hidden_open(const mind_options *o, const tabia_machine *m, uint32_t role);
void mind_hidden_close(mind_hidden *h); /* NULL is allowed */
void mind_hidden_learn(mind_hidden *h, double seconds, const tabia_limits *limits);

/* After each step of the tracker.  Nothing is followed after a step that is not known in full. */
void mind_hidden_follow(mind_hidden *h, const tracker *where);

/* Thinks; NULL: too little is known of what the role knows. */
const char *mind_hidden_choose(mind_hidden *h, tabia_workspace *w, tracker *where, double seconds,
                               const tabia_limits *limits, text *note, arena *keep);
void mind_hidden_ponder(mind_hidden *h, const tabia_limits *limits);

#endif
