#include "read/symbol.h"

#include "read/escape.h"

#include <assert.h>
#include <string.h>

typedef struct symbol_entry {
  const char *written; /* as first written */
  const char *folded;  /* in lower case; the same bytes as `written` where it can be */
  uint32_t length;     /* of both */
  uint32_t hash;
  const char *canonical; /* with escapes; the same bytes as `folded` where it can be */
  uint32_t canonical_length;
  bool is_variable;
} symbol_entry;

enum { NAME_BLOCK = 16 * 1024 };

struct symbol_table {
  arena *keep;
  VEC(symbol_entry) entries;
  id_table index;
  char *room; /* where the next short name goes */
  size_t room_left;
  bool is_written[SYM_FIXED_COUNT]; /* false: the keyword has not been met in a text yet */
};

static const char *const keyword_names[SYM_FIXED_COUNT] = {
    [SYM_ROLE] = "role",   [SYM_INIT] = "init",         [SYM_TRUE] = "true",
    [SYM_DOES] = "does",   [SYM_NEXT] = "next",         [SYM_LEGAL] = "legal",
    [SYM_GOAL] = "goal",   [SYM_TERMINAL] = "terminal", [SYM_BASE] = "base",
    [SYM_INPUT] = "input", [SYM_SEES] = "sees",         [SYM_DISTINCT] = "distinct",
    [SYM_NOT] = "not",     [SYM_AND] = "and",           [SYM_OR] = "or",
    [SYM_RULE] = "<=",     [SYM_RANDOM] = "random",
};

uint32_t keyword_arity(symbol_id keyword) {
  static const uint8_t arity[] = {
      [SYM_ROLE] = 1, [SYM_INIT] = 1,  [SYM_TRUE] = 1, [SYM_DOES] = 2,
      [SYM_NEXT] = 1, [SYM_LEGAL] = 2, [SYM_GOAL] = 2, [SYM_TERMINAL] = 0,
      [SYM_BASE] = 1, [SYM_INPUT] = 2, [SYM_SEES] = 2,
  };
  assert(symbol_is_keyword_relation(keyword));
  return arity[keyword];
}

static inline uint8_t fold(char c) {
  const uint8_t byte = (uint8_t)c;
  return (uint8_t)(byte + ((uint8_t)(byte - 'A') < 26) * ('a' - 'A'));
}

static inline uint32_t hash_folded(slice name) {
  uint64_t hash = 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < name.length; i++) hash = (hash ^ fold(name.start[i])) * 0x100000001b3u;
  return (uint32_t)(hash ^ hash >> 32);
}

static bool is_same_folded(const symbol_entry *e, slice name) {
  for (size_t i = 0; i < name.length; i++)
    if ((uint8_t)e->folded[i] != fold(name.start[i])) return false;
  return true;
}

/* A name that is looked for. */
typedef struct symbol_key {
  slice name;
  uint32_t hash;
  bool is_variable;
} symbol_key;

static symbol_key key_of(slice name) {
  const bool is_variable = name.length > 0 && name.start[0] == '?';
  return (symbol_key){name, hash_folded(name), is_variable};
}

static symbol_key key_of_constant(slice name) {
  return (symbol_key){name, hash_folded(name), false};
}

/* Most names are written the same way everywhere. */
static inline bool is_same(const symbol_entry *e, const symbol_key *key) {
  const slice name = key->name;
  if (e->hash != key->hash || e->length != name.length) return false;
  if (e->is_variable != key->is_variable) return false;
  return memcmp(e->written, name.start, name.length) == 0 || is_same_folded(e, name);
}

static uint64_t hash_of_entry(const void *table, uint32_t id) {
  return ((const symbol_table *)table)->entries.items[id].hash;
}

/* Where the name is, or the empty slot where it would go. */
static inline uint32_t find_slot(const symbol_table *t, const symbol_key *key) {
  uint32_t at = id_table_first(&t->index, key->hash);
  for (;; at = id_table_next(&t->index, at)) {
    const uint32_t id = t->index.slots[at];
    if (id == ID_NONE || is_same(&t->entries.items[id], key)) return at;
  }
}

static char *room_for(symbol_table *t, size_t length) {
  if (length > NAME_BLOCK / 4) return arena_alloc(t->keep, length);
  if (length > t->room_left) {
    t->room = arena_alloc(t->keep, NAME_BLOCK);
    t->room_left = NAME_BLOCK;
  }
  char *room = t->room;
  t->room += length;
  t->room_left -= length;
  return room;
}

