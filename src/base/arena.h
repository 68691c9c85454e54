/* Memory that is released all at once.

   Every stage takes an arena `keep`, which lives as long as its result, and may
   take a second one, `scratch`, which it marks and rewinds.  Small requests are
   cut from shared chunks.  A request of ARENA_LARGE bytes or more gets a block of
   its own, so that arena_grow() can enlarge an array in place of copying it.

   An arena belongs to one thread at a time.  When the system, or the account to which the arena is
   charged (account.h), has no memory left, execution continues at the last recovery point
   (recovery.h), and all arenas made since then are released. */
#ifndef TABIA_BASE_ARENA_H
#define TABIA_BASE_ARENA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ARENA_LARGE = 1024 };

typedef struct arena arena;

/* A moment in an arena's life; everything newer is given back by arena_restore.  A block that
   was made before the mark may be grown after it, if it is large or stays in its chunk's
   place: grow older arrays in an arena of their own. */
typedef struct arena_mark {
  void *chunk;
  size_t used;
  uint64_t large_number;
} arena_mark;

arena *arena_new(void);
void arena_free(arena *a); /* NULL is allowed */

/* An arena on which something else hangs: `end` is called before the memory goes, which may be by a
   failure.  `what` lives in the arena itself or in an older one, and `end` asks for no memory.
   Where there is none for the arena, it is called at once. */
typedef void arena_end(void *what);
arena *arena_guarding(arena_end *end, void *what);

/* What it holds and will hold is charged to another account; NULL: to none. */
struct account;
void arena_charge(arena *a, struct account *to);

/* Arenas that are given back together.  Threads may make and free arenas of one group at the same
   time. */
typedef struct arena_group {
  arena *newest;
  atomic_flag is_in_use;
} arena_group;

void arena_group_free(arena_group *g);                     /* its arenas, newest first */
void arena_group_move(arena_group *from, arena_group *to); /* NULL: they are in no group */
arena_group *arena_group_of(const arena *a);               /* or NULL */
void arena_enter_group(arena *a, arena_group *g);          /* out of its own */

/* Memory for any type, aligned to 16 bytes; not cleared.  Never NULL. */
void *arena_alloc(arena *a, size_t size);
void *arena_alloc_zero(arena *a, size_t size);

/* `old` enlarged to `new_size` bytes; its first `old_size` bytes are kept.  `old` may be
   NULL when `old_size` is 0.  The old address is dead afterwards. */
void *arena_grow(arena *a, void *old, size_t old_size, size_t new_size);

/* Gives a large block back early; small ones are only forgotten. */
void arena_release(arena *a, void *block, size_t size);

char *arena_copy_text(arena *a, const char *text, size_t length); /* adds a NUL */

arena_mark arena_save(const arena *a);
void arena_restore(arena *a, arena_mark mark); /* the first small chunk stays */
void arena_clear(arena *a);                    /* gives everything back */

size_t arena_bytes(const arena *a); /* held from the system now */

#define arena_new_array(a, type, count) ((type *)arena_alloc((a), sizeof(type) * (size_t)(count)))
#define arena_zero_array(a, type, count) \
  ((type *)arena_alloc_zero((a), sizeof(type) * (size_t)(count)))

#endif
