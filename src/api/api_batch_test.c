/* Batches through tabia.h: layouts, lanes over several blocks, threads. */
#include "api/api_fixture.h"

#include <stdio.h>
#include <stdlib.h>

enum { LANES = 1100, ROLES = 2, STEPS = 25 };

static tabia_batch *batch_of(api_fixture *f, uint32_t lanes, uint32_t threads) {
  tabia_batch *b;
  assert_int_equal(tabia_batch_new(&b, f->machine, lanes, threads, NULL, f->log), TABIA_OK);
  return b;
}

static void *answer(api_fixture *f, tabia_batch *b, tabia_answer what, uint32_t role,
                    tabia_layout layout) {
  const uint32_t lanes = tabia_batch_lanes(b);
  const size_t size = tabia_answer_size(f->machine, what, role, layout, lanes);
  unsigned char *out = test_malloc(size + 1);
  memset(out, 0x77, size + 1);
  tabia_batch_read(b, what, role, layout, out);
  assert_int_equal(out[size], 0x77); /* and not a byte more */
  return out;
}

/* ---- layouts ---- */

static bool bit_of(const uint64_t *words, size_t row, uint32_t bits, uint32_t i) {
  return words[row * ((bits + 63) / 64) + i / 64] >> i % 64 & 1;
}

/* All layouts say the same as bytes; what is behind the last bit is 0. */
static void assert_layouts(api_fixture *f, tabia_batch *b, tabia_answer what, uint32_t role) {
  const uint32_t lanes = tabia_batch_lanes(b), n = tabia_answer_width(f->machine, what, role);
  const uint32_t words = (n + 63) / 64 * 64, planes = (lanes + 63) / 64 * 64;
  uint8_t *bytes = answer(f, b, what, role, TABIA_BYTES);
  uint64_t *bits = answer(f, b, what, role, TABIA_BITS);
  float *floats = answer(f, b, what, role, TABIA_FLOATS);
  uint64_t *rows = answer(f, b, what, role, TABIA_PLANES);
  for (uint32_t lane = 0; lane < lanes; lane++)
    for (uint32_t i = 0; i < words; i++) {
      const bool holds = i < n && bytes[(size_t)lane * n + i];
      assert_int_equal(bit_of(bits, lane, n, i), holds);
      if (i >= n) continue;
      assert_true(bytes[(size_t)lane * n + i] < 2);
      assert_true(floats[(size_t)lane * n + i] == (holds ? 1.0F : 0.0F));
      assert_int_equal(bit_of(rows, i, lanes, lane), holds);
    }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t lane = lanes; lane < planes; lane++) assert_false(bit_of(rows, i, lanes, lane));
  test_free(bytes);
  test_free(bits);
  test_free(floats);
  test_free(rows);
}

/* Bytes are what positions say one by one. */
static void assert_legal_bytes(api_fixture *f, tabia_batch *b, uint32_t role) {
  const uint32_t lanes = tabia_batch_lanes(b),
                 n = tabia_answer_width(f->machine, TABIA_LEGAL, role);
  const size_t size = tabia_position_size(f->machine);
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  char *positions = test_malloc(lanes * size);
  tabia_move *moves = test_malloc((n + 1) * sizeof *moves);
  uint8_t *bytes = answer(f, b, TABIA_LEGAL, role, TABIA_BYTES);
  tabia_batch_store(b, positions);
  for (uint32_t lane = 0; lane < lanes; lane += 13) {
    const uint32_t count = tabia_position_legal(w, positions + lane * size, role, moves, n);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < n; i++) {
      if (!bytes[(size_t)lane * n + i]) continue;
      assert_true(seen < count);
      assert_int_equal(moves[seen++], i);
    }
    assert_int_equal(seen, count);
  }
  test_free(positions);
  test_free(moves);
  test_free(bytes);
  tabia_workspace_free(w);
}

