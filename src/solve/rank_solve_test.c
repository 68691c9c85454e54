/* Solving over several ranks: the same result and the same bytes as alone, whatever becomes of the
   order of messages; and all stop where they fail. */
#include "base/recovery.h"
#include "solve/solve.h"

#include "database/database_files.h"
#include "machine/machine_fixture.h"
#include "solve/rank_fixture.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const games[] = {"tic-tac-toe", "nim", "river-crossing"};

#define CIRCLE_GAME \
  "(role one) (role two) (init (at a)) (init (turn one))\n" \
  "(<= (legal ?r (go ?y)) (true (turn ?r)) (true (at ?x)) (arrow ?x ?y))\n" \
  "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))\n" \
  "(<= (next (at ?y)) (does ?r (go ?y)))\n" \
  "(<= (next (turn two)) (true (turn one))) (<= (next (turn one)) (true (turn two)))\n" \
  "(<= terminal (true (at ?x)) (end ?x ?g ?h))\n" \
  "(<= (goal one ?g) (true (at ?x)) (end ?x ?g ?h)) (<= (goal two ?h) (true (at ?x)) (end ?x ?g ?h))\n" \
  "(arrow a b) (arrow b c) (arrow c d) (arrow d a) (arrow c mid) (arrow a e) (arrow e a) (arrow d f)\n" \
  "(arrow f e) (arrow b bad) (end mid 60 40) (end bad 0 100)\n"

typedef struct rank_run {
  thread_rank place;
  const machine *m;
  const char *folder, *files;
  solve_result r;
  arena *keep;
  bool ok;
} rank_run;

static void solve_rank(void *context) {
  rank_run *x = context;
  const exchange e = thread_exchange(&x->place);
  const solve_options o = {.threads = 1,
                           .others = &e,
                           .database = x->folder,
                           .checkpoint = {x->files, x->files ? 1e-9 : 0}};
  budget b = budget_new(0, 0);
  diag_sink d;
  diag_sink_init(&d, x->keep);
  x->ok = solve_game(&x->r, x->m, &o, x->keep, &b, &d);
}

static void *run_rank(void *context) {
  assert_true(recovery_try(NULL, solve_rank, context));
  return NULL;
}

static const char *new_folder(arena *keep) {
  char *folder = arena_copy_text(keep, "/tmp/rank-solve-test-XXXXXX", 27);
  assert_non_null(mkdtemp(folder));
  return folder;
}

static const char *path_in(const char *folder, const char *name, arena *keep) {
  return database_path(folder, name, keep);
}

static void remove_folder(const char *folder, arena *keep) {
  static const char *const names[] = {"head", "index", "values", "steps"};
  for (uint32_t i = 0; i < 4; i++) unlink(path_in(folder, names[i], keep));
  rmdir(folder);
}

static bool same_file(const char *a, const char *b) {
  FILE *left = fopen(a, "rb"), *right = fopen(b, "rb");
  bool same = !left == !right;
  for (int c = 0; left && right && same && c != EOF;) same = (c = fgetc(left)) == fgetc(right);
  if (left) fclose(left);
  if (right) fclose(right);
  return same;
}

static void assert_same_database(const char *a, const char *b, arena *keep) {
  static const char *const names[] = {"head", "index", "values", "steps"};
  for (uint32_t i = 0; i < 4; i++)
    if (!same_file(path_in(a, names[i], keep), path_in(b, names[i], keep)))
      fail_msg("%s differs", names[i]);
}

/* Runs all ranks; NULL: without a database. */
static void run_ranks(rank_run *runs, thread_net *net, const machine *m, const char *folder,
                      const char *files, uint64_t seed) {
  pthread_t threads[THREAD_RANKS_MAX];
  for (uint32_t i = 0; i < net->size; i++) {
    runs[i] =
        (rank_run){.place = {net, i, rng_new(seed, i)}, .m = m, .folder = folder, .files = files};
    runs[i].keep = arena_new();
    assert_int_equal(pthread_create(&threads[i], NULL, run_rank, &runs[i]), 0);
  }
  for (uint32_t i = 0; i < net->size; i++) pthread_join(threads[i], NULL);
}

static void free_runs(rank_run *runs, uint32_t size) {
  for (uint32_t i = 0; i < size; i++) arena_free(runs[i].keep);
}

static void assert_same_result(const solve_result *a, const solve_result *b, uint32_t roles) {
  assert_int_equal(a->states, b->states);
  assert_int_equal(a->ends, b->ends);
  assert_int_equal(a->depth, b->depth);
  assert_int_equal(a->remoteness, b->remoteness);
  assert_int_equal(a->has_endless, b->has_endless);
  assert_int_equal(a->length, b->length);
  assert_memory_equal(a->line.items, b->line.items, a->line.count * sizeof *a->line.items);
  for (uint32_t role = 0; role < roles; role++) {
    assert_true(a->values[role] == b->values[role]);
    assert_int_equal(a->plans[role].count, b->plans[role].count);
  }
}

static machine *open_lanes(machine_fixture *f) {
  const machine_source from = {.program = &f->p};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  assert_non_null(m);
  return m;
}

