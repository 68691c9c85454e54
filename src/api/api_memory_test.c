/* Whole calls in which the first allocation fails, then the second, and so on, as sqlite is tested.
   Each must end with TABIA_LIMIT and a message; the same call, made again with memory and with the
   same objects, must then give what it always gives.  Then the same with limits of bytes. */
#include "api/api_fixture.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- failing ---- */

static atomic_uint_fast64_t asked; /* allocations so far */
static atomic_uint_fast64_t refused_from =
    UINT64_MAX;                         /* the number of the one that fails, and ... */
static atomic_uint_fast64_t refused_to; /* ... of the first behind it that does not */

bool memory_is_refused(size_t bytes);

bool memory_is_refused(size_t bytes) {
  (void)bytes;
  const uint64_t number = atomic_fetch_add(&asked, 1);
  return number >= atomic_load(&refused_from) && number < atomic_load(&refused_to);
}

static void refuse(uint64_t from, uint64_t to) {
  atomic_store(&asked, 0);
  atomic_store(&refused_from, from);
  atomic_store(&refused_to, to);
}

static void allow_all(void) { refuse(UINT64_MAX, UINT64_MAX); }

/* An object that could not be made is NULL, and nobody is told. */
static bool is_missing;

static tabia_status missing(void) {
  is_missing = true;
  return TABIA_LIMIT;
}

/* A call with the objects that it needs: how it ends, and what it puts into f->words. */
typedef tabia_status call(api_fixture *f);

/* So many allocations are tried first, where there are so many; then as many again, spread over the
   rest.  A proof takes long, and so does all under the thread sanitizer. */
#ifdef __SANITIZE_THREAD__
enum { TRIED = 20, TRIED_OF_PROOF = 4 };
#else
enum { TRIED = 100, TRIED_OF_PROOF = 12 };
#endif

static uint64_t next_to_try(uint64_t i, uint64_t all, uint64_t tried) {
  const uint64_t step = all / tried;
  return i < tried || step < 2 ? i + 1 : i + step;
}

static bool says_no_memory(api_fixture *f) {
  const uint32_t count = tabia_messages_count(f->log);
  return count && strcmp(tabia_message_code(f->log, count - 1), "E802") == 0;
}

/* One failure, or no memory from there on. */
static void fail_once(api_fixture *f, call *c, uint64_t from, uint64_t to) {
  tabia_messages_clear(f->log);
  f->length = 0;
  is_missing = false;
  refuse(from, to);
  const tabia_status status = c(f);
  const bool was_refused = atomic_load(&asked) > from;
  allow_all();
  if (was_refused && status != TABIA_LIMIT)
    fail_msg("allocation %llu fails, and the call ends with %s", (unsigned long long)from,
             tabia_status_text(status));
  if (was_refused && !is_missing && !says_no_memory(f))
    fail_msg("allocation %llu fails, and nobody says so", (unsigned long long)from);
}

static tabia_status run_again(api_fixture *f, call *c) {
  tabia_messages_clear(f->log);
  f->length = 0;
  f->words[0] = '\0';
  is_missing = false;
  return c(f);
}

/* The same with limits of bytes that grow until they are enough: each call ends well, or stops. */
static void limit_bytes(api_fixture *f, call *c, tabia_status expected, const char *words) {
  tabia_status status = TABIA_LIMIT;
  for (size_t bytes = 2048; status == TABIA_LIMIT && bytes < (size_t)1 << 28; bytes += bytes / 2) {
    tabia_limits_set_bytes(f->limits, bytes);
    status = run_again(f, c);
    if (status != expected && status != TABIA_LIMIT)
      fail_msg("with %zu bytes the call ends with %s", bytes, tabia_status_text(status));
  }
  tabia_limits_set_bytes(f->limits, 0);
  assert_int_equal(run_again(f, c), expected);
  assert_string_equal(f->words, words);
}

