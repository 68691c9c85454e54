/* A search tree for any game: values of states are means over random games from their successors.

   Each round some descents from the root are made, one after another, by upper confidence bounds
   that count visits whose outcome is not known yet; then the states that they have reached are
   stepped, looked at and played from, in bundles; then all outcomes go up the paths.  Where several
   roles choose at once each goes by its own figures; the role `random` draws evenly.

   Bounds of what each role can get go up, too (Cazenave and Saffidine, score bounded search): a
   state whose bounds meet is solved and not visited again.  In a game of two roles whose goals have
   a constant sum these are values of the game; in others each role is assumed to take what is best
   for itself (max-n).  That a sum is constant can only be assumed, which cuts more (what one role
   has for sure, the other cannot get) but proves nothing.  An end with another sum clears the tree.

   With one thread a search is a function of machine, seed, positions and numbers of iterations. */
#ifndef TABIA_TREE_TREE_SEARCH_H
#define TABIA_TREE_TREE_SEARCH_H

#include "base/rng.h"
#include "machine/bundle.h"
#include "tree/end_watch.h"
#include "tree/learn/value_net.h"
#include "tree/play_horizon.h"
#include "tree/tree_store.h"

typedef struct tree_options {
  double exploration; /* weight of what is little known */
  uint32_t leaves;    /* descents in a round */
  uint32_t playouts;  /* random games from each new state */
  uint64_t max_steps; /* of a random game at the most; 0: no limit */
  size_t memory;      /* bytes of the tree */
  uint64_t seed;
  uint32_t threads;    /* each with a tree of its own; 0 is one */
  bool solver;         /* bounds are used */
  bool transpositions; /* equal states are one node */
  bool learning;       /* a network is trained in the start clock */
  bool eager;          /* new nodes are opened at once; or when they are visited again */
  double play_weight;  /* of random games beside the network, 0 to 1 */
  bool assumes_sum;    /* what all ends so far had as the sum of goals, all ends have */
  bool looks;          /* where random games judge, too, successors are looked at for ends */
  bool priors;         /* what the network says of moves says, too, how often they are tried */
  bool regrets;        /* roles that choose at once mix by regret, not by confidence bounds */
} tree_options;

/* A way from the root: a node and the edges chosen there, then the next. */
typedef struct descent {
  uint32_t first, length; /* in steps */
  node_id end;    /* the last node; NODE_NONE: to be made; NODE_COMING: the descent is void */
  bool is_closed; /* it has ended at a closed node */
} descent;

/* In place of the sum of the goals of all roles in terminal states. */
enum { GOAL_SUM_VARIES = -1, GOAL_SUM_UNSEEN = -2 };

typedef struct tree_figures {
  uint64_t iterations; /* descents that came to an outcome, since the root was set */
  uint64_t playouts;
  uint32_t depth; /* of the longest descent */
} tree_figures;

/* The legal moves of a role in each lane. */
typedef struct move_lists {
  move_id *moves; /* lane i's from i * room on */
  uint32_t room;
  uint32_t counts[LANES];
} move_lists;

/* As tabia_judge of the header says. */
typedef void caller_judge(void *context, const void *positions, uint32_t count, float *values,
                          float *priors);

typedef struct tree_caller {
  caller_judge *judge; /* NULL: nobody */
  void *context;
  float *priors;  /* by lane and move; NULL: none are wanted, or moves have no numbers */
  uint32_t width; /* of a lane's priors */
} tree_caller;

typedef struct tree_search {
  const machine *m;
  arena *keep;
  arena *scratch; /* marked and rewound */
  budget limits;  /* of the present call */
  tree_options o;
  tree_store *store;
  bundle *bundle;
  const value_net *net; /* judges states; NULL: random games do, or ... */
  tree_caller caller;   /* ... the caller */
  node_id root;
  uint32_t nature;
  rng random;
  uint64_t next_stream; /* of random games */
  play_horizon horizon; /* likewise */
  end_watch ends_near;
  uint32_t stamp;        /* of the present descent */
  bool is_full;          /* something could not be made: prune before the next round */
  int32_t goal_sum;      /* of the terminal states seen */
  bool sum_was_used;     /* there are bounds that hold only if all ends have that sum */
  bool has_mixed_bounds; /* some are met by mixtures, that is, on average */
  tree_figures figures;
  /* of a round */
  VEC(descent) descents;
  id_vec steps;    /* nodes */
  id_vec choices;  /* by step and role: the edge */
  id_vec *moves;   /* by role */
  move_id *joints; /* of a bundle */
  unsigned char *positions;
  int32_t *goals;    /* of random games */
  int32_t *ends;     /* by role and lane: goals now */
  float *outcomes;   /* by lane and role */
  float *now;        /* by role: an outcome on its way up */
  float *known;      /* by role: an outcome that needs no game */
  float *mean;       /* scratch, by role */
  move_lists *lists; /* by role: legal moves in a bundle */
  uint32_t *mixed;   /* by role: edges */
} tree_search;

tree_search *tree_search_new(const machine *m, const tree_options *o);
void tree_search_free(tree_search *s); /* NULL is allowed */

/* Is due before each call that thinks: its limits.  False: they are spent before the machine is
   ready. */
bool tree_begin(tree_search *s, const budget *limits);
/* Are the limits spent, or is there other trouble?  Then what was under way is forgotten. */
bool tree_is_over(const tree_search *s);

/* The state to think about; what is known of it and behind it is kept.  After tree_begin. */
void tree_set_root(tree_search *s, const void *position);

/* Do the bounds rest on an assumption? */
bool tree_is_assumed(const tree_search *s);

void tree_forget(tree_search *s); /* all nodes; a root is due before the next round */

/* Opens the root, or finds that it is terminal. */
void tree_open_root(tree_search *s);

/* Makes a round of at most `most` descents; returns how many got an outcome.  0: the root
   is solved or terminal, or there is trouble. */
uint32_t tree_round(tree_search *s, uint32_t most);

/* ---- steps of a round ---- */

/* Makes descents until there are enough; those that end in known states go up at once. */
void tree_descend(tree_search *s, uint32_t most);
/* Chooses at a node that was closed when the descent came. */
bool tree_choose_on(tree_search *s, descent *d);
/* Takes the marks of a descent back. */
void tree_abandon(tree_search *s, const descent *d);

/* The node of the terminal state in a lane, whose goals are in `ends`; NODE_NONE: the store is
 * full.
 */
node_id tree_make_end(tree_search *s, const void *position, uint32_t lane);

/* Opens the nodes where descents have ended, makes the next states, and plays from them. */
void tree_grow(tree_search *s);

/* Takes the outcome of a descent, by role, to its nodes. */
void tree_back_up(tree_search *s, const descent *d, const float *outcome);

/* Puts the bounds of a node into line with those of its children.  Returns true if they changed. */
bool tree_tighten(tree_search *s, node_id id);

/* The child that the edges chosen at a step lead to: NODE_NONE, NODE_COMING or a node. */
node_id tree_child(const tree_search *s, node_id id, const uint32_t *choices);
void tree_set_child(tree_search *s, node_id id, const uint32_t *choices, node_id child);

/* The joint move of some edges. */
void tree_joint(const tree_search *s, node_id id, const uint32_t *choices, move_id *joint);

#endif