static void compare_ranks(machine_fixture *f, bool is_wild) {
  machine *m = open_lanes(f);
  solve_result alone;
  const char *folder = new_folder(f->keep);
  const solve_options o = {.threads = 1, .database = folder};
  assert_true(solve_game(&alone, m, &o, f->keep, &f->b, &f->d));
  for (uint32_t size = 1; size <= THREAD_RANKS_MAX; size += size < 3 ? 1 : size < 5 ? 2 : 3) {
    rank_run runs[THREAD_RANKS_MAX];
    thread_net *net = thread_net_new(size, is_wild);
    const char *other = new_folder(f->keep);
    run_ranks(runs, net, m, other, NULL, size);
    for (uint32_t i = 0; i < size; i++) {
      assert_true(runs[i].ok && runs[i].r.is_solved && !runs[i].r.has_failed_ranks);
      assert_same_result(&alone, &runs[i].r, m->role_count);
    }
    assert_same_database(folder, other, f->keep);
    remove_folder(other, f->keep);
    free_runs(runs, size);
    thread_net_free(net);
  }
  remove_folder(folder, f->keep);
  machine_close(m);
}

static void any_number_of_ranks_finds_the_same(void **state) {
  machine_fixture *f = *state;
  for (uint32_t i = 0; i < sizeof games / sizeof *games; i++) {
    open_builtin(f, games[i]);
    compare_ranks(f, false);
  }
}

static void late_and_shuffled_messages_change_nothing(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, games[0]);
  compare_ranks(f, true);
}

static void cycles_are_solved_over_ranks(void **state) {
  machine_fixture *f = *state;
  open_game(f, CIRCLE_GAME);
  compare_ranks(f, true);
}

static void all_stop_where_messages_fail(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, games[0]);
  machine *m = open_lanes(f);
  for (uint64_t after = 1; after < 400; after = after * 3 + 1) {
    rank_run runs[THREAD_RANKS_MAX];
    thread_net *net = thread_net_new(3, true);
    net->fails_after = after;
    run_ranks(runs, net, m, NULL, NULL, after);
    for (uint32_t i = 0; i < 3; i++) assert_true(!runs[i].ok && runs[i].r.has_failed_ranks);
    free_runs(runs, 3);
    thread_net_free(net);
  }
  machine_close(m);
}

/* ---- jobs that are ended ---- */

static bool is_gone(const char *path) { return access(path, F_OK) != 0; }

/* Messages fail sooner or later; the next job has another number of ranks.  Returns how many it
   took. */

static uint32_t run_until_done(const machine *m, const char *folder, const char *files,
                               uint64_t patience, const solve_result *alone) {
  for (uint32_t job = 1;; job++) {
    rank_run runs[THREAD_RANKS_MAX];
    const uint32_t size = 2 + (job * 5 + (uint32_t)patience) % 4;
    thread_net *net = thread_net_new(size, true);
    net->fails_after = job < 40 ? patience * (job + 1) : 0;
    run_ranks(runs, net, m, folder, files, patience + job);
    const bool is_done = runs[0].ok;
    for (uint32_t i = 0; i < size; i++) assert_int_equal(runs[i].ok, is_done);
    if (is_done) assert_same_result(alone, &runs[0].r, m->role_count);
    free_runs(runs, size);
    thread_net_free(net);
    if (is_done) return job;
  }
}

static void assert_goes_on(machine_fixture *f, uint64_t patience, uint32_t least_jobs) {
  machine *m = open_lanes(f);
  solve_result alone;
  const char *folder = new_folder(f->keep), *other = new_folder(f->keep);
  const char *files = path_in(other, "job", f->keep);
  const solve_options o = {.threads = 1, .database = folder};
  assert_true(solve_game(&alone, m, &o, f->keep, &f->b, &f->d));
  const uint32_t jobs = run_until_done(m, other, files, patience, &alone);
  assert_true(jobs >= least_jobs);
  assert_same_database(folder, other, f->keep);
  assert_true(is_gone(files));
  remove_folder(other, f->keep);
  remove_folder(folder, f->keep);
  machine_close(m);
}

static void a_job_that_is_ended_goes_on_with_another_number_of_ranks(void **state) {
  machine_fixture *f = *state;
  for (uint64_t patience = 20; patience <= 320; patience *= 4) {
    open_builtin(f, games[0]);
    assert_goes_on(f, patience, 2);
  }
}

static void a_game_with_cycles_goes_on_too(void **state) {
  machine_fixture *f = *state;
  open_game(f, CIRCLE_GAME);
  assert_goes_on(f, 30, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(any_number_of_ranks_finds_the_same, set_up, tear_down),
      cmocka_unit_test_setup_teardown(late_and_shuffled_messages_change_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(cycles_are_solved_over_ranks, set_up, tear_down),
      cmocka_unit_test_setup_teardown(all_stop_where_messages_fail, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_job_that_is_ended_goes_on_with_another_number_of_ranks,
                                      set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_game_with_cycles_goes_on_too, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
