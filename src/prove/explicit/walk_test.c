#include "base/hash.h"
#include "base/rng.h"
#include "prove/prove_fixture.h"
#include "search/perft.h"
#include "states/walk.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
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
  walk whole = walked(f, "towers-of-hanoi", (walk_options){.threads = 2, .file = path});
  struct stat all;
  assert_int_equal(stat(path, &all), 0);
  unlink(path);
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

/* ---- killed ---- */

/* In a process of its own, so that it can be killed; the system does so when a file that it writes
   has more than so many bytes. */
static pid_t walk_apart(prove_fixture *f, const char *path, rlim_t most_bytes) {
  const pid_t child = fork();
  if (child) return child;
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){most_bytes, most_bytes});
  walk w;
  walk_init(&w, job_stepper(&f->j), f->keep);
  const walk_options o = {.threads = 2, .file = path, .save_every = 1e-6};
  const bool ok = walk_run(&w, o, &f->b, &f->d) && w.is_complete;
  _exit(ok ? 0 : 1);
}

static void is_killed_in_saving(pid_t child) {
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
}

/* Waits so long and then kills it.  True: it had come to its end before. */
static bool ends_within(pid_t child, useconds_t microseconds) {
  int status;
  usleep(microseconds);
  kill(child, SIGKILL);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  return WIFEXITED(status);
}

/* Killed again and again, while it saves and at moments that nobody has chosen, it comes to the
   same end. */
static void goes_on_when_it_was_killed(void **state) {
#ifdef __SANITIZE_THREAD__
  skip(); /* it does not follow threads of a process that was forked off */
#endif
  prove_fixture *f = *state;
  enum { KILLS = 4, FIRST_WAIT = 250 };
  char path[] = "/tmp/tabia-walk-XXXXXX", beside[sizeof path + 4];
  close(mkstemp(path));
  unlink(path);
  walk whole = walked(f, "towers-of-hanoi", (walk_options){.threads = 2, .file = path});
  struct stat all;
  assert_int_equal(stat(path, &all), 0);
  unlink(path);
  rng r = rng_new(7, 0);
  uint32_t kills = 0;
  f->b = budget_new(0, 0);
  while (kills++ < KILLS)
    is_killed_in_saving(walk_apart(f, path, rng_below(&r, (uint32_t)all.st_size)));
  while (
      !ends_within(walk_apart(f, path, RLIM_INFINITY), rng_below(&r, FIRST_WAIT * kills * kills)))
    kills++;
  walk w;
  walk_init(&w, job_stepper(&f->j), f->keep);
  assert_true(walk_run(&w, (walk_options){.threads = 1, .file = path}, &f->b, &f->d));
  assert_true(w.is_complete);
  assert_int_equal(walk_states(&w), walk_states(&whole));
  assert_int_equal(walk_depth(&w), walk_depth(&whole));
  assert_int_equal(w.steps, whole.steps);
  walk_free(&w);
  walk_free(&whole);
  snprintf(beside, sizeof beside, "%s.new", path);
  unlink(beside);
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

/* Two lamps, of which one can be switched in each step, until both are on. */
#define LAMPS \
  "(role r) (legal r tp) (legal r tq) (legal r stay) (goal r 50)\n" \
  "(<= (next p) (true p) (not (does r tp))) (<= (next p) (not (true p)) (does r tp))" \
  "(<= (next q) (true q) (not (does r tq))) (<= (next q) (not (true q)) (does r tq))" \
  "(<= terminal (true p) (true q)) "

static bool walks_lamps(prove_fixture *f, const char *words, const char *path) {
  walk w;
  read_game(f, words);
  ask(f, "unreachable q");
  walk_init(&w, job_stepper(&f->j), f->keep);
  const bool ok = walk_run(&w, (walk_options){.threads = 1, .file = path}, &f->b, &f->d);
  walk_free(&w);
  return ok;
}

static const char *last_message(const prove_fixture *f) {
  return f->d.all.items[f->d.all.count - 1].message;
}

static void turns_down_the_walk_from_another_start(void **state) {
  prove_fixture *f = *state;
  char path[] = "/tmp/tabia-walk-XXXXXX";
  close(mkstemp(path));
  unlink(path);
  assert_true(walks_lamps(f, LAMPS "(init p)", path));
  assert_true(walks_lamps(f, LAMPS "(init p)", path));
  assert_false(walks_lamps(f, LAMPS "(init p) (init q)", path));
  assert_non_null(strstr(last_message(f), "another game"));
  unlink(path);
}

/* ---- damage ---- */

typedef struct file_bytes {
  uint8_t items[1 << 14];
  size_t count;
} file_bytes;

static file_bytes read_bytes(const char *path) {
  file_bytes all = {0};
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  all.count = fread(all.items, 1, sizeof all.items, file);
  fclose(file);
  assert_true(all.count < sizeof all.items);
  return all;
}

static void write_bytes(const char *path, const file_bytes *all, size_t count) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(all->items, 1, count, file), count);
  fclose(file);
}

