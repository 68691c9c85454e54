/* What tests of these folders share: an arena for each test. */
#ifndef TABIA_GGP_GGP_FIXTURE_H
#define TABIA_GGP_GGP_FIXTURE_H

#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static arena *test_arena;

static inline int set_up(void **state) {
  (void)state;
  test_arena = arena_new();
  return 0;
}

static inline int tear_down(void **state) {
  (void)state;
  arena_free(test_arena);
  return 0;
}

#endif
