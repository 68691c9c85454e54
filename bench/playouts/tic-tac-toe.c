/* Tic-tac-toe.  Nine bits a player; whether a set of squares holds a line is looked up.  One random
   number is enough for all moves of a game: their numbers are its digits. */
#include "bits.h"

enum { SQUARES = 9, ALL = (1 << SQUARES) - 1, SETS = 1 << SQUARES, TOGETHER = 2 };

static const char *const role_names[2] = {"x", "o"};

typedef struct state {
  uint32_t own, other; /* of the player to move, and of the one who moved last */
  uint32_t empty;
  uint32_t left; /* empty squares */
  uint64_t
      digits; /* a fraction: times 9 gives the first move, what is left of it times 8 the next */
} state;

typedef struct view {
  bool line; /* of the player who moved last */
} view;

#define HAS(s, a, b, c) (((s) >> (a) & (s) >> (b) & (s) >> (c)) & 1)
#define LINE(s) \
  (HAS(s, 0, 1, 2) | HAS(s, 3, 4, 5) | HAS(s, 6, 7, 8) | HAS(s, 0, 3, 6) | HAS(s, 1, 4, 7) | \
   HAS(s, 2, 5, 8) | HAS(s, 0, 4, 8) | HAS(s, 2, 4, 6))
#define LINES2(s) LINE(s), LINE((s) + 1)
#define LINES8(s) LINES2(s), LINES2((s) + 2), LINES2((s) + 4), LINES2((s) + 6)
#define LINES32(s) LINES8(s), LINES8((s) + 8), LINES8((s) + 16), LINES8((s) + 24)
#define LINES128(s) LINES32(s), LINES32((s) + 32), LINES32((s) + 64), LINES32((s) + 96)

static const uint8_t has_line[SETS] = {LINES128(0), LINES128(128), LINES128(256), LINES128(384)};

INLINE state start(void) { return (state){.empty = ALL, .left = SQUARES}; }

INLINE uint32_t look(const state *s, view *v) {
  v->line = has_line[s->other];
  return v->line ? 0 : s->left;
}

INLINE void play(state *s, const view *v, uint32_t n) {
  (void)v;
  const uint32_t square = (uint32_t)nth_bit(s->empty, n);
  const uint32_t own = s->own | square;
  s->own = s->other;
  s->other = own;
  s->empty ^= square;
  s->left--;
}

/* One of the 9! ways to fill the board, as a fraction that is rounded up by too little to matter.
 */
INLINE uint64_t random_digits(rng *r) {
  enum { FILLINGS = 362880 };
  return rng_below(r, FILLINGS) * (UINT64_MAX / FILLINGS + 1);
}

#define DRAWS
INLINE uint32_t draw(state *s, rng *r, uint32_t moves) {
  if (moves == SQUARES) s->digits = random_digits(r);
  const unsigned __int128 product = (unsigned __int128)s->digits * moves;
  s->digits = (uint64_t)product;
  return (uint32_t)(product >> 64);
}

INLINE result score(const state *s, const view *v) {
  if (!v->line) return DRAWN;
  return s->left % 2 ? SECOND_WINS : FIRST_WINS; /* x has moved when 8, 6, 4 .. are left */
}

#include "program.h"
