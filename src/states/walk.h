/* All reachable states, level by level.

   Level d holds the states that can be reached in d steps and not in fewer.  Only the states are
   kept: a line of play to one of them is found again by making the steps of the level before.
   Where the stepper has symmetries, a state stands for all of its images, and `legal`, `fired` and
   `steps` are of the states that were kept.

   A walk may be kept in a file, which is written at intervals and when the walk stops early; the
   next walk of the same question resumes from there. */
#ifndef TABIA_STATES_WALK_H
#define TABIA_STATES_WALK_H

#include "base/bitset.h"
#include "base/budget.h"
#include "machine/lanes/lane_expander.h"
#include "states/state_store.h"

typedef struct walk_options {
  uint32_t threads;    /* at least 1 */
  uint64_t max_states; /* 0: no limit */
  uint32_t max_depth;  /* no further, once all states of that depth are known; 0: no limit */
  const char *file;    /* to resume from and to keep the walk in; or NULL */
  double save_every;   /* seconds; 0: the default */
  const bool
      *needs_no_step; /* by mark of the circuit: it counts where no step is made, too; or NULL */
  bool only_targets;  /* stop when all wanted targets have been reached */
  bitset wanted;      /* by target of the circuit */
} walk_options;

typedef struct walk_found {
  bool is_found;
  uint32_t depth;
  state_place where;
} walk_found;

typedef struct walk_level {
  uint32_t starts[STORE_SHARDS]; /* where the level begins in each shard */
} walk_level;

typedef struct walk {
  arena *keep;
  const lane_stepper *s;
  state_store store;
  VEC(walk_level) levels; /* the last one is being made */
  uint64_t next_block;    /* of the level that is being expanded */
  walk_found *targets;    /* by target of the circuit */
  bitset legal;           /* moves that were legal in a state that is not terminal */
  bitset fired;           /* marks that held */
  bool is_layered;        /* every step led to the next level */
  bool is_complete;       /* every state was found */
  uint64_t steps;         /* from the states that have been expanded */
  bool is_begun;          /* the file, if there is one, has been read */
  uint64_t file_checksum; /* of the file that it was read from; 0: of none */
} walk;

/* Call walk_free in any case. */
void walk_init(walk *w, const lane_stepper *s, arena *keep);
void walk_free(walk *w);

/* Walks until all states are found or a limit is reached; another call continues from there.
   False: the file cannot be read or written, and `d` says so. */
bool walk_run(walk *w, walk_options o, budget *b, diag_sink *d);

/* The number of states; the depth of the deepest. */
uint64_t walk_states(const walk *w);
uint32_t walk_depth(const walk *w);

/* The level of a state. */
uint32_t walk_level_of(const walk *w, state_place p);

/* A line of play from the start to the state: a joint move for each step, by number in
   circuit.moves; up to symmetry, to an image of it.  False: time is up, or there is none, as
   happens with a walk from a forged file. */
bool walk_line(walk *w, state_place to, budget *b, id_vec *line, arena *keep);

/* The same between states that were kept: with symmetries, moves that may not be legal one after
   another (walk_images.h). */
bool walk_kept_line(walk *w, state_place to, budget *b, id_vec *line, arena *keep);

/* The number of states with all images of those that were kept. */
uint64_t walk_images(walk *w);

/* ---- the parts of a level ---- */

/* The number of states of a level; a block of LANES of them, and how many these are. */
uint64_t level_size(const walk *w, uint32_t level);
uint32_t level_read(walk *w, uint32_t level, uint64_t block, uint8_t *states, state_place *places);

/* ---- keeping it (walk_file.c) ---- */

/* A fingerprint of what is walked: another circuit has other states. */
uint64_t walk_question(const circuit *c);

/* False: `d` says what is wrong.  A missing file is not: *is_there is false then. */
bool walk_load(walk *w, const char *path, bool *is_there, diag_sink *d);
bool walk_save(const walk *w, const char *path, diag_sink *d);

/* ---- whether it ends (walk_longest_play.c) ---- */

typedef enum walk_end { WALK_ENDS, WALK_CYCLES, WALK_UNDECIDED } walk_end;

/* Of a complete walk.  `longest`: steps of the longest play; or `cycle`: a state that comes again
   after the joint moves in `round`. */
walk_end walk_find_end(walk *w, budget *b, uint32_t *longest, state_place *cycle, id_vec *round,
                       arena *keep);

/* A line of play that goes round: the state after `returns_to` steps is that at its end.  With
   symmetries a round leads to an image, and rounds are repeated until a state comes again.  False:
   as walk_line. */
bool walk_round(walk *w, state_place cycle, const id_vec *round, budget *b, id_vec *line,
                uint32_t *returns_to, arena *keep);

#endif