static void assert_damaged(prove_fixture *f, const char *path, const file_bytes *bytes,
                           size_t count) {
  write_bytes(path, bytes, count);
  assert_false(walks_lamps(f, LAMPS "(init p)", path));
  assert_non_null(strstr(last_message(f), "damaged"));
}

/* After the head there are the starts of the levels, a number for each shard, and then the target:
   whether, how deep, which shard and which state.  Of the many numbers some bytes are tried. */
static void notices_damage(void **state) {
  prove_fixture *f = *state;
  enum { LEVEL_COUNT = 32, LEVEL = 4 * STORE_SHARDS, HEAD = 48 + LEVEL, TARGET = 16, EVERY = 13 };
  char path[] = "/tmp/tabia-walk-XXXXXX";
  close(mkstemp(path));
  unlink(path);
  assert_true(walks_lamps(f, LAMPS "(init p)", path));
  const file_bytes good = read_bytes(path);
  const size_t levels = good.items[LEVEL_COUNT], targets = HEAD + levels * LEVEL;
  assert_int_equal(levels, 5);
  for (size_t i = HEAD; i < targets + TARGET; i += i < targets ? EVERY : 1) {
    file_bytes bad = good;
    bad.items[i] ^= 0x81;
    assert_damaged(f, path, &bad, bad.count);
  }
  for (size_t i = LEVEL_COUNT; i < LEVEL_COUNT + 4; i++) {
    file_bytes bad = good;
    bad.items[i] ^= 0x40;
    assert_damaged(f, path, &bad, bad.count);
  }
  enum { STEPS = 24, COMPLETE = 40 }; /* in the head: nothing but the checksum holds them */
  for (size_t i = STEPS; i <= COMPLETE; i += COMPLETE - STEPS) {
    file_bytes bad = good;
    bad.items[i] ^= 1;
    assert_damaged(f, path, &bad, bad.count);
  }
  assert_damaged(f, path, &good, good.count - 1);
  assert_damaged(f, path, &good, good.count + 1);
  write_bytes(path, &good, good.count);
  assert_true(walks_lamps(f, LAMPS "(init p)", path));
  unlink(path);
}

enum { LEVEL_BYTES = 4 * STORE_SHARDS, HEAD_BYTES = 48 + LEVEL_BYTES };

/* As a forger does who knows the format. */
static void mend_checksum(file_bytes *all) {
  hash_stream *sum = hash_stream_new();
  hash_stream_add(sum, all->items, all->count - sizeof(uint64_t));
  const uint64_t value = hash_stream_value(sum);
  memcpy(all->items + all->count - sizeof value, &value, sizeof value);
  hash_stream_free(sum);
}

/* Level 1 is said to be empty: its states, the target among them, come with those of level 2, and
   no step leads there. */
static void from_a_forged_file_there_is_no_line(void **state) {
  prove_fixture *f = *state;
  char path[] = "/tmp/tabia-walk-XXXXXX";
  walk w;
  bool is_there;
  id_vec line = {0};
  close(mkstemp(path));
  unlink(path);
  assert_true(walks_lamps(f, LAMPS "(init p)", path));
  file_bytes forged = read_bytes(path);
  uint8_t *levels = forged.items + HEAD_BYTES;
  memcpy(levels + 2 * LEVEL_BYTES, levels + LEVEL_BYTES, LEVEL_BYTES);
  levels[(size_t)5 * LEVEL_BYTES + 4] = 2; /* the depth of the target */
  mend_checksum(&forged);
  write_bytes(path, &forged, forged.count);
  walk_init(&w, job_stepper(&f->j), f->keep);
  assert_true(walk_load(&w, path, &is_there, &f->d));
  assert_true(w.targets[0].is_found);
  assert_false(walk_line(&w, w.targets[0].where, &f->b, &line, f->keep));
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
      a_test(goes_on_when_it_was_killed),
      a_test(turns_down_the_walk_of_another_game),
      a_test(turns_down_the_walk_from_another_start),
      a_test(notices_damage),
      a_test(from_a_forged_file_there_is_no_line),
      a_test(finds_the_longest_play),
      a_test(stops_at_the_memory_limit),
  };
  return cmocka_run_group_tests_name("prove/walk", tests, NULL, NULL);
}
