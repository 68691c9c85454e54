/* Proving over several ranks: the verdicts, states and depths of one process, with lines of play
   that machine `reference` confirms, whatever becomes of the order of messages. */
#include "base/recovery.h"
#include "ground/random_game_fixture.h"
#include "prove/prove_fixture.h"
#include "solve/rank_fixture.h"
#include "states/level_job.h"

#include <stdlib.h>
#include <unistd.h>

enum { RANDOM_GAMES = 40 };

static const char usual[] = "playable, terminates, winnable, goals";

/* Play can go round and round, by itself from the start or from some way on. */
#define ROUND_GAME \
  "(role one) (init (at a)) (<= (legal one (go ?y)) (true (at ?x)) (arrow ?x ?y))\n" \
  "(<= (next (at ?y)) (does one (go ?y))) (<= terminal (true (at end)))\n" \
  "(<= (goal one 100) (true (at end))) (<= (goal one 0) (not (true (at end))))\n" \
  "(arrow a b) (arrow b c) (arrow c d) (arrow d e) (arrow e c) (arrow e f) (arrow f d) (arrow b end)\n"

/* Steps lead back to older levels, and every play ends all the same. */
#define STAIRS_GAME \
  "(role one) (init (at a)) (<= (legal one (go ?y)) (true (at ?x)) (arrow ?x ?y))\n" \
  "(<= (next (at ?y)) (does one (go ?y))) (<= terminal (true (at end)))\n" \
  "(<= (goal one 100) (true (at end))) (<= (goal one 0) (not (true (at end))))\n" \
  "(arrow a d) (arrow a b) (arrow b c) (arrow c d) (arrow d e) (arrow e end) (arrow d end)\n"

/* Each rank reads the rules for itself, as processes do: names are of one thread. */
typedef struct proof_run {
  thread_rank place;
  source s;
  tree t;
  program p;
  const char *words;
  checkpoint_wish files;
  prove_job j;
  arena *keep;
} proof_run;

static void prove_as_rank(void *context) {
  proof_run *x = context;
  const exchange e = thread_exchange(&x->place);
  budget b = budget_new(0, 0);
  diag_sink d;
  const char *complaint;
  diag_sink_init(&d, x->keep);
  assert_true(tree_read(&x->t, &x->s, symbols_new(x->keep), x->keep, &d));
  assert_true(rules_build(&x->p, &x->t, x->keep, &d));
  ranks *r = ranks_join(&e, x->keep);
  const prove_options o = {
      .threads = 1, .method = prove_method_find("exhaustive"), .ranks = r, .checkpoint = x->files};
  assert_int_equal(prover_open(&x->j, &x->p, o, &b, &d), PROVER_READY);
  assert_true(prover_ask(&x->j, x->words, &b, &complaint));
  prover_run(&x->j, &b);
  ranks_free(r);
}

static void *run_rank(void *context) {
  assert_true(recovery_try(NULL, prove_as_rank, context));
  return NULL;
}

static void run_ranks(proof_run *runs, thread_net *net, const prove_fixture *f, const char *words,
                      checkpoint_wish files, uint64_t seed) {
  for (uint32_t i = 0; i < net->size; i++)
    runs[i] = (proof_run){.place = {net, i, rng_new(seed, i)},
                          .s = f->s,
                          .words = words,
                          .files = files,
                          .keep = arena_new()};
  assert_true(run_in_threads(net, runs, sizeof *runs, run_rank));
}

static void free_runs(proof_run *runs, uint32_t size) {
  for (uint32_t i = 0; i < size; i++) {
    job_close(&runs[i].j);
    arena_free(runs[i].keep);
  }
}

static void assert_same_findings(const prove_job *alone, const prove_job *j) {
  assert_int_equal(alone->properties.count, j->properties.count);
  for (uint32_t i = 0; i < j->properties.count; i++) {
    const finding *a = &alone->findings[i], *b = &j->findings[i];
    if (a->kind != b->kind || a->states != b->states || a->depth != b->depth)
      fail_msg("%s: %s, %llu states, depth %u; alone %s, %llu, %u", j->properties.items[i].name,
               verdict_name(b->kind), (unsigned long long)b->states, b->depth,
               verdict_name(a->kind), (unsigned long long)a->states, a->depth);
    assert_int_equal(a->has_line, b->has_line);
    assert_int_equal(a->length, b->length);
    assert_int_equal(a->returns_to, b->returns_to);
  }
}

/* The job of one process, as front ends run it. */
static void prove_alone(prove_fixture *f, const char *words) {
  const char *complaint;
  const prove_options o = {.threads = 2, .method = prove_method_find("exhaustive")};
  close_job(f);
  assert_int_equal(prover_open(&f->j, &f->p, o, &f->b, &f->d), PROVER_READY);
  f->has_job = true;
  assert_true(prover_ask(&f->j, words, &f->b, &complaint));
  prover_run(&f->j, &f->b);
}

static void compare_ranks(prove_fixture *f, const char *words) {
  const checkpoint_wish none = {0};
  prove_alone(f, words);
  for (uint32_t size = 1; size <= 4; size++) {
    proof_run runs[THREAD_RANKS_MAX];
    thread_net *net = thread_net_new(size, true);
    run_ranks(runs, net, f, words, none, size);
    for (uint32_t i = 0; i < size; i++) assert_same_findings(&f->j, &runs[i].j);
    free_runs(runs, size);
    thread_net_free(net);
  }
}

