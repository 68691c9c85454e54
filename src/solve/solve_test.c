/* Solving, held against a slow solver on `reference`, over random games. */
#include "solve/solve.h"

#include "base/rng.h"

#include "symmetry/automorphism.h"

#include <math.h>

#include "solve/slow_solver_fixture.h"

enum { PLACES = 12, MANY_PLACES = 48, LAYERS = 4, LAYER_PLACES = 3 };

static solve_result solve_by(machine_fixture *f, solve_options o) {
  solve_result r;
  const machine_source from = {.program = &f->p};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  assert_non_null(m);
  assert_true(solve_game(&r, m, &o, f->keep, &f->b, &f->d));
  machine_close(m);
  return r;
}

static solve_result solve_up_to(machine_fixture *f, uint32_t threads, bool by_symmetry) {
  return solve_by(
      f, (solve_options){.method = SOLVE_STRONG, .threads = threads, .by_symmetry = by_symmetry});
}

static solve_result solve_on_lanes(machine_fixture *f, uint32_t threads) {
  return solve_up_to(f, threads, false);
}

static solve_result solve_weakly(machine_fixture *f, bool by_symmetry) {
  return solve_by(f,
                  (solve_options){.method = SOLVE_WEAK, .threads = 1, .by_symmetry = by_symmetry});
}

static void assert_values(const solve_result *found, const slow_game *slow, const char *words) {
  assert_true(found->is_solved);
  for (uint32_t role = 0; role < slow->roles; role++)
    if (found->values[role] != slow_turns_value(slow, role))
      fail_msg("role %u: %g, not %d, in\n%s", role, found->values[role],
               slow_turns_value(slow, role), words);
}

/* ---- turns ---- */

/* Who is at turn moves the token along an arrow; some places are ends, some lead nowhere. */
static const char *random_token_game(rng *r, arena *keep, bool is_alone, bool is_constant,
                                     uint32_t places) {
  text out = text_new(keep);
  text_add_format(&out, "(role one) %s (init (at p0)) (init (turn one))\n",
                  is_alone ? "" : "(role two)");
  text_add(&out,
           "(<= (legal ?r (go ?y)) (true (turn ?r)) (true (at ?x)) (arrow ?x ?y))\n"
           "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))\n"
           "(<= (next (at ?y)) (does ?r (go ?y)))\n(<= terminal (true (at ?x)) (end ?x ?g ?h))\n"
           "(<= (goal one ?g) (true (at ?x)) (end ?x ?g ?h))\n"
           "(arrow p0 p1) (end q 50 50)\n");
  text_add(&out, is_alone ? "(<= (next (turn one)) (true (turn one)))\n"
                          : "(<= (next (turn two)) (true (turn one)))\n"
                            "(<= (next (turn one)) (true (turn two)))\n"
                            "(<= (goal two ?h) (true (at ?x)) (end ?x ?g ?h))\n");
  for (uint32_t i = 0; i < places; i++) {
    const uint32_t goal = 10 * rng_below(r, 11);
    if (i && rng_below(r, places / 3) == 0)
      text_add_format(&out, "(end p%u %u %u)\n", i, goal,
                      is_constant ? 100 - goal : 10 * rng_below(r, 11));
    for (uint32_t n = rng_below(r, 8) ? 1 + rng_below(r, 3) : 0; n > 0; n--)
      text_add_format(&out, "(arrow p%u p%u)\n", i, rng_below(r, places));
  }
  return text_string(&out);
}

static void compare_token_games(machine_fixture *f, uint64_t seed, bool is_alone,
                                bool is_constant) {
  rng r = rng_new(seed, 0);
  const char *words = random_token_game(&r, f->keep, is_alone, is_constant, PLACES);
  open_game(f, words);
  const slow_game *slow = slow_game_of(f);
  const solve_result found = solve_on_lanes(f, 1 + seed % 2);
  assert_values(&found, slow, words);
  assert_int_equal(found.states, slow->count);
  if (found.has_remoteness) assert_int_equal(found.length, found.remoteness);
}

/* Each game has a fixture of its own. */
static void with_fixtures(uint64_t games, void (*compare)(machine_fixture *, uint64_t)) {
  for (uint64_t seed = 1; seed <= games; seed++) {
    void *state;
    set_up(&state);
    compare(state, seed);
    tear_down(&state);
  }
}