static void fail_some(api_fixture *f, call *c, uint64_t tried) {
  allow_all();
  const tabia_status expected = run_again(f, c);
  const uint64_t all = atomic_load(&asked);
  char *words = strdup(f->words);
  assert_true(all > 0);
  for (uint64_t i = 0; i < all; i = next_to_try(i, all, tried)) {
    fail_once(f, c, i, i + 1);
    if (i % 7 == 0) fail_once(f, c, i, UINT64_MAX);
    assert_int_equal(run_again(f, c), expected);
    assert_string_equal(f->words, words);
  }
  limit_bytes(f, c, expected, words);
  free(words);
}

static void fail_each(api_fixture *f, call *c) { fail_some(f, c, TRIED); }

static void put_number(api_fixture *f, double number) {
  char digits[40];
  snprintf(digits, sizeof digits, "%g ", number);
  collect(f, digits, strlen(digits));
}

/* ---- rules ---- */

/* Two count together; who brings the sum to four wins. */
#define PAIR_GAME \
  "(role x) (role y) (init (sum 0)) (init (control x))\n" \
  "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)\n" \
  "(<= (legal ?p one) (true (control ?p)))\n" \
  "(<= (legal ?p two) (true (control ?p)))\n" \
  "(<= (legal x noop) (true (control y))) (<= (legal y noop) (true (control x)))\n" \
  "(<= (next (control y)) (true (control x))) (<= (next (control x)) (true (control y)))\n" \
  "(<= (next (sum ?n)) (true (sum ?m)) (does ?p one) (succ ?m ?n))\n" \
  "(<= (next (sum ?n)) (true (sum ?m)) (does ?p two) (succ ?m ?k) (succ ?k ?n))\n" \
  "(<= terminal (true (sum 4))) (<= terminal (true (sum 5)))\n" \
  "(<= (goal x 100) (true (control y))) (<= (goal x 0) (true (control x)))\n" \
  "(<= (goal y 100) (true (control x))) (<= (goal y 0) (true (control y)))\n"

#define FAULTY_GAME "(role x) (init (at ?y)) (<= (next (at 1)) (not (true (at ?z))) (legal x"

static tabia_status read_and_check(api_fixture *f, const char *words) {
  tabia_rules *rules;
  tabia_status status = tabia_rules_read_text(&rules, "test", words, strlen(words), f->log);
  if (rules && status != TABIA_LIMIT) {
    const tabia_status check = tabia_rules_check(rules, f->log);
    if (check != TABIA_OK) status = check;
  }
  tabia_rules_free(rules);
  return status;
}

static tabia_status check_sound(api_fixture *f) { return read_and_check(f, PAIR_GAME); }
static tabia_status check_faulty(api_fixture *f) { return read_and_check(f, FAULTY_GAME); }

static tabia_status read_builtin(api_fixture *f) {
  tabia_rules *rules;
  const tabia_status status = tabia_rules_read(&rules, "tic-tac-toe", f->log);
  tabia_rules_free(rules);
  return status;
}

static tabia_status read_own_source(api_fixture *f) {
  tabia_rules *rules;
  const tabia_status status = tabia_rules_read_file(&rules, "/proc/self/stat", f->log);
  tabia_rules_free(rules);
  return status;
}

static tabia_status tell_information(api_fixture *f) {
  tabia_info *info = tabia_info_new(f->rules, f->log);
  const tabia_status status = info ? TABIA_OK : TABIA_LIMIT;
  tabia_info_free(info);
  return status;
}

static tabia_status lay_out(api_fixture *f) {
  return tabia_rules_format(f->rules, "prolog", collect, f, f->log);
}

static tabia_status start_elsewhere(api_fixture *f) {
  tabia_rules *rules;
  const tabia_status status =
      tabia_rules_with_start(&rules, f->rules, "test", "(sum 2) (control x)", 19, f->log);
  tabia_rules_free(rules);
  return status;
}

static void take_edit(void *context, size_t start, size_t end, const char *words) {
  (void)context, (void)start, (void)end, (void)words;
}

static tabia_status ask_for_words(api_fixture *f) {
  tabia_source *s = tabia_source_new(f->rules, f->limits, f->log);
  if (!s) return TABIA_LIMIT;
  const uint32_t thing = tabia_word_thing(s, tabia_clause_head(s, 0));
  const tabia_status status = tabia_source_rename(s, thing, NULL, take_edit, NULL, f->log);
  tabia_source_free(s);
  return status == TABIA_MISUSE ? TABIA_OK : status; /* the name belongs to the language */
}

