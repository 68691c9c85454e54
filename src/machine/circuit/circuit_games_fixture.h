/* Machines on circuits beside `reference`: what their tests share. */
#ifndef TABIA_MACHINE_CIRCUIT_CIRCUIT_GAMES_FIXTURE_H
#define TABIA_MACHINE_CIRCUIT_CIRCUIT_GAMES_FIXTURE_H

#include "ground/random_game_fixture.h"
#include "machine/compare.h"
#include "machine/machine_fixture.h"

/* Games with what circuits treat specially. */
static const char *const special_games[] = {
    /* a recursive component of which constant fluents have cut a piece off: legal needs one atom
       of it, next the other */
    "(role r) (init c) (init z) (init w) (legal r a) (legal r b) (<= (legal r k) p)\n"
    "(<= (next c) (not (true f))) (<= (next f) (not (true c)))\n"
    "(<= p (true z) (true w)) (<= p q (true f)) (<= q p) (<= q y (true z)) (<= y (true w) (not "
    "(true v)))\n"
    "(<= y (true v) (not (true w)) (not (does r a))) (<= (next q) q) (<= (next v) (does r a))\n"
    "(<= (next z) (does r b)) (<= (next w) (not (does r k))) (<= (next z) (true v) (not (true q)))",
    /* reachability through what is done and what holds */
    "(role r) (role q) (e 1 2) (e 2 3) (e 3 1) (e 3 4) (node 1) (node 2) (node 3) (node 4)\n"
    "(<= (legal ?r (hit ?x)) (role ?r) (node ?x)) (init (on 1))\n"
    "(<= (hot ?x) (does r (hit ?x))) (<= (hot ?x) (true (on ?x)))\n"
    "(<= (hot ?y) (hot ?x) (e ?x ?y) (not (does q (hit ?y))))\n"
    "(<= (next (on ?x)) (hot ?x) (not (does q (hit ?x))))\n"
    "(<= (legal r big) (hot 2)) (<= (goal r 1) (hot 1)) (<= (sees q ?x) (hot ?x))",
    /* one move, two moves, and a role that has none but noop */
    "(role a) (role b) (role c) (legal a only) (legal b left) (legal b right) (init (at 0))\n"
    "(legal c noop) (<= (next (at 1)) (does b left)) (<= (next (at 2)) (does b right) (does a "
    "only))\n"
    "(<= (next (at 0)) (true (at 1)) (not (does b left))) (<= (goal a 1) (true (at 1)))",
    /* fluents that are equal, complementary and constant */
    "(role r) (legal r a) (legal r b) (init p) (init q) (init always) (<= (next p) (does r a))\n"
    "(<= (next q) (does r a)) (<= (next n) (not (does r a))) (<= (next always) (true always))\n"
    "(<= (goal r 1) (true p) (true always)) (<= (goal r 2) (true n))",
};

static inline void assert_agrees(machine_fixture *f, const char *kind, const char *words,
                                 uint64_t games) {
  const compare_options o = {.seed = 3, .games = games, .max_steps = 40};
  const machine_source from = {.program = &f->p};
  compare_report r;
  open_game(f, words);
  machine *m = machine_open(kind, &from, &f->b, &f->d);
  assert_non_null(m);
  machine_workspace *w = machine_workspace_new(m, &f->b);
  assert_true(machines_compare(&r, f->m, f->w, m, w, &o, f->keep));
  assert_string_equal(text_string(&r.words), "");
  machine_workspace_free(m, w);
  machine_close(m);
}

/* Each text in a fixture of its own. */
static inline void assert_agrees_alone(const char *kind, const char *words, uint64_t games) {
  void *state;
  set_up(&state);
  assert_agrees(state, kind, words, games);
  tear_down(&state);
}

static inline void assert_agrees_on_builtin(const char *kind, const char *name, uint64_t games) {
  void *state;
  set_up(&state);
  assert_agrees(state, kind, builtin_text(state, name), games);
  tear_down(&state);
}

static inline void assert_agrees_on_special_games(const char *kind) {
  for (size_t i = 0; i < sizeof special_games / sizeof *special_games; i++) {
    print_message("special game %u\n", (unsigned)i);
    assert_agrees_alone(kind, special_games[i], 60);
  }
}

static inline void assert_agrees_on_random_games(const char *kind, uint64_t first, uint64_t count) {
  for (uint64_t seed = first; seed < first + count; seed++) {
    arena *keep = arena_new();
    rng r = rng_new(19, seed);
    print_message("random game %u\n", (unsigned)seed);
    assert_agrees_alone(kind, random_game_text(&r, keep), 5);
    arena_free(keep);
  }
}

#endif