static void play_steps(api_fixture *f, tabia_batch *b, uint32_t steps, uint64_t seed) {
  const uint32_t lanes = tabia_batch_lanes(b);
  tabia_move *joints =
      test_malloc((size_t)lanes * tabia_machine_role_count(f->machine) * sizeof *joints);
  bool *done = test_malloc(lanes);
  for (uint32_t step = 0; step < steps; step++) {
    tabia_batch_draw(b, seed, step, joints);
    assert_int_equal(tabia_batch_step(b, joints, NULL), 0);
    if (tabia_batch_terminal(b, done)) tabia_batch_reset(b, done);
  }
  test_free(joints);
  test_free(done);
}

static void every_layout_says_the_same(void **state) {
  static const char *const games[] = {"games/breakthrough-6.kif", "games/monty-hall.kif",
                                      "games/dark-tic-tac-toe.kif"};
  static const char *const kinds[] = {"lanes", "circuit"};
  (void)state;
  for (uint32_t i = 0; i < 6; i++) {
    void *own;
    set_up(&own);
    api_fixture *f = own;
    open_file(f, games[i / 2], kinds[i % 2]);
    tabia_batch *b = batch_of(f, i % 2 ? 70 : LANES, 2);
    play_steps(f, b, 4, 3);
    assert_layouts(f, b, TABIA_TERMINAL, 0);
    assert_layouts(f, b, TABIA_FLUENTS, 0);
    for (uint32_t role = 0; role < tabia_machine_role_count(f->machine); role++) {
      assert_layouts(f, b, TABIA_LEGAL, role);
      assert_layouts(f, b, TABIA_PERCEPTS, role);
      assert_legal_bytes(f, b, role);
    }
    tabia_batch_free(b);
    tear_down(&own);
  }
}

/* ---- threads and blocks ---- */

static void threads_and_lanes_beside_change_nothing(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/connect-four.kif", "lanes");
  const size_t size = tabia_position_size(f->machine);
  char *expected = test_malloc(LANES * size), *found = test_malloc(LANES * size);
  tabia_batch *b = batch_of(f, LANES, 1);
  play_steps(f, b, STEPS, 1);
  tabia_batch_store(b, expected);
  tabia_batch_free(b);
  static const uint32_t lanes[] = {LANES, LANES, 5, 513}, threads[] = {2, 5, 1, 3};
  for (uint32_t i = 0; i < 4; i++) {
    b = batch_of(f, lanes[i], threads[i]);
    play_steps(f, b, STEPS, 1);
    tabia_batch_store(b, found);
    assert_memory_equal(found, expected, lanes[i] * size);
    assert_int_equal(tabia_batch_status(b, f->log), TABIA_OK);
    tabia_batch_free(b);
  }
  test_free(expected);
  test_free(found);
}

static void other_machines_play_the_same(void **state) {
  api_fixture *f = *state;
  enum { FEW = 40 };
  char *expected = NULL;
  static const char *const kinds[] = {"lanes", "circuit"};
  assert_int_equal(tabia_rules_read_file(&f->rules, "games/kuhn-poker.kif", f->log), TABIA_OK);
  for (uint32_t i = 0; i < 2; i++) {
    tabia_machine_close(f->machine);
    assert_int_equal(tabia_machine_open(&f->machine, f->rules, kinds[i], NULL, f->log), TABIA_OK);
    tabia_batch *b = batch_of(f, FEW, 2);
    const size_t bytes = FEW * tabia_position_size(f->machine);
    char *found = test_malloc(bytes);
    play_steps(f, b, 7, 2);
    tabia_batch_store(b, found);
    if (expected) assert_memory_equal(found, expected, bytes);
    if (expected) test_free(expected);
    expected = found;
    tabia_batch_free(b);
  }
  test_free(expected);
}

/* ---- lanes ---- */

