/* All states of a game that is to be solved (states/walk.h), and which kind of game it is.

   A state of the walk is the head of a position of a machine on circuits: a bit for each latch.

   All states are in this process (walk.h), or they are spread over ranks (level_walk.h).  In either
   case they are in parts: shards, or levels. */
#ifndef TABIA_SOLVE_SPACE_H
#define TABIA_SOLVE_SPACE_H

#include "machine/circuit_positions.h"
#include "machine/fault.h"
#include "states/level_walk.h"
#include "states/walk.h"

/* Plays that never end, and states in which a game goes wrong, are worth ENDLESS_VALUE to every
   role. */
enum { ENDLESS_VALUE = 50, WHOLE_SUM = 100 };

typedef struct solve_space {
  arena *keep;
  const machine *m;
  const grounded *g;
  lane_stepper stepper;
  state_group symmetries; /* states stand for all of their images */
  walk w;
  ranks *ranks; /* over which the states are spread, in `spread`; NULL: all are in `w` */
  level_walk spread;
  checkpoint *files; /* of ranks; or NULL */
  bool is_begun;     /* `spread` is */
  uint8_t *start;
  uint32_t threads;
  uint32_t choosers; /* roles besides `random` */
  /* Of all states; after space_survey. */
  bool has_choices_at_once; /* in some state several roles besides `random` have a choice */
  bool has_chance;          /* in some state `random` has one */
  bool is_constant_sum;     /* of two: in every end their goals add up to WHOLE_SUM */
  uint64_t states, ends;    /* of all ranks, images counted */
  uint64_t kept;            /* states that stand for them; of all ranks */
  uint64_t faults;
  fault_kind fault; /* the first, in the order of levels */
  uint32_t fault_role;
  state_place fault_place;
} solve_space;

/* The machine must be one on circuits, and outlive this.  `r` may be NULL; else there is one
   thread.  `by_symmetry`: one of symmetric states is kept; not with ranks.  False: the budget
   is spent, or `d` says what is wrong.  Call space_free in any case. */
bool space_init(solve_space *s, const machine *m, uint32_t threads, bool by_symmetry, ranks *r,
                checkpoint_wish c, arena *keep, budget *b, diag_sink *d);
void space_free(solve_space *s);

/* Finds all states; false: limits were reached before, or `d` says what is wrong. */
bool space_walk(solve_space *s, uint64_t max_states, budget *b, diag_sink *d);

/* Looks at each of them.  False: the budget is spent, or a rank has failed. */
bool space_survey(solve_space *s, budget *b);

/* ---- states by level, and by part ---- */

uint32_t space_level_count(const solve_space *s);
uint64_t space_level_size(const solve_space *s, uint32_t level);

/* A block of LANES of them, which lie in `room` or elsewhere; returns how many. */
uint32_t space_level_read(solve_space *s, uint32_t level, uint64_t block, uint8_t *room,
                          const uint8_t **states, state_place *places);
uint64_t space_states(const solve_space *s); /* that were found, of all ranks */
uint32_t space_depth(const solve_space *s);
bool space_is_layered(const solve_space *s);

uint32_t space_part_count(const solve_space *s);
uint32_t space_part_size(const solve_space *s, uint32_t part); /* on this rank */

/* Where a state is on this rank; false: elsewhere or nowhere. */
bool space_find(const solve_space *s, const uint8_t *state, state_place *where);

/* ---- states that an expander has looked at ---- */

static inline uint32_t moves_in_lane(const lane_expander *e, uint32_t role, uint32_t lane) {
  return e->ends[role * LANES + lane] - e->starts[role * LANES + lane];
}

static inline bool is_end_lane(const lane_expander *e, uint32_t lane) {
  return e->look.terminal->words[lane / 64] >> lane % 64 & 1;
}

/* The goal of a role where the game is over; ENDLESS_VALUE where it has none or several. */
int32_t goal_in_lane(const solve_space *s, const lane_expander *e, uint32_t role, uint32_t lane,
                     fault_kind *fault);

/* Roles besides `random` that have a choice in an open lane; `last` is the last of them. */
uint32_t choosers_in_lane(const solve_space *s, const lane_expander *e, uint32_t lane,
                          uint32_t *last);

#endif
