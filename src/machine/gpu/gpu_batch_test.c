#include "machine/gpu/gpu_machine.h"

#include "machine/bundle.h"
#include "machine/device_batch.h"
#include "machine/machine_fixture.h"

#include <stdio.h>
#include <stdlib.h>

enum { GAMES = 500, ROLES_MAX = 8 };

/* The same games as a bundle on `lanes`, and as a batch of an emulated device, whose memory is that of
   the process. */
typedef struct twins {
  machine_fixture *f;
  machine *lanes, *gpu;
  bundle *b;
  device_batch *d;
  uint32_t roles, nature;
} twins;

static machine *opened(machine_fixture *f, const char *kind) {
  const machine_source from = {.program = &f->p, .bulk = BULK_STEPS};
  machine *m = machine_open(kind, &from, &f->b, &f->d);
  assert_non_null(m);
  return m;
}

static const device_batch_ops *ops_of(const twins *t) { return t->gpu->ops->device_batch; }

static twins twins_of(machine_fixture *f, device_ending ending) {
  const char *trouble = "the budget";
  twins t = {.f = f, .lanes = opened(f, "lanes"), .gpu = opened(f, "gpu")};
  t.roles = t.lanes->role_count;
  t.nature = machine_grounded(t.gpu)->nature;
  t.b = bundle_new(t.lanes, NULL);
  t.b->count = GAMES;
  const bundle_row all = row_of_first(GAMES);
  bundle_load(t.b, arena_alloc_zero(f->keep, t.lanes->position_size * GAMES + 1), GAMES);
  bundle_reset(t.b, &all);
  t.d = ops_of(&t)->open(t.gpu, GAMES, ending, &trouble, f->keep, NULL);
  if (!t.d) fail_msg("%s", trouble);
  return t;
}

static void twins_free(twins *t) {
  ops_of(t)->close(t->d);
  bundle_free(t->b);
  machine_close(t->lanes);
  machine_close(t->gpu);
}

static void assert_done(const twins *t, bool ok) {
  if (!ok) fail_msg("%s", t->d->trouble);
}

static device_buffer buffer_of(const twins *t, device_answer what, uint32_t role,
                               device_layout layout) {
  device_buffer out;
  assert_done(t, ops_of(t)->buffer(t->d, what, role, layout, &out));
  return out;
}

static const uint8_t *bytes_at(const device_buffer *b, uint32_t game) {
  return (const uint8_t *)(uintptr_t)b->address + game * b->stride;
}

static bool bit_at(const device_buffer *b, uint32_t game, uint32_t i) {
  return bytes_at(b, game)[i / 8] >> i % 8 & 1;
}

static void assert_answer(const twins *t, device_answer what, bundle_answer same, uint32_t role) {
  const device_buffer bits = buffer_of(t, what, role, DEVICE_BITS);
  const device_buffer bytes = buffer_of(t, what, role, DEVICE_BYTES);
  const row_list rows = bundle_ask(t->b, same, role);
  uint32_t different = 0;
  assert_int_equal(bytes.columns, rows.count);
  for (uint32_t i = 0; i < rows.count; i++)
    for (uint32_t game = 0; game < GAMES; game++) {
      const bool holds = row_list_word(&rows, i, game / 64) >> game % 64 & 1;
      different += holds != bit_at(&bits, game, i) || holds != bytes_at(&bytes, game)[i];
    }
  assert_int_equal(different, 0);
}

static void assert_same_answers(const twins *t) {
  assert_answer(t, DEVICE_FLUENTS, BUNDLE_FLUENTS, 0);
  for (uint32_t role = 0; role < t->roles; role++) {
    assert_answer(t, DEVICE_LEGAL, BUNDLE_LEGAL, role);
    assert_answer(t, DEVICE_PERCEPTS, BUNDLE_PERCEPTS, role);
  }
}

static void assert_same_positions(const twins *t) {
  const size_t size = t->lanes->position_size * GAMES;
  void *a = arena_alloc_zero(t->f->keep, size + 1), *b = arena_alloc_zero(t->f->keep, size + 1);
  bundle_store(t->b, a);
  assert_done(t, ops_of(t)->store(t->d, b));
  assert_memory_equal(a, b, size);
}

static float reward_of(int32_t goal) { return goal == GOAL_NONE ? 0 : (float)(goal - 50) / 50; }

/* Of the games in `ended`, before they begin anew. */
static void assert_same_ends(const twins *t, const bundle_row *ended) {
  const device_buffer goals = buffer_of(t, DEVICE_GOALS, 0, DEVICE_BYTES);
  const device_buffer rewards = buffer_of(t, DEVICE_REWARDS, 0, DEVICE_BYTES);
  for (uint32_t role = 0; role < t->roles; role++) {
    const uint32_t player = role - (role > t->nature);
    int32_t values[LANES];
    if (role == t->nature) continue;
    bundle_goals(t->b, role, values);
    for (uint32_t game = 0; game < GAMES; game++) {
      const int32_t *goal = (const int32_t *)(const void *)bytes_at(&goals, game);
      const float *reward = (const float *)(const void *)bytes_at(&rewards, game);
      const bool is_over = ended->words[game / 64] >> game % 64 & 1;
      assert_int_equal(goal[player], is_over ? values[game] : GOAL_NONE);
      assert_true(reward[player] == (is_over ? reward_of(values[game]) : 0));
    }
  }
}

static void assert_flags(const device_buffer *flags, const bundle_row *row) {
  for (uint32_t game = 0; game < GAMES; game++)
    assert_int_equal(*bytes_at(flags, game), row->words[game / 64] >> game % 64 & 1);
}

