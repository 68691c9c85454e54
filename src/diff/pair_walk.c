/* All pairs of states, level by level. */
#include "diff/pair_search.h"

typedef struct pair_node {
  uint32_t parent;
  uint32_t joint; /* where its moves are in pair_walker.moves */
} pair_node;

typedef struct pair_walker {
  side_by_side *s;
  budget *b;
  arena *keep;        /* of the whole walk */
  size_t size;        /* of both positions */
  VEC(char *) states; /* both positions of a node, one behind the other */
  VEC(pair_node) nodes;
  VEC(const char *) moves;
  id_table index;
  uint32_t at; /* the node whose steps are made */
  pair_found found;
} pair_walker;

/* ---- nodes ---- */

static uint64_t hash_node(const void *context, uint32_t i) {
  const pair_walker *w = context;
  return hash_bytes(w->states.items[i], w->size);
}

static void save(const pair_walker *w, char *state) {
  const size_t old_size = w->s->old.m->position_size;
  memcpy(state, w->s->old.position, old_size);
  memcpy(state + old_size, w->s->new.position, w->size - old_size);
}

static void restore(pair_walker *w, const char *state) {
  const size_t old_size = w->s->old.m->position_size;
  memcpy(w->s->old.position, state, old_size);
  memcpy(w->s->new.position, state + old_size, w->size - old_size);
}

static uint32_t keep_joint(pair_walker *w, const uint32_t *choice) {
  const uint32_t at = w->moves.count;
  for (uint32_t i = 0; choice && i < w->s->roles; i++) {
    const char *words = w->s->old.view.roles[i].texts.items[choice[i]];
    vec_push(w->keep, &w->moves, arena_copy_text(w->keep, words, strlen(words)));
  }
  return at;
}

/* Adds the pair at which both are, unless it is there. */
static void add_node(pair_walker *w, uint32_t parent, const uint32_t *choice) {
  char *state = arena_alloc(w->keep, w->size);
  save(w, state);
  id_table_reserve(&w->index, w->keep, hash_node, w);
  for (uint32_t at = id_table_first(&w->index, hash_bytes(state, w->size));;
       at = id_table_next(&w->index, at)) {
    const uint32_t id = w->index.slots[at];
    if (id != ID_NONE && memcmp(w->states.items[id], state, w->size) == 0) return;
    if (id != ID_NONE) continue;
    id_table_put(&w->index, at, w->nodes.count);
    break;
  }
  vec_push(w->keep, &w->states, state);
  vec_push(w->keep, &w->nodes, ((pair_node){parent, keep_joint(w, choice)}));
}

/* ---- lines ---- */

static uint32_t depth_of(const pair_walker *w, uint32_t node) {
  uint32_t depth = 0;
  for (; w->nodes.items[node].parent != ID_NONE; node = w->nodes.items[node].parent) depth++;
  return depth;
}

/* The line to a node, and one step more where there is one. */
static void take_line(pair_walker *w, uint32_t node, const uint32_t *choice, arena *keep) {
  const uint32_t roles = w->s->roles, depth = depth_of(w, node);
  pair_found *f = &w->found;
  f->is_different = true;
  f->length = depth + (choice != NULL);
  f->line = arena_new_array(keep, const char *, (size_t)f->length *roles + 1);
  if (choice) vec_push(w->keep, &w->nodes, ((pair_node){node, keep_joint(w, choice)}));
  uint32_t at = choice ? w->nodes.count - 1 : node;
  for (uint32_t step = f->length; step-- > 0; at = w->nodes.items[at].parent)
    for (uint32_t i = 0; i < roles; i++) {
      const char *words = w->moves.items[w->nodes.items[at].joint + i];
      f->line[step * roles + i] = arena_copy_text(keep, words, strlen(words));
    }
}

/* ---- walking ---- */

static bool next_choice(const side_by_side *s, uint32_t *choice) {
  for (uint32_t i = s->roles; i-- > 0;) {
    if (++choice[i] < s->old.view.roles[i].texts.count) return true;
    choice[i] = 0;
  }
  return false;
}

/* Makes every step from the node at which both are.  False: one shows a difference, or there is
   trouble. */
static bool expand(pair_walker *w, arena *keep) {
  const char *state = w->states.items[w->at];
  uint32_t *choice = arena_zero_array(w->s->scratch, uint32_t, w->s->roles + (size_t)1);
  do {
    if (budget_is_spent(w->b)) return false;
    restore(w, state);
    if (!side_by_side_step(w->s, choice)) {
      if (w->s->differences.count) take_line(w, w->at, choice, keep);
      return false;
    }
    add_node(w, w->at, choice);
  } while (next_choice(w->s, choice));
  return true;
}

static bool visit(pair_walker *w, arena *keep) {
  restore(w, w->states.items[w->at]);
  w->found.states++;
  if (!side_by_side_look(w->s)) {
    if (w->s->differences.count) take_line(w, w->at, NULL, keep);
    return false;
  }
  return side_by_side_is_over(w->s) || expand(w, keep);
}

pair_found pair_walk(side_by_side *s, budget *b, arena *keep) {
  pair_walker w = {.s = s,
                   .b = b,
                   .keep = arena_new(),
                   .size = s->old.m->position_size + s->new.m->position_size};
  budget_watch(b, w.keep);
  side_by_side_start(s);
  add_node(&w, ID_NONE, NULL);
  while (w.at < w.nodes.count && !budget_is_spent(b) && visit(&w, keep)) w.at++;
  w.found.is_complete = w.at == w.nodes.count && !w.found.is_different;
  w.found.depth = w.at < w.nodes.count ? depth_of(&w, w.at) : depth_of(&w, w.at - 1) + 1;
  budget_unwatch(b, w.keep);
  arena_free(w.keep);
  return w.found;
}