static void rules_are_read_and_checked(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, PAIR_GAME), TABIA_OK);
  fail_each(f, check_sound);
  fail_each(f, check_faulty);
  fail_each(f, read_builtin);
  fail_each(f, read_own_source);
  fail_each(f, tell_information);
  fail_each(f, lay_out);
  fail_each(f, start_elsewhere);
  fail_each(f, ask_for_words);
}

static const char *stage;

static tabia_status write_the_stage(api_fixture *f) {
  return tabia_rules_write(f->rules, stage, NULL, f->limits, collect, f, f->log);
}

static void stages_are_written(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, PAIR_GAME), TABIA_OK);
  for (uint32_t i = 0; i < tabia_stage_count(); i++) {
    stage = tabia_stage_name(i);
    fail_each(f, write_the_stage);
  }
}

/* ---- machines ---- */

static const char *kind;

static tabia_status open_and_close(api_fixture *f) {
  tabia_machine *m;
  const tabia_status status = tabia_machine_open(&m, f->rules, kind, f->limits, f->log);
  tabia_machine_close(m);
  return status;
}

static bool is_too_slow(const char *name) { return strcmp(name, "compiled") == 0; }

static void machines_are_opened(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, PAIR_GAME), TABIA_OK);
  for (uint32_t i = 0; i < tabia_kind_count(); i++) {
    kind = tabia_kind_name(i);
    if (!is_too_slow(kind)) fail_each(f, open_and_close);
  }
}

/* No move has an empty text. */
static void put_move(api_fixture *f, const tabia_machine *m, tabia_move move) {
  char name[100];
  const size_t length = tabia_move_text(m, 0, move, name, sizeof name);
  is_missing |= !length;
  collect(f, name, length);
}

/* Plays the first moves to the end. */
static void play_first_moves(const tabia_machine *m, tabia_workspace *w, api_fixture *f) {
  _Alignas(16) static unsigned char position[POSITION_MAX];
  tabia_move joint[2];
  tabia_position_start(m, position);
  while (!tabia_position_terminal(w, position)) {
    for (uint32_t role = 0; role < 2; role++)
      if (!tabia_position_legal(w, position, role, &joint[role], 1)) return;
    put_move(f, m, joint[0]);
    tabia_position_step(w, position, joint, position);
  }
  put_number(f, tabia_position_goal(w, position, 0));
}

static tabia_status play(api_fixture *f) {
  tabia_workspace *w = tabia_workspace_new(f->machine, f->limits);
  if (!w) return missing();
  play_first_moves(f->machine, w, f);
  const tabia_status status = tabia_workspace_status(w, f->log);
  tabia_workspace_free(w);
  return is_missing ? TABIA_LIMIT : status;
}

static tabia_status read_position(api_fixture *f) {
  static const char words[] = "(sum 1) (control y)";
  _Alignas(16) static unsigned char position[POSITION_MAX];
  char shown[200];
  const tabia_status status =
      tabia_position_read(f->machine, "test", words, strlen(words), position, f->log);
  if (status != TABIA_OK) return status;
  const size_t length = tabia_position_text(f->machine, position, shown, sizeof shown);
  collect(f, shown, length);
  return length ? TABIA_OK : missing();
}

static tabia_status play_line(api_fixture *f) {
  _Alignas(16) static unsigned char position[POSITION_MAX];
  tabia_workspace *w = tabia_workspace_new(f->machine, f->limits);
  if (!w) return missing();
  tabia_position_start(f->machine, position);
  tabia_status status = tabia_position_play(w, "test", "one two", 7, position, f->log);
  put_number(f, tabia_position_terminal(w, position));
  if (status == TABIA_OK) status = tabia_workspace_status(w, f->log);
  tabia_workspace_free(w);
  return status;
}

static tabia_playouts *playouts;