static void built_in_games_have_the_same_verdicts(void **state) {
  static const char *const names[] = {"tic-tac-toe", "river-crossing", "monty-hall",
                                      "prisoners-dilemma", "blocks-world"};
  prove_fixture *f = *state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    read_builtin(f, names[i]);
    compare_ranks(f, usual);
  }
}

static void random_games_have_the_same_verdicts(void **state) {
  prove_fixture *f = *state;
  uint32_t refuted = 0;
  for (uint64_t seed = 0; seed < RANDOM_GAMES; seed++) {
    rng r = rng_new(seed, 5);
    read_game(f, random_game_text(&r, f->keep));
    compare_ranks(f, usual);
    for (uint32_t i = 0; i < f->j.properties.count; i++)
      refuted += f->j.findings[i].kind == VERDICT_REFUTED && f->j.findings[i].has_line;
  }
  assert_true(refuted > RANDOM_GAMES / 4);
}

/* Then the walk ends with the level where the last of them is found. */
static void a_walk_for_targets_alone_goes_no_further_than_they_are(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  compare_ranks(f, "winnable x");
  assert_int_equal(f->j.findings[0].depth, 5);
  assert_true(f->j.findings[0].states < 5478);
  compare_ranks(f, "winnable, unreachable (and (true (mark 1 1 x)) (true (mark 3 3 x)))");
  compare_ranks(f, "invariant (or (true (control x)) (true (control o)))");
}

static void rounds_are_found_and_longest_plays_too(void **state) {
  prove_fixture *f = *state;
  read_game(f, ROUND_GAME);
  compare_ranks(f, usual);
  assert_int_equal(f->j.findings[1].kind, VERDICT_REFUTED);
  read_game(f, STAIRS_GAME);
  compare_ranks(f, usual);
  assert_int_equal(f->j.findings[1].kind, VERDICT_PROVED);
  assert_int_equal(f->j.findings[1].depth, 5);
}

static void what_ranks_do_not_look_at_stays_open(void **state) {
  prove_fixture *f = *state;
  const checkpoint_wish none = {0};
  proof_run run;
  thread_net *net = thread_net_new(1, false);
  read_builtin(f, "tic-tac-toe");
  run_ranks(&run, net, f, "mutex, winnable x, strongly-winnable x", none, 1);
  assert_int_equal(run.j.findings[0].kind, VERDICT_UNKNOWN);
  assert_non_null(strstr(run.j.findings[0].reason, "several processes"));
  assert_int_equal(run.j.findings[1].kind, VERDICT_PROVED);
  assert_int_equal(run.j.findings[2].kind, VERDICT_UNKNOWN);
  free_runs(&run, 1);
  thread_net_free(net);
}

static void all_stop_where_messages_fail(void **state) {
  prove_fixture *f = *state;
  const checkpoint_wish none = {0};
  read_builtin(f, "tic-tac-toe");
  for (uint64_t after = 1; after < 100; after = after * 3 + 1) {
    proof_run runs[THREAD_RANKS_MAX];
    thread_net *net = thread_net_new(3, true);
    net->fails_after = after;
    run_ranks(runs, net, f, "terminates", none, after);
    for (uint32_t i = 0; i < 3; i++) assert_int_equal(runs[i].j.findings[0].kind, VERDICT_UNKNOWN);
    free_runs(runs, 3);
    thread_net_free(net);
  }
}

/* Messages fail later and later; each job has another number of ranks. */
static void goes_on(prove_fixture *f, const char *words) {
  char folder[] = "/tmp/spread-test-XXXXXX";
  const checkpoint_wish files = {mkdtemp(folder), 1e-9};
  uint32_t jobs = 0;
  prove_alone(f, words);
  for (bool is_done = false; !is_done; jobs++) {
    proof_run runs[THREAD_RANKS_MAX];
    const uint32_t size = 2 + jobs % 3;
    thread_net *net = thread_net_new(size, true);
    net->fails_after = jobs < 60 ? 40 * (jobs + 1) : 0;
    run_ranks(runs, net, f, words, files, jobs);
    is_done = access(folder, F_OK) != 0;
    if (is_done) assert_same_findings(&f->j, &runs[0].j);
    free_runs(runs, size);
    thread_net_free(net);
  }
  assert_true(jobs > 1);
}

static void a_job_that_is_ended_goes_on_with_another_number_of_ranks(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  goes_on(f, usual);
  read_game(f, ROUND_GAME);
  goes_on(f, usual);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(built_in_games_have_the_same_verdicts),
      a_test(random_games_have_the_same_verdicts),
      a_test(a_walk_for_targets_alone_goes_no_further_than_they_are),
      a_test(rounds_are_found_and_longest_plays_too),
      a_test(what_ranks_do_not_look_at_stays_open),
      a_test(all_stop_where_messages_fail),
      a_test(a_job_that_is_ended_goes_on_with_another_number_of_ranks),
  };
  return cmocka_run_group_tests_name("prove/spread", tests, NULL, NULL);
}
