#include "board/evidence/names.h"

names names_new(arena *keep) { return (names){.keep = keep}; }

static uint64_t hash_of(const void *context, uint32_t id) {
  const char *text = names_text(context, id);
  return hash_bytes(text, strlen(text));
}

static bool is_same(const char *known, const char *text, size_t length) {
  return strncmp(known, text, length) == 0 && known[length] == '\0';
}

/* The slot of the text, or the free one where it would be. */
static uint32_t slot_of(const names *n, const char *text, size_t length) {
  uint32_t at = id_table_first(&n->index, hash_bytes(text, length));
  while (n->index.slots[at] != ID_NONE && !is_same(names_text(n, n->index.slots[at]), text, length))
    at = id_table_next(&n->index, at);
  return at;
}

name_id names_find(const names *n, const char *text, size_t length) {
  return n->index.slots ? n->index.slots[slot_of(n, text, length)] : NAME_NONE;
}

name_id names_add(names *n, const char *text, size_t length) {
  id_table_reserve(&n->index, n->keep, hash_of, n);
  const uint32_t at = slot_of(n, text, length);
  if (n->index.slots[at] != ID_NONE) return n->index.slots[at];
  vec_push(n->keep, &n->items, arena_copy_text(n->keep, text, length));
  id_table_put(&n->index, at, n->items.count - 1);
  return n->items.count - 1;
}
