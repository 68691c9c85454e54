/* What C files made by `tabia compile` need while they run: sets of bits, tables of rows, texts.
   Everything is static, so a program may link any number of games. */
#ifndef TABIA_COMPILE_RUNTIME_TABIA_RUNTIME_H
#define TABIA_COMPILE_RUNTIME_TABIA_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define TR_UNUSED __attribute__((unused))
#else
#define TR_UNUSED
#endif

#define TR_NONE UINT32_MAX

/* ---- bits ---- */

#define TR_HAS(words, i) ((words)[(i) >> 6] >> ((i)&63) & 1)
#define TR_SET(words, i) ((words)[(i) >> 6] |= UINT64_C(1) << ((i)&63))

/* The lowest bit that is set; `word` is not 0. */
TR_UNUSED static inline uint32_t tr_lowest(uint64_t word) {
#if defined(__GNUC__)
  return (uint32_t)__builtin_ctzll(word);
#else
  uint32_t n = 0;
  while (!(word & 1)) {
    word >>= 1;
    n++;
  }
  return n;
#endif
}

/* ---- stopping ---- */

/* Loops that can take long ask whether to go on. */
typedef struct tr_patience {
  int32_t left; /* until somebody is asked */
  bool (*must_stop)(void *context);
  void *context;
} tr_patience;

enum { TR_PATIENCE = 16 };

TR_UNUSED static bool tr_ask(tr_patience *p, const char **trouble) {
  p->left = 0;
  if (*trouble) return true;
  if (p->must_stop && p->must_stop(p->context))
    *trouble = "it was stopped";
  else
    p->left = TR_PATIENCE;
  return *trouble != NULL;
}

#define TR_IS_OVER(k) (--(k)->patience.left < 0 && tr_ask(&(k)->patience, &(k)->trouble))

/* ---- lists of numbers ---- */

typedef struct tr_list {
  uint32_t *items;
  uint32_t count, capacity;
} tr_list;

TR_UNUSED static bool tr_push(tr_list *l, uint32_t item) {
  if (l->count == l->capacity) {
    const uint32_t capacity = l->capacity ? l->capacity * 2 : 64;
    uint32_t *items = realloc(l->items, capacity * sizeof *items);
    if (!items) return false;
    l->items = items;
    l->capacity = capacity;
  }
  l->items[l->count++] = item;
  return true;
}

TR_UNUSED static int tr_compare(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left;
  const uint32_t b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* Sorts, drops what is there twice, and returns as many as there is room for. */
TR_UNUSED static uint32_t tr_give(tr_list *l, uint32_t *out, uint32_t capacity) {
  uint32_t count = 0;
  if (l->count > 1) qsort(l->items, l->count, sizeof *l->items, tr_compare);
  for (uint32_t i = 0; i < l->count; i++)
    if (count == 0 || l->items[count - 1] != l->items[i]) l->items[count++] = l->items[i];
  l->count = count;
  for (uint32_t i = 0; i < count && i < capacity; i++) out[i] = l->items[i];
  return count;
}

/* A list within a position: its length, then its numbers from the lowest, two in a word.  Positions
   of the caller are bytes: they need not be aligned, and are 0 behind the list. */
TR_UNUSED static inline uint32_t tr_packed(const uint64_t *words, uint32_t i) {
  return (uint32_t)(words[i >> 1] >> ((i & 1) * 32));
}

TR_UNUSED static inline size_t tr_packed_size(uint64_t first_word) {
  return ((uint32_t)first_word / 2 + 1) * sizeof first_word;
}

/* False: there is no room for so many. */
TR_UNUSED static bool tr_pack(tr_list *l, uint64_t *words, uint32_t room) {
  const uint32_t count = tr_give(l, NULL, 0);
  if (count > room) return false;
  words[0] = count;
  for (uint32_t i = 1; i <= count; i++)
    words[i >> 1] = i & 1 ? words[i >> 1] | (uint64_t)l->items[i - 1] << 32 : l->items[i - 1];
  return true;
}

/* Packs those of the numbers, which are from the lowest, that are first .. first+size-1. */
TR_UNUSED static bool tr_pack_range(const uint32_t *numbers, uint32_t count, uint32_t first,
                                    uint64_t size, uint64_t *words, uint32_t room) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (numbers[i] < first || numbers[i] - first >= size) continue;
    if (used++ == room) return false;
    words[used >> 1] |= (uint64_t)(numbers[i] - first) << ((used & 1) * 32);
  }
  words[0] |= used;
  return true;
}

