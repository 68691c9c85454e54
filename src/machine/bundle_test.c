/* Bundles of every machine against the same machine, asked about one state at a time; and against
   `reference`. */
#include "machine/bundle.h"

#include "base/rng.h"
#include "ground/random_game_fixture.h"
#include "machine/machine_fixture.h"

enum { COUNT = 70, STEPS = 30 };

/* Some of the states are taken from `expected`, which is stepped one state at a time. */
typedef struct walk {
  const machine *m;
  machine_workspace *w;
  bundle *b;
  arena *keep;
  rng r;
  uint32_t count;
  unsigned char *expected, *stored, *before;
  move_id *joints, *moves;
  bundle_row terminal, illegal, stepped;
} walk;

static walk *walk_new(const machine *m, uint32_t count, arena *keep) {
  walk *x = lane_alloc(keep, sizeof *x);
  *x = (walk){.m = m, .count = count, .keep = keep, .r = rng_new(5, count)};
  x->w = machine_workspace_new(m, NULL);
  x->b = bundle_new(m, NULL);
  x->expected = arena_alloc_zero(keep, m->position_size * LANES + 1);
  x->stored = arena_alloc_zero(keep, m->position_size * LANES + 1);
  x->before = arena_alloc_zero(keep, m->position_size * LANES + 1);
  x->joints = arena_zero_array(keep, move_id, LANES * m->role_count);
  x->moves = arena_zero_array(keep, move_id, 4096);
  for (uint32_t i = 0; i < count; i++) machine_start(m, x->expected + i * m->position_size);
  bundle_load(x->b, x->expected, count);
  return x;
}

static void walk_free(walk *x) {
  bundle_free(x->b);
  machine_workspace_free(x->m, x->w);
}

static unsigned char *state_of(const walk *x, unsigned char *all, uint32_t lane) {
  return all + lane * x->m->position_size;
}

/* ---- answers ---- */

static void assert_row_list(const walk *x, const row_list *rows, uint32_t lane,
                            const uint32_t *list, uint32_t count) {
  if (!x->m->numbers) return;
  uint32_t at = 0;
  for (uint32_t i = 0; i < rows->count; i++) {
    const bool is_there = at < count && list[at] == i;
    assert_int_equal(row_list_word(rows, i, lane / 64) >> lane % 64 & 1, is_there);
    at += is_there;
  }
  assert_int_equal(at, count);
}

static void check_terminal(walk *x) {
  x->terminal = bundle_terminal(x->b);
  for (uint32_t lane = 0; lane < LANES; lane++)
    assert_int_equal(row_has(&x->terminal, lane),
                     lane < x->count &&
                         machine_terminal(x->m, x->w, state_of(x, x->expected, lane)));
}

static void check_legal(walk *x, uint32_t role) {
  enum { CAPACITY = 5 };
  uint32_t counts[LANES];
  move_id lists[LANES * CAPACITY];
  bundle_list_legal(x->b, role, lists, CAPACITY, counts);
  const row_list rows = bundle_ask(x->b, BUNDLE_LEGAL, role);
  for (uint32_t lane = 0; lane < x->count; lane++) {
    const uint32_t count =
        machine_legal(x->m, x->w, state_of(x, x->expected, lane), role, x->moves, 4096);
    assert_int_equal(counts[lane], count);
    for (uint32_t i = 0; i < count && i < CAPACITY; i++)
      assert_int_equal(lists[lane * CAPACITY + i], x->moves[i]);
    assert_row_list(x, &rows, lane, x->moves, count);
  }
}

static void check_fluents(walk *x) {
  const row_list rows = bundle_ask(x->b, BUNDLE_FLUENTS, 0);
  for (uint32_t lane = 0; lane < x->count; lane++) {
    const uint32_t count = machine_fluents(x->m, state_of(x, x->expected, lane), x->moves, 4096);
    assert_row_list(x, &rows, lane, x->moves, count);
  }
}