static tabia_status run_playouts(api_fixture *f) {
  const tabia_status status = tabia_playouts_run(playouts, f->limits, f->log);
  put_number(f, tabia_playouts_mean_goal(playouts, 0));
  put_number(f, (double)tabia_playouts_goal_count(playouts, 1, 100));
  return status;
}

static tabia_perft *perft;
static tabia_levels *levels;

static tabia_status run_perft(api_fixture *f) {
  const tabia_status status = tabia_perft_run(perft, 4, f->limits, f->log);
  put_number(f, (double)tabia_perft_nodes(perft, 3));
  put_number(f, (double)tabia_perft_part_count(perft));
  return status;
}

static tabia_minimax *minimax;

static tabia_status run_minimax(api_fixture *f) {
  const tabia_status status = tabia_minimax_run(minimax, 9, f->limits, f->log);
  put_number(f, tabia_minimax_value(minimax, 0));
  return status;
}

static tabia_solve *solve;

static tabia_status run_solve(api_fixture *f) {
  const tabia_status status = tabia_solve_run(solve, f->limits, f->log);
  put_number(f, tabia_solve_value(solve, 0));
  return status;
}

static tabia_status solve_weakly(api_fixture *f) {
  tabia_solve_set_method(solve, TABIA_SOLVE_WEAK);
  const tabia_status status = run_solve(f);
  tabia_solve_set_method(solve, TABIA_SOLVE_AUTO);
  return status;
}

static tabia_status find_symmetries(api_fixture *f) {
  tabia_symmetries *x;
  const tabia_status status = tabia_symmetries_find(&x, f->machine, f->limits, f->log);
  if (x) put_number(f, tabia_symmetries_count(x));
  tabia_symmetries_free(x);
  return status;
}

static char database_folder[] = "/tmp/api-memory-test-XXXXXX";
static tabia_machine *other;

static tabia_status write_database(api_fixture *f) {
  tabia_solve_set_database(solve, database_folder);
  const tabia_status status = tabia_solve_run(solve, f->limits, f->log);
  tabia_solve_set_database(solve, NULL);
  put_number(f, tabia_solve_has_database(solve));
  return status;
}

static tabia_status solve_in_files(api_fixture *f) {
  char files[64];
  snprintf(files, sizeof files, "%s/job", database_folder);
  tabia_solve_set_checkpoint(solve, files, 1e-9);
  const tabia_status status = tabia_solve_run(solve, f->limits, f->log);
  tabia_solve_set_checkpoint(solve, NULL, 0);
  put_number(f, tabia_solve_value(solve, 0));
  return status;
}

/* Values of the start and of what follows; a question that is not answered is one without memory. */
static bool ask_database(api_fixture *f, const tabia_database *b, tabia_workspace *w) {
  double values[8];
  uint64_t position[64];
  uint32_t steps = 0;
  tabia_move moves[64];
  tabia_position_start(f->machine, position);
  const bool has_values = tabia_database_values(b, w, position, values);
  const bool has_steps = tabia_database_remoteness(b, w, position, &steps);
  put_number(f, has_values ? values[0] : 0);
  put_number(f, steps);
  const uint32_t count = tabia_database_moves(b, w, position, 0, moves, 64);
  put_number(f, count);
  return has_values && has_steps && count;
}

static tabia_status use_database(api_fixture *f) {
  tabia_database *b;
  uint64_t checked = 0;
  tabia_status status = tabia_database_open(&b, f->machine, database_folder, f->log);
  if (status != TABIA_OK) return status;
  tabia_workspace *w = tabia_workspace_new(f->machine, f->limits);
  if (!w || !ask_database(f, b, w)) status = missing();
  tabia_workspace_free(w);
  if (status == TABIA_OK)
    status = tabia_database_check(b, other, 20, 1, f->limits, f->log, &checked);
  put_number(f, (double)checked);
  tabia_database_close(b);
  return status;
}

static tabia_status solve_at_once(api_fixture *f) {
  tabia_database *b;
  tabia_status status = tabia_database_solve(&b, f->machine, f->limits, f->log);
  if (status != TABIA_OK) return status;
  tabia_workspace *w = tabia_workspace_new(f->machine, f->limits);
  if (!w || !ask_database(f, b, w)) status = missing();
  tabia_workspace_free(w);
  tabia_database_close(b);
  return status;
}

