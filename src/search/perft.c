#include "search/perft.h"

#include <string.h>

/* A distinct state of a level. */
typedef struct state {
  const unsigned char *bytes; /* its position without the zeros at the end */
  size_t length;
  uint64_t hash;
  uint64_t ways; /* that lead here */
} state;

typedef struct level {
  arena *keep;
  VEC(state) states;
  id_table index;
} level;

/* How one way to each state of a level came there; kept to tell the way to a fault. */
typedef struct links {
  id_vec parents; /* states of the level before */
  id_vec joints;  /* role_count moves for each */
} links;

/* The legal moves of each role in a state, and one choice of them. */
typedef struct choices {
  id_vec *moves;
  uint32_t *at;
  move_id *joint;
} choices;

typedef struct walk {
  const machine *m;
  machine_workspace *w;
  const perft_options *o;
  perft_result *r; /* NULL: a part of another walk */
  arena *keep;     /* of the result */
  arena *scratch;
  choices c;
  void *position, *next;
  links *links; /* by depth */
  level here, there;
} walk;

/* ---- levels ---- */

static level level_new(void) { return (level){.keep = arena_new()}; }

static uint64_t hash_of_state(const void *context, uint32_t id) {
  return ((const level *)context)->states.items[id].hash;
}

static bool is_same(const state *s, const state *key) {
  return s->hash == key->hash && s->length == key->length &&
         memcmp(s->bytes, key->bytes, key->length) == 0;
}

static size_t used_length(const unsigned char *position, size_t size) {
  while (size && position[size - 1] == 0) size--;
  return size;
}

/* The place of the state; it is added when it is new. */
static uint32_t level_add(level *l, const void *position, size_t size, uint64_t ways) {
  state key = {.bytes = position, .length = used_length(position, size), .ways = ways};
  key.hash = hash_bytes(position, key.length);
  id_table_reserve(&l->index, l->keep, hash_of_state, l);
  uint32_t at = id_table_first(&l->index, key.hash);
  for (; l->index.slots[at] != ID_NONE; at = id_table_next(&l->index, at)) {
    state *known = &l->states.items[l->index.slots[at]];
    if (!is_same(known, &key)) continue;
    known->ways += ways;
    return l->index.slots[at];
  }
  unsigned char *copy = arena_alloc(l->keep, key.length + 1);
  key.bytes = memcpy(copy, position, key.length);
  id_table_put(&l->index, at, l->states.count);
  vec_push(l->keep, &l->states, key);
  return l->states.count - 1;
}

static void level_get(const level *l, uint32_t i, void *position, size_t size) {
  const state *s = &l->states.items[i];
  memcpy(position, s->bytes, s->length);
  memset((unsigned char *)position + s->length, 0, size - s->length);
}

static uint64_t level_ways(const level *l) {
  uint64_t ways = 0;
  for (uint32_t i = 0; i < l->states.count; i++) ways += l->states.items[i].ways;
  return ways;
}

/* ---- joint moves ---- */

static choices choices_new(uint32_t roles, arena *keep) {
  return (choices){.moves = arena_zero_array(keep, id_vec, roles),
                   .at = arena_zero_array(keep, uint32_t, roles),
                   .joint = arena_zero_array(keep, move_id, roles)};
}

static void list_moves(walk *x, uint32_t role) {
  id_vec *v = &x->c.moves[role];
  const uint32_t count = machine_legal(x->m, x->w, x->position, role, v->items, v->capacity);
  if (count > v->capacity) {
    v->count = 0;
    vec_reserve(x->scratch, v, count);
    machine_legal(x->m, x->w, x->position, role, v->items, v->capacity);
  }
  v->count = count;
  x->c.at[role] = 0;
}

/* The first joint move of the position.  Gives back a role that has none, or role_count. */
static uint32_t first_joint(walk *x) {
  for (uint32_t role = 0; role < x->m->role_count; role++) {
    list_moves(x, role);
    if (x->c.moves[role].count == 0) return role;
    x->c.joint[role] = x->c.moves[role].items[0];
  }
  return x->m->role_count;
}

/* Counts the choices up, the last role fastest.  False: all have been. */
static bool next_joint(walk *x) {
  for (uint32_t role = x->m->role_count; role-- > 0;) {
    const id_vec *v = &x->c.moves[role];
    const bool is_over = ++x->c.at[role] == v->count;
    if (is_over) x->c.at[role] = 0;
    x->c.joint[role] = v->items[x->c.at[role]];
    if (!is_over) return true;
  }
  return false;
}

/* ---- the walk ---- */

static void add_link(walk *x, uint32_t depth, uint32_t parent) {
  links *l = &x->links[depth];
  vec_push(x->scratch, &l->parents, parent);
  vec_append(x->scratch, &l->joints, x->c.joint, x->m->role_count);
}

/* The moves that lead to state `i` of level `depth`, back to front. */
static move_id *way_to(const walk *x, uint32_t depth, uint32_t i) {
  const uint32_t roles = x->m->role_count;
  move_id *line = arena_new_array(x->scratch, move_id, (size_t)depth * roles + 1);
  for (uint32_t d = depth; d > 0; d--) {
    memcpy(line + (size_t)(d - 1) * roles, x->links[d].joints.items + (size_t)i * roles,
           roles * sizeof *line);
    i = x->links[d].parents.items[i];
  }
  return line;
}

