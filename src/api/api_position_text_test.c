/* Positions as text and back, and games from another start. */
#include "api/api_fixture.h"
#include "machine/compiled_cache_fixture.h"

#include <stdio.h>
#include <unistd.h>

/* The last one needs a C compiler. */
static const char *const kinds[] = {"reference", "datalog", "circuit", "lanes", "compiled"};
enum { KINDS = sizeof kinds / sizeof *kinds, TEXT_MAX = 1 << 14, STEPS = 12 };

static uint32_t all_kinds(void) {
  return system("cc --version >/dev/null 2>&1") == 0 ? KINDS : KINDS - 1;
}

/* `(wall 1)` never changes; `even` and `odd` exclude each other; `lamp` always is as `switch` is.
 */
#define FOLDED_GAME \
  "(role robot) (init (wall 1)) (init even) (init lamp) (init switch) (init (at a\\ b 1))\n" \
  "(<= (legal robot push) (true (wall ?x))) (legal robot wait)\n" \
  "(<= (next (wall ?x)) (true (wall ?x)))\n" \
  "(<= (next even) (true odd)) (<= (next odd) (true even))\n" \
  "(<= (next lamp) (does robot wait) (true lamp)) (<= (next lamp) (does robot push) (not (true lamp)))\n" \
  "(<= (next switch) (does robot wait) (true switch))\n" \
  "(<= (next switch) (does robot push) (not (true switch)))\n" \
  "(<= (next (at a\\ b ?n)) (true (at a\\ b ?m)) (plus ?m ?n)) (plus 1 2) (plus 2 3) (plus 3 4)\n" \
  "(<= terminal (true (at ?x 4))) (<= (goal robot 100) (true lamp)) (<= (goal robot 0) (not (true lamp)))\n"

/* Terms that grow: the shapes are not known beforehand. */
#define GROWING_GAME \
  "(role robot) (init (count zero)) (legal robot go) (legal robot (stay here))\n" \
  "(<= (next (count (s ?n))) (does robot go) (true (count ?n)))\n" \
  "(<= (next (count ?n)) (does robot (stay here)) (true (count ?n)))\n" \
  "(<= terminal (true (count (s (s (s (s zero))))))) (goal robot 50)\n"

typedef struct table {
  tabia_machine *machines[KINDS];
  tabia_workspace *workspaces[KINDS];
  uint32_t count;
} table;

static void open_all(api_fixture *f, table *t, uint32_t count) {
  t->count = count;
  for (uint32_t i = 0; i < count; i++) {
    if (tabia_machine_open(&t->machines[i], f->rules, kinds[i], NULL, f->log) != TABIA_OK)
      fail_msg("%s: %s", kinds[i], tabia_messages_text(f->log));
    assert_true(tabia_position_size(t->machines[i]) <= POSITION_MAX);
    t->workspaces[i] = tabia_workspace_new(t->machines[i], NULL);
  }
}

static void close_all(table *t) {
  for (uint32_t i = 0; i < t->count; i++) {
    tabia_workspace_free(t->workspaces[i]);
    tabia_machine_close(t->machines[i]);
  }
}

/* ---- what is said of a position ---- */

static void add_moves(const table *t, uint32_t i, const void *position, uint32_t role, char *out) {
  tabia_move moves[256];
  const uint32_t count = tabia_position_legal(t->workspaces[i], position, role, moves, 256);
  assert_true(count <= 256);
  for (uint32_t k = 0; k < count; k++) {
    const size_t length = strlen(out);
    tabia_move_text(t->machines[i], role, moves[k], out + length, TEXT_MAX - length - 1);
    strcat(out, ";");
  }
}

/* Fluents, end, moves and goals. */
static void describe(const table *t, uint32_t i, const void *position, char *out) {
  assert_true(tabia_position_text(t->machines[i], position, out, TEXT_MAX) < TEXT_MAX);
  strcat(out, tabia_position_terminal(t->workspaces[i], position) ? " terminal " : " ");
  for (uint32_t role = 0; role < tabia_machine_role_count(t->machines[i]); role++) {
    int32_t goals[4] = {0};
    add_moves(t, i, position, role, out);
    const uint32_t count = tabia_position_goals(t->workspaces[i], position, role, goals, 4);
    snprintf(out + strlen(out), TEXT_MAX - strlen(out), " %u:%d", count, count ? goals[0] : 0);
  }
}

