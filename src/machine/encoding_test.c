/* Every encoding of a game plays the same game: its rules run on the machine `reference`, those of
   its translations on that machine and on `datalog`, which updates its state by what changes. */
#include "frame/encoding.h"
#include "frame/pruning.h"
#include "frame/random_board_fixture.h"
#include "ground/random_game_fixture.h"
#include "machine/compare.h"
#include "machine/machine_fixture.h"

static void assert_same_games(machine_fixture *f, const char *kind, machine_source from,
                              const char *words, uint64_t seed) {
  budget b = budget_new(0, 0);
  machine *m = machine_open(kind, &from, &b, &f->d);
  assert_non_null(m);
  machine_workspace *w = machine_workspace_new(m, &b);
  const compare_options o = {.seed = seed, .games = 3, .max_steps = 12};
  compare_report r;
  /* a random game may have no meaning in some state: then it has none for the other, either */
  const bool is_played = machines_compare(&r, f->m, f->w, m, w, &o, f->keep);
  if (is_played && !r.same) print_error("%s\n%s\n", words, text_string(&r.words));
  assert_true(!is_played || r.same);
  machine_workspace_free(m, w);
  machine_close(m);
}

static void compare_encodings(machine_fixture *f, const char *words, uint64_t seed) {
  open_game(f, words);
  for (uint32_t e = ENCODING_DIRECT; e < ENCODING_COUNT; e++) {
    encoded_program encoded;
    frame_encode(&encoded, &f->p, (frame_encoding)e, SCOPE_GAMES, f->keep, &f->b);
    machine_source from = {.program = encoded.program};
    assert_same_games(f, "reference", from, words, seed);
    from.inertia_count = encoded.frame.inertia_count;
    assert_same_games(f, "datalog", from, words, seed);
  }
  frame_translation t;
  /* the moves of many roles can be given to variables in very many ways */
  if (frame_open(&t, &f->p, f->keep, &f->b, &f->d) && t.domain.roles.count <= 3 &&
      frame_translate(&t, COVER_GENERIC, (frame_pruning){0}, &f->b, &f->d)) {
    frame_program whole;
    frame_write_program(&t, &whole, f->keep);
    assert_same_games(f, "reference", (machine_source){.program = &whole.program}, words, seed);
  }
  frame_close(&t);
}

/* Each text in a fixture of its own. */
static void compare_random(const char *(*make)(rng *, arena *), uint64_t first, uint64_t count) {
  for (uint64_t seed = first; seed < first + count; seed++) {
    void *state;
    set_up(&state);
    machine_fixture *f = state;
    rng r = rng_new(seed, 0);
    compare_encodings(f, make(&r, f->keep), seed);
    tear_down(&state);
  }
}

static void random_boards_play_the_same_in_every_encoding(void **state) {
  (void)state;
  compare_random(random_board_text, 1, 24);
}

static void random_games_play_the_same_in_every_encoding(void **state) {
  (void)state;
  compare_random(random_game_text, 1, 12);
}

static void games_play_the_same_in_every_encoding(void **state) {
  static const char *const games[] = {"games/breakthrough-6.kif", "games/nine-mens-morris.kif",
                                      "games/sokoban.kif", "games/three-player-tic-tac-toe.kif"};
  (void)state;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    void *own;
    set_up(&own);
    machine_fixture *f = own;
    source s;
    assert_true(source_load(&s, games[i], f->keep, &f->d));
    compare_encodings(f, s.bytes, i);
    tear_down(&own);
  }
}

/* Which the language forbids, and which is understood all the same. */
static void what_is_next_may_be_read(void **state) {
  static const char *const readers[] = {"(<= (next (seen ?x)) (next (c ?x)))",
                                        "(<= (next (gone ?x)) (true (c ?x)) (not (next (c ?x))))",
                                        "(<= (sees r ?x) (next (c ?x)))"};
  (void)state;
  for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
    void *own;
    set_up(&own);
    machine_fixture *f = own;
    text game = text_new(f->keep);
    text_add(&game, "(role r) (init (c 0)) (init (c 2)) (legal r go) (legal r stay)\n"
                    "(<= (next (c 1)) (does r go)) (<= (next (c ?x)) (true (c ?x)) (does r stay))\n"
                    "(<= terminal (true (seen 1))) (goal r 0)\n");
    text_add(&game, readers[i]);
    compare_encodings(f, text_string(&game), i);
    tear_down(&own);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_next_may_be_read),
      cmocka_unit_test(random_boards_play_the_same_in_every_encoding),
      cmocka_unit_test(random_games_play_the_same_in_every_encoding),
      cmocka_unit_test(games_play_the_same_in_every_encoding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