static tabia_status write_trace(api_fixture *f) {
  return tabia_trace_write(f->machine, "test", 1, 100, f->limits, collect, f, f->log);
}

static tabia_comparison *comparison;
static char trace[1 << 14];

static tabia_status verify_trace(api_fixture *f) {
  return tabia_comparison_replay(comparison, f->machine, trace, strlen(trace), f->limits, f->log);
}

static tabia_status compare_machines(api_fixture *f) {
  return tabia_comparison_run(comparison, other, f->machine, f->limits, f->log);
}

static tabia_status run_levels(api_fixture *f) {
  const tabia_status status = tabia_levels_run(levels, 4, f->limits, f->log);
  put_number(f, (double)tabia_levels_count(levels));
  return status;
}

static tabia_status count_in_files(api_fixture *f) {
  char files[64];
  snprintf(files, sizeof files, "%s/job", database_folder);
  tabia_levels_set_checkpoint(levels, files, 1e-9);
  const tabia_status status = run_levels(f);
  tabia_levels_set_checkpoint(levels, NULL, 0);
  return status;
}

static void make_searches(const tabia_machine *m) {
  playouts = tabia_playouts_new(m);
  tabia_playouts_set_count(playouts, 20);
  tabia_playouts_set_threads(playouts, 2);
  perft = tabia_perft_new(m);
  tabia_perft_set_threads(perft, 2);
  tabia_perft_set_divide(perft, true);
  levels = tabia_levels_new(m);
  tabia_levels_set_threads(levels, 2);
  minimax = tabia_minimax_new(m);
  solve = tabia_solve_new(m);
  comparison = tabia_comparison_new();
}

static void free_searches(void) {
  tabia_playouts_free(playouts);
  tabia_perft_free(perft);
  tabia_levels_free(levels);
  tabia_minimax_free(minimax);
  tabia_solve_free(solve);
  tabia_comparison_free(comparison);
}

static void use_machine(api_fixture *f) {
  make_searches(f->machine);
  fail_each(f, play);
  fail_each(f, read_position);
  fail_each(f, play_line);
  fail_each(f, run_playouts);
  fail_each(f, run_perft);
  fail_each(f, run_minimax);
  fail_each(f, run_levels);
  fail_each(f, run_solve);
  fail_each(f, solve_weakly);
  fail_each(f, find_symmetries);
  fail_each(f, write_trace);
  strcpy(trace, f->words);
  fail_each(f, verify_trace);
  fail_each(f, compare_machines);
  free_searches();
}

static void machines_are_used(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, PAIR_GAME), TABIA_OK);
  assert_int_equal(tabia_machine_open(&other, f->rules, "reference", NULL, f->log), TABIA_OK);
  for (uint32_t i = 0; i < tabia_kind_count(); i++) {
    kind = tabia_kind_name(i);
    if (is_too_slow(kind)) continue;
    assert_int_equal(tabia_machine_open(&f->machine, f->rules, kind, NULL, f->log), TABIA_OK);
    use_machine(f);
    tabia_machine_close(f->machine);
  }
  f->machine = NULL;
  tabia_machine_close(other);
}

static void remove_database(void) {
  static const char *const names[] = {"head", "index", "values", "steps"};
  char path[64];
  for (uint32_t i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s/%s", database_folder, names[i]);
    unlink(path);
  }
  rmdir(database_folder);
}

static void databases_are_written_and_asked(void **state) {
  api_fixture *f = *state;
  assert_non_null(mkdtemp(database_folder));
  open_game(f, COUNTING_GAME, "lanes");
  assert_int_equal(tabia_machine_open(&other, f->rules, "reference", NULL, f->log), TABIA_OK);
  solve = tabia_solve_new(f->machine);
  levels = tabia_levels_new(f->machine);
  fail_each(f, solve_in_files);
  fail_each(f, count_in_files);
  fail_each(f, write_database);
  fail_each(f, use_database);
  fail_each(f, solve_at_once);
  tabia_levels_free(levels);
  tabia_solve_free(solve);
  tabia_machine_close(other);
  remove_database();
}

