/* Gomoku 15 x 15.  The free squares are a list in any order, from which a move takes one.  Each
   player's stones are words along rows, files and both kinds of diagonals, so that the four lines
   through a new stone, side by side in one word, are tested at once for five. */
#include "bits.h"

enum { SIZE = 15, SQUARES = SIZE * SIZE, TOGETHER = 1 };

static const char *const role_names[2] = {"black", "white"};

/* The lines of one player's stones.  A line has a bit for each of its squares, at most 15, and the
   bit above is empty. */
typedef struct stones {
  uint16_t rows[16], files[16], rising[32], falling[32];
} stones;

typedef struct state {
  stones of[2];          /* players */
  uint32_t left;         /* free squares */
  bool five;             /* of the player who moved last */
  uint8_t free[SQUARES]; /* row in the upper, file in the lower four bits */
} state;

typedef struct view {
  int nothing;
} view;

#define ROW5(r) (r) * 16, (r)*16 + 1, (r)*16 + 2, (r)*16 + 3, (r)*16 + 4
#define ROW15(r) \
  ROW5(r), (r)*16 + 5, (r)*16 + 6, (r)*16 + 7, (r)*16 + 8, (r)*16 + 9, (r)*16 + 10, (r)*16 + 11, \
      (r)*16 + 12, (r)*16 + 13, (r)*16 + 14
#define ROWS5(r) ROW15(r), ROW15((r) + 1), ROW15((r) + 2), ROW15((r) + 3), ROW15((r) + 4)

static const state at_start = {.left = SQUARES, .free = {ROWS5(0), ROWS5(5), ROWS5(10)}};

INLINE state start(void) { return at_start; }

INLINE uint32_t look(const state *s, view *v) {
  (void)v;
  return s->five ? 0 : s->left;
}

/* Sets the bit and returns the line. */
INLINE uint64_t put(uint16_t *line, uint32_t bit) { return *line |= (uint16_t)(1u << bit); }

/* Whether one of four lines of 16 bits has five in a row; no run goes over their empty bits. */
INLINE bool has_five(uint64_t lines) {
  const uint64_t two = lines & lines >> 1, four = two & two >> 2;
  return four & lines >> 4;
}

INLINE void play(state *s, const view *v, uint32_t n) {
  (void)v;
  const uint32_t square = s->free[n], row = square >> 4, file = square & 15;
  stones *own = &s->of[~s->left & 1]; /* 225, an odd number, are left for the first move */
  s->five = has_five(put(&own->rows[row], file) | put(&own->files[file], row) << 16 |
                     put(&own->rising[row + 15 - file], file) << 32 |
                     put(&own->falling[row + file], file) << 48);
  s->free[n] = s->free[--s->left];
}

INLINE result score(const state *s, const view *v) {
  (void)v;
  if (!s->five) return DRAWN;
  return s->left % 2 ? SECOND_WINS : FIRST_WINS;
}

#include "program.h"