TR_UNUSED static bool tr_same_packed(const uint64_t *words, const char *bytes) {
  return memcmp(words, bytes, tr_packed_size(words[0])) == 0;
}

TR_UNUSED static void tr_take_packed(uint64_t *words, const char *bytes) {
  memcpy(words, bytes, sizeof *words);
  memcpy(words, bytes, tr_packed_size(words[0]));
}

TR_UNUSED static void tr_give_packed(char *bytes, const uint64_t *words, size_t size) {
  const size_t used = tr_packed_size(words[0]);
  memcpy(bytes, words, used);
  memset(bytes + used, 0, size - used);
}

/* ---- rows in a hash table ---- */

/* The rows that agree in some columns are a chain, newest first. */
typedef struct tr_index {
  uint64_t columns; /* bit i: column i is part of the key */
  uint32_t *slots;  /* newest row of each key, or TR_NONE */
  uint32_t *older;  /* by row */
} tr_index;

typedef struct tr_rows {
  uint32_t arity, count, capacity;
  uint32_t slot_count; /* of the table and of each index; a power of two */
  uint32_t *cells;
  uint32_t *slots; /* rows by hash; TR_NONE where empty */
  tr_index *indexes;
  uint32_t index_count;
} tr_rows;

TR_UNUSED static inline uint64_t tr_mix(uint64_t hash, uint32_t value) {
  return (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15) ^ (hash >> 29);
}

TR_UNUSED static inline uint32_t tr_slot(uint64_t hash, uint32_t slot_count) {
  hash ^= hash >> 32;
  hash *= UINT64_C(0xd6e8feb86659fd93);
  return (uint32_t)(hash >> 32) & (slot_count - 1);
}

/* For the columns in `columns`. */
TR_UNUSED static inline uint64_t tr_hash(const uint32_t *row, uint32_t arity, uint64_t columns) {
  uint64_t hash = 1;
  for (uint32_t i = 0; i < arity; i++)
    if (columns >> i & 1) hash = tr_mix(hash, row[i]);
  return hash;
}

TR_UNUSED static inline bool tr_agree(const uint32_t *a, const uint32_t *b, uint32_t arity,
                                      uint64_t columns) {
  for (uint32_t i = 0; i < arity; i++)
    if ((columns >> i & 1) && a[i] != b[i]) return false;
  return true;
}

TR_UNUSED static void tr_rows_init(tr_rows *t, uint32_t arity) {
  memset(t, 0, sizeof *t);
  t->arity = arity;
}

TR_UNUSED static bool tr_rows_add_index(tr_rows *t, uint64_t columns) {
  tr_index *indexes = realloc(t->indexes, (t->index_count + 1) * sizeof *indexes);
  if (!indexes) return false;
  t->indexes = indexes;
  t->indexes[t->index_count++] = (tr_index){columns, NULL, NULL};
  return true;
}

TR_UNUSED static void tr_rows_free(tr_rows *t) {
  for (uint32_t i = 0; i < t->index_count; i++) {
    free(t->indexes[i].slots);
    free(t->indexes[i].older);
  }
  free(t->indexes);
  free(t->cells);
  free(t->slots);
}

TR_UNUSED static inline const uint32_t *tr_row(const tr_rows *t, uint32_t row) {
  return t->cells + (size_t)row * t->arity;
}

