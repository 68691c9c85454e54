/* From a circuit to programs for bundles.

   A stepping net takes the moves as inputs: its caller decides what is played.  A playing net draws
   the moves itself, uniformly among the legal ones: it counts the legal moves of each lane, by
   adders; multiplies the count with random bits; and goes down the tree of counts to the move that
   the upper half of the product stands for.  The lower half shows the lanes in which that could be
   biased (Lemire, 'Fast random integer generation in an interval'): they are drawn again, one by
   one. */
#ifndef TABIA_MACHINE_LANES_LANE_NET_H
#define TABIA_MACHINE_LANES_LANE_NET_H

#include "circuit/circuit.h"
#include "machine/lanes/lane_program.h"

/* One draw: of the moves of a role, or of two roles that take turns. */
typedef struct lane_draw {
  uint32_t count_bits, random_bits;
  uint32_t first_random; /* slots: random bits, given ... */
  uint32_t first_number; /* ... and the number drawn, count_bits of them, given before `next` */
  uint32_t count;        /* roots: how many moves there are, count_bits of them */
  uint32_t product;      /* roots: count times random, random_bits + count_bits of them */
  uint32_t doubtful;     /* root: lanes whose draw could be biased */
} lane_draw;

typedef struct lane_net {
  arena *keep;
  const circuit *c;
  lane_program program;
  lane_row *rows;      /* by root */
  id_vec latches;      /* of the circuit, that are kept; latch i is in slot i + 1 */
  uint32_t first_move; /* slot of the first move; of a stepping net */
  uint32_t gone;       /* slot: lanes whose next state is the start of a game; of a playing net */
  uint32_t terminal;   /* root */
  uint32_t goals;      /* root of the first goal of the circuit */
  uint32_t targets;    /* root of the first target of the circuit; they are known with goals */
  uint32_t legal;      /* root of the first move; of a stepping net */
  uint32_t does;       /* root of the first move; of a net that records */
  uint32_t percepts;   /* root of the first percept; of a stepping net */
  uint32_t marks;      /* root of the first mark; of a stepping net */
  uint32_t stuck;      /* root of the first role: lanes in which it cannot move; of a playing net */
  uint32_t next; /* root of the first kept latch; where it could be, in the latch's own slot */
  VEC(lane_draw) draws;
} lane_net;

typedef enum lane_net_kind { NET_STEPS, NET_PLAYS, NET_RECORDS } lane_net_kind;

/* NET_RECORDS plays as NET_PLAYS does, and keeps the rows of done moves.  False: the budget is
   spent. */
bool lane_net_build(lane_net *n, const circuit *c, lane_net_kind kind, bool in_runs, arena *keep,
                    budget *limits);

#endif
