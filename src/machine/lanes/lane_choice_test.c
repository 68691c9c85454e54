/* Are moves drawn uniformly?  One role, N moves that are always legal; the goal tells which was
   made.

   LANE_DRAWS in the environment gives another number of draws (the long tests: ten million). */
#include "base/rng.h"
#include "machine/lane_fixture.h"
#include "machine/lanes/lane_play_state.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t sizes[] = {2, 3, 5, 7, 15, 16, 31, 32, 33, 100, 1000, 5000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *choices_text(uint32_t moves, arena *keep) {
  text words = text_new(keep);
  text_add(&words, "(role r) (<= (legal r (m ?x)) (x ?x)) (<= (next (did ?x)) (does r (m ?x)))\n"
                   "(<= terminal (true (did ?x))) (<= (goal r ?x) (true (did ?x)))\n");
  for (uint32_t i = 0; i < moves; i++) text_add_format(&words, "(x %u)\n", i);
  return text_string(&words);
}

static double chi_square(const uint64_t *counts, uint32_t size, uint64_t draws) {
  const double expected = (double)draws / size;
  double sum = 0;
  for (uint32_t i = 0; i < size; i++) {
    const double off = (double)counts[i] - expected;
    sum += off * off / expected;
  }
  return sum;
}

/* Five standard deviations above the mean, and some more where the distribution is lopsided. */
static double most_chi_square(uint32_t size) {
  const double freedom = size - 1;
  return freedom + 5 * sqrt(2 * freedom) + 12;
}

static uint64_t draws_for(uint32_t size) {
  const char *given = getenv("LANE_DRAWS");
  if (given) return strtoull(given, NULL, 10);
  return size < 1000 ? 1000000 : 200 * (uint64_t)size;
}

static void every_move_is_drawn_as_often_as_any_other(void **state) {
  (void)state;
  for (uint32_t i = 0; i < SIZES; i++) {
    void *own;
    set_up(&own);
    machine_fixture *f = own;
    const bulk_part part = {.seed = 12, .number = i, .starts = draws_for(sizes[i])};
    const bulk_tally t = play_part(f, choices_text(sizes[i], f->keep), part);
    assert_int_equal(sound_games(&t), part.starts);
    const double found = chi_square(t.goals, sizes[i], part.starts);
    print_message("%u moves: %.1f of %.1f\n", sizes[i], found, most_chi_square(sizes[i]));
    assert_true(found < most_chi_square(sizes[i]));
    tear_down(&own);
  }
}

/* Moves from somewhere to somewhere, not all of them legal: they are laid out by where they begin
   and where they end, and the goal tells both. */
static void moves_between_places_are_drawn_as_often_as_any_other(void **state) {
  enum { PLACES = 24, DRAWS = 400000 };
  machine_fixture *f = *state;
  text words = text_new(f->keep);
  uint32_t moves = 0;
  text_add(&words,
           "(role r) (<= (legal r (m ?x ?y)) (value ?x ?y ?n))\n"
           "(<= (next (from ?x)) (does r (m ?x ?y))) (<= (next (to ?y)) (does r (m ?x ?y)))\n"
           "(<= terminal (true (from ?x)))\n"
           "(<= (goal r ?n) (true (from ?x)) (true (to ?y)) (value ?x ?y ?n))\n");
  for (uint32_t x = 0; x < PLACES; x++)
    for (uint32_t y = 0; y < PLACES; y++)
      if ((x * 7 + y * 11) % 5) text_add_format(&words, "(value %u %u %u)\n", x, y, moves++);
  const bulk_part part = {.seed = 16, .starts = DRAWS};
  const bulk_tally t = play_part(f, text_string(&words), part);
  assert_int_equal(sound_games(&t), DRAWS);
  assert_true(chi_square(t.goals, moves, DRAWS) < most_chi_square(moves));
}