static void compare_alone(machine_fixture *f, uint64_t seed) {
  compare_token_games(f, seed, true, false);
}

static void compare_constant(machine_fixture *f, uint64_t seed) {
  compare_token_games(f, seed, false, true);
}

static void compare_any(machine_fixture *f, uint64_t seed) {
  compare_token_games(f, seed, false, false);
}

static void one_role_gets_what_the_slow_solver_finds(void **state) {
  (void)state;
  with_fixtures(100, compare_alone);
}

static void two_in_turns_get_what_the_slow_solver_finds(void **state) {
  (void)state;
  with_fixtures(200, compare_constant);
  with_fixtures(200, compare_any);
}

/* ---- symmetry ---- */

/* The first move is to one of two copies of the same places; a third differs in a goal. */
static const char *random_copies(rng *r, arena *keep) {
  static const char *const copies[] = {"p", "q", "s"};
  text out = text_new(keep);
  text_add(&out,
           "(role one) (role two) (init (at start)) (init (turn one))\n"
           "(<= (legal ?r (go ?y)) (true (turn ?r)) (true (at ?x)) (arrow ?x ?y))\n"
           "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))\n"
           "(<= (next (at ?y)) (does ?r (go ?y)))\n(<= terminal (true (at ?x)) (end ?x ?g ?h))\n"
           "(<= (goal one ?g) (true (at ?x)) (end ?x ?g ?h))\n"
           "(<= (goal two ?h) (true (at ?x)) (end ?x ?g ?h))\n"
           "(<= (next (turn two)) (true (turn one))) (<= (next (turn one)) (true (turn two)))\n"
           "(arrow start p0) (arrow start q0) (arrow start s0) (end s1 7 93)\n"
           "(arrow p0 p1) (arrow q0 q1) (arrow s0 s1)\n");
  for (uint32_t i = 0; i < PLACES; i++) {
    const uint32_t goal = 10 * rng_below(r, 11);
    const bool is_end = i && rng_below(r, 4) == 0;
    for (uint32_t n = 0; n < 3 && is_end && (n < 2 || i != 1); n++)
      text_add_format(&out, "(end %s%u %u %u)\n", copies[n], i, goal, 100 - goal);
    for (uint32_t k = rng_below(r, 8) ? 1 + rng_below(r, 3) : 0; k > 0; k--) {
      const uint32_t to = rng_below(r, PLACES);
      for (uint32_t n = 0; n < 3; n++)
        text_add_format(&out, "(arrow %s%u %s%u)\n", copies[n], i, copies[n], to);
    }
  }
  return text_string(&out);
}

/* A line must be playable: every step is by a legal move. */
static void assert_line_plays(machine_fixture *f, const solve_result *r) {
  const machine_source from = {.program = &f->p};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  machine_workspace *w = machine_workspace_new(m, &f->b);
  uint64_t position[64];
  move_id moves[64];
  machine_start(m, position);
  for (uint32_t step = 0; step < r->length; step++) {
    const move_id *joint = r->line.items + (size_t)step * 2;
    for (uint32_t role = 0; role < 2; role++) {
      const uint32_t count = machine_legal(m, w, position, role, moves, 64);
      uint32_t at = 0;
      while (at < count && moves[at] != joint[role]) at++;
      assert_true(at < count);
    }
    machine_step(m, w, position, joint, position);
  }
  const bool is_stuck =
      !machine_legal(m, w, position, 0, moves, 64) || !machine_legal(m, w, position, 1, moves, 64);
  if (r->has_remoteness) assert_true(machine_terminal(m, w, position) || is_stuck);
  machine_workspace_free(m, w);
  machine_close(m);
}

static void compare_copies(machine_fixture *f, uint64_t seed) {
  rng r = rng_new(seed, 0);
  const char *words = random_copies(&r, f->keep);
  open_game(f, words);
  const slow_game *slow = slow_game_of(f);
  const solve_result found = solve_up_to(f, 1 + seed % 2, true);
  assert_values(&found, slow, words);
  assert_int_equal(found.states, slow->count);
  if (automorphisms_are_possible()) assert_true(found.kept_states < found.states);
  assert_line_plays(f, &found);
}

/* ---- weak solutions ---- */