static void check_goals(walk *x, uint32_t role) {
  int32_t values[LANES], value;
  bundle_goals(x->b, role, values);
  for (uint32_t lane = 0; lane < x->count; lane++) {
    const bool has_one =
        machine_goals(x->m, x->w, state_of(x, x->expected, lane), role, &value, 1) == 1;
    assert_int_equal(values[lane], has_one ? value : GOAL_NONE);
  }
}

static void check_percepts(walk *x, uint32_t role) {
  const row_list rows = bundle_ask(x->b, BUNDLE_PERCEPTS, role);
  for (uint32_t lane = 0; lane < x->count; lane++) {
    const uint32_t count =
        row_has(&x->stepped, lane)
            ? machine_sees(x->m, x->w, state_of(x, x->before, lane),
                           x->joints + lane * x->m->role_count, role, x->moves, 4096)
            : 0;
    assert_row_list(x, &rows, lane, x->moves, count);
  }
}

/* In an order that changes: some answers make others to be worked out again. */
static void check_answers(walk *x) {
  const uint32_t order = rng_below(&x->r, 3);
  for (uint32_t i = 0; i < 3; i++)
    for (uint32_t role = 0; role < x->m->role_count; role++) {
      if ((order + i) % 3 == 0) check_goals(x, role);
      if ((order + i) % 3 == 1) check_legal(x, role);
      if ((order + i) % 3 == 2) check_percepts(x, role);
    }
  check_fluents(x);
  check_terminal(x);
}

/* ---- moves ---- */

static void check_draw(walk *x, uint64_t stream) {
  const uint64_t first = 1000,
                 key = draw_mix(draw_mix(7 + DRAW_STEP) ^ stream * UINT64_C(0xd6e8feb86659fd93));
  const uint32_t roles = x->m->role_count;
  bundle_draw(x->b, 7, stream, first, x->joints);
  for (uint32_t lane = 0; lane < x->count; lane++)
    for (uint32_t role = 0; role < roles; role++) {
      const uint32_t count =
          machine_legal(x->m, x->w, state_of(x, x->expected, lane), role, x->moves, 4096);
      const uint64_t word = draw_word(key, first + lane, role, roles);
      assert_int_equal(x->joints[lane * roles + role],
                       count ? x->moves[draw_below(word, count)] : MOVE_NONE);
    }
}

static bool is_legal(walk *x, uint32_t lane) {
  for (uint32_t role = 0; role < x->m->role_count; role++) {
    const uint32_t count =
        machine_legal(x->m, x->w, state_of(x, x->expected, lane), role, x->moves, 4096);
    uint32_t i = 0;
    while (i < count && x->moves[i] != x->joints[lane * x->m->role_count + role]) i++;
    if (i == count) return false;
  }
  return true;
}

/* Some moves are changed to any number. */
static void spoil_moves(walk *x) {
  for (uint32_t lane = 0; lane < x->count; lane++) {
    if (rng_below(&x->r, 5)) continue;
    const uint32_t role = rng_below(&x->r, x->m->role_count);
    const uint32_t most = x->m->numbers ? x->m->numbers->moves[role] + 1 : 1;
    x->joints[lane * x->m->role_count + role] =
        rng_below(&x->r, 3) ? rng_below(&x->r, most) : MOVE_NONE - rng_below(&x->r, 2);
  }
}

static void step_all(walk *x) {
  memcpy(x->before, x->expected, x->count * x->m->position_size);
  x->illegal = x->stepped = (bundle_row){{0}};
  for (uint32_t lane = 0; lane < x->count; lane++) {
    unsigned char *state = state_of(x, x->expected, lane);
    if (machine_terminal(x->m, x->w, state)) continue;
    if (!is_legal(x, lane)) {
      row_add(&x->illegal, lane);
      continue;
    }
    machine_step(x->m, x->w, state, x->joints + lane * x->m->role_count, state);
    row_add(&x->stepped, lane);
  }
  bundle_row illegal;
  bundle_step(x->b, x->joints, &illegal);
  assert_memory_equal(&illegal, &x->illegal, sizeof illegal);
}

static void check_states(walk *x) {
  bundle_store(x->b, x->stored);
  assert_memory_equal(x->stored, x->expected, x->count * x->m->position_size);
}

/* ---- states ---- */

