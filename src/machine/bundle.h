/* Up to 512 states of one machine, queried and stepped together.

   The machine `lanes` works on all of them at once.  Any other machine processes its states one by
   one (bundle.c): slower, with the same answers.  So code with many states need not know which
   machine it is.

       bundle *b = bundle_new(m, limits);
       bundle_load(b, positions, count);
       bundle_draw(b, seed, stream, 0, joints);
       bundle_step(b, joints, &illegal);
       bundle_store(b, positions);

   Each state is in a lane.  Answers about lanes after the last state are undefined.

   Rows.  An answer is a list of rows: row i is the set of lanes in which thing number i holds.
   Only machines that know their numbers (machine.numbers) can give them; for the others the list is
   empty, except for BUNDLE_TERMINAL.  Rows are valid until the next query.

   Trouble is that of a workspace: `w` has it, and every state reads as terminal from then on. */
#ifndef TABIA_MACHINE_BUNDLE_H
#define TABIA_MACHINE_BUNDLE_H

#include "machine/bundle_row.h"
#include "machine/expand_sink.h"
#include "machine/machine.h"

typedef enum bundle_answer {
  BUNDLE_TERMINAL, /* one row; of no role */
  BUNDLE_LEGAL,    /* by move of the role */
  BUNDLE_FLUENTS,  /* by fluent; of no role */
  BUNDLE_PERCEPTS /* by percept of the role: what it has seen of the last step; none where there was
                     no step since the state was put there */
} bundle_answer;

typedef struct bundle bundle;

/* Random games from every state. */
typedef struct bundle_games {
  uint64_t seed;
  uint64_t first;     /* game k of lane i has the stream number first + i * each + k */
  uint32_t each;      /* games from each state; at least 1 */
  uint64_t max_steps; /* after which a game is given up; 0: never */
  bool counter; /* random numbers are a function of stream number and step (machine/bulk_play.h);
                   for machines with bulk_play alone */
} bundle_games;

typedef struct bundle_ops {
  bundle *(*open)(const machine *m, budget *b);
  void (*close)(bundle *b);
  void (*load)(bundle *b, const void *positions);
  void (*put)(bundle *b, const void *positions, const bundle_row *lanes);
  void (*reset)(bundle *b, const bundle_row *lanes);
  void (*store)(bundle *b, void *positions);
  row_list (*ask)(bundle *b, bundle_answer what, uint32_t role);
  void (*goals)(bundle *b, uint32_t role, int32_t *values);
  void (*list_legal)(bundle *b, uint32_t role, move_id *moves, uint32_t capacity, uint32_t *counts);
  void (*draw)(bundle *b, uint64_t key, uint64_t first, move_id *joints);
  void (*step)(bundle *b, const move_id *joints, bundle_row *illegal);
  void (*play)(bundle *b, const bundle_games *games, int32_t *goals);
  /* All successors of many states, for one thread (search/expand.h).  NULL: they are made one by
     one.  The former gives nothing back when the budget is spent; the latter false: the workspace
     has the trouble. */
  struct bundle_expander *(*expander_new)(const machine *m, machine_workspace *w,
                                          bool ignore_terminal, arena *keep);
  bool (*expand)(struct bundle_expander *x, uint32_t first, uint32_t end, const expand_sink *sink);
} bundle_ops;

/* Every kind has a struct of its own, which starts with this. */
struct bundle {
  const bundle_ops *ops;
  const machine *m;
  arena *keep;          /* all of it, this too */
  machine_workspace *w; /* limits and trouble */
  uint32_t count;       /* lanes 0 .. count-1 are in use */
};

/* For one thread.  NULL: the budget was spent before the machine was ready for it. */
bundle *bundle_new(const machine *m, budget *b);
void bundle_free(bundle *b); /* NULL is allowed */

/* ---- states ---- */