static bundle_row but_not(bundle_row a, const bundle_row *b) {
  for (uint32_t i = 0; i < ROW_WORDS; i++) a.words[i] &= ~b->words[i];
  return a;
}

/* Some actions are wrong, some are no moves at all. */
static void spoil(const twins *t, uint32_t *joints, uint32_t step) {
  for (uint32_t i = step % 7; i < GAMES; i += 7)
    if (i % t->roles != t->nature)
      joints[i * t->roles + i % t->roles] = i % 3 ? (i * 37 + step) % 9 : UINT32_MAX - i % 2;
}

/* The moves of all roles but chance. */
static uint32_t *players_only(const twins *t, const uint32_t *joints) {
  uint32_t *moves = arena_new_array(t->f->keep, uint32_t, GAMES * t->roles), count = 0;
  for (uint32_t i = 0; i < GAMES * t->roles; i++)
    if (i % t->roles != t->nature) moves[count++] = joints[i];
  return moves;
}

static void step_both(twins *t, const uint32_t *joints, device_ending ending, uint64_t key) {
  const device_buffer terminated = buffer_of(t, DEVICE_TERMINATED, 0, DEVICE_BYTES);
  const device_buffer wrong = buffer_of(t, DEVICE_ILLEGAL, 0, DEVICE_BYTES);
  const bundle_row over = bundle_terminal(t->b);
  const device_buffer drawn = buffer_of(t, DEVICE_DRAWN, 0, DEVICE_BYTES);
  const device_actions actions = {.address = drawn.address,
                                  .item_bytes = 4,
                                  .game_stride = drawn.stride,
                                  .player_stride = sizeof *joints,
                                  .key = key};
  bundle_row illegal;
  memcpy((void *)(uintptr_t)drawn.address, players_only(t, joints), GAMES * drawn.stride);
  bundle_step(t->b, joints, &illegal);
  if (ending == ENDING_NEXT_STEP) bundle_reset(t->b, &over);
  const bundle_row terminal = bundle_terminal(t->b), ended = but_not(terminal, &over);
  assert_done(t, ops_of(t)->step(t->d, &actions));
  assert_flags(&wrong, &illegal);
  assert_flags(&terminated, &terminal);
  assert_same_ends(t, &ended);
  if (ending == ENDING_SAME_STEP) bundle_reset(t->b, &ended);
}

static void play_both(twins *t, device_ending ending, uint32_t steps) {
  const device_buffer drawn = buffer_of(t, DEVICE_DRAWN, 0, DEVICE_BYTES);
  uint32_t *joints = arena_new_array(t->f->keep, uint32_t, GAMES * t->roles);
  for (uint32_t step = 0; step < steps; step++) {
    assert_same_answers(t);
    bundle_draw(t->b, 5, step, 0, joints);
    assert_done(t, ops_of(t)->draw(t->d, bundle_draw_key(5, step)));
    assert_memory_equal(players_only(t, joints), bytes_at(&drawn, 0), GAMES * drawn.stride);
    if (step % 2) spoil(t, joints, step);
    step_both(t, joints, ending, bundle_draw_key(5, step));
  }
  assert_same_answers(t);
  assert_same_positions(t);
}

static const char *const games[] = {"tic-tac-toe",   "connect-four", "simultaneous-tic-tac-toe",
                                    "monty-hall",    "hex-5",        "kuhn-poker",
                                    "breakthrough-8"};

static void it_steps_as_lanes_do(void **state) {
  machine_fixture *f = *state;
  for (uint32_t i = 0; i < sizeof games / sizeof *games; i++) {
    const device_ending ending = (device_ending)(i % 3);
    open_builtin(f, games[i]);
    twins t = twins_of(f, ending);
    play_both(&t, ending, 12);
    twins_free(&t);
  }
}

/* NULL: everything was done. */
static const char *trouble_of(machine_fixture *f, uint32_t steps) {
  machine *gpu = opened(f, "gpu");
  const device_batch_ops *ops = gpu->ops->device_batch;
  const char *trouble = NULL;
  device_batch *d = ops->open(gpu, GAMES, ENDING_SAME_STEP, &trouble, f->keep, NULL);
  device_buffer drawn;
  bool ok = d && ops->buffer(d, DEVICE_DRAWN, 0, DEVICE_BYTES, &drawn);
  for (uint32_t i = 0; ok && i < steps; i++) {
    const device_actions actions = {.address = drawn.address,
                                    .item_bytes = 4,
                                    .game_stride = drawn.stride,
                                    .player_stride = 4,
                                    .key = i};
    ok = ops->draw(d, i) && ops->step(d, &actions) && ops->wait(d);
  }
  if (d && !ok) trouble = d->trouble;
  if (d) ops->close(d);
  machine_close(gpu);
  return ok ? NULL : trouble;
}

/* Whichever launch it is. */
static void a_device_that_fails_says_so(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  assert_null(trouble_of(f, 3));
  for (uint32_t launch = 1; launch < 10; launch++) {
    char words[40];
    snprintf(words, sizeof words, "emulator,fail=%u", launch);
    setenv("TABIA_GPU", words, 1);
    const char *trouble = trouble_of(f, 3);
    assert_non_null(trouble);
    assert_string_equal(trouble, "the emulator fails, as it was told");
  }
  setenv("TABIA_GPU", "emulator", 1);
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(it_steps_as_lanes_do),
      a_test(a_device_that_fails_says_so),
  };
  setenv("TABIA_GPU", "emulator", 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