/* Lane i gets a state of its own, and only the marked ones change. */
static void lanes_are_put_and_reset_one_by_one(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/tic-tac-toe.kif", "lanes");
  const size_t size = tabia_position_size(f->machine);
  char *played = test_malloc(LANES * size), *found = test_malloc(LANES * size);
  char *start = test_malloc(size);
  bool *which = test_malloc(LANES);
  tabia_batch *b = batch_of(f, LANES, 2);
  tabia_position_start(f->machine, start);
  play_steps(f, b, 3, 5);
  tabia_batch_store(b, played);
  for (uint32_t i = 0; i < LANES; i++) which[i] = i % 3 == 0;
  tabia_batch_reset(b, which);
  tabia_batch_store(b, found);
  for (uint32_t i = 0; i < LANES; i++)
    assert_memory_equal(found + i * size, which[i] ? start : played + i * size, size);
  tabia_batch_reset(b, NULL);
  for (uint32_t i = 0; i < LANES; i++) which[i] = i % 5 == 1;
  tabia_batch_put(b, played, which);
  tabia_batch_store(b, found);
  for (uint32_t i = 0; i < LANES; i++)
    assert_memory_equal(found + i * size, which[i] ? played + i * size : start, size);
  assert_true(tabia_batch_load(b, played + size, 600));
  assert_int_equal(tabia_batch_lanes(b), 600);
  tabia_batch_store(b, found);
  assert_memory_equal(found, played + size, 600 * size);
  assert_false(tabia_batch_load(b, played, LANES + 1));
  assert_int_equal(tabia_batch_lanes(b), 600);
  tabia_batch_free(b);
  test_free(played);
  test_free(found);
  test_free(start);
  test_free(which);
}

/* ---- moves ---- */

static void an_illegal_move_leaves_the_lane_as_it_is(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "lanes");
  tabia_batch *b = batch_of(f, 600, 2);
  const uint32_t moves = tabia_answer_width(f->machine, TABIA_LEGAL, 0);
  assert_int_equal(moves, 2); /* go and stop */
  tabia_move joints[600];
  bool illegal[600], done[600];
  int32_t goals[600];
  for (uint32_t i = 0; i < 600; i++) joints[i] = i % 4 == 3 ? TABIA_NO_MOVE - i % 2 : i % 4;
  assert_int_equal(tabia_batch_step(b, joints, illegal), 300); /* 2 is no move, either */
  for (uint32_t i = 0; i < 600; i++) assert_int_equal(illegal[i], i % 4 > 1);
  assert_int_equal(tabia_batch_terminal(b, done), 150); /* those that stopped */
  tabia_batch_goals(b, 0, goals);
  for (uint32_t i = 0; i < 600; i++) {
    assert_int_equal(done[i], i % 4 == 1);
    assert_int_equal(goals[i], i % 4 == 0 ? 40 : 0);
  }
  for (uint32_t i = 0; i < 600; i++) joints[i] = TABIA_NO_MOVE;
  assert_int_equal(tabia_batch_step(b, joints, NULL), 450); /* at the end nothing is illegal */
  tabia_batch_free(b);
}

static void what_is_seen_is_of_the_last_step(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "lanes");
  tabia_batch *b = batch_of(f, 3, 1);
  const uint32_t n = tabia_answer_width(f->machine, TABIA_PERCEPTS, 0);
  const tabia_move joints[] = {0, 1, 2}; /* go, stop, no move */
  uint8_t *seen = answer(f, b, TABIA_PERCEPTS, 0, TABIA_BYTES);
  for (uint32_t i = 0; i < 3 * n; i++) assert_int_equal(seen[i], 0);
  test_free(seen);
  for (uint32_t step = 0; step < 2; step++) {
    tabia_batch_step(b, joints, NULL);
    seen = answer(f, b, TABIA_PERCEPTS, 0, TABIA_BYTES);
    for (uint32_t i = 0; i < 3 * n; i++) {
      char words[20], expected[20];
      tabia_percept_text(f->machine, 0, i % n, words, sizeof words);
      snprintf(expected, sizeof expected, "(was %u)", step);
      const bool has_stepped = i / n == 0 || (i / n == 1 && step == 0);
      assert_int_equal(seen[i], has_stepped && strcmp(words, expected) == 0);
    }
    test_free(seen);
  }
  tabia_batch_free(b);
}

