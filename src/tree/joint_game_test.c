#include "tree/joint_game.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void is_near(float value, float wanted) { assert_true(fabsf(value - wanted) < .01f); }

static void mix(uint32_t roles, const uint32_t *sizes, const float *values, float *shares,
                float *worth) {
  arena *scratch = arena_new();
  joint_game_mix(&(joint_game){roles, sizes, values}, 2000, shares, worth, scratch);
  arena_free(scratch);
}

/* Rock, paper, scissors with a rock that wins twice: the others are made more often. */
static void a_mixture_cannot_be_exploited(void **state) {
  static const uint32_t sizes[] = {3, 3};
  static const float values[] = {0, 0, 1, -1, -2, 2, -1, 1, 0, 0, 1, -1, 2, -2, -1, 1, 0, 0};
  float shares[6], worth[2];
  (void)state;
  mix(2, sizes, values, shares, worth);
  for (uint32_t r = 0; r < 2; r++) {
    is_near(shares[r * 3], .25f);
    is_near(shares[r * 3 + 1], .5f);
    is_near(shares[r * 3 + 2], .25f);
    is_near(worth[r], 0);
  }
}

/* Whatever the other does, the second move is better. */
static void what_is_dominated_is_not_made(void **state) {
  static const uint32_t sizes[] = {2, 2};
  static const float values[] = {.6f, .6f, 1, 0, 0, 1, .2f, .2f};
  float shares[4], worth[2];
  (void)state;
  mix(2, sizes, values, shares, worth);
  is_near(shares[1], 1);
  is_near(shares[3], 1);
  is_near(worth[0], .2f);
}

/* Three roles of which the second has no choice: the first digit is that of role 0. */
static void joint_moves_are_counted_from_the_first_role(void **state) {
  static const uint32_t sizes[] = {2, 1, 3};
  float values[18] = {0}, shares[6], worth[3];
  (void)state;
  for (uint32_t joint = 0; joint < 6; joint++) {
    values[joint * 3] = joint % 2 == 1;
    values[joint * 3 + 1] = .5f;
    values[joint * 3 + 2] = joint / 2 == 2;
  }
  mix(3, sizes, values, shares, worth);
  is_near(shares[1], 1);
  is_near(shares[2], 1);
  is_near(shares[5], 1);
  is_near(worth[1], .5f);
  is_near(worth[2], 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mixture_cannot_be_exploited),
      cmocka_unit_test(what_is_dominated_is_not_made),
      cmocka_unit_test(joint_moves_are_counted_from_the_first_role),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
