#include "machine/lanes/lane_rollouts.h"

#include "base/rng.h"
#include "machine/bundle.h"
#include "machine/lane_fixture.h"

enum { ROLES_MAX = 4 };

typedef struct rollouts_fixture {
  lane_game *l;
  lane_rollouts *x;
  uint64_t *start;
  uint32_t words, roles;
} rollouts_fixture;

static rollouts_fixture begin_on(machine_fixture *f, const char *words, const lane_engine *engine,
                                 bool native) {
  open_game(f, words);
  rollouts_fixture r = {.l = lane_game_new(f, NET_PLAYS, engine, native)};
  r.x = lane_rollouts_new(&r.l->g, &r.l->net, &r.l->code, f->keep);
  r.words = grounded_words(&r.l->g);
  r.roles = r.l->g.circuit.roles.count;
  r.start = arena_zero_array(f->keep, uint64_t, r.words + 1);
  grounded_start(&r.l->g, r.start);
  return r;
}

static rollouts_fixture begin(machine_fixture *f, const char *words) {
  return begin_on(f, words, lane_engine_best(), lane_jit_is_possible());
}

static int32_t *play(machine_fixture *f, rollouts_fixture *r, rollout_request q) {
  q.goals = arena_new_array(f->keep, int32_t, q.games * r->roles + 1);
  q.goals[q.games * r->roles] = 77;
  assert_true(lane_rollouts_play(r->x, &q, NULL));
  assert_int_equal(q.goals[q.games * r->roles], 77);
  return q.goals;
}

static rollout_request from_start(const rollouts_fixture *r, uint64_t games, uint64_t first) {
  return (rollout_request){.positions = r->start,
                           .games = games,
                           .games_each = (uint32_t)games,
                           .seed = 5,
                           .first = first};
}

/* ---- streams ---- */

/* Games of any number beside each other: each is as it is alone. */
static void a_game_depends_on_its_stream_alone(void **state) {
  machine_fixture *f = *state;
  static const char *const games[] = {"connect-four", "three-player-tic-tac-toe", "tron"};
  for (uint32_t i = 0; i < 3; i++) {
    enum { GAMES = 1700 };
    rollouts_fixture r = begin(f, builtin_text(f, games[i]));
    const int32_t *all = play(f, &r, from_start(&r, GAMES, 1000));
    static const uint32_t firsts[] = {0, 1, 3, 600, 1199}, counts[] = {GAMES, 1, 700, 13, 501};
    for (uint32_t k = 0; k < 5; k++) {
      const int32_t *some = play(f, &r, from_start(&r, counts[k], 1000 + firsts[k]));
      assert_memory_equal(some, all + firsts[k] * r.roles, counts[k] * r.roles * sizeof *some);
    }
    lane_game_free(r.l);
  }
}

/* Positions 0 and 1 in turn: the games of each are those that it has alone. */
static void other_positions_change_nothing(void **state) {
  machine_fixture *f = *state;
  rollouts_fixture r = begin(f, builtin_text(f, "tic-tac-toe"));
  uint64_t *both = arena_zero_array(f->keep, uint64_t, 600 * r.words);
  for (uint32_t i = 0; i < 600; i++) memcpy(both + i * r.words, r.start, r.words * sizeof *both);
  for (uint32_t i = 0; i < 600; i += 2) /* some square is taken, by both it does not matter how */
    both[i * r.words] ^= 1;
  const rollout_request mixed = {
      .positions = both, .games = 1800, .games_each = 3, .seed = 5, .first = 9};
  const int32_t *goals = play(f, &r, mixed);
  for (uint32_t i = 0; i < 600; i += 37) {
    const rollout_request alone = {.positions = both + i * r.words,
                                   .games = 3,
                                   .games_each = 3,
                                   .seed = 5,
                                   .first = 9 + i * 3};
    assert_memory_equal(play(f, &r, alone), goals + i * 3 * r.roles, 3 * r.roles * sizeof *goals);
  }
  lane_game_free(r.l);
}

static uint64_t rotate(uint64_t x, uint32_t by) { return x << by | x >> (64 - by); }

/* xoroshiro128++ as its authors write it. */
static void next_state(uint64_t *s) {
  const uint64_t s0 = s[0], s1 = s[0] ^ s[1];
  s[0] = rotate(s0, 49) ^ s1 ^ (s1 << 21);
  s[1] = rotate(s1, 28);
}

static uint64_t word_in(const bundle_row *rows, uint32_t lane) {
  uint64_t word = 0;
  for (uint32_t i = 0; i < 64; i++) word |= (uint64_t)row_has(&rows[i], lane) << i;
  return word;
}

