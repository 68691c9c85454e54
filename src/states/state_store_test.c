#include "base/rng.h"
#include "states/state_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES = 16, READ_AHEAD = 8 };

static void put(state_store *s, const uint8_t *state, bool *was_older) {
  const uint64_t hash = store_hash(s, state);
  store_add(s, shard_of_hash(hash), state, &hash, 1, was_older);
}

static void number_state(uint32_t n, uint8_t *state) {
  rng r = rng_new(n, 0);
  const uint64_t words[2] = {rng_next(&r), rng_next(&r)};
  memcpy(state, words, BYTES);
}

static void fill(state_store *s, uint32_t count) {
  uint8_t state[BYTES + READ_AHEAD];
  bool was_older = false;
  for (uint32_t i = 0; i < count; i++) {
    number_state(i, state);
    put(s, state, &was_older);
  }
}

static void keeps_each_state_once(void **context) {
  state_store s;
  (void)context;
  store_init(&s, BYTES);
  fill(&s, 10000);
  fill(&s, 12000);
  assert_int_equal(store_count(&s), 12000);
  for (uint32_t i = 0; i < 12000; i++) {
    uint8_t state[BYTES + READ_AHEAD];
    state_place where;
    number_state(i, state);
    assert_true(store_find(&s, state, &where));
    assert_memory_equal(store_state(&s, where), state, BYTES);
  }
  uint8_t absent[BYTES + READ_AHEAD];
  state_place where;
  number_state(12000, absent);
  assert_false(store_find(&s, absent, &where));
  store_free(&s);
}

static void tells_older_states_from_those_of_the_level(void **context) {
  state_store s;
  uint8_t state[BYTES + READ_AHEAD] = {1};
  bool was_older = false;
  (void)context;
  store_init(&s, BYTES);
  put(&s, state, &was_older);
  put(&s, state, &was_older);
  assert_false(was_older);
  store_close_level(&s);
  put(&s, state, &was_older);
  assert_true(was_older);
  store_free(&s);
}

/* What is promised for states of 128 latches; room that is ahead is not counted. */
static void needs_at_most_24_bytes_for_16(void **context) {
  state_store s;
  (void)context;
  store_init(&s, BYTES);
  fill(&s, 300000);
  size_t slots = 0;
  for (uint32_t i = 0; i < STORE_SHARDS; i++) slots += s.shards[i].slot_count;
  assert_true(slots * sizeof(uint32_t) + store_count(&s) * BYTES <= 24 * store_count(&s));
  store_free(&s);
}

static void a_state_may_have_no_bytes(void **context) {
  state_store s;
  uint8_t nothing[1] = {0};
  bool was_older = false;
  (void)context;
  store_init(&s, 0);
  put(&s, nothing, &was_older);
  put(&s, nothing, &was_older);
  assert_int_equal(store_count(&s), 1);
  store_free(&s);
}

/* What is behind a state, or the last byte alone, must not be mistaken. */
static void tells_states_of_any_size_apart(void **state) {
  (void)state;
  for (uint32_t bytes = 1; bytes <= 17; bytes++) {
    state_store s;
    state_place where;
    bool was_older = false;
    uint8_t one[17 + READ_AHEAD] = {0}, other[17 + READ_AHEAD] = {0};
    store_init(&s, bytes);
    other[bytes - 1] = 0x80;
    other[bytes] = one[bytes + 1] = 7;
    put(&s, one, &was_older);
    assert_false(store_find(&s, other, &where));
    put(&s, other, &was_older);
    other[bytes] = 9;
    assert_true(store_find(&s, other, &where));
    put(&s, other, &was_older);
    assert_int_equal(store_count(&s), 2);
    store_free(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tells_states_of_any_size_apart),
      cmocka_unit_test(keeps_each_state_once),
      cmocka_unit_test(tells_older_states_from_those_of_the_level),
      cmocka_unit_test(needs_at_most_24_bytes_for_16),
      cmocka_unit_test(a_state_may_have_no_bytes),
  };
  return cmocka_run_group_tests_name("prove/state_store", tests, NULL, NULL);
}
