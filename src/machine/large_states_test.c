#include "machine/large_states.h"

#include "base/base_fixture.h"

#include <pthread.h>
#include <string.h>

enum { ROOM = 4, LARGEST = 3000 };

static uint32_t *numbers_from(arena *keep, uint32_t first, uint32_t count) {
  uint32_t *numbers = arena_new_array(keep, uint32_t, count + 1);
  for (uint32_t i = 0; i < count; i++) numbers[i] = first + i;
  return numbers;
}

static void assert_holds(large_states *s, const uint32_t *position, uint32_t first,
                         uint32_t count) {
  const uint32_t *list = large_states_list(s, position);
  assert_int_equal(list[0], count);
  for (uint32_t i = 0; i < count; i++) assert_int_equal(list[1 + i], first + i);
}

static void a_state_of_any_size_is_read_as_it_was_written(void **state) {
  large_states *s = large_states_new();
  uint32_t position[ROOM + 1];
  for (uint32_t count = 0; count < LARGEST; count = count * 2 + 1) {
    memset(position, 0xff, sizeof position);
    large_states_write(s, ROOM, numbers_from(*state, count, count), count, position);
    assert_holds(s, position, count, count);
  }
  large_states_free(s);
}

static void only_what_has_no_room_is_kept(void **state) {
  large_states *s = large_states_new();
  uint32_t position[ROOM + 1];
  const size_t empty = large_states_bytes(s);
  large_states_write(s, ROOM, numbers_from(*state, 1, ROOM), ROOM, position);
  assert_int_equal(large_states_bytes(s), empty);
  large_states_write(s, ROOM, numbers_from(*state, 1, ROOM + 1), ROOM + 1, position);
  assert_int_equal(position[0], LARGE_STATE);
  assert_true(large_states_bytes(s) > empty);
  large_states_free(s);
}

static void equal_states_are_equal_bytes_and_others_are_not(void **state) {
  large_states *s = large_states_new();
  uint32_t positions[3][ROOM + 1];
  memset(positions, 0x5a, sizeof positions);
  for (uint32_t i = 0; i < 3; i++)
    large_states_write(s, ROOM, numbers_from(*state, i / 2, LARGEST), LARGEST, positions[i]);
  assert_memory_equal(positions[0], positions[1], sizeof positions[0]);
  assert_memory_not_equal(positions[0], positions[2], sizeof positions[0]);
  large_states_free(s);
}

typedef struct writer {
  large_states *s;
  arena *keep;
  uint32_t positions[500][ROOM + 1];
} writer;

static void *write_many(void *context) {
  writer *w = context;
  for (uint32_t i = 0; i < 500; i++) {
    large_states_write(w->s, ROOM, numbers_from(w->keep, i, ROOM + 1 + i), ROOM + 1 + i,
                       w->positions[i]);
    large_states_list(w->s, w->positions[i / 2]);
  }
  return NULL;
}

static void threads_find_each_others_states(void **state) {
  large_states *s = large_states_new();
  writer *writers[2];
  pthread_t threads[2];
  for (uint32_t i = 0; i < 2; i++) {
    writers[i] = arena_alloc_zero(*state, sizeof *writers[i]);
    *writers[i] = (writer){.s = s, .keep = arena_new()};
  }
  for (uint32_t i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, write_many, writers[i]), 0);
  for (uint32_t i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert_memory_equal(writers[0]->positions, writers[1]->positions, sizeof writers[0]->positions);
  for (uint32_t i = 0; i < 500; i++) assert_holds(s, writers[0]->positions[i], i, ROOM + 1 + i);
  for (uint32_t i = 0; i < 2; i++) arena_free(writers[i]->keep);
  large_states_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(a_state_of_any_size_is_read_as_it_was_written),
      base_test(only_what_has_no_room_is_kept),
      base_test(equal_states_are_equal_bytes_and_others_are_not),
      base_test(threads_find_each_others_states),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
