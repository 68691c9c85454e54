#include "ggp/wire/name_map.h"

#include "ggp/wire/sexp.h"

#include <ctype.h>

name_map name_map_new(arena *keep) { return (name_map){.keep = keep}; }

static uint64_t hash_of_name(slice name) {
  uint64_t hash = name.length;
  for (size_t i = 0; i < name.length; i++)
    hash = hash_add(hash, (uint32_t)tolower((unsigned char)name.start[i]));
  return hash_mix(hash);
}

static uint64_t hash_of_id(const void *context, uint32_t id) {
  const name_map *m = context;
  return hash_of_name(m->pairs.items[id].from);
}

/* `known` is in lower case. */
static bool is_same_name(slice known, slice name) {
  bool same = known.length == name.length;
  for (size_t i = 0; same && i < name.length; i++)
    same = known.start[i] == (char)tolower((unsigned char)name.start[i]);
  return same;
}

/* The slot of a name, or the empty one where it belongs. */
static uint32_t slot_of(const name_map *m, slice name) {
  uint32_t at = id_table_first(&m->index, hash_of_name(name));
  while (m->index.slots[at] != ID_NONE &&
         !is_same_name(m->pairs.items[m->index.slots[at]].from, name))
    at = id_table_next(&m->index, at);
  return at;
}

const name_pair *name_map_find(const name_map *m, slice from) {
  if (!m->index.slots) return NULL;
  const uint32_t id = m->index.slots[slot_of(m, from)];
  return id == ID_NONE ? NULL : &m->pairs.items[id];
}

static slice copy_of(slice s, arena *keep) {
  return (slice){arena_copy_text(keep, s.start, s.length), s.length};
}

bool name_map_put(name_map *m, slice from, slice to) {
  id_table_reserve(&m->index, m->keep, hash_of_id, m);
  const uint32_t at = slot_of(m, from);
  if (m->index.slots[at] != ID_NONE) return false;
  text lower = text_new(m->keep);
  sexp_add_lower(from, &lower);
  const name_pair pair = {{text_string(&lower), from.length}, copy_of(to, m->keep)};
  vec_push(m->keep, &m->pairs, pair);
  id_table_put(&m->index, at, m->pairs.count - 1);
  return true;
}

void name_map_learn_case(name_map *m, slice terms) {
  slice token;
  while (sexp_token(&terms, &token))
    if (*token.start != '(' && *token.start != ')' && !name_map_find(m, token))
      name_map_put(m, token, token);
}

void name_map_add_terms(const name_map *m, slice terms, text *out) {
  slice token;
  const char *between = "";
  while (sexp_token(&terms, &token)) {
    const name_pair *pair = name_map_find(m, token);
    const slice word = pair ? pair->to : token;
    text_add(out, between);
    text_add_bytes(out, word.start, word.length);
    between = " ";
  }
}

const char *name_map_terms(const name_map *m, const char *terms, arena *keep) {
  text out = text_new(keep);
  name_map_add_terms(m, slice_of(terms), &out);
  return text_string(&out);
}