/* ---- batches ---- */

enum { BATCH_LANES = 600 };

static void play_part(void *context, tabia_batch *part, uint32_t first) {
  int32_t *goals = context;
  tabia_batch_play(part, 1, 0, 1, 0, goals + (size_t)first * 2, NULL);
}

static void play_batch(tabia_batch *b, api_fixture *f) {
  static tabia_move joints[BATCH_LANES * 2];
  static int32_t goals[BATCH_LANES * 2];
  static bool terminal[BATCH_LANES];
  for (uint64_t step = 0; tabia_batch_terminal(b, terminal) < BATCH_LANES; step++) {
    tabia_batch_draw(b, 1, step, joints);
    tabia_batch_step(b, joints, NULL);
  }
  tabia_batch_goals(b, 0, goals);
  tabia_batch_reset(b, terminal);
  tabia_batch_play(b, 1, 0, 1, 0, goals, f->log);
  for (uint32_t i = 0; i < BATCH_LANES; i += 100) put_number(f, goals[2 * i]);
  if (tabia_batch_set_random(b, "counter")) tabia_batch_play(b, 1, 0, 1, 0, goals, f->log);
  for (uint32_t i = 0; i < BATCH_LANES; i += 100) put_number(f, goals[2 * i]);
  tabia_batch_each(b, play_part, goals);
  for (uint32_t i = 0; i < BATCH_LANES; i += 100) put_number(f, goals[2 * i]);
}

static tabia_status make_and_play_batch(api_fixture *f) {
  tabia_batch *b;
  tabia_status status = tabia_batch_new(&b, f->machine, BATCH_LANES, 2, f->limits, f->log);
  if (!b) return status;
  play_batch(b, f);
  status = tabia_batch_status(b, f->log);
  tabia_batch_free(b);
  return status;
}

static void batches_are_played(void **state) {
  static const char *const kinds[] = {"lanes", "circuit", "datalog"};
  api_fixture *f = *state;
  for (uint32_t i = 0; i < 3; i++) {
    open_game(f, PAIR_GAME, kinds[i]);
    fail_each(f, make_and_play_batch);
    tabia_machine_close(f->machine);
  }
  f->machine = NULL;
}

/* ---- batches on a device ---- */

static tabia_status play_on_device(api_fixture *f, tabia_device_batch *b) {
  tabia_device_buffer masks, drawn;
  tabia_status status =
      tabia_device_batch_buffer(b, TABIA_DEVICE_LEGAL, 0, TABIA_BYTES, &masks, f->log);
  if (!status)
    status = tabia_device_batch_buffer(b, TABIA_DEVICE_DRAWN, 0, TABIA_BYTES, &drawn, f->log);
  if (!status) status = tabia_device_batch_draw(b, 1, 1, f->log);
  if (status) return status;
  const tabia_device_actions actions = {.address = drawn.address,
                                        .item_bytes = drawn.item_bytes,
                                        .game_stride = drawn.stride,
                                        .player_stride = drawn.item_bytes};
  status = tabia_device_batch_step(b, &actions, f->log);
  if (status) return status;
  collect(f, (const char *)(uintptr_t)masks.address, masks.stride);
  return TABIA_OK;
}

static tabia_status make_device_batch(api_fixture *f) {
  tabia_device_batch *b;
  tabia_status status =
      tabia_device_batch_new(&b, f->machine, 40, TABIA_DEVICE_STAYS, f->limits, f->log);
  if (!b) return status;
  status = play_on_device(f, b);
  tabia_device_batch_free(b);
  return status;
}

static void games_on_devices_are_played(void **state) {
  api_fixture *f = *state;
  open_game(f, PAIR_GAME, "gpu");
  fail_each(f, make_device_batch);
}

/* ---- trees ---- */

static tabia_status search_tree(api_fixture *f) {
  tabia_search *s;
  tabia_status status = tabia_search_open(&s, f->machine, NULL, f->limits, f->log);
  if (!s) return status;
  tabia_search_set_iterations(s, 1000);
  status = tabia_search_think(s, NULL, 0, f->limits, f->log);
  put_number(f, tabia_search_best(s, 0));
  put_number(f, tabia_search_move_count(s, 0));
  tabia_search_close(s);
  return status;
}

