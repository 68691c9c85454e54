#include "tree/tree_search.h"

#include "base/hash.h"

#include <string.h>

/* ---- making one ---- */

static void make_room(tree_search *s) {
  const uint32_t roles = s->m->role_count;
  s->moves = arena_zero_array(s->keep, id_vec, roles);
  s->lists = arena_zero_array(s->keep, move_lists, roles);
  s->joints = arena_new_array(s->keep, move_id, (size_t)LANES * roles);
  s->positions = arena_alloc(s->keep, LANES * s->m->position_size);
  s->goals = arena_new_array(s->keep, int32_t, (size_t)LANES * s->o.playouts * roles);
  s->ends = arena_new_array(s->keep, int32_t, (size_t)LANES * roles);
  s->outcomes = arena_new_array(s->keep, float, (size_t)LANES *roles);
  s->now = arena_new_array(s->keep, float, roles);
  s->known = arena_new_array(s->keep, float, roles);
  s->mean = arena_new_array(s->keep, float, roles);
  s->mixed = arena_new_array(s->keep, uint32_t, roles);
}

tree_search *tree_search_new(const machine *m, const tree_options *o) {
  arena *keep = arena_new();
  tree_search *s = arena_alloc_zero(keep, sizeof *s);
  *s = (tree_search){.m = m,
                     .keep = keep,
                     .scratch = arena_new(),
                     .o = *o,
                     .store = nodes_new(m, o->memory, keep),
                     .root = NODE_NONE,
                     .nature = machine_nature(m),
                     .random = rng_new(o->seed, 0),
                     .horizon = horizon_new(o->max_steps),
                     .goal_sum = GOAL_SUM_UNSEEN};
  make_room(s);
  return s;
}

void tree_search_free(tree_search *s) {
  if (!s) return;
  bundle_free(s->bundle);
  arena_free(s->scratch);
  arena_free(s->keep);
}

/* What the bundle has asked to be watched stays so. */
static void take_limits(tree_search *s, const budget *limits) {
  const budget old = s->limits;
  s->limits = *limits;
  s->limits.watched_count = s->bundle ? old.watched_count : 0;
  memcpy(s->limits.watched, old.watched, sizeof old.watched);
}

/* A bundle that was in trouble once is so for good. */
bool tree_begin(tree_search *s, const budget *limits) {
  if (s->bundle && s->bundle->w->trouble.is_there) {
    bundle_free(s->bundle);
    s->bundle = NULL;
  }
  take_limits(s, limits);
  if (s->bundle) return true;
  s->bundle = bundle_new(s->m, &s->limits);
  return s->bundle != NULL;
}

bool tree_is_over(const tree_search *s) { return s->bundle->w->trouble.is_there; }

/* ---- the root ---- */

static bool is_at(const tree_search *s, node_id id, const void *position) {
  return memcmp(nodes_position(s->store, id), position, s->m->position_size) == 0;
}

/* Without transpositions: the root, or a child of it, or of that.  Joint moves are not followed. */
static node_id find_below(const tree_search *s, node_id id, const void *position, uint32_t depth) {
  if (is_at(s, id, position)) return id;
  if (!depth || !node_of(s->store, id)->edges ||
      nodes_edges(s->store, id)->chooser == CHOOSERS_MANY)
    return NODE_NONE;
  for (uint32_t i = 0; i < nodes_edges(s->store, id)->count; i++) {
    const node_id child = nodes_edge(s->store, id, i)->child;
    const node_id found =
        child < NODE_COMING ? find_below(s, child, position, depth - 1) : NODE_NONE;
    if (found != NODE_NONE) return found;
  }
  return NODE_NONE;
}

static node_id find_root(const tree_search *s, const void *position) {
  enum { DEPTH = 3 };
  if (s->o.transpositions) return nodes_find(s->store, position);
  return s->root == NODE_NONE ? NODE_NONE : find_below(s, s->root, position, DEPTH);
}

static void prune(tree_search *s) {
  nodes_prune(s->store, s->root);
  s->is_full = false;
}

static void plant(tree_search *s, const void *position) {
  s->root = nodes_add(s->store, position);
  if (s->root == NODE_NONE) {
    nodes_clear(s->store);
    s->root = nodes_add(s->store, position);
  }
  assert(s->root != NODE_NONE);
  if (s->o.transpositions) nodes_index(s->store, s->root);
}

void tree_set_root(tree_search *s, const void *position) {
  const node_id known = find_root(s, position);
  s->figures = (tree_figures){0};
  if (known == NODE_NONE)
    plant(s, position);
  else
    s->root = known;
  tree_open_root(s);
  if (!s->is_full) return;
  prune(s);
  tree_open_root(s);
}

bool tree_is_assumed(const tree_search *s) { return s->sum_was_used; }

void tree_forget(tree_search *s) {
  nodes_clear(s->store);
  s->root = NODE_NONE;
  s->is_full = false;
  s->sum_was_used = false;
}

/* An end has shown that an assumption was wrong: all that rests on it goes. */
static void begin_anew(tree_search *s) {
  arena *scratch = arena_new();
  void *position = arena_alloc(scratch, s->m->position_size);
  memcpy(position, nodes_position(s->store, s->root), s->m->position_size);
  tree_forget(s);
  plant(s, position);
  tree_open_root(s);
  arena_free(scratch);
}

/* ---- a round ---- */

static uint32_t make_round(tree_search *s, uint32_t most) {
  const uint64_t before = s->figures.iterations;
  if (s->is_full) prune(s);
  tree_descend(s, most < s->o.leaves ? most : s->o.leaves);
  tree_grow(s);
  if (s->sum_was_used && s->goal_sum == GOAL_SUM_VARIES) begin_anew(s);
  return (uint32_t)(s->figures.iterations - before);
}

/* A round for which there was no room is made again. */
uint32_t tree_round(tree_search *s, uint32_t most) {
  if (tree_is_over(s) || workspace_is_over(s->bundle->w)) return 0;
  if (node_of(s->store, s->root)->kind != NODE_OPEN) return 0;
  if (s->o.solver && nodes_is_solved(s->store, s->root)) return 0;
  const uint32_t made = make_round(s, most);
  return made || !s->is_full ? made : make_round(s, most);
}
