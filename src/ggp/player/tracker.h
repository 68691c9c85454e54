/* The positions that a match may be in, as far as a role knows.

   In GDL-I a role gets all moves, and there is one position.  In GDL-II (`sees`) it gets its own
   move and its percepts: the positions that are consistent with all of these are kept, each with
   its probability, given that every other role draws its moves uniformly, as chance does.  If there
   are too many, a sample is kept; if no position of the sample is consistent any more, the history
   is searched for positions that are. */
#ifndef TABIA_GGP_PLAYER_TRACKER_H
#define TABIA_GGP_PLAYER_TRACKER_H

#include "base/rng.h"
#include "base/text.h"
#include "tabia.h"

/* What a role gets to know of a step, in canonical KIF. */
typedef struct match_step {
  const char *moves;    /* of all roles in their order; NULL in GDL-II */
  const char *own;      /* GDL-II: what the role did; NULL: that is not known */
  const char *percepts; /* GDL-II, in any order */
} match_step;

typedef struct tracker tracker;

enum { TRACKER_CAPACITY = 2000 };

tracker *tracker_new(const tabia_machine *m, tabia_workspace *w, uint32_t role, uint64_t seed);
void tracker_free(tracker *t);

/* False: no position is consistent with the steps; the tracker is lost from then on. */
bool tracker_step(tracker *t, const match_step *step);

uint32_t tracker_count(const tracker *t); /* of positions; 0: lost */
const void *tracker_position(const tracker *t, uint32_t i);
double tracker_weight(const tracker *t, uint32_t i); /* they sum up to 1 */
/* One of them, as often as its weight says. */
const void *tracker_draw(tracker *t);

/* GDL-II: what the role did and saw in the last step, each percept once.  False: that is not known.
 */
bool tracker_news(const tracker *t, tabia_move *own, const tabia_percept **percepts,
                  uint32_t *count);

#endif