/* Positions are stored contiguously. */
static inline void bundle_load(bundle *b, const void *positions, uint32_t count) {
  assert(count <= LANES);
  b->count = count;
  b->ops->load(b, positions);
}

/* Puts other states into some lanes that are in use: position i is for lane i. */
static inline void bundle_put(bundle *b, const void *positions, const bundle_row *lanes) {
  b->ops->put(b, positions, lanes);
}

/* Puts the start of the game into some lanes that are in use. */
static inline void bundle_reset(bundle *b, const bundle_row *lanes) { b->ops->reset(b, lanes); }

static inline void bundle_store(bundle *b, void *positions) { b->ops->store(b, positions); }

/* ---- questions ---- */

static inline row_list bundle_ask(bundle *b, bundle_answer what, uint32_t role) {
  return b->ops->ask(b, what, role);
}

/* The lanes in use whose state is terminal. */
bundle_row bundle_terminal(bundle *b);

/* By lane: the role's goal, or GOAL_NONE where it has none or several. */
static inline void bundle_goals(bundle *b, uint32_t role, int32_t *values) {
  b->ops->goals(b, role, values);
}

/* counts[i] moves of lane i are in moves[i * capacity] and behind it, as far as the capacity
   allows; in the order of their text. */
static inline void bundle_list_legal(bundle *b, uint32_t role, move_id *moves, uint32_t capacity,
                                     uint32_t *counts) {
  b->ops->list_legal(b, role, moves, capacity, counts);
}

/* ---- moves ---- */

/* Joint moves are stored contiguously: a move of each role in lane 0, then in lane 1, ... */

/* Draws a joint move for each lane, uniformly among the legal ones: a function of seed, stream, the
   number of the lane, which is `first` plus its place here, and the state; on every machine the
   same. A role that cannot move gets MOVE_NONE. */
void bundle_draw(bundle *b, uint64_t seed, uint64_t stream, uint64_t first, move_id *joints);

/* Makes a step in every lane that is not terminal and whose joint move is legal.  `illegal`: the
   lanes that are not terminal and whose move is not legal.  If it is NULL, the moves are known to
   be legal, and terminal states make a step, too. */
static inline void bundle_step(bundle *b, const move_id *joints, bundle_row *illegal) {
  b->ops->step(b, joints, illegal);
}

/* ---- random games ---- */

/* Plays random games from the states, which stay as they are: goals of game k from lane i are in
   goals[(i * each + k) * role_count] and behind it.  GOAL_NONE: the role has none or several at the
   end, or the game came to no end.  A game is a function of the machine, the state, the seed and
   its stream number alone.  When the budget is spent, the workspace has trouble. */
static inline void bundle_play(bundle *b, const bundle_games *games, int32_t *goals) {
  b->ops->play(b, games, goals);
}

/* ---- random numbers of draws ---- */

/* splitmix64's last steps. */
static inline uint64_t draw_mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

#define DRAW_STEP UINT64_C(0x9e3779b97f4a7c15)

/* What the words of a draw are made of. */
static inline uint64_t bundle_draw_key(uint64_t seed, uint64_t stream) {
  return draw_mix(draw_mix(seed + DRAW_STEP) ^ stream * UINT64_C(0xd6e8feb86659fd93));
}

/* A word for lane and role; words of one key are like those of splitmix64. */
static inline uint64_t draw_word(uint64_t key, uint64_t lane, uint32_t role, uint32_t roles) {
  return draw_mix(key + DRAW_STEP * (lane * roles + role + 1));
}

/* From a random word to a number below `bound`: the upper half of a product, without bias. */
static inline uint32_t draw_below(uint64_t word, uint32_t bound) {
  uint64_t product = (word >> 32) * bound;
  while ((uint32_t)product < bound && (uint32_t)product < -bound % bound) {
    word = draw_mix(word + DRAW_STEP);
    product = (word >> 32) * bound;
  }
  return (uint32_t)(product >> 32);
}

#endif
