/* What the tests of this folder share: an arena for each test. */
#ifndef TABIA_BASE_BASE_FIXTURE_H
#define TABIA_BASE_BASE_FIXTURE_H

#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static inline int set_up(void **state) {
  *state = arena_new();
  return 0;
}

static inline int tear_down(void **state) {
  arena_free(*state);
  return 0;
}

#define base_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