TR_UNUSED static inline uint32_t tr_find_slot(const tr_rows *t, const uint32_t *row) {
  uint32_t at = tr_slot(tr_hash(row, t->arity, UINT64_MAX), t->slot_count);
  while (t->slots[at] != TR_NONE && !tr_agree(tr_row(t, t->slots[at]), row, t->arity, UINT64_MAX))
    at = (at + 1) & (t->slot_count - 1);
  return at;
}

/* Where the chain of a key begins: its slot, or an empty one. */
TR_UNUSED static inline uint32_t tr_key_slot(const tr_rows *t, const tr_index *x,
                                             const uint32_t *key) {
  uint32_t at = tr_slot(tr_hash(key, t->arity, x->columns), t->slot_count);
  while (x->slots[at] != TR_NONE && !tr_agree(tr_row(t, x->slots[at]), key, t->arity, x->columns))
    at = (at + 1) & (t->slot_count - 1);
  return at;
}

TR_UNUSED static inline void tr_link(tr_rows *t, tr_index *x, uint32_t row) {
  const uint32_t at = tr_key_slot(t, x, tr_row(t, row));
  x->older[row] = x->slots[at];
  x->slots[at] = row;
}

TR_UNUSED static inline bool tr_grow_array(uint32_t **items, size_t count) {
  uint32_t *grown = realloc(*items, count * sizeof *grown);
  if (!grown) return false;
  *items = grown;
  return true;
}

TR_UNUSED static bool tr_rows_grow(tr_rows *t) {
  const uint32_t capacity = t->capacity ? t->capacity * 2 : 32;
  const uint32_t slots = capacity * 2;
  if (!tr_grow_array(&t->cells, (size_t)capacity * t->arity + 1)) return false;
  if (!tr_grow_array(&t->slots, slots)) return false;
  for (uint32_t i = 0; i < t->index_count; i++)
    if (!tr_grow_array(&t->indexes[i].slots, slots) ||
        !tr_grow_array(&t->indexes[i].older, capacity))
      return false;
  t->capacity = capacity;
  t->slot_count = slots;
  memset(t->slots, 0xff, slots * sizeof *t->slots);
  for (uint32_t r = 0; r < t->count; r++) t->slots[tr_find_slot(t, tr_row(t, r))] = r;
  for (uint32_t i = 0; i < t->index_count; i++) {
    memset(t->indexes[i].slots, 0xff, slots * sizeof *t->slots);
    for (uint32_t r = 0; r < t->count; r++) tr_link(t, &t->indexes[i], r);
  }
  return true;
}

TR_UNUSED static void tr_rows_clear(tr_rows *t) {
  if (t->count == 0) return;
  t->count = 0;
  memset(t->slots, 0xff, t->slot_count * sizeof *t->slots);
  for (uint32_t i = 0; i < t->index_count; i++)
    memset(t->indexes[i].slots, 0xff, t->slot_count * sizeof *t->slots);
}

TR_UNUSED static bool tr_rows_has(const tr_rows *t, const uint32_t *row) {
  return t->count && t->slots[tr_find_slot(t, row)] != TR_NONE;
}

typedef enum tr_added { TR_OLD, TR_NEW, TR_NO_MEMORY } tr_added;

TR_UNUSED static tr_added tr_rows_add(tr_rows *t, const uint32_t *row) {
  if (t->count == t->capacity && !tr_rows_grow(t)) return TR_NO_MEMORY;
  const uint32_t at = tr_find_slot(t, row);
  if (t->slots[at] != TR_NONE) return TR_OLD;
  t->slots[at] = t->count;
  memcpy(t->cells + (size_t)t->count * t->arity, row, t->arity * sizeof *row);
  for (uint32_t i = 0; i < t->index_count; i++) tr_link(t, &t->indexes[i], t->count);
  t->count++;
  return TR_NEW;
}

/* The newest row that agrees with `key` in the columns of the index, or TR_NONE. */
TR_UNUSED static uint32_t tr_rows_first(const tr_rows *t, uint32_t index, const uint32_t *key) {
  const tr_index *x = &t->indexes[index];
  return t->count ? x->slots[tr_key_slot(t, x, key)] : TR_NONE;
}