static void lists_of_moves_are_cut_at_their_capacity(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/tic-tac-toe.kif", "lanes");
  tabia_batch *b = batch_of(f, 520, 1);
  tabia_move moves[520 * 4];
  uint32_t counts[520];
  tabia_batch_legal(b, 0, moves, 4, counts);
  for (uint32_t i = 0; i < 520; i++) {
    assert_int_equal(counts[i], 9);
    assert_memory_equal(moves + (size_t)i * 4, moves, 4 * sizeof *moves);
  }
  tabia_batch_legal(b, 1, NULL, 0, counts);
  for (uint32_t i = 0; i < 520; i++) assert_int_equal(counts[i], 1);
  tabia_batch_free(b);
}

/* ---- random games ---- */

/* The same games whatever the lanes and threads; the lanes stay as they are. */
static void games_from_lanes_are_told_one_by_one(void **state) {
  api_fixture *f = *state;
  enum { EACH = 3 };
  open_file(f, "games/tic-tac-toe.kif", "lanes");
  const size_t size = tabia_position_size(f->machine);
  int32_t *all = test_malloc(LANES * EACH * ROLES * sizeof *all);
  int32_t *some = test_malloc(LANES * EACH * ROLES * sizeof *some);
  char *before = test_malloc(LANES * size), *after = test_malloc(LANES * size);
  tabia_batch *b = batch_of(f, LANES, 2);
  play_steps(f, b, 3, 5);
  tabia_batch_store(b, before);
  assert_int_equal(tabia_batch_play(b, 1, 50, EACH, 0, all, f->log), TABIA_OK);
  tabia_batch_store(b, after);
  assert_memory_equal(before, after, LANES * size);
  for (uint32_t i = 0; i < LANES * EACH; i++)
    assert_int_equal(all[i * ROLES] + all[i * ROLES + 1], 100);
  tabia_batch_free(b);
  b = batch_of(f, 600, 1);
  tabia_batch_load(b, before + 7 * size, 600);
  assert_int_equal(tabia_batch_play(b, 1, 50 + 7 * EACH, EACH, 0, some, f->log), TABIA_OK);
  assert_memory_equal(some, all + 7 * EACH * ROLES, 600 * EACH * ROLES * sizeof *some);
  assert_int_equal(tabia_batch_play(b, 1, 0, 1, 1, some, f->log), TABIA_OK);
  for (uint32_t i = 0; i < 600; i++) /* no game has only four moves */
    assert_int_equal(some[i * ROLES], TABIA_NO_GOAL);
  tabia_batch_free(b);
  test_free(all);
  test_free(some);
  test_free(before);
  test_free(after);
}

/* Parts of a batch, which are played by the processor, say the same as the whole. */
static void play_counter_part(void *context, tabia_batch *part, uint32_t first) {
  int32_t *goals = context;
  assert_int_equal(tabia_batch_play(part, 3, 70, 2, 0, goals + (size_t)first * 2 * ROLES, NULL),
                   TABIA_OK);
}

/* `gpu` is its emulator here. */
static void games_by_counter_are_the_same_on_lanes_and_gpu(void **state) {
  api_fixture *f = *state;
  static const char *const kinds[] = {"lanes", "gpu"};
  enum { COUNT = LANES * 2 * ROLES };
  int32_t *expected = test_malloc(COUNT * sizeof *expected),
          *found = test_malloc(COUNT * sizeof *found);
  assert_int_equal(tabia_rules_read_file(&f->rules, "games/tic-tac-toe.kif", f->log), TABIA_OK);
  for (uint32_t i = 0; i < 2; i++) {
    tabia_machine_close(f->machine);
    assert_int_equal(tabia_machine_open(&f->machine, f->rules, kinds[i], NULL, f->log), TABIA_OK);
    tabia_batch *b = batch_of(f, LANES, 2);
    play_steps(f, b, 3, 5);
    assert_false(tabia_batch_set_random(b, "dice"));
    assert_true(tabia_batch_set_random(b, "counter"));
    int32_t *goals = i ? found : expected;
    assert_int_equal(tabia_batch_play(b, 3, 70, 2, 0, goals, f->log), TABIA_OK);
    for (uint32_t k = 0; k < LANES * 2; k++)
      assert_int_equal(goals[k * ROLES] + goals[k * ROLES + 1], 100);
    if (i) assert_memory_equal(expected, found, COUNT * sizeof *found);
    memset(found, 0, COUNT * sizeof *found);
    tabia_batch_each(b, play_counter_part, found);
    assert_memory_equal(expected, found, COUNT * sizeof *found);
    tabia_batch_free(b);
  }
  tabia_machine_close(f->machine);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "circuit", NULL, f->log), TABIA_OK);
  tabia_batch *b = batch_of(f, 1, 1);
  assert_false(tabia_batch_set_random(b, "counter"));
  tabia_batch_free(b);
  test_free(expected);
  test_free(found);
}