static tabia_status read_on(api_fixture *f, const table *t, uint32_t i, const char *words,
                            void *position) {
  tabia_messages_clear(f->log);
  return tabia_position_read(t->machines[i], "text", words, strlen(words), position, f->log);
}

/* The text gives the same position on every machine that has it.  `all`: every one must. */
static void assert_agree(api_fixture *f, const table *t, const char *words, bool all) {
  static char expected[TEXT_MAX], found[TEXT_MAX];
  unsigned char position[POSITION_MAX];
  for (uint32_t i = 0; i < t->count; i++) {
    const tabia_status status = read_on(f, t, i, words, position);
    if (status != TABIA_OK && (all || i == 0))
      fail_msg("%s: %s", kinds[i], tabia_messages_text(f->log));
    if (status != TABIA_OK) continue;
    describe(t, i, position, i ? found : expected);
    if (i && strcmp(found, expected) != 0)
      fail_msg("%s:\n%s\n%s\n%s", kinds[i], words, expected, found);
  }
}

/* ---- positions that play leads to ---- */

static void step_at_random(const table *t, uint32_t i, void *position, uint32_t *seed) {
  tabia_move joint[8], moves[256];
  for (uint32_t role = 0; role < tabia_machine_role_count(t->machines[i]); role++) {
    const uint32_t count = tabia_position_legal(t->workspaces[i], position, role, moves, 256);
    assert_in_range(count, 1, 256);
    *seed = *seed * 1103515245 + 12345;
    joint[role] = moves[(*seed >> 16) % count];
  }
  tabia_position_step(t->workspaces[i], position, joint, position);
}

static void read_back(api_fixture *f, const table *t, uint32_t i, const void *position) {
  static char words[TEXT_MAX], again[TEXT_MAX];
  unsigned char other[POSITION_MAX];
  assert_true(tabia_position_text(t->machines[i], position, words, TEXT_MAX) < TEXT_MAX);
  if (read_on(f, t, i, words, other) != TABIA_OK)
    fail_msg("%s: %s", kinds[i], tabia_messages_text(f->log));
  assert_memory_equal(position, other, tabia_position_size(t->machines[i]));
  tabia_position_text(t->machines[i], other, again, TEXT_MAX);
  assert_string_equal(again, words);
  assert_agree(f, t, words, true);
}

static void play_and_read_back(api_fixture *f, const table *t) {
  for (uint32_t i = 0; i < t->count; i++) {
    unsigned char position[POSITION_MAX];
    uint32_t seed = i + 1;
    tabia_position_start(t->machines[i], position);
    for (uint32_t step = 0; step < STEPS; step++) {
      read_back(f, t, i, position);
      if (tabia_position_terminal(t->workspaces[i], position)) break;
      step_at_random(t, i, position, &seed);
    }
  }
}

static void every_machine_reads_what_each_has_written(void **state) {
  api_fixture *f = *state;
  static const char *const games[] = {"tic-tac-toe",      "dark-tic-tac-toe", "connect-four",
                                      "four-player-tron", "kuhn-poker",       "sokoban"};
  for (uint32_t i = 0; i < sizeof games / sizeof *games; i++) {
    table t;
    assert_int_equal(tabia_rules_read(&f->rules, games[i], f->log), TABIA_OK);
    open_all(f, &t, i < 2 ? all_kinds() : KINDS - 1);
    play_and_read_back(f, &t);
    close_all(&t);
    tabia_rules_free(f->rules);
    f->rules = NULL;
  }
}

static void what_is_folded_and_escaped_reads_back(void **state) {
  api_fixture *f = *state;
  table t;
  assert_int_equal(read_text(f, FOLDED_GAME), TABIA_OK);
  open_all(f, &t, all_kinds());
  play_and_read_back(f, &t);
  close_all(&t);
}