static void every_lane_has_a_generator_of_its_own(void **state) {
  machine_fixture *f = *state;
  const char *words = builtin_text(f, "tic-tac-toe");
  for (const lane_engine *const *e = lane_engines; *e; e++) {
    if (!(*e)->is_supported()) continue;
    rollouts_fixture r = begin_on(f, words, *e, false);
    play(f, &r, from_start(&r, LANES, 40));
    assert_true(r.x->period > 1);
    const uint64_t drawn = (r.x->step + r.x->period - 1) / r.x->period;
    for (uint32_t lane = 0; lane < LANES; lane++) {
      const uint64_t key = draw_mix(5 + DRAW_STEP);
      uint64_t s[2] = {draw_mix(key + (2 * (40 + lane) + 1) * DRAW_STEP),
                       draw_mix(key + (2 * (40 + lane) + 2) * DRAW_STEP) | 1};
      uint64_t last = 0;
      for (uint64_t i = 0; i < drawn; i++) {
        last = rotate(s[0] + s[1], 17) + s[0];
        next_state(s);
      }
      assert_true(word_in(r.x->generators[r.x->turn], lane) == s[0]);
      assert_true(word_in(r.x->generators[r.x->turn] + 64, lane) == s[1]);
      assert_true(word_in(r.x->random, lane) == last);
    }
    lane_game_free(r.l);
  }
}

static void engines_play_the_same_games(void **state) {
  machine_fixture *f = *state;
  static const char *const games[] = {"connect-four", "kuhn-poker", "four-player-tron"};
  for (uint32_t i = 0; i < 3; i++) {
    const char *words = builtin_text(f, games[i]);
    const int32_t *expected = NULL;
    for (const lane_engine *const *e = lane_engines; *e; e++)
      for (int native = 0; native < 2; native++) {
        if (!(*e)->is_supported() || (native && !lane_jit_is_possible())) continue;
        rollouts_fixture r = begin_on(f, words, *e, native);
        const int32_t *goals = play(f, &r, from_start(&r, 900, 0));
        if (expected) assert_memory_equal(goals, expected, 900 * r.roles * sizeof *goals);
        expected = goals;
        lane_game_free(r.l);
      }
  }
}

/* ---- what they are worth ---- */

/* Of random tic-tac-toe 58.492 % are won by the first player, 28.810 % by the second. */
static void results_have_the_right_frequencies(void **state) {
  machine_fixture *f = *state;
  enum { GAMES = 100000 };
  rollouts_fixture r = begin(f, builtin_text(f, "tic-tac-toe"));
  const int32_t *goals = play(f, &r, from_start(&r, GAMES, 0));
  double first = 0, second = 0, alike = 0;
  for (uint32_t i = 0; i < GAMES; i++) {
    assert_int_equal(goals[2 * i] + goals[2 * i + 1], 100);
    first += goals[2 * i] == 100;
    second += goals[2 * i] == 0;
    alike += i && goals[2 * i] == goals[2 * i - 2];
  }
  assert_true(first > 0.58492 * GAMES - 5 * 156 && first < 0.58492 * GAMES + 5 * 156);
  assert_true(second > 0.28810 * GAMES - 5 * 143 && second < 0.28810 * GAMES + 5 * 143);
  /* streams beside each other know nothing of each other: 44.125 % */
  assert_true(alike > 0.44125 * GAMES - 5 * 157 && alike < 0.44125 * GAMES + 5 * 157);
  lane_game_free(r.l);
}

/* One of 13 moves ends the game, and its number is the goal. */
static void moves_are_drawn_uniformly(void **state) {
  machine_fixture *f = *state;
  enum { MOVES = 13, GAMES = 130000 };
  rollouts_fixture r = begin(
      f, "(role r) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9) (n 10) (n 11) (n 12)\n"
         "(n 13) (<= (legal r ?n) (n ?n)) (<= (next (did ?n)) (does r ?n))\n"
         "(<= terminal (true (did ?n))) (<= (goal r ?n) (true (did ?n)))");
  const int32_t *goals = play(f, &r, from_start(&r, GAMES, 7));
  uint32_t counts[MOVES + 1] = {0};
  for (uint32_t i = 0; i < GAMES; i++) counts[goals[i]]++;
  for (uint32_t i = 1; i <= MOVES; i++) assert_in_range(counts[i], 10000 - 480, 10000 + 480);
  lane_game_free(r.l);
}

/* ---- ends ---- */

/* A robot counts to 40, and to 200 if it begins with the long way. */
#define LONG_GAME \
  "(role r) (init (at 0)) (legal r go) (<= (legal r long) (true (at 0)))\n" \
  "(<= (next (at 1)) (true (at 0)) (does r go)) (<= (next (at 161)) (true (at 0)) (does r long))\n" \
  "(<= (next (at ?y)) (true (at ?x)) (s ?x ?y)) (<= (goal r 100) (true (at 200)))\n" \
  "(<= (goal r 1) (true (at 160))) (<= terminal (true (at 200))) (<= terminal (true (at 160)))\n"