/* The threshold is one that a remainder of just enough random bits does not pass. */
static void a_remainder_would_be_noticed(void **state) {
  arena *keep = ((machine_fixture *)*state)->keep;
  for (uint32_t i = 0; i < SIZES; i++) {
    const uint32_t bits = 32 - (uint32_t)__builtin_clz(sizes[i]);
    const uint64_t draws = draws_for(sizes[i]);
    uint64_t *counts = arena_zero_array(keep, uint64_t, sizes[i]);
    rng r = rng_new(13, i);
    for (uint64_t k = 0; k < draws; k++) counts[rng_below(&r, 1u << bits) % sizes[i]]++;
    const bool is_even = (1u << bits) % sizes[i] == 0;
    assert_int_equal(chi_square(counts, sizes[i], draws) < most_chi_square(sizes[i]), is_even);
  }
}

/* ---- no bias at all ---- */

typedef struct draw_trial {
  const lane_game *l;
  const lane_draw *d;
  bundle_row *rows;
  uint32_t moves;
  uint64_t *accepted; /* by number */
} draw_trial;

static uint64_t read_bits(const draw_trial *t, uint32_t root, uint32_t bits, uint32_t lane) {
  uint64_t number = 0;
  for (uint32_t i = 0; i < bits; i++)
    number |= (lane_word(t->rows, t->l->net.rows[root + i], lane / 64) >> lane % 64 & 1) << i;
  return number;
}

/* The random numbers first .. first + 511, one in each lane. */
static void try_bundle(draw_trial *t, uint64_t first) {
  const lane_draw *d = t->d;
  const uint64_t biased = (UINT64_C(1) << d->random_bits) % t->moves;
  for (uint32_t lane = 0; lane < LANES; lane++)
    for (uint32_t i = 0; i < d->random_bits; i++) {
      uint64_t *word = &t->rows[d->first_random + i].words[lane / 64];
      *word = (*word & ~(UINT64_C(1) << lane % 64)) | ((first + lane) >> i & 1) << lane % 64;
    }
  lane_code_run(&t->l->code, PHASE_TERMINAL, t->rows);
  lane_code_run(&t->l->code, PHASE_LEGAL, t->rows);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const uint64_t low = read_bits(t, d->product, d->random_bits, lane);
    const uint64_t number = read_bits(t, d->product + d->random_bits, d->count_bits, lane);
    const bool doubtful = read_bits(t, d->doubtful, 1, lane);
    assert_int_equal(read_bits(t, d->count, d->count_bits, lane), t->moves);
    assert_true(number < t->moves);
    assert_true(doubtful || low >= biased);
    t->accepted[number] += low >= biased;
  }
}

/* All random numbers there are: without those that are drawn again, each move has equally many. */
static void what_is_not_drawn_again_is_without_bias(void **state) {
  (void)state;
  for (uint32_t i = 0; i < SIZES && sizes[i] <= 100; i++) {
    void *own;
    set_up(&own);
    machine_fixture *f = own;
    open_game(f, choices_text(sizes[i], f->keep));
    lane_game *l = lane_game_new(f, NET_PLAYS, lane_engine_best(), lane_jit_is_possible());
    assert_int_equal(l->net.draws.count, 1);
    draw_trial t = {.l = l,
                    .d = l->net.draws.items,
                    .rows = lane_rows_new(&l->net.program, 0, f->keep),
                    .moves = sizes[i],
                    .accepted = arena_zero_array(f->keep, uint64_t, sizes[i])};
    const uint64_t all = UINT64_C(1) << t.d->random_bits;
    for (uint64_t first = 0; first < all; first += LANES) try_bundle(&t, first);
    for (uint32_t k = 0; k < sizes[i]; k++) assert_int_equal(t.accepted[k], all / sizes[i]);
    lane_game_free(l);
    tear_down(&own);
  }
}

