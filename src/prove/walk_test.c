#include "prove/prove_fixture.h"
#include "prove/walk.h"
#include "search/perft.h"

#include <stdlib.h>
#include <unistd.h>

static walk walked(prove_fixture *f, const char *game, walk_options o) {
  walk w;
  read_builtin(f, game);
  ask(f, "playable");
  walk_init(&w, job_stepper(&f->j), f->keep);
  assert_true(walk_run(&w, o, &f->b, &f->d));
  return w;
}

/* Levels hold states that are in none before, which perft does not know: so only games in which no
   state comes at two depths can be compared. */
static void finds_the_states_that_perft_counts(void **state) {
  prove_fixture *f = *state;
  walk w = walked(f, "tic-tac-toe", (walk_options){.threads = 2});
  const machine_source from = {.program = &f->p};
  machine *m = machine_open("reference", &from, &f->b, &f->d);
  machine_workspace *space = machine_workspace_new(m, &f->b);
  perft_result r;
  const perft_options o = {.depth = 9};
  assert_true(perft(&r, m, space, &o, f->keep));
  assert_true(w.is_complete && w.is_layered);
  assert_int_equal(walk_states(&w), 5478);
  for (uint32_t d = 0; d <= 9; d++) assert_int_equal(level_size(&w, d), r.unique[d]);
  machine_workspace_free(m, space);
  machine_close(m);
  walk_free(&w);
}

static void threads_do_not_change_the_counts(void **state) {
  prove_fixture *f = *state;
  walk one = walked(f, "blocks-world", (walk_options){.threads = 1});
  const uint64_t states = walk_states(&one), steps = one.steps;
  walk_free(&one);
  walk many = walked(f, "blocks-world", (walk_options){.threads = 7});
  assert_int_equal(walk_states(&many), states);
  assert_int_equal(many.steps, steps);
  walk_free(&many);
}

/* Interrupted again and again, it comes to the same end. */
static void goes_on_where_it_was_stopped(void **state) {
  prove_fixture *f = *state;
  char path[] = "/tmp/tabia-walk-XXXXXX";
  close(mkstemp(path));
  unlink(path);
  walk whole = walked(f, "towers-of-hanoi", (walk_options){.threads = 2});
  uint32_t parts = 0;
  for (bool is_done = false; !is_done; parts++) {
    walk w = walked(f, "towers-of-hanoi",
                    (walk_options){.threads = 2, .file = path, .max_states = 1 + 900 * parts});
    is_done = w.is_complete;
    if (is_done) {
      assert_int_equal(walk_states(&w), walk_states(&whole));
      assert_int_equal(walk_depth(&w), walk_depth(&whole));
      assert_int_equal(w.steps, whole.steps);
    }
    walk_free(&w);
  }
  assert_true(parts > 3);
  walk_free(&whole);
  unlink(path);
}

static void turns_down_the_walk_of_another_game(void **state) {
  prove_fixture *f = *state;
  char path[] = "/tmp/tabia-walk-XXXXXX";
  close(mkstemp(path));
  unlink(path);
  walk w = walked(f, "nim", (walk_options){.threads = 1, .file = path});
  walk_free(&w);
  read_builtin(f, "chomp");
  ask(f, "playable");
  walk_init(&w, job_stepper(&f->j), f->keep);
  assert_false(walk_run(&w, (walk_options){.threads = 1, .file = path}, &f->b, &f->d));
  assert_non_null(strstr(f->d.all.items[f->d.all.count - 1].message, "another game"));
  walk_free(&w);
  unlink(path);
}

/* Taking one at a time is the longest play: there are 3 + 4 + 5 + 7 to take. */
static void finds_the_longest_play(void **state) {
  prove_fixture *f = *state;
  uint32_t longest;
  state_place cycle;
  id_vec round = {0};
  walk w = walked(f, "nim", (walk_options){.threads = 1});
  assert_false(w.is_layered);
  assert_int_equal(walk_find_end(&w, &f->b, &longest, &cycle, &round, f->keep), WALK_ENDS);
  assert_int_equal(longest, 19);
  walk_free(&w);
}

static void stops_at_the_memory_limit(void **state) {
  prove_fixture *f = *state;
  f->b.max_bytes = 8 << 20;
  walk w;
  read_builtin(f, "connect-four");
  budget unlimited = budget_new(0, 0);
  budget limited = f->b;
  f->b = unlimited;
  ask(f, "playable");
  walk_init(&w, job_stepper(&f->j), f->keep);
  assert_true(walk_run(&w, (walk_options){.threads = 2}, &limited, &f->d));
  assert_false(w.is_complete);
  assert_true(atomic_load(&w.store.bytes) < 16 << 20);
  walk_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(finds_the_states_that_perft_counts),
      a_test(threads_do_not_change_the_counts),
      a_test(goes_on_where_it_was_stopped),
      a_test(turns_down_the_walk_of_another_game),
      a_test(finds_the_longest_play),
      a_test(stops_at_the_memory_limit),
  };
  return cmocka_run_group_tests_name("prove/walk", tests, NULL, NULL);
}