static tabia_status learn_strategy(api_fixture *f) {
  tabia_strategy *s;
  tabia_status status = tabia_strategy_open(&s, f->machine, NULL, f->log);
  if (!s) return status;
  status = tabia_strategy_learn(s, 0, 1000, f->limits, f->log);
  put_number(f, (uint32_t)tabia_strategy_sets(s));
  tabia_strategy_close(s);
  return status;
}

static void strategies_are_learned(void **state) {
  open_game(*state, PAIR_GAME, "lanes");
  fail_each(*state, learn_strategy);
}

static tabia_status explain(api_fixture *f) {
  tabia_why *why;
  tabia_status status = tabia_why_ask(&why, f->rules, "terminal", NULL, f->limits, f->log);
  if (why) status = tabia_why_write(why, "json", 9, collect, f, f->log);
  tabia_why_free(why);
  return status;
}

static void explanations_are_found(void **state) {
  assert_int_equal(read_text(*state, PAIR_GAME), TABIA_OK);
  fail_each(*state, explain);
}

static tabia_status cover(api_fixture *f) {
  tabia_coverage *c;
  tabia_status status = tabia_coverage_new(&c, f->rules, f->limits, f->log);
  if (status == TABIA_OK) status = tabia_coverage_follow(c, NULL, NULL, f->log);
  if (status == TABIA_OK) status = tabia_coverage_play(c, 2, 3, 1, f->log);
  for (uint32_t i = 0; status == TABIA_OK && i < tabia_coverage_count(c); i++)
    put_number(f, tabia_coverage_fired(c, i));
  tabia_coverage_free(c);
  return status;
}

static void rules_that_fire_are_found(void **state) {
  assert_int_equal(read_text(*state, PAIR_GAME), TABIA_OK);
  fail_each(*state, cover);
}

/* A copy with another goal. */
static tabia_status compare_rules(api_fixture *f) {
  tabia_rules *copy;
  tabia_diff *d = NULL;
  const char *words = "(role a) (role b) (legal a m) (legal b m) (goal a 0) (goal b 0) terminal";
  tabia_status status = tabia_rules_read_text(&copy, "new", words, strlen(words), f->log);
  if (status == TABIA_OK)
    status = tabia_diff_run(&d, f->rules, copy, f->options, f->limits, f->log);
  if (d && status == TABIA_FAULTY) {
    tabia_why *why;
    put_number(f, tabia_diff_count(d));
    status = tabia_diff_why(d, 0, true, f->limits, &why, f->log);
    tabia_why_free(why);
  }
  tabia_diff_free(d);
  tabia_rules_free(copy);
  return status;
}

static void rulesheets_are_compared(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, PAIR_GAME), TABIA_OK);
  tabia_options_set(f->options, "method", "pairs");
  fail_each(f, compare_rules);
}

static void trees_are_searched(void **state) {
  open_game(*state, PAIR_GAME, "lanes");
  fail_each(*state, search_tree);
}

/* ---- proofs ---- */

static const char *method;
static char certificate[1 << 15];

static tabia_status prove_with(api_fixture *f, tabia_proof *p, tabia_options *o) {
  tabia_options_set(o, "method", method);
  tabia_options_set(o, "threads", "2");
  tabia_proof_ask(p, "playable, terminates, winnable x, goals, mutex");
  const tabia_status status = tabia_proof_run(p, o, f->limits, NULL, NULL, f->log);
  for (uint32_t i = 0; i < tabia_proof_count(p); i++)
    collect(f, tabia_verdict_name(tabia_proof_verdict(p, i)), 2);
  return status;
}

static tabia_status prove(api_fixture *f) {
  tabia_proof *p = tabia_proof_new(f->rules);
  tabia_options *o = tabia_options_new();
  const tabia_status status = p && o ? prove_with(f, p, o) : missing();
  tabia_options_free(o);
  tabia_proof_free(p);
  return status;
}

static char proof_folder[] = "/tmp/api-memory-test-XXXXXX";