/* All machines list moves in the same order. */
static uint32_t first_step_of(machine_fixture *f, const solve_result *r, const slow_game *slow) {
  const machine_source from = {.program = &f->p};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  machine_workspace *w = machine_workspace_new(m, &f->b);
  uint64_t position[64];
  move_id moves[64];
  uint32_t step = 0;
  machine_start(m, position);
  for (uint32_t role = 0; role < 2; role++) {
    const uint32_t count = machine_legal(m, w, position, role, moves, 64);
    uint32_t at = 0;
    while (at < count && moves[at] != r->line.items[role]) at++;
    assert_int_equal(count, slow->states[0].moves[role]);
    step = step * count + at;
  }
  machine_workspace_free(m, w);
  machine_close(m);
  return step;
}

static void assert_first_step_keeps(machine_fixture *f, const solve_result *r,
                                    const slow_game *slow, const char *words) {
  const uint32_t next = slow->states[0].next[first_step_of(f, r, slow)];
  for (uint32_t role = 0; role < 2; role++)
    if (slow->states[0].moves[role] > 1 && slow_turns_value_at(slow, next, role) != r->values[role])
      fail_msg("role %u moves from %g to %d in\n%s", role, r->values[role],
               slow_turns_value_at(slow, next, role), words);
}

static void compare_weakly(machine_fixture *f, const char *words, bool by_symmetry) {
  open_game(f, words);
  const slow_game *slow = slow_game_of(f);
  const solve_result found = solve_weakly(f, by_symmetry);
  assert_values(&found, slow, words);
  assert_int_equal(found.kind, SOLUTION_WEAK);
  assert_true(slow->roles == 1 || found.length || slow->states[0].is_end);
  if (slow->roles != 2) return;
  assert_line_plays(f, &found);
  if (found.length) assert_first_step_keeps(f, &found, slow, words);
}

static void compare_weak_tokens(machine_fixture *f, uint64_t seed) {
  rng r = rng_new(seed, 1);
  const uint32_t places = seed % 2 ? PLACES : MANY_PLACES; /* with many, cycles mislead a search */
  compare_weakly(f, random_token_game(&r, f->keep, seed % 3 == 0, seed % 3 == 1, places), false);
}

static void compare_weak_copies(machine_fixture *f, uint64_t seed) {
  rng r = rng_new(seed, 1);
  compare_weakly(f, random_copies(&r, f->keep), true);
}

static void weak_solutions_have_the_values_of_the_slow_solver(void **state) {
  (void)state;
  with_fixtures(600, compare_weak_tokens);
  with_fixtures(100, compare_weak_copies);
}

/* Goals of one role that never change say nothing of the other's. */
static void the_second_role_keeps_its_own_value(void **state) {
  static const char words[] =
      "(role white) (role black) (init (at s)) (legal white noop)\n"
      "(<= (legal black a) (true (at s))) (<= (legal black b) (true (at s)))\n"
      "(<= (legal black noop) (not (true (at s)))) (<= (next (at p)) (does black a))\n"
      "(<= (next (at z)) (true (at p))) (<= (next (at e)) (does black b))\n"
      "(<= terminal (true (at e))) (<= terminal (true (at z))) (goal white 50)\n"
      "(<= (goal black 50) (not (true (at z)))) (<= (goal black 0) (true (at z)))\n";
  compare_weakly(*state, words, false);
}

/* All of its fluents are folded: a state has no bytes. */
static void a_game_of_one_state_is_solved(void **state) {
  compare_weakly(*state,
                 "(role white) (role black) (init on) (legal white a) (legal white b)\n"
                 "(legal black noop) (<= (next on) (true on)) (<= terminal (not (true on)))\n"
                 "(goal white 100) (goal black 0)\n",
                 false);
}

static void values_up_to_symmetry_are_those_of_all_states(void **state) {
  (void)state;
  with_fixtures(100, compare_copies);
}

/* `two` does not care, and takes the first move.  That is good for `one` at p or at q, which are alike
   but for the names of moves: each way round. */
