/* A walk over several ranks (rank_messages.h), or over one that is to be interrupted: each rank has
   the states whose hashes lie in its part of all hashes, and expands those.

   A level that is whole is kept in the order of hashes (level_run.h), in memory or, where there is
   a checkpoint, in files that are mapped.  The level that is being made is a store of states.  When
   memory is short, or it is time for a checkpoint, the store is written as a sorted run and begun
   anew.  At the end of the level the runs are merged: what comes twice, and what older levels have,
   is dropped.

   The place of a state is its level and its number there. */
#ifndef TABIA_STATES_LEVEL_WALK_H
#define TABIA_STATES_LEVEL_WALK_H

#include "base/budget.h"
#include "machine/lanes/lane_expander.h"
#include "states/checkpoint.h"
#include "states/state_store.h"

/* Numbers of states of a level: from the first on, before the end. */
typedef struct number_span {
  uint32_t first, end;
} number_span;

typedef struct level_walk {
  arena *keep;
  const lane_stepper *s;
  ranks *r;
  checkpoint *files; /* or NULL */
  diag_sink *diags;
  hash_span part;               /* of this rank */
  state_store fresh;            /* the level that is being made, but for what lies in runs */
  VEC(level_run *) levels;      /* the last one is being expanded */
  VEC(level_run *) runs;        /* of the level that is being made */
  VEC(number_span) done;        /* of the last level: has been expanded, by a job before this one */
  uint32_t next;                /* of the last level: is to be expanded next */
  VEC(uint64_t) sizes;          /* by level: states of all ranks */
  bool is_layered, is_complete; /* as in walk.h */
  bool is_too_large;            /* this rank has come to its limit of memory */
} level_walk;

/* The rank that has the states of a hash. */
static inline uint32_t rank_of_hash(const ranks *r, uint64_t hash) {
  return (uint32_t)hash_scale(hash, ranks_size(r));
}

/* Goes on with what the checkpoint has, if there is one.  False: it cannot be read.  Call
   level_walk_free in any case. */
bool level_walk_init(level_walk *w, const lane_stepper *s, ranks *r, checkpoint *files, arena *keep,
                     diag_sink *d);
void level_walk_free(level_walk *w);

/* Called with states of a level that an expander has examined, with their goals and targets. */
typedef void level_look(void *context, const lane_expander *e, uint32_t level);

typedef struct level_walk_limits {
  uint64_t max_states; /* 0: no limit */
  uint32_t max_level;  /* to be found; 0: all */
  size_t max_bytes;    /* of this rank; 0: no limit */
  level_look *look;    /* at every state that is expanded; or NULL */
  void *context;       /* of `look` */
} level_walk_limits;

/* Walks to the end, or to the last level that is wanted.  False: limits are reached, here or
   elsewhere, or a rank has failed. */
bool level_walk_run(level_walk *w, level_walk_limits o, budget *b);

/* Looks again at what this rank has expanded in jobs before this one.  False: the budget is spent.
   */
bool level_walk_look_again(const level_walk *w, level_look *look, void *context, budget *b);

uint64_t level_walk_states(const level_walk *w); /* of all ranks, in levels that are whole */
size_t level_walk_bytes(const level_walk *w);    /* in memory, here */

/* Up to LANES states of a level; returns how many. */
uint32_t level_walk_read(const level_walk *w, uint32_t level, uint64_t block,
                         const uint8_t **states, state_place *places);

/* Of the states of a shard (state_store.h), one level after another: up to LANES of one level, from
   the first-th state of the shard on; returns how many. */
uint32_t level_walk_shard_read(const level_walk *w, uint32_t shard, uint64_t first,
                               const uint8_t **states, state_place *places);

/* Where states are that this rank has; they are looked for in the level `near` first. */
void level_walk_find_all(const level_walk *w, const uint8_t *states, uint32_t count, uint32_t near,
                         state_place *places);
bool level_walk_find(const level_walk *w, const uint8_t *state, state_place *where);

#endif