static void games_that_never_end_keep_to_limits(void **state) {
  api_fixture *f = *state;
  static const char *const kinds[] = {"lanes", "circuit"};
  assert_int_equal(read_text(f, "(role r) (legal r a) (init p) (<= (next p) (does r a))\n"
                                "(<= terminal (true q)) (<= (next q) (true q)) (goal r 1)"),
                   TABIA_OK);
  for (uint32_t i = 0; i < 2; i++) {
    int32_t goals[4] = {0};
    tabia_batch *b;
    tabia_machine_close(f->machine);
    assert_int_equal(tabia_machine_open(&f->machine, f->rules, kinds[i], NULL, f->log), TABIA_OK);
    tabia_limits_set_seconds(f->limits, 0.1);
    assert_int_equal(tabia_batch_new(&b, f->machine, 4, 1, f->limits, f->log), TABIA_OK);
    assert_int_equal(tabia_batch_play(b, 1, 0, 1, 0, goals, f->log), TABIA_LIMIT);
    for (uint32_t lane = 0; lane < 4; lane++) assert_int_equal(goals[lane], TABIA_NO_GOAL);
    tabia_batch_free(b);
  }
}

/* ---- parts ---- */

typedef struct parts {
  tabia_move *joints;
  int32_t *goals;
  bool *done;
  uint64_t step;
} parts;

static void step_part(void *context, tabia_batch *part, uint32_t first) {
  const parts *p = context;
  tabia_move *joints = p->joints + (size_t)first * ROLES;
  tabia_batch_draw(part, 1, p->step, joints);
  assert_int_equal(tabia_batch_step(part, joints, NULL), 0);
  if (tabia_batch_terminal(part, p->done + first)) tabia_batch_reset(part, p->done + first);
  assert_false(tabia_batch_load(part, NULL, 1)); /* that is for the whole */
}

static void play_part(void *context, tabia_batch *part, uint32_t first) {
  const parts *p = context;
  int32_t *goals = p->goals + (size_t)first * 2 * ROLES;
  assert_int_equal(tabia_batch_play(part, 1, 50, 2, 0, goals, NULL), TABIA_OK);
}

/* By draws, steps, ends, resets and games alike. */
static void parts_do_what_the_whole_does(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/tic-tac-toe.kif", "lanes");
  const size_t bytes = LANES * tabia_position_size(f->machine),
               games = (size_t)LANES * 2 * ROLES * sizeof(int32_t);
  char *expected = test_malloc(bytes), *found = test_malloc(bytes);
  int32_t *expected_goals = test_malloc(games);
  parts p = {test_malloc(LANES * ROLES * sizeof(tabia_move)), test_malloc(games),
             test_malloc(LANES), 0};
  for (uint32_t threads = 1; threads <= 3; threads++) {
    tabia_batch *whole = batch_of(f, LANES, threads), *b = batch_of(f, LANES, threads);
    play_steps(f, whole, STEPS, 1);
    for (p.step = 0; p.step < STEPS; p.step++) tabia_batch_each(b, step_part, &p);
    tabia_batch_store(whole, expected);
    tabia_batch_store(b, found);
    assert_memory_equal(found, expected, bytes);
    assert_int_equal(tabia_batch_play(whole, 1, 50, 2, 0, expected_goals, f->log), TABIA_OK);
    tabia_batch_each(b, play_part, &p);
    assert_memory_equal(p.goals, expected_goals, games);
    tabia_batch_free(whole);
    tabia_batch_free(b);
  }
  test_free(expected);
  test_free(found);
  test_free(expected_goals);
  test_free(p.joints);
  test_free(p.goals);
  test_free(p.done);
}