static void the_first_of_equal_moves_is_not_that_of_an_image(void **state) {
  static const char *const names[] = {"p", "q"};
  machine_fixture *f = *state;
  for (uint32_t way = 0; way < 2; way++) {
    text out = text_new(f->keep);
    text_add(
        &out,
        "(role one) (role two) (role three) (init (at start)) (legal three noop)\n"
        "(<= (legal one (go ?y)) (true (at start)) (way ?y)) (way p) (way q)\n"
        "(<= (legal one noop) (not (true (at start)))) (<= (legal two noop) (true (at start)))\n"
        "(<= (legal two ?m) (true (at ?x)) (way ?x) (move ?m)) (move a) (move b)\n"
        "(<= (next (at ?y)) (does one (go ?y))) (<= (next (at ?z)) (true (at ?x)) (does two ?m)\n"
        " (leads ?x ?m ?z)) (<= terminal (true (at good))) (<= terminal (true (at bad)))\n"
        "(<= (goal one 100) (true (at good))) (<= (goal one 0) (true (at bad)))\n"
        "(goal two 50) (<= (goal three 0) (true (at good))) (<= (goal three 100) (true (at bad)))\n");
    for (uint32_t i = 0; i < 2; i++)
      text_add_format(&out, "(leads %s a %s) (leads %s b %s)\n", names[i],
                      i == way ? "good" : "bad", names[i], i == way ? "bad" : "good");
    open_game(f, text_string(&out));
    const solve_result found = solve_up_to(f, 1, true);
    assert_true(found.is_solved && found.values[0] == 100);
    assert_int_equal(found.plans[0].count, 1);
    assert_int_equal(found.plans[0].moves[0], way);
  }
}

/* ---- chance and moves at once ---- */

static const char *random_layers(rng *r, arena *keep) {
  text out = text_new(keep);
  text_add(&out,
           "(role one) (role two) (role random) (init (at p0-0)) (<= (legal ?r left) (role ?r))\n"
           "(<= (legal ?r right) (true (at ?x)) (free ?r ?x)) (goal random 0)\n"
           "(<= (next (at ?y)) (true (at ?x)) (does one ?a) (does two ?b) (does random ?c)\n"
           " (leads ?x ?a ?b ?c ?y)) (<= terminal (true (at ?x)) (end ?x ?g ?h))\n"
           "(<= (goal one ?g) (true (at ?x)) (end ?x ?g ?h))\n"
           "(<= (goal two ?h) (true (at ?x)) (end ?x ?g ?h))\n");
  for (uint32_t i = 0; i < LAYERS * LAYER_PLACES; i++) {
    const uint32_t layer = i / LAYER_PLACES, place = i % LAYER_PLACES;
    static const char *const roles[] = {"one", "two", "random"}, *const ways[] = {"left", "right"};
    if (layer == LAYERS - 1 || (layer && rng_below(r, 6) == 0))
      text_add_format(&out, "(end p%u-%u %u %u)\n", layer, place, rng_below(r, 101),
                      rng_below(r, 101));
    for (uint32_t n = 0; n < 3; n++)
      if (rng_below(r, 4)) text_add_format(&out, "(free %s p%u-%u)\n", roles[n], layer, place);
    for (uint32_t n = 0; n < 8; n++)
      text_add_format(&out, "(leads p%u-%u %s %s %s p%u-%u)\n", layer, place, ways[n / 4],
                      ways[n / 2 % 2], ways[n % 2], layer + 1, rng_below(r, LAYER_PLACES));
  }
  return text_string(&out);
}

static void compare_layers(machine_fixture *f, uint64_t seed) {
  rng r = rng_new(seed, 0);
  const char *words = random_layers(&r, f->keep);
  open_game(f, words);
  const slow_game *slow = slow_game_of(f);
  const solve_result found = solve_on_lanes(f, 1);
  assert_true(found.is_solved);
  for (uint32_t role = 0; role < 2; role++)
    if (fabs(found.values[role] - slow_mixed_value(slow, 0, role)) > 1e-6)
      fail_msg("role %u: %g, not %g, in\n%s", role, found.values[role],
               slow_mixed_value(slow, 0, role), words);
}

static void chance_and_moves_at_once_get_what_the_slow_solver_finds(void **state) {
  (void)state;
  with_fixtures(200, compare_layers);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_role_gets_what_the_slow_solver_finds),
      cmocka_unit_test(two_in_turns_get_what_the_slow_solver_finds),
      cmocka_unit_test(values_up_to_symmetry_are_those_of_all_states),
      cmocka_unit_test(weak_solutions_have_the_values_of_the_slow_solver),
      cmocka_unit_test_setup_teardown(the_second_role_keeps_its_own_value, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_game_of_one_state_is_solved, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_first_of_equal_moves_is_not_that_of_an_image, set_up,
                                      tear_down),
      cmocka_unit_test(chance_and_moves_at_once_get_what_the_slow_solver_finds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
