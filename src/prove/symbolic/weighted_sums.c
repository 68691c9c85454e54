#include "prove/symbolic/weighted_sums.h"

typedef VEC(sat_literal) literal_vec;

/* A number: bit i is numbers.items[i], the lowest first. */
typedef literal_vec number;

static sat_literal never(sat_solver *s) {
  const sat_literal l = sat_variable(s);
  sat_add_1(s, -l);
  return l;
}

/* Holds when an odd number of the three does. */
static sat_literal odd_of(sat_solver *s, sat_literal x, sat_literal y, sat_literal z) {
  const sat_literal odd = sat_variable(s);
  for (uint32_t i = 0; i < 8; i++) {
    const bool is_odd = (i & 1) ^ (i >> 1 & 1) ^ (i >> 2 & 1);
    sat_add(
        s,
        (const sat_literal[]){i & 1 ? -x : x, i & 2 ? -y : y, i & 4 ? -z : z, is_odd ? odd : -odd},
        4);
  }
  return odd;
}

/* Holds when at least two of the three do. */
static sat_literal most_of(sat_solver *s, sat_literal x, sat_literal y, sat_literal z) {
  const sat_literal most = sat_variable(s);
  const sat_literal pairs[3][2] = {{x, y}, {x, z}, {y, z}};
  for (uint32_t i = 0; i < 3; i++) {
    sat_add_3(s, -pairs[i][0], -pairs[i][1], most);
    sat_add_3(s, pairs[i][0], pairs[i][1], -most);
  }
  return most;
}

/* Adds up literals of equal worth, three at a time: one of them stays, the carry is worth twice as
   much. */
static void add_up(sat_solver *s, literal_vec *bits, literal_vec *carries, sat_literal zero,
                   arena *scratch) {
  while (bits->count > 1) {
    const sat_literal x = vec_pop(bits), y = vec_pop(bits);
    const sat_literal z = bits->count ? vec_pop(bits) : zero;
    vec_push(scratch, carries, most_of(s, x, y, z));
    vec_push(scratch, bits, odd_of(s, x, y, z));
  }
}

enum { NUMBER_BITS = 64 };

static number sum_of(sat_solver *s, const weighted_vec *all, sat_literal zero, arena *scratch) {
  literal_vec columns[NUMBER_BITS + 1] = {0};
  number sum = {0};
  for (uint32_t i = 0; i < all->count; i++)
    for (uint32_t bit = 0; bit < 32; bit++)
      if (all->items[i].weight >> bit & 1) vec_push(scratch, &columns[bit], all->items[i].literal);
  for (uint32_t bit = 0; bit < NUMBER_BITS; bit++) {
    add_up(s, &columns[bit], &columns[bit + 1], zero, scratch);
    vec_push(scratch, &sum, columns[bit].count ? columns[bit].items[0] : zero);
  }
  while (sum.count && vec_last(&sum) == zero) sum.count--;
  return sum;
}

sat_literal sum_is_at_least(sat_solver *s, const weighted_vec *left, const weighted_vec *right,
                            arena *scratch) {
  const sat_literal zero = never(s);
  const number a = sum_of(s, left, zero, scratch), b = sum_of(s, right, zero, scratch);
  const uint32_t bits = a.count > b.count ? a.count : b.count;
  sat_literal is_at_least = -zero;
  for (uint32_t i = 0; i < bits; i++)
    is_at_least =
        most_of(s, i < a.count ? a.items[i] : zero, i < b.count ? -b.items[i] : -zero, is_at_least);
  return is_at_least;
}

sat_literal sum_is_odd(sat_solver *s, const sat_literal *all, uint32_t count) {
  const sat_literal zero = never(s);
  sat_literal odd = zero;
  for (uint32_t i = 0; i < count; i += 2)
    odd = odd_of(s, odd, all[i], i + 1 < count ? all[i + 1] : zero);
  return odd;
}
