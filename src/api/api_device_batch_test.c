#include "api/api_fixture.h"

/* An emulated device, whose memory is that of the process. */
typedef struct on_device {
  tabia_device_batch *b;
  tabia_device_buffer drawn;
} on_device;

static on_device batch_of(api_fixture *f, const char *words, uint32_t games) {
  on_device x;
  open_game(f, words, "gpu");
  assert_int_equal(
      tabia_device_batch_new(&x.b, f->machine, games, TABIA_DEVICE_STAYS, NULL, f->log), TABIA_OK);
  assert_int_equal(
      tabia_device_batch_buffer(x.b, TABIA_DEVICE_DRAWN, 0, TABIA_BITS, &x.drawn, f->log),
      TABIA_OK);
  return x;
}

static tabia_device_actions drawn_actions(const on_device *x) {
  return (tabia_device_actions){.address = x->drawn.address,
                                .item_bytes = x->drawn.item_bytes,
                                .game_stride = x->drawn.stride,
                                .player_stride = x->drawn.item_bytes};
}

static void a_batch_says_where_it_is(void **state) {
  api_fixture *f = *state;
  int32_t type, number;
  on_device x = batch_of(f, COUNTING_GAME, 3);
  tabia_device_batch_place(x.b, &type, &number);
  assert_int_equal(type, 1);
  assert_int_equal(number, 0);
  tabia_device_batch_free(x.b);
}

/* The robot has three moves to the end, of which `go` is the first of the list. */
static void games_are_stepped_stored_and_put(void **state) {
  api_fixture *f = *state;
  on_device x = batch_of(f, COUNTING_GAME, 3);
  const tabia_device_actions actions = drawn_actions(&x);
  tabia_move *moves = (tabia_move *)(uintptr_t)x.drawn.address;
  tabia_device_buffer ends, wrong;
  const size_t size = tabia_position_size(f->machine);
  char *first = test_malloc(3 * size), *later = test_malloc(3 * size);
  tabia_device_batch_buffer(x.b, TABIA_DEVICE_TERMINATED, 0, TABIA_BITS, &ends, f->log);
  tabia_device_batch_buffer(x.b, TABIA_DEVICE_ILLEGAL, 0, TABIA_BITS, &wrong, f->log);
  const uint8_t *over = (const uint8_t *)(uintptr_t)ends.address;
  const uint8_t *illegal = (const uint8_t *)(uintptr_t)wrong.address;
  assert_int_equal(tabia_device_batch_store(x.b, first, f->log), TABIA_OK);
  moves[0] = 0;
  moves[1] = 1;
  moves[2] = 7;
  assert_int_equal(tabia_device_batch_step(x.b, &actions, f->log), TABIA_OK);
  assert_int_equal(over[0] + over[1], 1); /* one of both has stopped */
  assert_int_equal(illegal[0] + illegal[1], 0);
  assert_int_equal(illegal[2], 1);
  assert_int_equal(tabia_device_batch_store(x.b, later, f->log), TABIA_OK);
  assert_memory_not_equal(first, later, size);
  assert_memory_equal(first + 2 * size, later + 2 * size, size);
  assert_int_equal(tabia_device_batch_put(x.b, first, 0, f->log), TABIA_OK);
  assert_int_equal(tabia_device_batch_store(x.b, later, f->log), TABIA_OK);
  assert_memory_equal(first, later, 3 * size);
  assert_int_equal(over[0] + over[1], 0);
  test_free(first);
  test_free(later);
  tabia_device_batch_free(x.b);
}

static void some_games_begin_anew(void **state) {
  api_fixture *f = *state;
  on_device x = batch_of(f, COUNTING_GAME, 40);
  const tabia_device_actions actions = drawn_actions(&x);
  tabia_device_buffer ends;
  tabia_device_batch_buffer(x.b, TABIA_DEVICE_TERMINATED, 0, TABIA_BITS, &ends, f->log);
  const uint8_t *over = (const uint8_t *)(uintptr_t)ends.address;
  for (uint32_t step = 0; step < 4; step++) {
    assert_int_equal(tabia_device_batch_draw(x.b, 1, step, f->log), TABIA_OK);
    assert_int_equal(tabia_device_batch_step(x.b, &actions, f->log), TABIA_OK);
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < 40; i++) count += over[i];
  assert_in_range(count, 30, 40);
  assert_int_equal(tabia_device_batch_reset(x.b, ends.address, f->log), TABIA_OK);
  for (uint32_t i = 0; i < 40; i++) assert_int_equal(over[i], 0);
  tabia_device_batch_free(x.b);
}

static void streams_may_change(void **state) {
  api_fixture *f = *state;
  on_device x = batch_of(f, COUNTING_GAME, 3);
  assert_int_equal(tabia_device_batch_set_stream(x.b, 77, f->log), TABIA_OK);
  assert_int_equal(tabia_device_batch_join(x.b, 78, f->log), TABIA_OK);
  assert_int_equal(tabia_device_batch_wait(x.b, f->log), TABIA_OK);
  tabia_device_batch_free(x.b);
}

static void assert_refused(api_fixture *f, tabia_status status, const char *words) {
  assert_int_equal(status, TABIA_MISUSE);
  assert_non_null(strstr(tabia_messages_text(f->log), words));
}

static void mistakes_are_told(void **state) {
  api_fixture *f = *state;
  on_device x = batch_of(f, COUNTING_GAME, 3);
  tabia_device_actions actions = drawn_actions(&x);
  tabia_device_batch *none;
  tabia_device_buffer out;
  assert_refused(f, tabia_device_batch_buffer(x.b, TABIA_DEVICE_LEGAL, 1, TABIA_BITS, &out, f->log),
                 "no such role");
  assert_refused(f,
                 tabia_device_batch_buffer(x.b, TABIA_DEVICE_LEGAL, 0, TABIA_PLANES, &out, f->log),
                 "layouts of bits and of bytes");
  actions.item_bytes = 3;
  assert_refused(f, tabia_device_batch_step(x.b, &actions, f->log), "aligned numbers");
  assert_refused(f, tabia_device_batch_new(&none, f->machine, 0, TABIA_DEVICE_STAYS, NULL, f->log),
                 "from one game");
  tabia_device_batch_free(x.b);
  tabia_machine_close(f->machine);
  open_game(f, COUNTING_GAME, "lanes");
  assert_refused(f, tabia_device_batch_new(&none, f->machine, 3, TABIA_DEVICE_STAYS, NULL, f->log),
                 "keeps no games on a device");
  assert_null(none);
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_batch_says_where_it_is), a_test(games_are_stepped_stored_and_put),
      a_test(some_games_begin_anew),    a_test(streams_may_change),
      a_test(mistakes_are_told),
  };
  setenv("TABIA_GPU", "emulator", 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
