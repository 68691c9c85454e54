/* What lane_net.c and lane_net_moves.c share while a net is made. */
#ifndef TABIA_MACHINE_LANES_LANE_NET_BUILD_H
#define TABIA_MACHINE_LANES_LANE_NET_BUILD_H

#include "machine/lanes/gate_moves.h"
#include "machine/lanes/lane_draw.h"
#include "machine/lanes/lane_net.h"

/* How a role comes to its move. */
typedef struct role_plan {
  edge selector; /* the draw is this role's */
  uint32_t idle; /* the move that it makes when it is not, or ID_NONE: it always draws */
  uint32_t draw; /* in net_builder.draws */
  uint32_t side; /* which of the roles of its draw it is */
} role_plan;

/* The rows of a draw, and the moves that they stand for. */
typedef struct net_draw {
  edge_vec rows;
  id_vec moves[2];   /* by side and row; ID_NONE: the row is the other role's alone */
  edge selectors[2]; /* by side: the draw is that role's */
  draw_layout layout;
  draw_splitter splitter;
  draw_tree tree;
  draw_choice choice;
  uint8_t *marks; /* by row; scratch, zero between uses */
  id_vec sets[4]; /* scratch: rows of a set of moves, by sides (bits); 0: all */
} net_draw;

/* What a gate that says nothing but 'none of some moves' is made of. */
typedef struct move_union {
  uint32_t draw;  /* ID_NONE: not of one draw, or not for the same sides */
  uint32_t sides; /* bits */
  edge drawn;     /* one of the rows of those moves is drawn */
} move_union;

typedef struct net_builder {
  lane_net *n;
  const circuit *c;
  lane_net_kind kind;
  arena *scratch;
  budget *limits;
  aig g;
  lane_plan plan;
  edge *edges;     /* by gate; ID_NONE: not made yet */
  bitset lawful;   /* gates that legal needs */
  bitset still;    /* gates that terminal and goals need, too */
  bitset kept;     /* gates that anything needs */
  edge_vec inputs; /* scratch */
  edge gone;       /* a game begins with the next state; of a playing net */
  /* of a playing net */
  role_plan *roles;
  VEC(net_draw) draws;
  uint32_t *role_of; /* by move */
  uint32_t *row_of;  /* by move; ID_NONE: it is never drawn */
  bool *is_idle;     /* by role; scratch */
  bitset conditions; /* edges; scratch, empty between uses */
  gate_moves asked;
  move_union *unions; /* by gate */
} net_builder;

static inline edge add_input(net_builder *b) {
  const edge e = aig_input(&b->g);
  vec_push(b->scratch, &b->plan.inputs, edge_node(e));
  return e;
}

static inline slot_id next_slot(const net_builder *b) { return b->plan.inputs.count + 1; }

static inline uint32_t next_root(const net_builder *b) { return b->plan.roots.count; }

static inline void add_root(net_builder *b, edge e, lane_phase phase, lane_phase until) {
  const lane_root root = {e, phase, until, SLOT_FALSE};
  vec_push(b->scratch, &b->plan.roots, root);
}

/* What a wire is; its gate must be made, or be a move. */
edge net_edge(net_builder *b, wire w);

/* ---- moves ---- */

/* Decides who draws from which rows, and counts them.  Gates for legal moves must be made. */
void net_plan_draws(net_builder *b);

/* Adds what is needed to draw. */
void net_add_draws(net_builder *b);

/* The move is done. */
edge net_move(net_builder *b, uint32_t move);

/* None of the moves is done that a conjunction excludes. */
edge net_none_of_moves(net_builder *b, gate_id g);

/* In a list of conditions: 'none of these rows holds' becomes 'their number is 0', where all rows
   of a draw, or of some of its groups, are there. */
void net_use_counts(net_builder *b, edge_vec *conditions);

#endif
