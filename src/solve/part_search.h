/* All plays of a game of one role that falls into independent parts (factors/), breadth first over
   combinations: a kind of state (part_graph.h) of each part.

   In states of the game whose parts are of the same kinds, outputs (the wires of the circuit that
   are asked for) have the same values, and the same combinations follow.  So every reachable state
   belongs to a combination that is found at its depth, and most states are never visited. */
#ifndef TABIA_SOLVE_PART_SEARCH_H
#define TABIA_SOLVE_PART_SEARCH_H

#include "factors/factors.h"
#include "solve/part_graph.h"

typedef struct part_search part_search;

/* Called with each combination when it is found, while its outputs can be read; and again if play
   should continue from it and no move is legal. */
typedef void part_node_fn(void *context, part_search *x, uint32_t node, bool is_stuck);

typedef struct part_search_options {
  uint32_t threads;
  uint64_t max_states; /* of a part, and combinations; 0: no limit */
  part_node_fn *visit;
  void *context;
} part_search_options;

struct part_search {
  part_search_options o;
  factors f;
  factor_summary s;
  uint32_t count; /* of parts; the last one is what is common */
  part_circuit *circuits;
  part_graph *graphs;
  uint64_t part_states; /* of all parts */
  bool one_part;        /* the role chooses one part at each step */
  uint8_t *feature_values, *gate_values;
  id_vec kinds; /* of each combination, part after part, in the order in which they were found */
  uint32_t node_count, most_nodes;
  id_table table;
  VEC(uint8_t) ends;   /* by combination: the game is over */
  id_vec levels;       /* where each depth begins; the last one is not expanded */
  bool is_layered;     /* every step led to the next depth */
  uint8_t *leads;      /* by combination: a shortest line to the wanted ones goes through it */
  uint32_t *room;      /* a combination */
  uint32_t *from;      /* that which is being expanded, and how far */
  uint32_t steps_from; /* of the combination that is being expanded */
  uint32_t next_level; /* the first combination behind its level */
  arena *keep;
  budget *b;
};

/* Finds the parts and the start.  The first output is `terminal`; none depends on moves.  False:
   *reason says why there are no parts, or, where it is NULL, the budget is spent or there are too
   many states.  All is made in `keep`, which must not be rewound meanwhile. */
bool part_search_begin(part_search *x, const circuit *c, const wire_vec *outputs,
                       part_search_options o, arena *keep, budget *b, diag_sink *d,
                       const char **reason);

/* Has every combination of the last depth been expanded, with no new ones? */
bool part_search_is_done(const part_search *x);

/* One depth more.  False: the budget is spent, or there are too many combinations. */
bool part_search_expand(part_search *x);

/* Does the output hold in the combination that `visit` is called with? */
bool part_search_holds(const part_search *x, uint32_t output);

uint32_t part_search_depth(const part_search *x, uint32_t node);

/* The combination behind the last one of that depth. */
uint32_t part_search_level_end(const part_search *x, uint32_t depth);

/* A shortest line to one of some combinations of one depth, those with `wanted` set (by
   combination; it is changed), and all moves that such lines may begin with, by number in
   circuit.moves.  False: the budget is spent. */
bool part_search_line(part_search *x, uint8_t *wanted, uint32_t depth, id_vec *line,
                      id_vec *begins);

#endif
