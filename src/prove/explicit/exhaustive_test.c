/* A walk up to symmetry: the verdicts, states and depths of one that keeps all states, with lines
   of play that machine `reference` confirms. */
#include "ground/random_game_fixture.h"
#include "prove/prove_fixture.h"
#include "states/walk.h"

enum { RANDOM_GAMES = 150 };

static const char usual[] = "playable, terminates, winnable, goals";

/* Four places in a ring, all alike but for where play is: the round of one state is four steps
   long, and one step leads to an image of it. */
#define RING_GAME \
  "(role one) (init (at centre)) (place n) (place e) (place s) (place w)\n" \
  "(after n e) (after e s) (after s w) (after w n)\n" \
  "(<= (legal one (go ?x)) (true (at centre)) (place ?x))\n" \
  "(<= (legal one (leave ?x)) (true (at ?x)) (place ?x))\n" \
  "(<= (next (at ?x)) (does one (go ?x))) (<= (next (at ?y)) (does one (leave ?x)) (after ?x ?y))\n" \
  "(<= terminal (true (at nowhere))) (goal one 50)\n"

/* Two counters that either may be raised; nobody can move when both are at three. */
#define PAIR_OF_COUNTERS \
  "(role one) (init (count a 0)) (init (count b 0)) (succ 0 1) (succ 1 2) (succ 2 3)\n" \
  "(<= (legal one (raise ?c)) (true (count ?c ?n)) (succ ?n ?m))\n" \
  "(<= (next (count ?c ?m)) (does one (raise ?c)) (true (count ?c ?n)) (succ ?n ?m))\n" \
  "(<= (next (count ?c ?n)) (true (count ?c ?n)) (does one (raise ?d)) (distinct ?c ?d))\n" \
  "(<= terminal (true (count a 9)) (true (count b 9))) (goal one 0)\n"

/* By a walk that keeps one of those that are alike when it has found so many states. */
static const prove_job *proved(prove_fixture *f, const char *words, uint64_t plain_states) {
  const char *complaint;
  const prove_options o = {
      .threads = 2, .method = prove_method_find("exhaustive"), .plain_states = plain_states};
  close_job(f);
  assert_int_equal(prover_open(&f->j, &f->p, o, &f->b, &f->d), PROVER_READY);
  f->has_job = true;
  assert_true(prover_ask(&f->j, words, &f->b, &complaint));
  prover_run(&f->j, &f->b);
  return &f->j;
}

static void assert_same_finding(const property *p, const finding *a, const finding *b) {
  const bool goes_round = p->kind == PROPERTY_TERMINATES && a->kind == VERDICT_REFUTED;
  if (a->kind != b->kind || a->states != b->states || (a->depth != b->depth && !goes_round))
    fail_msg("%s: %s, %llu states, depth %u; up to symmetry %s, %llu, %u", p->name,
             verdict_name(a->kind), (unsigned long long)a->states, a->depth, verdict_name(b->kind),
             (unsigned long long)b->states, b->depth);
  assert_int_equal(a->has_line, b->has_line);
}

/* Returns the order of the group that was used. */
static uint32_t compare(prove_fixture *f, const char *words) {
  finding plain[16];
  const prove_job *j = proved(f, words, UINT64_MAX);
  assert_true(j->properties.count <= 16 && !j->has_symmetries);
  memcpy(plain, j->findings, j->properties.count * sizeof *plain);
  j = proved(f, words, 1);
  for (uint32_t i = 0; i < j->properties.count; i++)
    assert_same_finding(&j->properties.items[i], &plain[i], &j->findings[i]);
  return j->has_symmetries ? j->symmetries.order : 1;
}

static void built_in_games_have_the_same_verdicts(void **state) {
  static const char *const names[] = {"tic-tac-toe", "monty-hall", "river-crossing",
                                      "prisoners-dilemma"};
  prove_fixture *f = *state;
  uint32_t with_symmetries = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    read_builtin(f, names[i]);
    with_symmetries += compare(f, usual) > 1;
  }
  assert_true(with_symmetries >= 2);
}

static void random_games_have_the_same_verdicts(void **state) {
  prove_fixture *f = *state;
  for (uint64_t seed = 0; seed < RANDOM_GAMES; seed++) {
    rng r = rng_new(seed, 7);
    read_game(f, random_game_text(&r, f->keep));
    compare(f, usual);
  }
}

static void fewer_states_are_kept(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  const prove_job *j = proved(f, "terminates, strongly-winnable x", 1);
  assert_int_equal(walk_states(j->walk), 765);
  assert_int_equal(j->findings[0].states, 5478);
  assert_int_equal(j->findings[1].kind, VERDICT_REFUTED);
}

static void rounds_go_on_until_a_state_comes_again(void **state) {
  prove_fixture *f = *state;
  read_game(f, RING_GAME);
  assert_int_equal(compare(f, "terminates"), 4);
  assert_int_equal(f->j.findings[0].kind, VERDICT_REFUTED);
  assert_int_equal(f->j.findings[0].length - f->j.findings[0].returns_to, 4);
}

static void lines_lead_from_state_to_state(void **state) {
  prove_fixture *f = *state;
  read_game(f, PAIR_OF_COUNTERS);
  assert_int_equal(compare(f, "playable"), 2);
  assert_int_equal(f->j.findings[0].kind, VERDICT_REFUTED);
  assert_int_equal(f->j.findings[0].length, 6);
}

/* A formula may hold of a state and not of its image. */
static void formulas_are_asked_of_all_states(void **state) {
  prove_fixture *f = *state;
  read_game(f, RING_GAME);
  compare(f, "unreachable (true (at w)), unreachable (true (at e)), playable");
  assert_false(f->j.has_symmetries);
  assert_int_equal(f->j.findings[0].kind, VERDICT_REFUTED);
  assert_int_equal(f->j.findings[1].kind, VERDICT_REFUTED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(built_in_games_have_the_same_verdicts),
      a_test(random_games_have_the_same_verdicts),
      a_test(fewer_states_are_kept),
      a_test(rounds_go_on_until_a_state_comes_again),
      a_test(lines_lead_from_state_to_state),
      a_test(formulas_are_asked_of_all_states),
  };
  return cmocka_run_group_tests_name("prove/exhaustive", tests, NULL, NULL);
}
