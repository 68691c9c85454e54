/* A tree whose new states are judged by the caller, a bundle at a time: what a network elsewhere
   needs. */
#ifndef TABIA_TREE_TREE_CALLER_H
#define TABIA_TREE_TREE_CALLER_H

#include "tree/tree_search.h"

/* For trees from now on; `judge` may be NULL: nobody. */
void caller_set(tree_search *s, caller_judge *judge, bool with_priors, void *context);

/* Asks about the states in s->positions; outcomes are then in s->outcomes. */
void caller_ask(tree_search *s, uint32_t count);

/* The edges of an open node get their priors, if there are any, from what was said of a lane; what
   was not tried is worth as much as the node. */
void caller_mark(tree_search *s, node_id id, uint32_t lane);

#endif
