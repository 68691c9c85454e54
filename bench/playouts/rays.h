/* Sets of squares of an 8 x 8 board, moved in the eight directions at once: one word for each
   direction in a vector of eight.  Square 0 is in the first row and the first file, 1 to its right,
   8 above it.  Directions with the same axis are neighbours, so that the opposite of d is d ^ 1.

   A step is a rotation of the word; what it carries over an edge is masked out where it arrives. */
#ifndef PLAYOUTS_RAYS_H
#define PLAYOUTS_RAYS_H

#include "bits.h"

typedef uint64_t rays __attribute__((vector_size(64)));

#define FILE_1 0x0101010101010101ull
#define FILE_8 (FILE_1 << 7)
#define ROW_1 0xffull
#define ROW_8 (ROW_1 << 56)

enum { UP, DOWN, RIGHT, LEFT, UP_RIGHT, DOWN_LEFT, UP_LEFT, DOWN_RIGHT, DIRECTIONS };

static const rays step_1 = {8, 56, 1, 63, 9, 55, 7, 57};
static const rays step_2 = {16, 48, 2, 62, 18, 46, 14, 50};
static const rays step_4 = {32, 32, 4, 60, 36, 28, 28, 36};

/* Where a step may arrive. */
static const rays inside = {~ROW_1,           ~ROW_8,           ~FILE_1,          ~FILE_8,
                            ~ROW_1 & ~FILE_1, ~ROW_8 & ~FILE_8, ~ROW_1 & ~FILE_8, ~ROW_8 & ~FILE_1};

INLINE rays in_all(uint64_t set) { return (rays){set, set, set, set, set, set, set, set}; }

INLINE rays rotate(rays sets, rays by) {
#ifdef __AVX512F__
  return (rays)_mm512_rolv_epi64((__m512i)sets, (__m512i)by);
#else
  return sets << by | sets >> (64 - by);
#endif
}

/* Where one step from the sets arrives. */
INLINE rays step(rays sets) { return rotate(sets, step_1) & inside; }

/* Squares over which lines go on, for runs of one, two and four of them. */
typedef struct passage {
  rays one, two, four;
} passage;

INLINE passage passage_over(rays open) {
  passage p = {.one = open & inside};
  p.two = p.one & rotate(p.one, step_1);
  p.four = p.two & rotate(p.two, step_2);
  return p;
}

/* The sets with all squares that lines from them pass. */
INLINE rays fill(rays from, const passage *p) {
  from |= p->one & rotate(from, step_1);
  from |= p->two & rotate(from, step_2);
  return from | (p->four & rotate(from, step_4));
}

INLINE rays opposite(rays x) {
#ifdef __clang__
  return __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6);
#else
  return __builtin_shuffle(x, (rays){1, 0, 3, 2, 5, 4, 7, 6});
#endif
}

INLINE uint64_t in_any(rays x) {
#ifdef __AVX512F__
  return (uint64_t)_mm512_reduce_or_epi64((__m512i)x);
#else
  return (x[0] | x[1]) | (x[2] | x[3]) | ((x[4] | x[5]) | (x[6] | x[7]));
#endif
}

INLINE bool is_any(rays x) {
#ifdef __AVX512F__
  return _mm512_test_epi64_mask((__m512i)x, (__m512i)x);
#else
  return in_any(x);
#endif
}

#endif