static void terms_that_grow_read_back(void **state) {
  api_fixture *f = *state;
  table t;
  assert_int_equal(read_text(f, GROWING_GAME), TABIA_OK);
  open_all(f, &t, 2); /* the others ground */
  play_and_read_back(f, &t);
  assert_agree(f, &t, "(count (s (s zero)))", true);
  close_all(&t);
}

/* No rule writes `(lamp on)` as a fluent. */
static void fluents_that_are_written_nowhere_read_back(void **state) {
  api_fixture *f = *state;
  table t;
  assert_int_equal(read_text(f, "(role r) (legal r go) (legal r stop) (given (lamp on) go)\n"
                                "(given (lamp off) stop) (<= (next ?f) (given ?f ?m) (does r ?m))\n"
                                "(<= terminal (true ?f) (given ?f wait)) (goal r 50)\n"),
                   TABIA_OK);
  open_all(f, &t, KINDS - 1);
  play_and_read_back(f, &t);
  assert_agree(f, &t, "(lamp on) (lamp off)", false);
  for (uint32_t i = 0; i < t.count; i++)
    assert_int_equal(read_on(f, &t, i, "(lamp go)", f->words), TABIA_UNREADABLE);
  close_all(&t);
}

/* More fluents than a position of `reference` has room for. */
static void a_large_state_reads_back(void **state) {
  api_fixture *f = *state;
  enum { SIDE = 40 };
  char *words = test_calloc(1, SIDE * SIDE * 20);
  char rules[SIDE * 16 + 400] = "(role robot) (init (on 0 0)) (legal robot go)\n"
                                "(<= (next (on ?x ?y)) (number ?x) (number ?y))\n"
                                "(<= terminal (true (on 1 1))) (goal robot 50)\n";
  for (uint32_t i = 0; i < SIDE; i++)
    snprintf(rules + strlen(rules), sizeof rules - strlen(rules), "(number %u)", i);
  for (uint32_t i = 0; i < SIDE * SIDE; i++)
    snprintf(words + strlen(words), 20, "(on %u %u) ", i / SIDE, i % SIDE);
  table t;
  unsigned char position[POSITION_MAX], again[POSITION_MAX];
  assert_int_equal(read_text(f, rules), TABIA_OK);
  open_all(f, &t, KINDS - 1);
  for (uint32_t i = 0; i < t.count; i++) {
    assert_int_equal(read_on(f, &t, i, words, position), TABIA_OK);
    assert_int_equal(tabia_position_fluents(t.machines[i], position, NULL, 0), SIDE * SIDE);
    assert_true(tabia_position_terminal(t.workspaces[i], position));
    assert_int_equal(read_on(f, &t, i, words, again), TABIA_OK);
    assert_memory_equal(position, again, tabia_position_size(t.machines[i]));
  }
  close_all(&t);
  test_free(words);
}

/* ---- positions that play may never lead to ---- */

static void any_set_of_fluents_is_played_alike(void **state) {
  api_fixture *f = *state;
  static const char *const fluents[] = {"(control x)",  "(control o)",  "(mark 1 1 x)",
                                        "(mark 1 1 o)", "(mark 2 2 o)", "(mark 3 3 x)",
                                        "(mark 2 3 x)", "(mark 3 1 o)", "(mark 1 3 o)"};
  enum { FLUENTS = sizeof fluents / sizeof *fluents };
  table t;
  assert_int_equal(tabia_rules_read(&f->rules, "tic-tac-toe", f->log), TABIA_OK);
  open_all(f, &t, all_kinds());
  for (uint32_t set = 0; set < 1 << FLUENTS; set += 1 + set % 23) {
    char words[FLUENTS * 16] = "";
    for (uint32_t i = FLUENTS; i-- > 0;)
      if (set >> i & 1) strcat(strcat(words, fluents[i]), " ");
    assert_agree(f, &t, words, false);
  }
  close_all(&t);
}