static const char *long_game(arena *keep) {
  text words = text_new(keep);
  text_add(&words, LONG_GAME);
  for (int i = 1; i < 200; i++)
    if (i != 160) text_add_format(&words, "(s %d %d) ", i, i + 1);
  return text_string(&words);
}

/* Half of the games take 160 steps, the others 40. */
static void games_are_given_up_when_they_are_too_long(void **state) {
  machine_fixture *f = *state;
  rollouts_fixture r = begin(f, long_game(f->keep));
  enum { GAMES = 1500 };
  const int32_t *whole = play(f, &r, from_start(&r, GAMES, 0));
  static const uint64_t most[] = {39, 40, 41, 100, 159, 160, 161};
  uint32_t brief = 0;
  for (uint32_t i = 0; i < GAMES; i++) {
    assert_true(whole[i] == 1 || whole[i] == 100);
    brief += whole[i] == 100;
  }
  assert_in_range(brief, 650, 850);
  for (uint32_t k = 0; k < sizeof most / sizeof *most; k++) {
    rollout_request q = from_start(&r, GAMES, 0);
    q.max_steps = most[k];
    const int32_t *cut = play(f, &r, q);
    for (uint32_t i = 0; i < GAMES; i++) {
      const uint64_t length = whole[i] == 100 ? 40 : 160;
      assert_int_equal(cut[i], length <= most[k] ? whole[i] : GOAL_NONE);
    }
  }
  lane_game_free(r.l);
}

/* A role is stuck, has several goals or none, or all is well: by the first move. */
static void games_without_a_sound_end_have_no_goals(void **state) {
  machine_fixture *f = *state;
  rollouts_fixture r = begin(
      f, "(role a) (role b) (init start) (<= (legal a (go ?x)) (true start) (x ?x)) (x 1) (x 2)\n"
         "(x 3) (x 4) (legal b wait) (<= (next (at ?x)) (does a (go ?x)))\n"
         "(<= terminal (true (at ?x)) (distinct ?x 1)) (<= (goal a 30) (true (at 2)))\n"
         "(<= (goal a 40) (true (at 2))) (<= (goal a 50) (true (at 3))) (goal b 7)");
  const int32_t *goals = play(f, &r, from_start(&r, 800, 0));
  uint32_t stuck = 0, sound = 0, others = 0;
  for (uint32_t i = 0; i < 800; i++) {
    stuck += goals[2 * i] == GOAL_NONE && goals[2 * i + 1] == GOAL_NONE;
    sound += goals[2 * i] == 50 && goals[2 * i + 1] == 7;
    others += goals[2 * i] == GOAL_NONE && goals[2 * i + 1] == 7;
  }
  assert_int_equal(stuck + sound + others, 800);
  assert_in_range(stuck, 140, 260);
  assert_in_range(sound, 140, 260);
  lane_game_free(r.l);
}

static void no_games_are_no_trouble(void **state) {
  machine_fixture *f = *state;
  rollouts_fixture r = begin(f, builtin_text(f, "tic-tac-toe"));
  play(f, &r, (rollout_request){.positions = r.start, .games_each = 1});
  lane_game_free(r.l);
}

static void time_ends_games_that_never_end(void **state) {
  machine_fixture *f = *state;
  rollouts_fixture r =
      begin(f, "(role r) (legal r a) (legal r b) (init p) (<= (next p) (does r a))\n"
               "(<= (next q) (does r b)) (<= terminal (true z)) (goal r 1)\n"
               "(<= (next z) (true p) (true q))");
  int32_t goals[3] = {9, 9, 9};
  const rollout_request q = {.positions = r.start, .games = 3, .games_each = 3, .goals = goals};
  volatile sig_atomic_t stop = 1;
  budget b = budget_new(0, 0);
  b.interrupted = &stop;
  assert_false(lane_rollouts_play(r.x, &q, &b));
  for (uint32_t i = 0; i < 3; i++) assert_int_equal(goals[i], GOAL_NONE);
  lane_game_free(r.l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_game_depends_on_its_stream_alone),
      a_test(other_positions_change_nothing),
      a_test(every_lane_has_a_generator_of_its_own),
      a_test(engines_play_the_same_games),
      a_test(results_have_the_right_frequencies),
      a_test(moves_are_drawn_uniformly),
      a_test(games_are_given_up_when_they_are_too_long),
      a_test(games_without_a_sound_end_have_no_goals),
      a_test(no_games_are_no_trouble),
      a_test(time_ends_games_that_never_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
