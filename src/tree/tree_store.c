#include "tree/tree_store.h"

#include "tree/tree_store_sound.h"

#include <assert.h>
#include <string.h>

/* What precedes nodes and edges in the block, in words of eight bytes. */
typedef struct block_head {
  uint32_t words; /* with this head */
  node_id owner;
} block_head;

enum { BLOCK_WORD = sizeof(uint64_t), FIRST_WORDS = 1 << 12 };

/* ---- layout ---- */

static uint32_t rounded(size_t bytes) {
  return (uint32_t)((bytes + BLOCK_WORD - 1) / BLOCK_WORD * BLOCK_WORD);
}

static void lay_out(tree_store *s) {
  const uint32_t roles = s->m->role_count;
  s->values_at = sizeof(play_node);
  s->lows_at = s->values_at + roles * (uint32_t)sizeof(float);
  s->highs_at = s->lows_at + roles;
  s->position_at = rounded(s->highs_at + roles);
  s->node_bytes = rounded(s->position_at + s->m->position_size);
  s->forced_at = sizeof(edge_list);
  s->firsts_at = s->forced_at + roles * (uint32_t)sizeof(move_id);
  s->edges_at = rounded(s->firsts_at + (roles + 1) * sizeof(uint32_t));
}

static void *at_word(const tree_store *s, uint32_t word) { return s->block + word; }

/* ---- making ---- */

tree_store *nodes_new(const machine *m, size_t bytes, arena *keep) {
  tree_store *s = arena_alloc_zero(keep, sizeof *s);
  const size_t words = bytes / BLOCK_WORD;
  s->m = m;
  s->keep = keep;
  s->room_max = words > UINT32_MAX - 1 ? UINT32_MAX - 1 : (uint32_t)words;
  lay_out(s);
  nodes_clear(s);
  return s;
}

void nodes_clear(tree_store *s) {
  s->used = 1; /* place 0 is no place */
  s->places.count = s->free_ids.count = 0;
  id_table_clear(&s->index);
  for (uint32_t i = 0; s->joints && i <= s->joint_mask; i++) s->joints[i].parent = NODE_NONE;
  s->joint_count = 0;
}

static bool make_room(tree_store *s, uint32_t words) {
  const uint64_t wanted = (uint64_t)s->used + words;
  uint64_t room = s->room ? s->room : FIRST_WORDS;
  if (wanted <= s->room) return true;
  if (wanted > s->room_max) return false;
  while (room < wanted) room *= 2;
  if (room > s->room_max) room = s->room_max;
  s->block = arena_grow(s->keep, s->block, s->room * sizeof *s->block, room * sizeof *s->block);
  s->room = (uint32_t)room;
  return true;
}

/* Returns the word behind the head; 0: the store is full. */
static uint32_t take(tree_store *s, size_t bytes, node_id owner) {
  const uint32_t words = 1 + rounded(bytes) / BLOCK_WORD;
  if (!make_room(s, words)) return 0;
  *(block_head *)at_word(s, s->used) = (block_head){words, owner};
  s->used += words;
  return s->used - words + 1;
}

static node_id take_id(tree_store *s) {
  if (s->free_ids.count) return vec_pop(&s->free_ids);
  vec_push(s->keep, &s->places, 0);
  return s->places.count - 1;
}

node_id nodes_add(tree_store *s, const void *position) {
  const node_id id = take_id(s);
  const uint32_t place = take(s, s->node_bytes, id);
  if (!place) {
    vec_push(s->keep, &s->free_ids, id);
    return NODE_NONE;
  }
  s->places.items[id] = place;
  memset(at_word(s, place), 0, s->position_at);
  memset(nodes_highs(s, id), GOAL_MAX, s->m->role_count);
  memcpy(nodes_position(s, id), position, s->m->position_size);
  return id;
}

static uint32_t count_edges(const id_vec *moves, uint32_t roles) {
  uint32_t count = 0, most = 0;
  for (uint32_t r = 0; r < roles; r++) {
    if (moves[r].count > 1) count += moves[r].count;
    if (moves[r].count > most) most = moves[r].count;
  }
  return most > 1 ? count : 1;
}

/* The only role that has a choice. */
static uint32_t find_chooser(const id_vec *moves, uint32_t roles) {
  uint32_t chooser = 0, count = 0;
  for (uint32_t r = 0; r < roles; r++)
    if (moves[r].count > 1) chooser = r, count++;
  return count > 1 ? CHOOSERS_MANY : chooser;
}

/* Where several choose, there is nothing to be sorry for yet. */
static play_edge new_edge(move_id move, uint32_t count, bool is_alone) {
  play_edge e = {.move = move, .high = GOAL_MAX};
  if (is_alone) {
    e.child = NODE_NONE;
    e.prior = 1.0f / (float)count;
  } else {
    e.regret = 0;
  }
  return e;
}