static const char *copy_written(symbol_table *t, slice name) {
  char *copy = room_for(t, name.length);
  if (name.length) memcpy(copy, name.start, name.length);
  return copy;
}

static bool has_upper_case(slice name) {
  for (size_t i = 0; i < name.length; i++)
    if (fold(name.start[i]) != (uint8_t)name.start[i]) return true;
  return false;
}

static const char *copy_folded(symbol_table *t, slice name) {
  char *copy = room_for(t, name.length);
  for (size_t i = 0; i < name.length; i++) copy[i] = (char)fold(name.start[i]);
  return copy;
}

static void set_canonical(symbol_table *t, symbol_entry *e) {
  const slice folded = {e->folded, e->length};
  e->canonical = e->folded;
  e->canonical_length = e->length;
  if (escape_is_plain_kif(folded, e->is_variable)) return;
  text escaped = text_new(t->keep);
  escape_add_kif(folded, e->is_variable, &escaped);
  e->canonical = text_string(&escaped);
  e->canonical_length = (uint32_t)escaped.length;
}

static symbol_id add_symbol(symbol_table *t, const symbol_key *key) {
  id_table_reserve(&t->index, t->keep, hash_of_entry, t);
  symbol_entry e = {
      .length = (uint32_t)key->name.length, .hash = key->hash, .is_variable = key->is_variable};
  e.written = copy_written(t, key->name);
  e.folded = has_upper_case(key->name) ? copy_folded(t, key->name) : e.written;
  set_canonical(t, &e);
  const symbol_id id = t->entries.count;
  id_table_put(&t->index, find_slot(t, key), id);
  vec_push(t->keep, &t->entries, e);
  return id;
}

symbol_table *symbols_new(arena *keep) {
  symbol_table *t = arena_alloc_zero(keep, sizeof *t);
  t->keep = keep;
  id_table_reserve(&t->index, keep, hash_of_entry, t);
  for (symbol_id s = 0; s < SYM_FIXED_COUNT; s++) {
    const symbol_key key = key_of(slice_of(keyword_names[s]));
    add_symbol(t, &key);
  }
  return t;
}

/* A keyword, too, is printed as the text first writes it. */
static void note_keyword(symbol_table *t, symbol_id keyword, slice name) {
  t->is_written[keyword] = true;
  symbol_entry *e = &t->entries.items[keyword];
  if (memcmp(e->written, name.start, name.length) != 0) e->written = copy_written(t, name);
}

static symbol_id intern(symbol_table *t, symbol_key key) {
  const symbol_id found = t->index.slots[find_slot(t, &key)];
  if (found == ID_NONE) return add_symbol(t, &key);
  if (found < SYM_FIXED_COUNT && !t->is_written[found]) note_keyword(t, found, key.name);
  return found;
}

symbol_id symbol_intern(symbol_table *t, slice name) { return intern(t, key_of(name)); }

symbol_id symbol_intern_constant(symbol_table *t, slice name) {
  return intern(t, key_of_constant(name));
}

static symbol_id find(const symbol_table *t, symbol_key key) {
  const uint32_t id = t->index.slots[find_slot(t, &key)];
  return id == ID_NONE ? SYM_NONE : id;
}

symbol_id symbol_find(const symbol_table *t, slice name) { return find(t, key_of(name)); }

symbol_id symbol_find_constant(const symbol_table *t, slice name) {
  return find(t, key_of_constant(name));
}

slice symbol_name(const symbol_table *t, symbol_id s) {
  assert(s < t->entries.count);
  return (slice){t->entries.items[s].written, t->entries.items[s].length};
}

slice symbol_folded(const symbol_table *t, symbol_id s) {
  assert(s < t->entries.count);
  return (slice){t->entries.items[s].folded, t->entries.items[s].length};
}

slice symbol_canonical(const symbol_table *t, symbol_id s) {
  assert(s < t->entries.count);
  return (slice){t->entries.items[s].canonical, t->entries.items[s].canonical_length};
}

uint32_t symbol_count(const symbol_table *t) { return t->entries.count; }

bool symbol_is_variable(const symbol_table *t, symbol_id s) {
  return t->entries.items[s].is_variable;
}