static void note_stuck(walk *x, uint32_t depth, uint32_t i, uint32_t role) {
  perft_result *r = x->r;
  if (!r) return;
  r->stuck += x->here.states.items[i].ways;
  if (r->fault.kind != FAULT_NONE) return;
  const game_fault found = {.kind = FAULT_STUCK, .role = role, .position = x->position,
                            .line = way_to(x, depth, i), .length = depth};
  r->fault = fault_copy(&found, x->m, x->keep);
}

static void add_successor(walk *x, uint32_t depth, uint32_t i) {
  const uint32_t known = x->there.states.count;
  machine_step(x->m, x->w, x->position, x->c.joint, x->next);
  const uint64_t ways = x->here.states.items[i].ways;
  if (level_add(&x->there, x->next, x->m->position_size, ways) == known)
    add_link(x, depth + 1, i);
}

static bool is_over(walk *x) {
  if (!x->w->trouble.is_there && budget_is_spent(x->w->budget))
    x->w->trouble = (machine_trouble){.is_there = true, .kind = DIAG_E801, .where = SPAN_NONE,
                                      .message = "not all states were counted"};
  return x->w->trouble.is_there;
}

static void expand_state(walk *x, uint32_t depth, uint32_t i) {
  level_get(&x->here, i, x->position, x->m->position_size);
  const bool terminal = machine_terminal(x->m, x->w, x->position);
  if (terminal && !x->o->ignore_terminal) return;
  const uint32_t stuck = first_joint(x);
  if (stuck < x->m->role_count) {
    if (!terminal && !x->w->trouble.is_there) note_stuck(x, depth, i, stuck);
    return;
  }
  do add_successor(x, depth, i);
  while (!is_over(x) && next_joint(x));
}

static bool expand_level(walk *x, uint32_t depth) {
  for (uint32_t i = 0; i < x->here.states.count && !is_over(x); i++) {
    progress_say(x->o->progress, "depth %u: %u of %u states", depth + 1, i, x->here.states.count);
    expand_state(x, depth, i);
  }
  arena_free(x->here.keep);
  x->here = x->there;
  x->there = level_new();
  return !is_over(x);
}

static void count_level(walk *x, uint32_t depth) {
  if (!x->r) return;
  x->r->nodes[depth] = level_ways(&x->here);
  x->r->unique[depth] = x->here.states.count;
  x->r->total += x->r->nodes[depth];
  x->r->depth_done = depth;
}

static void walk_init(walk *x, uint32_t depth) {
  x->scratch = arena_new();
  x->position = arena_alloc(x->scratch, x->m->position_size);
  x->next = arena_alloc(x->scratch, x->m->position_size);
  x->links = arena_zero_array(x->scratch, links, depth + 1);
  x->c = choices_new(x->m->role_count, x->scratch);
  x->here = level_new();
  x->there = level_new();
}

static void walk_free(walk *x) {
  arena_free(x->here.keep);
  arena_free(x->there.keep);
  arena_free(x->scratch);
}

/* Walks `depth` levels from the position; gives back the ways of the last. */
static uint64_t walk_from(walk *x, const void *start, uint32_t depth) {
  walk_init(x, depth);
  level_add(&x->here, start, x->m->position_size, 1);
  count_level(x, 0);
  for (uint32_t d = 0; d < depth && expand_level(x, d); d++) count_level(x, d + 1);
  const uint64_t ways = level_ways(&x->here);
  walk_free(x);
  return ways;
}

static void add_part(walk *root, perft_result *r, const void *behind) {
  const uint32_t roles = root->m->role_count;
  walk x = {.m = root->m, .w = root->w, .o = root->o, .keep = root->keep};
  perft_part part = {.joint = arena_new_array(root->keep, move_id, roles)};
  if (roles) memcpy(part.joint, root->c.joint, roles * sizeof *part.joint);
  part.nodes = walk_from(&x, behind, root->o->depth - 1);
  vec_push(root->keep, &r->parts, part);
}

static void divide(walk *x, perft_result *r) {
  walk_init(x, 0);
  machine_start(x->m, x->position);
  const bool goes_on = x->o->ignore_terminal || !machine_terminal(x->m, x->w, x->position);
  if (goes_on && first_joint(x) == x->m->role_count) {
    do {
      machine_step(x->m, x->w, x->position, x->c.joint, x->next);
      add_part(x, r, x->next);
    } while (!is_over(x) && next_joint(x));
  }
  walk_free(x);
}

bool perft(perft_result *r, const machine *m, machine_workspace *w, const perft_options *o,
           arena *keep) {
  *r = (perft_result){.nodes = arena_zero_array(keep, uint64_t, o->depth + (size_t)1),
                      .unique = arena_zero_array(keep, uint64_t, o->depth + (size_t)1)};
  void *start = arena_alloc(keep, m->position_size);
  machine_start(m, start);
  walk x = {.m = m, .w = w, .o = o, .r = r, .keep = keep};
  walk_from(&x, start, o->depth);
  walk parts = {.m = m, .w = w, .o = o, .keep = keep};
  if (o->divide && o->depth && !w->trouble.is_there) divide(&parts, r);
  return !w->trouble.is_there;
}