TR_UNUSED static inline uint32_t tr_rows_next(const tr_rows *t, uint32_t index, uint32_t row) {
  return t->indexes[index].older[row];
}

/* ---- rows in a trie ---- */

/* A row is a way from the root, one node for each column.  Children of a node are a list, and are
   found by hash; so rows that agree with any known columns are found by walking. */
typedef struct tr_node {
  uint32_t parent, code;
  uint32_t first_child, next_sibling; /* TR_NONE: none */
} tr_node;

typedef struct tr_trie {
  uint32_t arity, count, capacity; /* rows, in the order in which they came */
  uint32_t *cells;
  tr_node *nodes; /* the first is the root */
  uint32_t node_count, node_capacity;
  uint32_t *slots; /* nodes by parent and code */
  uint32_t slot_count;
} tr_trie;

enum { TR_COLUMNS_MAX = 64 };

/* A walk over the rows that agree with known columns. */
typedef struct tr_walk {
  uint64_t known;
  uint32_t depth;
  bool has_begun;
  uint32_t nodes[TR_COLUMNS_MAX + 1]; /* the way to where it stands */
  uint32_t row[TR_COLUMNS_MAX];
} tr_walk;

TR_UNUSED static void tr_trie_init(tr_trie *t, uint32_t arity) {
  memset(t, 0, sizeof *t);
  t->arity = arity;
}

TR_UNUSED static void tr_trie_free(tr_trie *t) {
  free(t->cells);
  free(t->nodes);
  free(t->slots);
}

TR_UNUSED static void tr_trie_clear(tr_trie *t) {
  if (t->count == 0) return;
  t->count = 0;
  t->node_count = 1;
  t->nodes[0].first_child = TR_NONE;
  memset(t->slots, 0xff, t->slot_count * sizeof *t->slots);
}

TR_UNUSED static inline const uint32_t *tr_trie_row(const tr_trie *t, uint32_t row) {
  return t->cells + (size_t)row * t->arity;
}

/* The slot of a node's child with this code, or an empty one. */
TR_UNUSED static inline uint32_t tr_child_slot(const tr_trie *t, uint32_t parent, uint32_t code) {
  uint32_t at = tr_slot(tr_mix(parent + UINT64_C(1), code), t->slot_count);
  for (; t->slots[at] != TR_NONE; at = (at + 1) & (t->slot_count - 1)) {
    const tr_node *n = &t->nodes[t->slots[at]];
    if (n->parent == parent && n->code == code) break;
  }
  return at;
}

/* Room for one more row and the nodes that it may need. */
TR_UNUSED static bool tr_trie_reserve(tr_trie *t) {
  if (t->count == t->capacity) {
    const uint32_t capacity = t->capacity ? t->capacity * 2 : 32;
    if (!tr_grow_array(&t->cells, (size_t)capacity * t->arity + 1)) return false;
    t->capacity = capacity;
  }
  if (t->node_count + t->arity + 1 <= t->node_capacity) return true;
  const uint32_t capacity = (t->node_capacity ? t->node_capacity : 32) * 2 + t->arity;
  uint32_t slots = 64;
  while (slots < capacity * 2) slots *= 2;
  tr_node *nodes = realloc(t->nodes, capacity * sizeof *nodes);
  if (!nodes) return false;
  t->nodes = nodes;
  if (!tr_grow_array(&t->slots, slots)) return false;
  t->node_capacity = capacity;
  t->slot_count = slots;
  if (t->node_count == 0) t->nodes[t->node_count++] = (tr_node){TR_NONE, 0, TR_NONE, TR_NONE};
  memset(t->slots, 0xff, slots * sizeof *t->slots);
  for (uint32_t i = 1; i < t->node_count; i++)
    t->slots[tr_child_slot(t, nodes[i].parent, nodes[i].code)] = i;
  return true;
}