/* ---- what cannot be ---- */

static void a_batch_of_nothing_is_misuse(void **state) {
  api_fixture *f = *state;
  tabia_batch *b;
  open_game(f, COUNTING_GAME, "lanes");
  assert_int_equal(tabia_batch_new(&b, f->machine, 0, 1, NULL, f->log), TABIA_MISUSE);
  assert_null(b);
  assert_int_equal(tabia_batch_new(&b, f->machine, 1, 0, NULL, f->log), TABIA_MISUSE);
  assert_null(b);
  assert_says(f, "at least one lane");
}

static void making_a_batch_keeps_to_limits(void **state) {
  api_fixture *f = *state;
  tabia_batch *b;
  open_file(f, "games/chess.kif", "lanes");
  tabia_limits_set_seconds(f->limits, 1e-9);
  assert_int_equal(tabia_batch_new(&b, f->machine, 10, 1, f->limits, f->log), TABIA_LIMIT);
  assert_null(b);
  assert_says(f, "not made ready");
}

static void a_batch_of_too_many_lanes_reaches_its_limit(void **state) {
  api_fixture *f = *state;
  tabia_batch *b;
  open_game(f, COUNTING_GAME, "lanes");
  tabia_limits_set_bytes(f->limits, 16 << 20);
  assert_int_equal(tabia_batch_new(&b, f->machine, UINT32_MAX, 1, f->limits, f->log), TABIA_LIMIT);
  assert_null(b);
  assert_says(f, "[E802]");
}

/* Lists and draws it has all the same. */
static void a_machine_without_numbers_gives_no_masks(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "reference");
  tabia_batch *b = batch_of(f, 5, 2);
  uint64_t mask = 77;
  tabia_move joints[5], moves[5 * 3];
  uint32_t counts[5];
  assert_int_equal(tabia_answer_width(f->machine, TABIA_LEGAL, 0), 0);
  tabia_batch_read(b, TABIA_LEGAL, 0, TABIA_BITS, &mask);
  assert_int_equal(mask, 77);
  tabia_batch_legal(b, 0, moves, 3, counts);
  assert_int_equal(counts[4], 2);
  tabia_batch_draw(b, 1, 0, joints);
  assert_int_equal(tabia_batch_step(b, joints, NULL), 0);
  tabia_batch_free(b);
}

static void trouble_is_told(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "reference");
  volatile sig_atomic_t stop = 0;
  tabia_batch *b;
  tabia_limits_set_interrupt(f->limits, &stop);
  assert_int_equal(tabia_batch_new(&b, f->machine, 600, 2, f->limits, f->log), TABIA_OK);
  assert_int_equal(tabia_batch_status(b, f->log), TABIA_OK);
  stop = 1;
  for (uint32_t i = 0; i < 2000; i++) tabia_batch_terminal(b, NULL);
  assert_int_equal(tabia_batch_terminal(b, NULL), 600);
  assert_int_equal(tabia_batch_status(b, f->log), TABIA_LIMIT);
  tabia_batch_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(every_layout_says_the_same),
      a_test(threads_and_lanes_beside_change_nothing),
      a_test(other_machines_play_the_same),
      a_test(lanes_are_put_and_reset_one_by_one),
      a_test(an_illegal_move_leaves_the_lane_as_it_is),
      a_test(what_is_seen_is_of_the_last_step),
      a_test(lists_of_moves_are_cut_at_their_capacity),
      a_test(games_from_lanes_are_told_one_by_one),
      a_test(games_by_counter_are_the_same_on_lanes_and_gpu),
      a_test(games_that_never_end_keep_to_limits),
      a_test(parts_do_what_the_whole_does),
      a_test(a_batch_of_nothing_is_misuse),
      a_test(making_a_batch_keeps_to_limits),
      a_test(a_batch_of_too_many_lanes_reaches_its_limit),
      a_test(a_machine_without_numbers_gives_no_masks),
      a_test(trouble_is_told),
  };
  setenv("TABIA_GPU", "emulator", 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