static void what_no_play_changes_cannot_be_contradicted(void **state) {
  api_fixture *f = *state;
  table t;
  assert_int_equal(read_text(f, FOLDED_GAME), TABIA_OK);
  open_all(f, &t, all_kinds());
  assert_agree(f, &t, "even (at a\\ b 1)", false);
  assert_agree(f, &t, "even odd (wall 1) lamp switch", false);
  assert_agree(f, &t, "(wall 1) lamp", false);
  for (uint32_t i = 2; i < t.count; i++) {
    assert_int_equal(read_on(f, &t, i, "even lamp switch (at a\\ b 1)", f->words), TABIA_FAULTY);
    assert_says(f, "text: error: no play leads to such a state without `(wall 1)` [E824]");
    assert_int_equal(tabia_messages_count(f->log), 1);
  }
  close_all(&t);
}

/* Both roles are never in control: the circuit has one bit for them. */
static void what_excludes_each_other_cannot_be_contradicted(void **state) {
  api_fixture *f = *state;
  const char both[] = "(control o) (control x)";
  unsigned char position[POSITION_MAX];
  open_file(f, "games/tic-tac-toe.kif", "circuit");
  assert_int_equal(tabia_position_read(f->machine, "text", both, sizeof both - 1, position, f->log),
                   TABIA_FAULTY);
  assert_says(f, "no play leads to such a state with `(control ");
  assert_non_null(strstr(tabia_message_hint(f->log, 0), "`circuit` has that built in"));
}

/* ---- what is no position ---- */

static void assert_unreadable(api_fixture *f, const char *words, const char *said, size_t start,
                              size_t end) {
  unsigned char position[POSITION_MAX], before[POSITION_MAX];
  size_t from = 0, to = 0;
  memset(position, 7, sizeof position);
  memcpy(before, position, sizeof position);
  tabia_messages_clear(f->log);
  assert_int_equal(tabia_position_read(f->machine, "text", words, strlen(words), position, f->log),
                   TABIA_UNREADABLE);
  assert_says(f, said);
  assert_true(tabia_message_range(f->log, 0, &from, &to));
  assert_int_equal(from, start);
  assert_int_equal(to, end);
  assert_memory_equal(position, before, sizeof position);
}

static void a_fluent_that_the_game_does_not_have_is_pointed_at(void **state) {
  api_fixture *f = *state;
  const uint32_t count = all_kinds();
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(tabia_rules_read(&f->rules, "tic-tac-toe", f->log), TABIA_OK);
    assert_int_equal(tabia_machine_open(&f->machine, f->rules, kinds[i], NULL, f->log), TABIA_OK);
    assert_unreadable(f, "(control x) (marc 1 1 o)", "did you mean `mark`?", 12, 24);
    assert_unreadable(f, "(mark 1 1)", "`mark` has 3 arguments", 0, 10);
    assert_unreadable(f, "(mark 1 9 x)", "`9` stands nowhere in the rules", 0, 12);
    assert_unreadable(f, "(mark 1 ?y x)", "a position has no variables", 0, 13);
    assert_unreadable(f, "(true (control x))", "write the fluent alone", 0, 18);
    assert_unreadable(f, "(control x", "E", 0, 1);
    assert_unreadable(f, "((control x) y)", "there is no fluent", 0, 15);
    tabia_machine_close(f->machine);
    tabia_rules_free(f->rules);
    f->machine = NULL;
    f->rules = NULL;
  }
}

static void blanks_comments_and_repetition_mean_nothing(void **state) {
  api_fixture *f = *state;
  unsigned char position[POSITION_MAX];
  char words[64];
  const char given[] = "; whose turn\n(CONTROL x)(mark 1  1 o)\n\n(control x) #| nothing |#";
  open_file(f, "games/tic-tac-toe.kif", "datalog");
  assert_int_equal(
      tabia_position_read(f->machine, "text", given, sizeof given - 1, position, f->log), TABIA_OK);
  assert_int_equal(tabia_position_text(f->machine, position, words, sizeof words), 24);
  assert_string_equal(words, "(control x) (mark 1 1 o)");
  assert_int_equal(tabia_position_text(f->machine, position, words, 4), 24);
  assert_string_equal(words, "(co");
  assert_int_equal(tabia_position_read(f->machine, "text", "", 0, position, f->log), TABIA_OK);
  assert_int_equal(tabia_position_text(f->machine, position, words, sizeof words), 0);
  assert_string_equal(words, "");
}