static void write_edges(tree_store *s, node_id id, const id_vec *moves) {
  const uint32_t chooser = nodes_edges(s, id)->chooser;
  uint32_t at = 0;
  for (uint32_t r = 0; r < s->m->role_count; r++) {
    nodes_forced(s, id)[r] = moves[r].items[0];
    nodes_firsts(s, id)[r] = at;
    if (moves[r].count == 1 && r != chooser) continue;
    for (uint32_t i = 0; i < moves[r].count; i++)
      *nodes_edge(s, id, at++) =
          new_edge(moves[r].items[i], moves[r].count, chooser != CHOOSERS_MANY);
  }
  nodes_firsts(s, id)[s->m->role_count] = at;
}

bool nodes_open(tree_store *s, node_id id, const id_vec *moves) {
  const uint32_t count = count_edges(moves, s->m->role_count);
  const uint32_t place = take(s, s->edges_at + count * sizeof(play_edge), id);
  if (!place) return false;
  node_of(s, id)->edges = place;
  node_of(s, id)->kind = NODE_OPEN;
  *nodes_edges(s, id) = (edge_list){count, find_chooser(moves, s->m->role_count)};
  write_edges(s, id, moves);
  return true;
}

/* ---- finding states ---- */

static uint64_t hash_of(const tree_store *s, node_id id) {
  return hash_bytes(nodes_position(s, id), s->m->position_size);
}

node_id nodes_find(const tree_store *s, const void *position) {
  if (!s->index.slots) return NODE_NONE;
  const uint64_t hash = hash_bytes(position, s->m->position_size);
  for (uint32_t at = id_table_first(&s->index, hash);; at = id_table_next(&s->index, at)) {
    const node_id id = s->index.slots[at];
    if (id == ID_NONE) return NODE_NONE;
    if (memcmp(nodes_position(s, id), position, s->m->position_size) == 0) return id;
  }
}

static uint64_t rehash(const void *context, uint32_t id) { return hash_of(context, id); }

void nodes_index(tree_store *s, node_id id) {
  id_table_reserve(&s->index, s->keep, rehash, s);
  uint32_t at = id_table_first(&s->index, hash_of(s, id));
  while (s->index.slots[at] != ID_NONE) at = id_table_next(&s->index, at);
  id_table_put(&s->index, at, id);
}

/* ---- children of joint moves ---- */

static uint64_t joint_key(const tree_store *s, node_id id, const uint32_t *edges) {
  return hash_mix(hash_ids(edges, s->m->role_count) ^ hash_mix(id + UINT64_C(1)));
}

static joint_child *find_joint(const tree_store *s, uint64_t key, node_id parent) {
  uint32_t at = (uint32_t)key & s->joint_mask;
  while (s->joints[at].parent != NODE_NONE &&
         (s->joints[at].key != key || s->joints[at].parent != parent))
    at = (at + 1) & s->joint_mask;
  return &s->joints[at];
}

static void resize_joints(tree_store *s, uint32_t size) {
  joint_child *old = s->joints;
  const uint32_t old_size = old ? s->joint_mask + 1 : 0;
  s->joints = arena_new_array(s->keep, joint_child, size);
  s->joint_mask = size - 1;
  for (uint32_t i = 0; i < size; i++) s->joints[i].parent = NODE_NONE;
  for (uint32_t i = 0; i < old_size; i++)
    if (old[i].parent != NODE_NONE) *find_joint(s, old[i].key, old[i].parent) = old[i];
  if (old) arena_release(s->keep, old, old_size * sizeof *old);
}

node_id *nodes_joint_child(tree_store *s, node_id id, const uint32_t *edges) {
  enum { FIRST_SIZE = 256 };
  if (!s->joints) resize_joints(s, FIRST_SIZE);
  if (s->joint_count * 2 > s->joint_mask) resize_joints(s, (s->joint_mask + 1) * 2);
  const uint64_t key = joint_key(s, id, edges);
  joint_child *c = find_joint(s, key, id);
  if (c->parent == NODE_NONE) {
    *c = (joint_child){key, id, NODE_NONE};
    s->joint_count++;
  }
  return &c->child;
}

const node_id *nodes_find_joint_child(const tree_store *s, node_id id, const uint32_t *edges) {
  if (!s->joints) return NULL;
  const joint_child *c = find_joint(s, joint_key(s, id, edges), id);
  return c->parent == NODE_NONE ? NULL : &c->child;
}

/* ---- pruning ---- */

static bool is_used(const tree_store *s, node_id id) { return s->places.items[id] != 0; }

typedef struct marking {
  const tree_store *s;
  id_vec queue;
  arena *scratch;
  uint32_t least; /* visits of a node that stays */
  uint64_t words; /* of those that stay */
} marking;

static uint32_t words_of(const tree_store *s, node_id id) {
  const play_node *n = node_of(s, id);
  uint32_t words = 1 + s->node_bytes / BLOCK_WORD;
  if (n->edges) words += ((const block_head *)at_word(s, n->edges - 1))->words;
  return words;
}

static void mark(marking *k, node_id id) {
  if (id >= NODE_COMING) return;
  play_node *n = node_of(k->s, id);
  if (n->is_kept || n->visits < k->least) return;
  n->is_kept = true;
  k->words += words_of(k->s, id);
  vec_push(k->scratch, &k->queue, id);
}