static bundle_row random_lanes(walk *x) {
  bundle_row row = {{0}};
  for (uint32_t lane = 0; lane < x->count; lane++)
    if (rng_below(&x->r, 4) == 0) row_add(&row, lane);
  return row;
}

/* Ends are reset, and some lanes get the state of the lane before. */
static void change_lanes(walk *x) {
  bundle_row moved = random_lanes(x);
  bundle_reset(x->b, &x->terminal);
  for (uint32_t lane = 0; lane < x->count; lane++)
    if (row_has(&x->terminal, lane)) machine_start(x->m, state_of(x, x->expected, lane));
  memcpy(x->before, x->expected, x->m->position_size);
  memmove(x->stored + x->m->position_size, x->expected, (x->count - 1) * x->m->position_size);
  memcpy(x->stored, x->before, x->m->position_size);
  bundle_put(x->b, x->stored, &moved);
  for (uint32_t lane = 0; lane < x->count; lane++)
    if (row_has(&moved, lane))
      memcpy(state_of(x, x->expected, lane), state_of(x, x->stored, lane), x->m->position_size);
  for (uint32_t word = 0; word < ROW_WORDS; word++)
    x->stepped.words[word] &= ~(moved.words[word] | x->terminal.words[word]);
}

static void walk_on(walk *x, uint32_t steps) {
  for (uint32_t step = 0; step < steps; step++) {
    check_answers(x);
    check_draw(x, step);
    if (step % 3) spoil_moves(x);
    step_all(x);
    check_answers(x);
    check_states(x);
    if (step % 4 == 3) {
      memcpy(x->before, x->expected, x->count * x->m->position_size);
      change_lanes(x);
      x->stepped = (bundle_row){{0}};
      bundle_load(x->b, x->expected, x->count);
    }
  }
}

static void walk_on_machine(machine_fixture *f, const char *kind, uint32_t count, uint32_t steps) {
  const machine_source from = {.program = &f->p};
  machine *m = machine_open(kind, &from, &f->b, &f->d);
  assert_non_null(m);
  walk *x = walk_new(m, count, f->keep);
  walk_on(x, steps);
  assert_false(x->b->w->trouble.is_there);
  walk_free(x);
  machine_close(m);
}

/* ---- the cases ---- */

/* Turns, moves at once, chance, things that are seen, and many roles. */
static const char *const games[] = {
    "tic-tac-toe",      "simultaneous-tic-tac-toe", "monty-hall",   "kuhn-poker",
    "dark-tic-tac-toe", "four-player-tron",         "connect-four", "nim"};

static void bundles_are_as_single_states(void **state) {
  (void)state;
  static const char *const kinds[] = {"lanes", "circuit", "datalog", "reference"};
  for (uint32_t i = 0; i < sizeof games / sizeof *games; i++)
    for (uint32_t k = 0; k < 4; k++) {
      void *own;
      set_up(&own);
      open_builtin(own, games[i]);
      print_message("%s on %s\n", games[i], kinds[k]);
      walk_on_machine(own, kinds[k], k < 2 ? COUNT : 5, k < 2 ? STEPS : 6);
      tear_down(&own);
    }
}

/* More moves than are transposed. */
static void many_moves_are_done_one_by_one(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "amazons-6x6");
  walk_on_machine(f, "lanes", 9, 3);
}

static void all_lanes_can_be_used(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  walk_on_machine(f, "lanes", LANES, 12);
}

/* Fluents that take over the value of others, in a ring and with a negation. */
#define SHIFT_GAME \
  "(role r) (init (b 1)) (init (b 4)) (legal r on) (legal r back) (<= (next (b 1)) (true (b " \
  "5)))\n" \
  "(<= (next (b 2)) (true (b 1))) (<= (next (b 3)) (true (b 2))) (<= (next (b 4)) (true (b 3)))\n" \
  "(<= (next (b 5)) (not (true (b 4)))) (<= (next (c 1)) (does r on) (true (b 2)))\n" \
  "(<= terminal (true (b 5)) (true (c 1)) (true (b 1))) (goal r 3)"

