#include "search/pool.h"

#include "base/base_fixture.h"

#include <stdatomic.h>

enum { ITEMS = 1000, ROUNDS = 50 };

static void count_item(void *context, uint32_t item) {
  atomic_uint *times = context;
  atomic_fetch_add(&times[item], 1);
}

static void every_item_is_taken_once_in_every_round(void **state) {
  for (uint32_t threads = 1; threads <= 4; threads++) {
    atomic_uint *times = arena_zero_array(*state, atomic_uint, ITEMS + 1);
    pool *p = pool_new(threads, *state);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
      const uint32_t count = round % 7 == 0 ? round % 3 : ITEMS;
      memset(times, 0, ITEMS * sizeof *times);
      pool_run(p, count, count_item, times);
      for (uint32_t i = 0; i < ITEMS; i++) assert_int_equal(atomic_load(&times[i]), i < count);
    }
    pool_free(p);
  }
}

static void a_pool_without_work_can_be_freed(void **state) {
  pool_free(pool_new(3, *state));
  pool_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(every_item_is_taken_once_in_every_round),
      base_test(a_pool_without_work_can_be_freed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
