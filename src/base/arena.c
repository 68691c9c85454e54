#include "base/arena.h"

#include "base/account.h"
#include "base/recovery.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
  ALIGNMENT = 16,
  FIRST_CHUNK = 960, /* with its head it is of a size that malloc has ready at once */
  LAST_CHUNK = 1024 * 1024,
};

/* A piece of system memory that small requests are cut from, newest first. */
typedef struct chunk {
  struct chunk *older;
  size_t size; /* of `bytes` */
  size_t used;
  _Alignas(ALIGNMENT) unsigned char bytes[];
} chunk;

/* A request with memory of its own; newest first, so a mark can give newer ones back. */
typedef struct large {
  struct large *older;
  struct large *newer;
  size_t size;
  uint64_t number; /* in the order of their making */
  _Alignas(ALIGNMENT) unsigned char bytes[];
} large;

struct arena {
  chunk *chunks;
  large *larges;
  uint64_t large_number;
  size_t held;
  struct account *account; /* to which `held` is charged; or NULL */
  arena_group *group;      /* NULL: none */
  arena *older, *newer;    /* in the group */
  arena_end *end;          /* NULL: nothing hangs on it */
  void *guarded;
};

/* ---- groups ---- */

/* Held for a few instructions only. */
static void lock_group(arena_group *g) {
  while (atomic_flag_test_and_set_explicit(&g->is_in_use, memory_order_acquire)) continue;
}

static void unlock_group(arena_group *g) {
  atomic_flag_clear_explicit(&g->is_in_use, memory_order_release);
}

static void enter_group(arena *a, arena_group *g) {
  a->group = g;
  if (!g) return;
  lock_group(g);
  a->newer = NULL;
  a->older = g->newest;
  if (a->older) a->older->newer = a;
  g->newest = a;
  unlock_group(g);
}

static void leave_group(arena *a) {
  arena_group *g = a->group;
  if (!g) return;
  lock_group(g);
  if (a->older) a->older->newer = a->newer;
  if (a->newer)
    a->newer->older = a->older;
  else
    g->newest = a->older;
  unlock_group(g);
  a->group = NULL;
}

static arena *oldest_of(arena_group *g) {
  arena *a = g->newest;
  while (a && a->older) a = a->older;
  return a;
}

void arena_group_move(arena_group *from, arena_group *to) {
  for (arena *a = oldest_of(from), *next; a; a = next) {
    next = a->newer;
    enter_group(a, to);
  }
  from->newest = NULL;
}

void arena_group_free(arena_group *g) {
  while (g->newest) arena_free(g->newest);
}

void arena_enter_group(arena *a, arena_group *g) {
  leave_group(a);
  enter_group(a, g);
}

arena_group *arena_group_of(const arena *a) { return a->group; }

/* ---- memory ---- */

/* Like realloc; the arena then holds so many more bytes, which are charged. */
static void *take(arena *a, void *old, size_t size, size_t more) {
  void *memory = recovery_memory(a->account, old, size, more);
  a->held += more;
  return memory;
}

static void give_back(arena *a, void *memory, size_t held) {
  a->held -= held;
  account_give_back(a->account, held);
  free(memory);
}

static size_t round_up(size_t size) { return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1); }

arena *arena_new(void) {
  arena *a = recovery_memory(NULL, NULL, sizeof *a, 0);
  *a = (arena){.account = recovery_account()};
  account_hold(a->account);
  enter_group(a, recovery_group());
  return a;
}

static void make_arena(void *context) { *(arena **)context = arena_new(); }

arena *arena_guarding(arena_end *end, void *what) {
  arena *a;
  if (!recovery_try(recovery_group(), make_arena, &a)) {
    end(what);
    recovery_fail();
  }
  a->end = end;
  a->guarded = what;
  return a;
}

static void free_newest_chunk(arena *a) {
  chunk *c = a->chunks;
  a->chunks = c->older;
  give_back(a, c, c->size);
}

static void free_large(arena *a, large *l) {
  if (l->newer)
    l->newer->older = l->older;
  else
    a->larges = l->older;
  if (l->older) l->older->newer = l->newer;
  give_back(a, l, l->size);
}

void arena_clear(arena *a) {
  while (a->chunks) free_newest_chunk(a);
  while (a->larges) free_large(a, a->larges);
}

