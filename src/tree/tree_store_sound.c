#include "tree/tree_store_sound.h"

static bool is_used(const tree_store *s, node_id id) {
  return id < s->places.count && s->places.items[id] != 0;
}

/* A child that is there, is being made, or is none. */
static bool is_child(const tree_store *s, node_id id) {
  return id >= NODE_COMING || is_used(s, id);
}

/* So many bytes from a word on are in use. */
static bool has_bytes(const tree_store *s, uint32_t word, uint64_t bytes) {
  return word < s->used && bytes <= (s->used - word) * (uint64_t)sizeof *s->block;
}

/* ---- edges ---- */

static bool firsts_are_sound(const tree_store *s, node_id id) {
  const uint32_t *firsts = nodes_firsts(s, id);
  for (uint32_t r = 0; r < s->m->role_count; r++)
    if (firsts[r] > firsts[r + 1]) return false;
  return firsts[0] == 0 && firsts[s->m->role_count] == nodes_edges(s, id)->count;
}

static bool children_are_sound(const tree_store *s, node_id id) {
  if (nodes_edges(s, id)->chooser == CHOOSERS_MANY) return true;
  for (uint32_t i = 0; i < nodes_edges(s, id)->count; i++)
    if (!is_child(s, nodes_edge(s, id, i)->child)) return false;
  return true;
}

static bool edges_are_sound(const tree_store *s, node_id id) {
  if (!has_bytes(s, node_of(s, id)->edges, s->edges_at)) return false;
  const edge_list *l = nodes_edges(s, id);
  return (l->chooser < s->m->role_count || l->chooser == CHOOSERS_MANY) &&
         has_bytes(s, node_of(s, id)->edges,
                   s->edges_at + l->count * (uint64_t)sizeof(play_edge)) &&
         firsts_are_sound(s, id) && children_are_sound(s, id);
}

/* ---- nodes ---- */

static bool bounds_are_sound(const tree_store *s, node_id id) {
  for (uint32_t r = 0; r < s->m->role_count; r++)
    if (nodes_lows(s, id)[r] > nodes_highs(s, id)[r] || nodes_highs(s, id)[r] > GOAL_MAX)
      return false;
  return true;
}

static bool node_is_sound(const tree_store *s, node_id id) {
  if (!has_bytes(s, s->places.items[id], s->node_bytes)) return false;
  const bool has_edges = node_of(s, id)->edges != 0;
  return has_edges == (node_of(s, id)->kind == NODE_OPEN) && bounds_are_sound(s, id) &&
         (!has_edges || edges_are_sound(s, id));
}

/* Numbers that are not in use are free, and no others. */
static bool nodes_are_sound(const tree_store *s) {
  uint32_t unused = 0;
  for (node_id id = 0; id < s->places.count; id++) {
    unused += !is_used(s, id);
    if (is_used(s, id) && !node_is_sound(s, id)) return false;
  }
  for (uint32_t i = 0; i < s->free_ids.count; i++)
    if (is_used(s, s->free_ids.items[i])) return false;
  return unused == s->free_ids.count;
}

/* ---- where nodes are found ---- */

static bool joint_is_sound(const tree_store *s, const joint_child *c) {
  return is_used(s, c->parent) && node_of(s, c->parent)->edges &&
         nodes_edges(s, c->parent)->chooser == CHOOSERS_MANY && is_child(s, c->child);
}

static bool joints_are_sound(const tree_store *s) {
  uint32_t count = 0;
  for (uint32_t i = 0; s->joints && i <= s->joint_mask; i++) {
    if (s->joints[i].parent == NODE_NONE) continue;
    if (!joint_is_sound(s, &s->joints[i])) return false;
    count++;
  }
  return count == s->joint_count;
}

static bool index_is_sound(const tree_store *s) {
  for (uint32_t at = 0; s->index.slots && at <= s->index.mask; at++)
    if (s->index.slots[at] != ID_NONE && !is_used(s, s->index.slots[at])) return false;
  return true;
}

bool tree_store_is_sound(const tree_store *s) {
  return s->used <= (s->room ? s->room : 1) && nodes_are_sound(s) && joints_are_sound(s) &&
         index_is_sound(s);
}