static void latches_may_take_the_value_of_others(void **state) {
  machine_fixture *f = *state;
  open_game(f, SHIFT_GAME);
  walk_on_machine(f, "lanes", COUNT, STEPS);
}

static void random_games_are_as_single_states(void **state) {
  machine_fixture *f = *state;
  for (uint64_t seed = 0; seed < 40; seed++) {
    void *own;
    rng r = rng_new(41, seed);
    set_up(&own);
    open_game(own, random_game_text(&r, f->keep));
    walk_on_machine(own, "lanes", 20, 10);
    tear_down(&own);
  }
}

/* ---- draws ---- */

/* The same texts on every machine. */
static void draws_are_the_same_on_every_machine(void **state) {
  machine_fixture *f = *state;
  static const char *const kinds[] = {"reference", "lanes", "circuit", "datalog"};
  open_builtin(f, "four-player-tron");
  const machine_source from = {.program = &f->p};
  text lines[4];
  for (uint32_t k = 0; k < 4; k++) {
    machine *m = machine_open(kinds[k], &from, &f->b, &f->d);
    walk *x = walk_new(m, 6, f->keep);
    lines[k] = text_new(f->keep);
    for (uint32_t step = 0; step < 5; step++) {
      bundle_draw(x->b, 3, step, 0, x->joints);
      for (uint32_t i = 0; i < 6 * m->role_count; i++)
        if (x->joints[i] != MOVE_NONE)
          m->ops->move_text(m, i % m->role_count, x->joints[i], &lines[k]);
      bundle_step(x->b, x->joints, &x->illegal);
    }
    walk_free(x);
    machine_close(m);
    assert_string_equal(text_string(&lines[k]), text_string(&lines[0]));
  }
}

/* 512 lanes draw one of n moves, 200 times: no count is further off than five deviations. */
static void draws_are_uniform(void **state) {
  machine_fixture *f = *state;
  enum { MOVES = 13, ROUNDS = 200 };
  open_game(
      f, "(role r) (role s) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9) (n 10) (n 11)\n"
         "(n 12) (n 13) (<= (legal ?r ?n) (role ?r) (n ?n)) (init a) (<= terminal (true b))\n"
         "(<= (next b) (does r 1)) (<= (goal ?r 0) (role ?r))");
  const machine_source from = {.program = &f->p};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  walk *x = walk_new(m, LANES, f->keep);
  uint32_t single[2][MOVES] = {{0}}, joint[MOVES][MOVES] = {{0}};
  for (uint32_t round = 0; round < ROUNDS; round++) {
    bundle_draw(x->b, 9, round, 0, x->joints);
    for (uint32_t lane = 0; lane < LANES; lane++) {
      single[0][x->joints[2 * lane]]++;
      single[1][x->joints[2 * lane + 1]]++;
      joint[x->joints[2 * lane]][x->joints[2 * lane + 1]]++;
    }
  }
  const double draws = ROUNDS * LANES, p = 1.0 / MOVES, q = p * p;
  for (uint32_t i = 0; i < MOVES * MOVES; i++) {
    const double off = joint[i / MOVES][i % MOVES] - draws * q;
    assert_true(off * off < 25 * draws * q * (1 - q));
  }
  for (uint32_t i = 0; i < 2 * MOVES; i++) {
    const double off = single[i / MOVES][i % MOVES] - draws * p;
    assert_true(off * off < 25 * draws * p * (1 - p));
  }
  walk_free(x);
  machine_close(m);
}

static void a_machine_that_is_not_ready_in_time_has_no_bundle(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "chess");
  const machine_source from = {.program = &f->p};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  budget spent = budget_new(1e-9, 0);
  assert_null(bundle_new(m, &spent));
  machine_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(bundles_are_as_single_states),
      a_test(many_moves_are_done_one_by_one),
      a_test(all_lanes_can_be_used),
      a_test(latches_may_take_the_value_of_others),
      a_test(random_games_are_as_single_states),
      a_test(draws_are_the_same_on_every_machine),
      a_test(draws_are_uniform),
      a_test(a_machine_that_is_not_ready_in_time_has_no_bundle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