/* A lane whose random number is to be drawn again gets any number below the count. */
static void what_is_drawn_again_is_uniform(void **state) {
  enum { MOVES = 33, DRAWS = 33000 };
  machine_fixture *f = *state;
  open_game(f, choices_text(MOVES, f->keep));
  lane_game *l = lane_game_new(f, NET_PLAYS, lane_engine_best(), lane_jit_is_possible());
  lane_player *p = lane_player_new(&l->g, &l->net, &l->code, f->keep);
  const lane_draw *d = l->net.draws.items;
  uint64_t counts[MOVES] = {0};
  p->redraws = rng_new(14, 0);
  lane_code_run(&l->code, PHASE_TERMINAL, p->rows); /* random bits are zero: the product is, too */
  lane_code_run(&l->code, PHASE_LEGAL, p->rows);
  for (uint32_t i = 0; i < DRAWS; i++) {
    uint64_t number = 0;
    lane_player_redraw(p, d, 77);
    for (uint32_t k = 0; k < d->count_bits; k++)
      number |= (p->rows[d->first_number + k].words[1] >> 13 & 1) << k;
    assert_true(number < MOVES);
    counts[number]++;
  }
  assert_true(chi_square(counts, MOVES, DRAWS) < most_chi_square(MOVES));
  lane_game_free(l);
}

/* ---- who draws ---- */

/* Roles that take turns draw with one draw; all others with one each. */
static void two_roles_in_turns_share_a_draw(void **state) {
  machine_fixture *f = *state;
  open_game(f, builtin_text(f, "tic-tac-toe"));
  lane_game *l = lane_game_new(f, NET_PLAYS, lane_engine_best(), false);
  assert_int_equal(l->net.draws.count, 1);
  lane_game_free(l);
}

/* Moves of different names, more of them for one role: each is drawn as often as any other. */
static void roles_in_turns_draw_uniformly(void **state) {
  machine_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(
      &words,
      "(role a) (role b) (init (turn a)) (<= (legal a noop) (not (true (turn a))))\n"
      "(<= (legal b noop) (true (turn a))) (<= (legal a (m ?x)) (true (turn a)) (x ?x))\n"
      "(<= (legal b (k ?x)) (not (true (turn a))) (y ?x)) (<= (next (did ?x)) (does a (m ?x)))\n"
      "(<= (next (did ?x)) (true (did ?x))) (<= (next (also ?x)) (does b (k ?x)))\n"
      "(<= terminal (true (also ?x))) (<= (goal a ?x) (true (did ?x)))\n"
      "(<= (goal b ?x) (true (also ?x)))\n");
  for (uint32_t i = 0; i < 5; i++) text_add_format(&words, "(x %u) ", i);
  for (uint32_t i = 0; i < 37; i++) text_add_format(&words, "(y %u) ", i);
  open_game(f, text_string(&words));
  lane_game *l = lane_game_new(f, NET_PLAYS, lane_engine_best(), lane_jit_is_possible());
  const bulk_tally t = tally_of(f, l, (bulk_part){.seed = 15, .starts = 100000});
  uint64_t counts[2][37] = {{0}};
  for (uint32_t i = 0; i < l->g.circuit.goals.count; i++)
    counts[l->g.circuit.goals.items[i].role][l->g.goal_values[i]] = t.goals[i];
  assert_int_equal(sound_games(&t), 100000);
  assert_true(chi_square(counts[0], 5, 100000) < most_chi_square(5));
  assert_true(chi_square(counts[1], 37, 100000) < most_chi_square(37));
  lane_game_free(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(every_move_is_drawn_as_often_as_any_other),
      a_test(a_remainder_would_be_noticed),
      a_test(moves_between_places_are_drawn_as_often_as_any_other),
      a_test(what_is_not_drawn_again_is_without_bias),
      a_test(what_is_drawn_again_is_uniform),
      a_test(two_roles_in_turns_share_a_draw),
      a_test(roles_in_turns_draw_uniformly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
