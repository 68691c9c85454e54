#include "machine/gpu/emulated_device.h"
#include "machine/gpu/gpu_player.h"
#include "machine/lane_fixture.h"

#include <inttypes.h>

/* Plays a few thousand games in the shape that a card would have. */
static void count_step(machine_fixture *f, const char *game, ptx_issues *issues) {
  lane_net net;
  gpu_step step;
  gpu_code code;
  gpu_result r;
  open_builtin(f, game);
  lane_game *l = lane_game_ground(f);
  assert_true(lane_net_build(&net, &l->g.circuit, NET_PLAYS, false, f->keep, NULL));
  gpu_device *device = emulated_device_open(f->keep);
  gpu_step_make(&step, &l->g, &net, START_OF_RULES, f->keep);
  const gpu_shape shape =
      gpu_shape_for(gpu_step_live(&step), device->shared_bytes, ptx_counter_words(&step));
  assert_true(gpu_code_make(&code, device, &step, shape, f->keep));
  *issues = (ptx_issues){0};
  emulated_device_count(device, issues);
  const bulk_part part = {.seed = 1, .starts = 4096, .max_steps = 10000, .counter = true};
  const bulk_parts parts = {.first = part, .count = shape.threads / 16, .last_starts = 4096};
  assert_true(gpu_play(&code, &parts, NULL, &r, f->keep, NULL));
  gpu_code_free(&code);
  gpu_device_close(device);
  grounded_close(&l->g);
}

/* What a warp issues for a purpose in a step. */
static uint64_t issued(const ptx_issues *x, const char *what) {
  for (uint32_t i = 0; i < x->purposes; i++)
    if (strcmp(x->all[i].what, what) == 0) return (x->all[i].count + x->rounds / 2) / x->rounds;
  return 0;
}

/* It prints rows of a table of docs/gpu.md.  Where the emulator is slow, launches are short, and lengths
   are counted more often. */
static void rules_and_random_bits_are_most_of_a_step(void **state) {
  static const char *const games[] = {"tic-tac-toe", "connect-four", "hex-5"};
  static const char *const others[] = {"redraws", "goals", "ends", "lengths", "limits", "steps"};
  machine_fixture *f = *state;
  for (uint32_t i = 0; i < sizeof games / sizeof *games; i++) {
    ptx_issues x;
    uint64_t sum = 0;
    count_step(f, games[i], &x);
    const uint64_t rules = issued(&x, "rules"), random = issued(&x, "random");
    print_message("| %s | %" PRIu64 " | %" PRIu64 " |", games[i], rules, random);
    for (uint32_t k = 0; k < sizeof others / sizeof *others; k++) {
      print_message(" %" PRIu64 " |", issued(&x, others[k]));
      sum += issued(&x, others[k]);
    }
    print_message("\n");
    assert_in_range(random, 1, rules / 2);
    assert_in_range(sum, 1, rules);
  }
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(rules_and_random_bits_are_most_of_a_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
