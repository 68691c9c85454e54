/* Solving, held against a slow solver on `reference`, over random games. */
#include "solve/solve.h"

#include "base/rng.h"

#include <math.h>

#include "solve/slow_solver_fixture.h"

enum { PLACES = 12, LAYERS = 4, LAYER_PLACES = 3 };

static solve_result solve_on_lanes(machine_fixture *f, uint32_t threads) {
  solve_result r;
  const machine_source from = {.program = &f->p};
  const solve_options o = {.threads = threads};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  assert_non_null(m);
  assert_true(solve_game(&r, m, &o, f->keep, &f->b, &f->d));
  machine_close(m);
  return r;
}

/* ---- turns ---- */

/* Who is at turn moves the token along an arrow; some places are ends, some lead nowhere. */
static const char *random_token_game(rng *r, arena *keep, bool is_alone, bool is_constant) {
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
  for (uint32_t i = 0; i < PLACES; i++) {
    const uint32_t goal = 10 * rng_below(r, 11);
    if (i && rng_below(r, 4) == 0)
      text_add_format(&out, "(end p%u %u %u)\n", i, goal,
                      is_constant ? 100 - goal : 10 * rng_below(r, 11));
    for (uint32_t n = rng_below(r, 8) ? 1 + rng_below(r, 3) : 0; n > 0; n--)
      text_add_format(&out, "(arrow p%u p%u)\n", i, rng_below(r, PLACES));
  }
  return text_string(&out);
}

static void compare_token_games(machine_fixture *f, uint64_t seed, bool is_alone,
                                bool is_constant) {
  rng r = rng_new(seed, 0);
  const char *words = random_token_game(&r, f->keep, is_alone, is_constant);
  open_game(f, words);
  const slow_game *slow = slow_game_of(f);
  const solve_result found = solve_on_lanes(f, 1 + seed % 2);
  assert_true(found.is_solved);
  assert_int_equal(found.states, slow->count);
  for (uint32_t role = 0; role < slow->roles; role++)
    if (found.values[role] != slow_turns_value(slow, role))
      fail_msg("role %u: %g, not %d, in\n%s", role, found.values[role],
               slow_turns_value(slow, role), words);
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
      cmocka_unit_test(chance_and_moves_at_once_get_what_the_slow_solver_finds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