void arena_free(arena *a) {
  if (!a) return;
  leave_group(a);
  if (a->end) a->end(a->guarded);
  arena_clear(a);
  account_let_go(a->account);
  free(a);
}

void arena_charge(arena *a, account *to) {
  if (!account_take(to, a->held)) recovery_fail();
  account_hold(to);
  account_give_back(a->account, a->held);
  account_let_go(a->account);
  a->account = to;
}

static void add_chunk(arena *a, size_t need) {
  size_t size = a->chunks ? a->chunks->size * 2 : FIRST_CHUNK;
  if (size > LAST_CHUNK) size = LAST_CHUNK;
  if (size < need) size = need;
  chunk *c = take(a, NULL, sizeof *c + size, size);
  *c = (chunk){.older = a->chunks, .size = size};
  a->chunks = c;
}

static void *alloc_large(arena *a, size_t size) {
  large *l = take(a, NULL, sizeof *l + size, size);
  *l = (large){.older = a->larges, .size = size, .number = ++a->large_number};
  if (l->older) l->older->newer = l;
  a->larges = l;
  return l->bytes;
}

static void *cut(chunk *c, size_t size) {
  void *memory = c->bytes + c->used;
  c->used += size;
  return memory;
}

/* Apart, so that the usual case is a few instructions: it is asked for thousands of small pieces
   before the first rule of a game is ground. */
static __attribute__((noinline)) void *alloc_anew(arena *a, size_t size) {
  if (size >= ARENA_LARGE) return alloc_large(a, size);
  add_chunk(a, size);
  return cut(a->chunks, size);
}

void *arena_alloc(arena *a, size_t size) {
  size = round_up(size);
  chunk *c = a->chunks;
  return size < ARENA_LARGE && c && c->size - c->used >= size ? cut(c, size) : alloc_anew(a, size);
}

void *arena_alloc_zero(arena *a, size_t size) {
  void *memory = arena_alloc(a, size);
  return memset(memory, 0, size);
}

static large *large_of(void *bytes) {
  return (large *)(void *)((unsigned char *)bytes - offsetof(large, bytes));
}

/* The links are updated because the block may have moved. */
static void *grow_large(arena *a, void *old, size_t new_size) {
  large *l = large_of(old);
  l = take(a, l, sizeof *l + new_size, new_size - l->size);
  l->size = new_size;
  if (l->newer)
    l->newer->older = l;
  else
    a->larges = l;
  if (l->older) l->older->newer = l;
  return l->bytes;
}

static bool is_newest_in_chunk(const arena *a, const void *block, size_t size) {
  const chunk *c = a->chunks;
  return c && c->used >= size && (const unsigned char *)block == c->bytes + (c->used - size);
}

void *arena_grow(arena *a, void *old, size_t old_size, size_t new_size) {
  assert(new_size >= old_size);
  if (old_size == 0) return arena_alloc(a, new_size);
  old_size = round_up(old_size);
  new_size = round_up(new_size);
  if (old_size >= ARENA_LARGE) return grow_large(a, old, new_size);
  const size_t extra = new_size - old_size;
  if (new_size < ARENA_LARGE && is_newest_in_chunk(a, old, old_size) &&
      a->chunks->size - a->chunks->used >= extra) {
    a->chunks->used += extra;
    return old;
  }
  return memcpy(arena_alloc(a, new_size), old, old_size);
}

void arena_release(arena *a, void *block, size_t size) {
  size = round_up(size);
  if (block && size >= ARENA_LARGE) free_large(a, large_of(block));
}

char *arena_copy_text(arena *a, const char *text, size_t length) {
  char *copy = arena_alloc(a, length + 1);
  if (length) memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

arena_mark arena_save(const arena *a) {
  return (arena_mark){
      .chunk = a->chunks, .used = a->chunks ? a->chunks->used : 0, .large_number = a->large_number};
}

/* The first chunk stays even where the mark is older: it is small, and what is marked and rewound
   is mostly used again at once. */
void arena_restore(arena *a, arena_mark mark) {
  while (a->chunks != mark.chunk && a->chunks->older) free_newest_chunk(a);
  if (a->chunks) a->chunks->used = mark.used;
  while (a->larges && a->larges->number > mark.large_number) free_large(a, a->larges);
}

size_t arena_bytes(const arena *a) { return a->held; }