/* States lie in files; what fails leaves them to the next. */
static tabia_status prove_in_files(api_fixture *f) {
  char files[64];
  snprintf(files, sizeof files, "%s/job", proof_folder);
  tabia_proof *p = tabia_proof_new(f->rules);
  if (!p) return missing();
  tabia_proof_ask(p, "terminates, winnable x");
  tabia_proof_set_exchange(p, NULL);
  tabia_proof_set_checkpoint(p, files, 1e-9);
  const tabia_status status = tabia_proof_run(p, NULL, f->limits, NULL, NULL, f->log);
  for (uint32_t i = 0; i < tabia_proof_count(p); i++)
    collect(f, tabia_verdict_name(tabia_proof_verdict(p, i)), 2);
  tabia_proof_free(p);
  return status;
}

static tabia_proof *proof;

static tabia_status write_verdict(api_fixture *f) {
  return tabia_proof_write(proof, 2, "text", collect, f, f->log);
}

static tabia_status write_line(api_fixture *f) {
  return tabia_proof_write_trace(proof, 2, "test", collect, f, f->log);
}

static tabia_status write_certificate(api_fixture *f) {
  return tabia_proof_write_certificate(proof, collect, f, f->log);
}

static tabia_status check_certificate(api_fixture *f) {
  return tabia_certificate_check(f->rules, "test", certificate, strlen(certificate), f->limits,
                                 collect, f, f->log);
}

static void games_are_proved(void **state) {
  static const char *const methods[] = {"auto", "exhaustive", "induction", "bmc", "abstract"};
  api_fixture *f = *state;
  assert_int_equal(read_text(f, PAIR_GAME), TABIA_OK);
  for (uint32_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    method = methods[i];
    fail_some(f, prove, TRIED_OF_PROOF);
  }
  assert_non_null(mkdtemp(proof_folder));
  fail_some(f, prove_in_files, TRIED_OF_PROOF);
  assert_int_equal(prove_in_files(f), TABIA_OK);
  assert_int_equal(rmdir(proof_folder), 0);
}

static void proofs_are_written_and_checked(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, PAIR_GAME), TABIA_OK);
  proof = tabia_proof_new(f->rules);
  method = "auto";
  prove_with(f, proof, f->options);
  fail_each(f, write_verdict);
  fail_each(f, write_line);
  fail_each(f, write_certificate);
  strcpy(certificate, f->words);
  fail_each(f, check_certificate);
  tabia_proof_free(proof);
}

/* ---- objects ---- */

static tabia_status make_objects(api_fixture *f) {
  tabia_messages *log = tabia_messages_new();
  tabia_limits *limits = tabia_limits_new();
  tabia_options *options = tabia_options_new();
  const tabia_status status = log && limits && options ? TABIA_OK : missing();
  (void)f;
  tabia_messages_free(log);
  tabia_limits_free(limits);
  tabia_options_free(options);
  return status;
}

static void objects_are_made_or_not(void **state) { fail_each(*state, make_objects); }

static void a_choice_that_was_lost_is_not_overlooked(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, PAIR_GAME), TABIA_OK);
  refuse(0, UINT64_MAX);
  for (int i = 0; i < 100; i++) tabia_options_set(f->options, "format", "json");
  allow_all();
  assert_int_equal(write_stage(f, "deps"), TABIA_LIMIT);
  assert_true(says_no_memory(f));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(rules_are_read_and_checked),
      a_test(stages_are_written),
      a_test(machines_are_opened),
      a_test(machines_are_used),
      a_test(databases_are_written_and_asked),
      a_test(batches_are_played),
      a_test(games_on_devices_are_played),
      a_test(trees_are_searched),
      a_test(strategies_are_learned),
      a_test(explanations_are_found),
      a_test(rulesheets_are_compared),
      a_test(rules_that_fire_are_found),
      a_test(games_are_proved),
      a_test(proofs_are_written_and_checked),
      a_test(objects_are_made_or_not),
      a_test(a_choice_that_was_lost_is_not_overlooked),
  };
  setenv("TABIA_GPU", "emulator", 1); /* machines on devices are tried, too */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