TR_UNUSED static tr_added tr_trie_add(tr_trie *t, const uint32_t *row) {
  if (!tr_trie_reserve(t)) return TR_NO_MEMORY;
  uint32_t node = 0;
  bool is_new = false;
  for (uint32_t i = 0; i < t->arity; i++) {
    const uint32_t at = tr_child_slot(t, node, row[i]);
    if (t->slots[at] == TR_NONE) {
      is_new = true;
      t->nodes[t->node_count] = (tr_node){node, row[i], TR_NONE, t->nodes[node].first_child};
      t->nodes[node].first_child = t->node_count;
      t->slots[at] = t->node_count++;
    }
    node = t->slots[at];
  }
  if (!is_new) return TR_OLD;
  memcpy(t->cells + (size_t)t->count * t->arity, row, t->arity * sizeof *row);
  t->count++;
  return TR_NEW;
}

TR_UNUSED static bool tr_trie_has(const tr_trie *t, const uint32_t *row) {
  uint32_t node = 0;
  for (uint32_t i = 0; t->count && i < t->arity; i++) {
    node = t->slots[tr_child_slot(t, node, row[i])];
    if (node == TR_NONE) return false;
  }
  return t->count;
}

TR_UNUSED static tr_walk tr_trie_walk(const tr_trie *t, uint64_t known, const uint32_t *key) {
  tr_walk w;
  w.known = known;
  w.depth = 0;
  w.has_begun = false;
  w.nodes[0] = 0;
  memcpy(w.row, key, t->arity * sizeof *key);
  return w;
}

/* The first child to go to, or TR_NONE. */
TR_UNUSED static inline uint32_t tr_go_down(const tr_trie *t, const tr_walk *w) {
  const uint32_t node = w->nodes[w->depth];
  if (w->known >> w->depth & 1) return t->slots[tr_child_slot(t, node, w->row[w->depth])];
  return t->nodes[node].first_child;
}

/* Goes to the next row, which is then in w->row; false: there is none. */
TR_UNUSED static bool tr_trie_next(const tr_trie *t, tr_walk *w) {
  if (t->count == 0) return false;
  uint32_t next = TR_NONE;
  if (!w->has_begun) next = tr_go_down(t, w);
  w->has_begun = true;
  for (;;) {
    while (next == TR_NONE) { /* go back to a node with another sibling */
      if (w->depth == 0) return false;
      const uint32_t node = w->nodes[w->depth--];
      if (!(w->known >> w->depth & 1)) next = t->nodes[node].next_sibling;
    }
    w->row[w->depth] = t->nodes[next].code;
    w->nodes[++w->depth] = next;
    if (w->depth == t->arity) return true;
    next = tr_go_down(t, w);
  }
}

/* ---- texts ---- */

typedef struct tr_text {
  char *bytes;
  size_t capacity, length;
} tr_text;

TR_UNUSED static void tr_put(tr_text *t, const char *words) {
  for (; *words; words++, t->length++)
    if (t->length + 1 < t->capacity) t->bytes[t->length] = *words;
}

/* A text that is compared piece by piece. */
typedef struct tr_reader {
  const char *at; /* NULL: something was different */
} tr_reader;

TR_UNUSED static void tr_take(tr_reader *r, const char *words) {
  const size_t length = strlen(words);
  if (r->at) r->at = strncmp(r->at, words, length) == 0 ? r->at + length : NULL;
}

/* Takes one of `count` names, and gives its number. */
TR_UNUSED static uint32_t tr_take_name(tr_reader *r, const char *const *names, uint32_t count) {
  for (uint32_t i = 0; r->at && i < count; i++) {
    const size_t length = strlen(names[i]);
    if (strncmp(r->at, names[i], length) != 0) continue;
    const char end = r->at[length];
    if (end != ' ' && end != ')' && end != '\0') continue;
    r->at += length;
    return i;
  }
  r->at = NULL;
  return 0;
}

TR_UNUSED static bool tr_is_taken(const tr_reader *r) { return r->at && !*r->at; }

TR_UNUSED static size_t tr_end(tr_text *t) {
  if (t->capacity) t->bytes[t->length < t->capacity ? t->length : t->capacity - 1] = '\0';
  return t->length;
}

#endif
