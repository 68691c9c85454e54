/* Connect four, 7 x 6.  A column is seven bits, the lowest row first and the topmost bit always
   empty, so that adding one to the lowest bit of each column gives the squares where discs land. */
#include "bits.h"

enum { TOGETHER = 3 };

static const char *const role_names[2] = {"red", "yellow"};

#define BOTTOM 0x0040810204081ull
#define BOARD (BOTTOM * 0x3f)

typedef struct state {
  uint64_t own, other; /* of the player to move, and of the one who moved last */
} state;

typedef struct view {
  uint64_t landing;
  bool four;
} view;

INLINE uint64_t four_in(uint64_t x, int step) {
  const uint64_t pairs = x & x >> step;
  return pairs & pairs >> 2 * step;
}

INLINE state start(void) { return (state){0}; }

INLINE uint32_t look(const state *s, view *v) {
  const uint64_t x = s->other;
  v->landing = ((s->own | x) + BOTTOM) & BOARD;
  v->four = four_in(x, 1) | four_in(x, 6) | four_in(x, 7) | four_in(x, 8);
  return v->four ? 0 : bit_count(v->landing);
}

INLINE void play(state *s, const view *v, uint32_t n) {
  *s = (state){.own = s->other, .other = s->own | nth_bit(v->landing, n)};
}

INLINE result score(const state *s, const view *v) {
  if (!v->four) return DRAWN;
  return bit_count(s->own) < bit_count(s->other) ? FIRST_WINS : SECOND_WINS;
}

#include "program.h"
