#include "solve/pn_table.h"

#include "base/base_fixture.h"
#include "base/hash.h"

enum { STATES = 50000, STATE_BYTES = 7 };

static uint64_t make_state(uint32_t i, uint8_t *state) {
  memset(state, 0, STATE_BYTES);
  memcpy(state, &i, sizeof i);
  return hash_bytes(state, STATE_BYTES);
}

static void put(pn_table *t, uint32_t question, uint32_t i, bool is_by_cycle, uint64_t work) {
  uint8_t state[STATE_BYTES];
  const uint64_t hash = make_state(i, state);
  const pn_numbers n = {is_by_cycle ? PN_INFINITE : i + question + 1, is_by_cycle ? 0 : i + 2,
                        is_by_cycle};
  pn_table_put(t, question, state, hash, n, work);
}

/* What is found must be what was put. */
static bool has(const pn_table *t, uint32_t question, uint32_t i) {
  uint8_t state[STATE_BYTES];
  const uint64_t hash = make_state(i, state);
  pn_numbers n;
  if (!pn_table_find(t, question, state, hash, &n)) return false;
  if (n.is_by_cycle) return true;
  assert_int_equal(n.yes, i + question + 1);
  assert_int_equal(n.no, i + 2);
  return true;
}

static uint32_t count_known(const pn_table *t, uint32_t question) {
  uint32_t known = 0;
  for (uint32_t i = 0; i < STATES; i++) known += has(t, question, i);
  return known;
}

static void keeps_nearly_all_where_there_is_room(void **state) {
  pn_table t;
  arena *keep = arena_new();
  pn_table_init(&t, STATE_BYTES, (size_t)1 << 30, keep);
  for (uint32_t i = 0; i < STATES; i++) put(&t, 0, i, false, 1);
  assert_true(count_known(&t, 0) > STATES * 9 / 10);
  assert_int_equal(count_known(&t, 1), 0);
  arena_free(keep);
  (void)state;
}

static void forgets_what_took_the_least_work(void **state) {
  pn_table t;
  arena *keep = arena_new();
  pn_table_init(&t, STATE_BYTES, 0, keep);
  for (uint32_t i = 0; i < 100; i++) put(&t, 0, i, false, 1000);
  for (uint32_t i = 100; i < STATES; i++) put(&t, 0, i, false, 1);
  const uint32_t known = count_known(&t, 0);
  assert_true(known < STATES / 4);
  for (uint32_t i = 0; i < 100; i++) assert_true(has(&t, 0, i));
  assert_true(arena_bytes(keep) < (size_t)1 << 18);
  arena_free(keep);
  (void)state;
}

static void questions_about_one_state_are_apart(void **state) {
  pn_table t;
  arena *keep = arena_new();
  pn_table_init(&t, STATE_BYTES, (size_t)1 << 20, keep);
  put(&t, 0, 5, false, 1);
  put(&t, 1, 5, false, 1);
  assert_true(has(&t, 0, 5) && has(&t, 1, 5) && !has(&t, 2, 5));
  arena_free(keep);
  (void)state;
}

static void forgets_cycles_alone(void **state) {
  pn_table t;
  arena *keep = arena_new();
  pn_table_init(&t, STATE_BYTES, (size_t)1 << 20, keep);
  for (uint32_t i = 0; i < 100; i++) put(&t, 0, i, i % 2, 1);
  pn_table_forget_cycles(&t);
  for (uint32_t i = 0; i < 100; i++) assert_int_equal(has(&t, 0, i), i % 2 == 0);
  arena_free(keep);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_nearly_all_where_there_is_room),
      cmocka_unit_test(forgets_what_took_the_least_work),
      cmocka_unit_test(questions_about_one_state_are_apart),
      cmocka_unit_test(forgets_cycles_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
