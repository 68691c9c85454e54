/* Reversi.  Lines over the opponent's discs are filled in the eight directions at once. */
#include "rays.h"

enum { TOGETHER = 5 };

static const char *const role_names[2] = {"black", "white"};

typedef struct state {
  uint64_t own, other; /* of the player to move, and of the one who moved last */
  bool second;         /* the second player is to move */
} state;

typedef struct view {
  uint64_t targets;
  passage captives;
} view;

INLINE state start(void) {
  return (state){.own = 1ull << 28 | 1ull << 35, .other = 1ull << 27 | 1ull << 36};
}

/* Where the lines from `own` over `captives`, one of them at least, arrive. */
INLINE uint64_t beyond(uint64_t own, const passage *captives) {
  const rays from = in_all(own);
  return in_any(step(fill(from, captives) ^ from));
}

/* A player who cannot place a disc passes, unless the opponent cannot either. */
INLINE uint32_t look(const state *s, view *v) {
  v->captives = passage_over(in_all(s->other));
  v->targets = beyond(s->own, &v->captives) & ~(s->own | s->other);
  if (LIKELY(v->targets)) return bit_count(v->targets);
  const passage back = passage_over(in_all(s->own));
  return (beyond(s->other, &back) & ~(s->own | s->other)) != 0;
}

INLINE uint64_t turned_by(uint64_t square, uint64_t own, const passage *captives) {
  const rays from = in_all(square), line = fill(from, captives) ^ from;
  const rays bounded = (rays)((step(line) & own) != 0);
  return in_any(line & bounded);
}

INLINE void play(state *s, const view *v, uint32_t n) {
  uint64_t own = s->own, other = s->other;
  if (LIKELY(v->targets)) {
    const uint64_t square = nth_bit(v->targets, n), turned = turned_by(square, own, &v->captives);
    own |= square | turned;
    other &= ~turned;
  }
  *s = (state){.own = other, .other = own, .second = !s->second};
}

INLINE result score(const state *s, const view *v) {
  (void)v;
  const uint32_t own = bit_count(s->own), other = bit_count(s->other);
  if (own == other) return DRAWN;
  return (own > other) == s->second ? SECOND_WINS : FIRST_WINS;
}

#include "program.h"
