/* Breakthrough 8 x 8.  The player to move always walks up the board: it is turned upside down
   after every move.  A set of squares for each of three directions holds where pawns can go. */
#include "bits.h"

enum { TOGETHER = 2 };

static const char *const role_names[2] = {"white", "black"};

#define FIRST_FILE 0x0101010101010101ull
#define LAST_FILE (FIRST_FILE << 7)
#define FIRST_ROW 0xffull

typedef struct state {
  uint64_t own, other; /* of the player to move, and of the one who moved last */
  bool second;         /* the second player is to move */
} state;

typedef struct view {
  uint64_t ahead, left, right; /* where pawns can go */
} view;

INLINE state start(void) { return (state){.own = 0xffff, .other = 0xffffull << 48}; }

INLINE bool is_over(const state *s) { return (s->other & FIRST_ROW) || !s->own; }

INLINE uint32_t look(const state *s, view *v) {
  if (is_over(s)) return 0;
  v->ahead = s->own << 8 & ~(s->own | s->other);
  v->left = s->own << 7 & ~(LAST_FILE | s->own);
  v->right = s->own << 9 & ~(FIRST_FILE | s->own);
  return bit_count(v->ahead) + bit_count(v->left) + bit_count(v->right);
}

INLINE void play(state *s, const view *v, uint32_t n) {
  const uint32_t ahead = bit_count(v->ahead), not_right = ahead + bit_count(v->left);
  uint64_t targets = v->ahead;
  uint32_t before = 0, step = 8;
  if (n >= ahead) targets = v->left, before = ahead, step = 7;
  if (n >= not_right) targets = v->right, before = not_right, step = 9;
  const uint64_t to = nth_bit(targets, n - before);
  *s = (state){.own = __builtin_bswap64(s->other & ~to),
               .other = __builtin_bswap64(s->own ^ (to | to >> step)),
               .second = !s->second};
}

/* The player who moved last has won. */
INLINE result score(const state *s, const view *v) {
  (void)v;
  return s->second ? FIRST_WINS : SECOND_WINS;
}

#include "program.h"