/* ---- another start ---- */

static tabia_status start_from(api_fixture *f, const char *words) {
  tabia_rules *other;
  tabia_messages_clear(f->log);
  const tabia_status s =
      tabia_rules_with_start(&other, f->rules, "start", words, strlen(words), f->log);
  if (s != TABIA_OK) {
    assert_null(other);
    return s;
  }
  tabia_rules_free(f->rules);
  f->rules = other;
  return s;
}

static void assert_starts_with(api_fixture *f, const char *words) {
  static char found[TEXT_MAX];
  unsigned char position[POSITION_MAX];
  tabia_machine *m;
  assert_int_equal(tabia_machine_open(&m, f->rules, "circuit", NULL, f->log), TABIA_OK);
  tabia_position_start(m, position);
  tabia_position_text(m, position, found, sizeof found);
  assert_string_equal(found, words);
  tabia_machine_close(m);
}

static void rules_get_another_start(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, FOLDED_GAME), TABIA_OK);
  assert_int_equal(start_from(f, "odd (at a\\ b 2)"), TABIA_OK);
  assert_starts_with(f, "(at a\\ b 2) odd");
  assert_int_equal(start_from(f, ""), TABIA_OK);
  assert_starts_with(f, "");
}

static void rules_in_infix_notation_get_one_too(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, "role(robot). init(at(1)) . init('It').\nlegal(robot, go).\n"
                                "init(X) :- extra(X).\nextra(at(3)).\n"
                                "next(at(2)) :- does(robot, go).\nterminal :- true(at(2)).\n"
                                "goal(robot, 100) % the end"),
                   TABIA_OK);
  assert_int_equal(start_from(f, "(at 2) it"), TABIA_OK);
  assert_string_equal(tabia_rules_notation(f->rules), "prolog");
  assert_starts_with(f, "(at 2) it");
}

static void places_of_other_rules_stay(void **state) {
  api_fixture *f = *state;
  size_t length, start, end;
  assert_int_equal(read_text(f, "(role r) (init\n a) (legal r go) (next a)\n(<= terminal (true b))"
                                "(goal r 1) (<= (goal r 2) (not (true ?x)))"),
                   TABIA_OK);
  assert_int_equal(start_from(f, "b"), TABIA_OK);
  const char *words = tabia_rules_text(f->rules, &length);
  assert_memory_equal(words, "(role r)      \n    (legal r go)", 31);
  assert_int_equal(tabia_rules_check(f->rules, f->log), TABIA_FAULTY);
  assert_true(tabia_message_range(f->log, 0, &start, &end));
  assert_memory_equal(words + start, "?x)))", 5);
}

static void a_wrong_start_is_told(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  assert_int_equal(start_from(f, "(att 1)"), TABIA_UNREADABLE);
  assert_says(f, "start:1:1: error: there is no fluent `(att 1)`; did you mean `at`? [E823]");
  assert_int_equal(start_from(f, "(at 1"), TABIA_UNREADABLE);
  assert_int_equal(read_text(f, "(role r) (init a) (<= (legal r ?x) (init ?x)) (next a)"),
                   TABIA_OK);
  assert_int_equal(start_from(f, "a"), TABIA_FAULTY);
  assert_says(f, "has `init` as a condition");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(every_machine_reads_what_each_has_written),
      a_test(what_is_folded_and_escaped_reads_back),
      a_test(terms_that_grow_read_back),
      a_test(fluents_that_are_written_nowhere_read_back),
      a_test(a_large_state_reads_back),
      a_test(any_set_of_fluents_is_played_alike),
      a_test(what_no_play_changes_cannot_be_contradicted),
      a_test(what_excludes_each_other_cannot_be_contradicted),
      a_test(a_fluent_that_the_game_does_not_have_is_pointed_at),
      a_test(blanks_comments_and_repetition_mean_nothing),
      a_test(rules_get_another_start),
      a_test(rules_in_infix_notation_get_one_too),
      a_test(places_of_other_rules_stay),
      a_test(a_wrong_start_is_told),
  };
  return cmocka_run_group_tests(tests, make_cache, drop_cache);
}
