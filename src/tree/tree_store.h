/* The memory of a search tree: nodes, their edges, and where states are found again.

   A node is a state, known by its number.  It has room for its position and, for each role, for a
   value and for bounds of what the role can get; all in goals divided by 100.  Edges are made when
   a node is opened, all of them at once, and lie one behind another.  Where one role chooses, an
   edge leads to a child; where several do, each has edges of its own, and children are found by
   their joint move.

   Everything is in one block of bytes that is bounded.  When it is full, nodes_prune drops what
   cannot be reached from the root and then what was visited least; numbers of nodes stay.  Pointers
   to nodes and edges are valid until something is made. */
#ifndef TABIA_TREE_TREE_STORE_H
#define TABIA_TREE_TREE_STORE_H

#include "base/hash.h"
#include "machine/machine.h"

#include <assert.h>

typedef uint32_t node_id;

#define NODE_NONE UINT32_MAX
#define NODE_COMING (UINT32_MAX - 1) /* of a child that is being made */

#define CHOOSERS_MANY UINT32_MAX /* in place of the only role that chooses */

enum { GOAL_MAX = 100 };

typedef enum node_kind { NODE_CLOSED, NODE_OPEN, NODE_TERMINAL, NODE_STUCK } node_kind;

typedef struct play_node {
  uint32_t visits;
  uint32_t pending; /* visits whose outcome is not known yet */
  uint32_t edges;   /* where they are, in words; 0: it is not open */
  uint32_t stamp;   /* of the last descent that came through */
  uint8_t kind;     /* node_kind */
  uint8_t is_kept;  /* by pruning */
  uint16_t depth;   /* of the descent that made it */
  uint32_t unused;
} play_node;

typedef struct play_edge {
  move_id move;
  union {
    node_id child; /* of a node at which one role chooses */
    float regret;  /* of one at which several do: what was missed by not taking it */
  };
  uint32_t visits;
  uint16_t pending;
  uint8_t low, high; /* bounds for the role that chooses */
  float value;       /* mean for the role that chooses */
  float prior;       /* share of the moves of its role, of 1; where several roles choose, how often
                        it should have been made so far */
} play_edge;

typedef struct edge_list {
  uint32_t count;
  uint32_t chooser; /* the only role with a choice, or role 0 if there is none; CHOOSERS_MANY */
} edge_list;

typedef struct joint_child {
  uint64_t key;
  node_id parent, child;
} joint_child;

/* Shown for the sake of speed: for the functions below alone. */
typedef struct tree_store {
  const machine *m;
  arena *keep;
  uint64_t *block;
  uint32_t used, room, room_max; /* in words */
  uint32_t values_at, lows_at, highs_at, position_at, node_bytes;
  uint32_t forced_at, firsts_at, edges_at; /* of a list of edges */
  VEC(uint32_t) places;                    /* by node: the word behind its head; 0: not in use */
  id_vec free_ids;
  id_table index;      /* by position */
  joint_child *joints; /* open addressing; parent NODE_NONE where empty */
  uint32_t joint_mask, joint_count;
} tree_store;

/* `bytes`: at most. */
tree_store *nodes_new(const machine *m, size_t bytes, arena *keep);

/* A closed node without visits for a position; NODE_NONE: the store is full. */
node_id nodes_add(tree_store *s, const void *position);

/* The node of a position, or NODE_NONE. */
node_id nodes_find(const tree_store *s, const void *position);

/* Lets the node be found by its position. */
void nodes_index(tree_store *s, node_id id);

/* Opens a node: moves[r] are the legal moves of role r.  False: the store is full. */
bool nodes_open(tree_store *s, node_id id, const id_vec *moves);

/* Drops what cannot be reached from the root, and the least visited nodes until at most half of
   the bytes are used. */
void nodes_prune(tree_store *s, node_id root);

void nodes_clear(tree_store *s);
size_t nodes_bytes(const tree_store *s);
uint32_t nodes_count(const tree_store *s); /* in use */

/* ---- parts of a node ---- */

static inline play_node *node_of(const tree_store *s, node_id id) {
  assert(id < s->places.count && s->places.items[id]);
  return (play_node *)(s->block + s->places.items[id]);
}

static inline void *node_part(const tree_store *s, node_id id, uint32_t at) {
  return (char *)node_of(s, id) + at;
}

/* By role. */
static inline float *nodes_values(const tree_store *s, node_id id) {
  return node_part(s, id, s->values_at);
}

/* Bounds by role, 0 to 100. */
static inline uint8_t *nodes_lows(const tree_store *s, node_id id) {
  return node_part(s, id, s->lows_at);
}

static inline uint8_t *nodes_highs(const tree_store *s, node_id id) {
  return node_part(s, id, s->highs_at);
}

static inline void *nodes_position(const tree_store *s, node_id id) {
  return node_part(s, id, s->position_at);
}

/* Are the bounds of all roles equal? */
static inline bool nodes_is_solved(const tree_store *s, node_id id) {
  return memcmp(nodes_lows(s, id), nodes_highs(s, id), s->m->role_count) == 0;
}

/* ---- edges of a node that is open ---- */

static inline void *edges_part(const tree_store *s, node_id id, uint32_t at) {
  assert(node_of(s, id)->edges);
  return (char *)(s->block + node_of(s, id)->edges) + at;
}

static inline edge_list *nodes_edges(const tree_store *s, node_id id) {
  return edges_part(s, id, 0);
}

/* By role: its first move. */
static inline move_id *nodes_forced(const tree_store *s, node_id id) {
  return edges_part(s, id, s->forced_at);
}

/* By role and at the end: its first edge. */
static inline uint32_t *nodes_firsts(const tree_store *s, node_id id) {
  return edges_part(s, id, s->firsts_at);
}

static inline play_edge *nodes_edge(const tree_store *s, node_id id, uint32_t i) {
  assert(i < nodes_edges(s, id)->count);
  return (play_edge *)edges_part(s, id, s->edges_at) + i;
}

/* ---- children of joint moves ---- */

/* Where the child of a joint move is, for nodes at which several roles choose: by edges, one for
   each role.  The place is good until the next call. */
node_id *nodes_joint_child(tree_store *s, node_id id, const uint32_t *edges);
/* The same without making one: NULL if there is none. */
const node_id *nodes_find_joint_child(const tree_store *s, node_id id, const uint32_t *edges);

#endif