static void mark_children(marking *k, node_id id) {
  const tree_store *s = k->s;
  if (!node_of(s, id)->edges || nodes_edges(s, id)->chooser == CHOOSERS_MANY) return;
  for (uint32_t i = 0; i < nodes_edges(s, id)->count; i++) mark(k, nodes_edge(s, id, i)->child);
}

/* Children of joint moves are in no list of their parent: go on until there is nothing new. */
static void mark_joint_children(marking *k) {
  const tree_store *s = k->s;
  for (uint32_t i = 0; s->joints && i <= s->joint_mask; i++)
    if (s->joints[i].parent != NODE_NONE && node_of(s, s->joints[i].parent)->is_kept)
      mark(k, s->joints[i].child);
}

static void mark_from(marking *k, node_id root) {
  for (node_id id = 0; id < k->s->places.count; id++)
    if (is_used(k->s, id)) node_of(k->s, id)->is_kept = false;
  k->queue.count = 0;
  k->words = 0;
  const uint32_t least = k->least;
  k->least = 0;
  mark(k, root);
  k->least = least;
  for (uint32_t next = 0; next < k->queue.count;) {
    while (next < k->queue.count) mark_children(k, k->queue.items[next++]);
    mark_joint_children(k);
  }
}

static void forget_child(const tree_store *s, node_id *child) {
  if (*child < NODE_COMING && !node_of(s, *child)->is_kept) *child = NODE_NONE;
}

static void forget_children(tree_store *s) {
  for (node_id id = 0; id < s->places.count; id++) {
    if (!is_used(s, id) || !node_of(s, id)->is_kept || !node_of(s, id)->edges ||
        nodes_edges(s, id)->chooser == CHOOSERS_MANY)
      continue;
    for (uint32_t i = 0; i < nodes_edges(s, id)->count; i++)
      forget_child(s, &nodes_edge(s, id, i)->child);
  }
}

static void forget_joints(tree_store *s) {
  joint_child *old = s->joints;
  const uint32_t size = old ? s->joint_mask + 1 : 0;
  if (!old) return;
  s->joints = arena_new_array(s->keep, joint_child, size);
  s->joint_count = 0;
  for (uint32_t i = 0; i < size; i++) s->joints[i].parent = NODE_NONE;
  for (uint32_t i = 0; i < size; i++) {
    const joint_child c = old[i];
    if (c.parent == NODE_NONE || !node_of(s, c.parent)->is_kept || c.child >= NODE_COMING ||
        !node_of(s, c.child)->is_kept)
      continue;
    *find_joint(s, c.key, c.parent) = c;
    s->joint_count++;
  }
  arena_release(s->keep, old, size * sizeof *old);
}

static void forget_nodes(tree_store *s) {
  for (node_id id = 0; id < s->places.count; id++) {
    if (!is_used(s, id) || node_of(s, id)->is_kept) continue;
    s->places.items[id] = 0;
    vec_push(s->keep, &s->free_ids, id);
  }
}

/* Moves what stays to the front.  Edges lie behind their node, so that its place is known. */
static void slide(tree_store *s) {
  uint32_t to = 1;
  for (uint32_t from = 1; from < s->used;) {
    const block_head head = *(const block_head *)at_word(s, from);
    const uint32_t place = s->places.items[head.owner];
    const bool is_node = place == from + 1;
    const bool is_edges = place && !is_node && node_of(s, head.owner)->edges == from + 1;
    if (is_node || is_edges) {
      memmove(at_word(s, to), at_word(s, from), (size_t)head.words * BLOCK_WORD);
      if (is_node)
        s->places.items[head.owner] = to + 1;
      else
        node_of(s, head.owner)->edges = to + 1;
      to += head.words;
    }
    from += head.words;
  }
  s->used = to;
}

static void index_again(tree_store *s) {
  id_vec kept = {0};
  arena *scratch = arena_new();
  for (uint32_t at = 0; s->index.slots && at <= s->index.mask; at++)
    if (s->index.slots[at] != ID_NONE && is_used(s, s->index.slots[at]))
      vec_push(scratch, &kept, s->index.slots[at]);
  id_table_clear(&s->index);
  for (uint32_t i = 0; i < kept.count; i++) nodes_index(s, kept.items[i]);
  arena_free(scratch);
}

void nodes_prune(tree_store *s, node_id root) {
  marking k = {.s = s, .scratch = arena_new()};
  mark_from(&k, root);
  for (k.least = 2; k.words > s->room_max / 2 && k.least < UINT32_MAX / 2; k.least *= 2)
    mark_from(&k, root);
  arena_free(k.scratch);
  forget_children(s);
  forget_joints(s);
  forget_nodes(s);
  slide(s);
  index_again(s);
  assert(tree_store_is_sound(s));
}

size_t nodes_bytes(const tree_store *s) {
  return (size_t)s->room * BLOCK_WORD + s->places.capacity * sizeof *s->places.items +
         (s->index.slots ? (s->index.mask + (size_t)1) * sizeof *s->index.slots : 0) +
         (s->joints ? (s->joint_mask + (size_t)1) * sizeof *s->joints : 0);
}

uint32_t nodes_count(const tree_store *s) { return s->places.count - s->free_ids.count; }
