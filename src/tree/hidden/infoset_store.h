/* What is known of information sets: of all that a role may know, how it should choose there.

   A set is known by a key, a hash of its role and of all moves that the role has made and all
   percepts that it has had since the start.  Each legal move has a regret, a value, and the sum of
   the shares that regret matching gave it so far, later ones with more weight: that sum, not the
   last share, tends to a strategy that cannot be exploited.  Everything is in bounded memory; when
   that is full, no more sets are made. */
#ifndef TABIA_TREE_HIDDEN_INFOSET_STORE_H
#define TABIA_TREE_HIDDEN_INFOSET_STORE_H

#include "base/hash.h"
#include "base/vec.h"
#include "machine/machine.h"

typedef uint32_t infoset_id;

#define INFOSET_NONE UINT32_MAX

typedef struct infoset {
  uint64_t key;
  uint32_t first, count; /* choices */
  uint32_t role;
  uint32_t visits;   /* games from the start that came here */
  uint32_t lessons;  /* games in which its role learned here, not against strangers */
  uint32_t averaged; /* times that shares were added to the sums */
} infoset;

typedef struct infoset_choice {
  move_id move;
  float regret; /* at least 0 */
  float value;  /* mean of outcomes, 0 to 1, for the role */
  uint32_t visits;
  double sum; /* of shares */
} infoset_choice;

typedef struct infoset_store {
  arena *keep;
  size_t bytes_max;
  VEC(infoset) sets;
  VEC(infoset_choice) choices;
  id_table index;
} infoset_store;

infoset_store *infosets_new(size_t bytes_max, arena *keep);

/* The set with that key, or INFOSET_NONE. */
infoset_id infosets_find(const infoset_store *s, uint64_t key);

/* A new set; INFOSET_NONE: there is no room. */
infoset_id infosets_add(infoset_store *s, uint64_t key, uint32_t role, const move_id *moves,
                        uint32_t count);

/* What regret matching makes of the regrets now: shares[i] of move i. */
void infosets_shares(const infoset_store *s, infoset_id id, float *shares);

/* What it made of them on average, without moves that were hardly ever chosen. */
void infosets_average(const infoset_store *s, infoset_id id, double *shares);

static inline infoset_choice *infoset_choices(const infoset_store *s, infoset_id id) {
  assert(id < s->sets.count);
  return s->choices.items + s->sets.items[id].first;
}

#endif
