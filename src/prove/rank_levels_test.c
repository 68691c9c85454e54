/* States by depth over several ranks: the counts of one process, whatever becomes of the order of
   messages, to any depth, and when the job is ended and goes on on another number of ranks. */
#include "base/recovery.h"
#include "ground/random_game_fixture.h"
#include "prove/prove_fixture.h"
#include "prove/state_levels.h"
#include "solve/rank_fixture.h"

#include <stdlib.h>
#include <unistd.h>

enum { RANDOM_GAMES = 12 };

typedef struct levels_run {
  thread_rank place;
  const grounded *g;
  state_levels_options o;
  state_levels l;
  arena *keep;
  bool ok;
} levels_run;

static void count_as_rank(void *context) {
  levels_run *x = context;
  const exchange e = thread_exchange(&x->place);
  budget b = budget_new(0, 0);
  diag_sink d;
  diag_sink_init(&d, x->keep);
  x->o.others = &e;
  x->ok = state_levels_count(&x->l, x->g, x->o, x->keep, &b, &d);
}

static void *run_rank(void *context) {
  assert_true(recovery_try(NULL, count_as_rank, context));
  return NULL;
}

static void run_ranks(levels_run *runs, thread_net *net, const grounded *g, state_levels_options o,
                      uint64_t seed) {
  for (uint32_t i = 0; i < net->size; i++)
    runs[i] =
        (levels_run){.place = {net, i, rng_new(seed, i)}, .g = g, .o = o, .keep = arena_new()};
  assert_true(run_in_threads(net, runs, sizeof *runs, run_rank));
}

static void free_runs(levels_run *runs, uint32_t size) {
  for (uint32_t i = 0; i < size; i++) arena_free(runs[i].keep);
}

static void assert_same_levels(const state_levels *a, const state_levels *b) {
  assert_int_equal(a->counts.count, b->counts.count);
  for (uint32_t i = 0; i < a->counts.count; i++)
    assert_string_equal(a->counts.items[i], b->counts.items[i]);
  assert_string_equal(a->total, b->total);
  assert_int_equal(a->is_complete, b->is_complete);
}

static void compare_to_depth(prove_fixture *f, uint32_t depth) {
  const state_levels_options o = {.depth = depth, .threads = 1};
  state_levels alone;
  assert_true(state_levels_count(&alone, &f->j.g, o, f->keep, &f->b, &f->d));
  for (uint32_t size = 1; size <= 4; size++) {
    levels_run runs[THREAD_RANKS_MAX];
    thread_net *net = thread_net_new(size, true);
    run_ranks(runs, net, &f->j.g, o, depth + size);
    for (uint32_t i = 0; i < size; i++) {
      assert_true(runs[i].ok);
      assert_same_levels(&alone, &runs[i].l);
    }
    free_runs(runs, size);
    thread_net_free(net);
  }
}

static void ranks_count_what_one_process_counts(void **state) {
  static const char *const names[] = {"tic-tac-toe", "river-crossing", "monty-hall",
                                      "prisoners-dilemma"};
  static const uint32_t depths[] = {0, 1, 3, UINT32_MAX};
  prove_fixture *f = *state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    read_builtin(f, names[i]);
    ask(f, "playable");
    for (size_t k = 0; k < sizeof depths / sizeof *depths; k++) compare_to_depth(f, depths[k]);
  }
}

static void ranks_count_random_games(void **state) {
  prove_fixture *f = *state;
  for (uint64_t seed = 0; seed < RANDOM_GAMES; seed++) {
    rng r = rng_new(seed, 5);
    read_game(f, random_game_text(&r, f->keep));
    ask(f, "playable");
    compare_to_depth(f, UINT32_MAX);
  }
}

static void all_stop_where_messages_fail(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  ask(f, "playable");
  for (uint64_t after = 1; after < 100; after = after * 3 + 1) {
    levels_run runs[THREAD_RANKS_MAX];
    thread_net *net = thread_net_new(3, true);
    net->fails_after = after;
    run_ranks(runs, net, &f->j.g, (state_levels_options){.depth = UINT32_MAX}, after);
    for (uint32_t i = 0; i < 3; i++) assert_true(!runs[i].ok && runs[i].l.has_failed_ranks);
    free_runs(runs, 3);
    thread_net_free(net);
  }
}

/* Messages fail later and later; each job has another number of ranks. */
static void a_job_that_is_ended_goes_on_with_another_number_of_ranks(void **state) {
  prove_fixture *f = *state;
  char folder[] = "/tmp/rank-levels-test-XXXXXX";
  const state_levels_options o = {
      .depth = UINT32_MAX, .threads = 1, .checkpoint = {mkdtemp(folder), 1e-9}};
  state_levels alone;
  uint32_t jobs = 0;
  read_builtin(f, "tic-tac-toe");
  ask(f, "playable");
  const state_levels_options plain = {.depth = UINT32_MAX, .threads = 1};
  assert_true(state_levels_count(&alone, &f->j.g, plain, f->keep, &f->b, &f->d));
  for (bool is_done = false; !is_done; jobs++) {
    levels_run runs[THREAD_RANKS_MAX];
    const uint32_t size = 2 + jobs % 3;
    thread_net *net = thread_net_new(size, true);
    net->fails_after = jobs < 40 ? 60 * (jobs + 1) : 0;
    run_ranks(runs, net, &f->j.g, o, jobs);
    is_done = runs[0].ok;
    for (uint32_t i = 0; i < size; i++) assert_int_equal(runs[i].ok, is_done);
    if (is_done) assert_same_levels(&alone, &runs[0].l);
    free_runs(runs, size);
    thread_net_free(net);
  }
  assert_true(jobs > 1);
  assert_int_not_equal(access(folder, F_OK), 0);
}

static void files_of_another_job_are_refused(void **state) {
  prove_fixture *f = *state;
  char folder[] = "/tmp/rank-levels-test-XXXXXX", name[sizeof folder + 8];
  state_levels l;
  const state_levels_options o = {.depth = 2, .threads = 1, .checkpoint = {mkdtemp(folder), 0}};
  read_builtin(f, "tic-tac-toe");
  ask(f, "playable");
  snprintf(name, sizeof name, "%s/head", folder);
  FILE *head = fopen(name, "wb");
  assert_true(head && fputs("no head", head) >= 0 && fclose(head) == 0);
  assert_false(state_levels_count(&l, &f->j.g, o, f->keep, &f->b, &f->d));
  assert_non_null(strstr(f->d.all.items[f->d.all.count - 1].message, "head is damaged"));
  unlink(name);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(ranks_count_what_one_process_counts),
      a_test(ranks_count_random_games),
      a_test(all_stop_where_messages_fail),
      a_test(a_job_that_is_ended_goes_on_with_another_number_of_ranks),
      a_test(files_of_another_job_are_refused),
  };
  return cmocka_run_group_tests_name("prove/rank_levels", tests, NULL, NULL);
}
