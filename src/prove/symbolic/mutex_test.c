#include "prove/prove_fixture.h"
#include "prove/symbolic/mutex_groups.h"

static bool has_name(const circuit *c, uint32_t fluent, const char *name) {
  const symbol_id own = term_get(c->terms, c->fluents.items[fluent].term)->name;
  return slice_equals(symbol_folded(c->terms->symbols, own), name);
}

/* By fluent: a group holds it. */
static bitset covered_by(const fact_set *groups, const circuit *c, arena *keep) {
  const bitset covered = bitset_new(keep, c->fluents.count + 1);
  for (uint32_t i = 0; i < groups->members.count; i++)
    bitset_add(covered, groups->members.items[i] >> 1);
  return covered;
}

/* Every fluent of that name is in a group, unless it never changes. */
static void assert_name_covered(const prove_fixture *f, bitset covered, const char *game,
                                const char *name) {
  const circuit *c = &f->j.g.circuit;
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    if (!has_name(c, i, name) || wire_is_constant(c->fluents.items[i].now)) continue;
    count++;
    if (bitset_has(covered, i)) continue;
    text words = text_new(f->keep);
    term_print(c->terms, c->fluents.items[i].term, NOTATION_KIF, NULL, &words);
    fail_msg("%s: no group holds %s", game, text_string(&words));
  }
  assert_true(count > 1);
}

static void groups_cover_every_cell_and_the_turn(void **state) {
  prove_fixture *f = *state;
  static const struct {
    const char *game;
    const char *names[3];
  } boards[] = {
      {"tic-tac-toe", {"mark", "control"}},     {"connect-four", {"disc", "control"}},
      {"breakthrough-6", {"pawn", "control"}},  {"reversi", {"disc", "control"}},
      {"gomoku-9", {"stone", "control"}},       {"hex-5", {"stone", "control"}},
      {"fox-and-geese", {"animal", "control"}}, {"nine-mens-morris", {"man", "control"}},
      {"atari-go-7", {"stone", "control"}},     {"nim", {"heap", "control"}},
      {"dots-and-boxes", {"owner", "control"}},
  };
  for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
    read_builtin(f, boards[i].game);
    const finding *v = found(f, "mutex", "induction");
    assert_int_equal(v->kind, VERDICT_PROVED);
    const bitset covered = covered_by(v->groups, &f->j.g.circuit, f->keep);
    for (const char *const *name = boards[i].names; *name; name++)
      assert_name_covered(f, covered, boards[i].game, *name);
  }
}

static void what_follows_from_another_group_is_not_told(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "maze"); /* one place on the board, so one in each row and column */
  const finding *v = found(f, "mutex", "induction");
  assert_int_equal(v->groups->all.count, 2);
  assert_string_equal(v->reason, "2 groups of which exactly one holds");
}

static void no_group_is_an_answer_without_a_certificate(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init a) (init b) (legal r a) (legal r b) (goal r 0)\n"
               "(<= (next ?x) (does r ?x)) (<= (next ?x) (true ?x)) (<= terminal (true c))");
  const finding *v = found(f, "mutex", "induction");
  assert_int_equal(v->kind, VERDICT_PROVED);
  assert_int_equal(v->groups->all.count, 0);
  assert_false(finding_has_certificate(&f->j.properties.items[0], v));
}

static void a_search_that_is_cut_short_says_so(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "connect-four");
  ask(f, "mutex");
  run(f, "induction", 1e-9);
  assert_int_equal(f->j.findings[0].kind, VERDICT_UNKNOWN);
  assert_string_equal(f->j.findings[0].reason,
                      "induction: the search for groups did not come to its end");
}

/* Two of `at` move around a triangle, so never are all three held, which `slot` rests on; but no
   pair of fluents tells that. */
static const char triangle[] =
    "(role r) (init (at a)) (init (at b)) (init (slot y)) (legal r on) (goal r 0)\n"
    "(<= (next (at b)) (true (at a))) (<= (next (at c)) (true (at b)))\n"
    "(<= (next (at a)) (true (at c)))\n"
    "(<= (next (slot y)) (true (slot y)))\n"
    "(<= (next (slot x)) (true (at a)) (true (at b)) (true (at c)))\n"
    "(<= terminal (true (slot z))) (<= (next (slot z)) (true (slot x)))";

static void induction_alone_leaves_it_open(void **state) {
  prove_fixture *f = *state;
  read_game(f, triangle);
  ask(f, "mutex");
  job_facts(&f->j, &f->b);
  assert_int_equal(groups_among(&f->j.facts, &f->j.full, f->keep)->all.count, 0);
}

static void assert_one_group(const finding *v, const char *method) {
  assert_int_equal(v->kind, VERDICT_PROVED);
  assert_string_equal(v->method, method);
  assert_string_equal(v->reason, "1 group of which at most one holds");
  assert_int_equal(v->groups->all.items[0].count, 2);
}

static void all_states_show_a_group(void **state) {
  prove_fixture *f = *state;
  static const char *const methods[] = {"exhaustive", "auto", "induction"};
  read_game(f, triangle);
  for (uint32_t i = 0; i < 3; i++) {
    const finding *v = found(f, "mutex", methods[i]);
    assert_one_group(v, "exhaustive");
    assert_int_equal(v->walked->all.count, 1);
    assert_int_equal(v->states, 3);
  }
}

static void pdr_proves_a_group(void **state) {
  prove_fixture *f = *state;
  read_game(f, triangle);
  const finding *v = found(f, "mutex", "pdr");
  assert_one_group(v, "pdr");
  assert_null(v->walked);
  assert_true(v->certificate->all.count > 1);
}

/* An even number of lamps is on, always, so slot x never comes; but no few fluents tell that, and
   there are too many states. */
static const char *lamps(prove_fixture *f, uint32_t count) {
  text words = text_new(f->keep);
  text_add(&words, "(role r) (init (slot y)) (goal r 0) (<= (next (slot y)) (true (slot y)))\n"
                   "(<= (legal r (flip ?i ?j)) (succ ?i ?j))\n"
                   "(<= (flips ?i) (does r (flip ?i ?j))) (<= (flips ?j) (does r (flip ?i ?j)))\n"
                   "(<= (next (on ?i)) (true (on ?i)) (not (flips ?i)))\n"
                   "(<= (next (on ?i)) (flips ?i) (not (true (on ?i))))\n"
                   "(<= (odd 1) (true (on 1)))\n"
                   "(<= (odd ?j) (succ ?i ?j) (odd ?i) (not (true (on ?j))))\n"
                   "(<= (odd ?j) (succ ?i ?j) (not (odd ?i)) (true (on ?j)))\n"
                   "(<= (next (slot z)) (true (slot x))) (<= terminal (true (slot z)))\n");
  for (uint32_t i = 1; i < count; i++) text_add_format(&words, "(succ %u %u)\n", i, i + 1);
  text_add_format(&words, "(<= (next (slot x)) (odd %u))", count);
  return text_string(&words);
}

static void a_candidate_that_is_open_is_not_called_absent(void **state) {
  prove_fixture *f = *state;
  read_game(f, lamps(f, 6));
  assert_int_equal(found(f, "mutex", "auto")->groups->all.count, 1);
  read_game(f, lamps(f, 48));
  ask(f, "mutex");
  run(f, "auto", 1);
  assert_int_equal(f->j.findings[0].kind, VERDICT_UNKNOWN);
}

/* A colour may be seen in two ways at once, but there is one colour. */
static void what_is_determined_is_a_candidate_for_every_method(void **state) {
  prove_fixture *f = *state;
  static const char *const methods[] = {"induction", "exhaustive", "pdr", "auto"};
  read_game(f, "(role r) (init (seen red far)) (init (seen red near)) (goal r 0)\n"
               "(legal r red) (legal r blue) (legal r dim)\n"
               "(<= (next (seen red ?x)) (does r red) (way ?x)) (way far) (way near)\n"
               "(<= (next (seen blue ?x)) (does r blue) (way ?x))\n"
               "(<= (next (seen blue far)) (does r dim)) (<= terminal (true over))");
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const finding *v = found(f, "mutex", methods[i]);
    assert_int_equal(v->kind, VERDICT_PROVED);
    assert_int_equal(v->groups->all.count, 4);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(groups_cover_every_cell_and_the_turn),
      a_test(what_follows_from_another_group_is_not_told),
      a_test(no_group_is_an_answer_without_a_certificate),
      a_test(a_search_that_is_cut_short_says_so),
      a_test(induction_alone_leaves_it_open),
      a_test(all_states_show_a_group),
      a_test(pdr_proves_a_group),
      a_test(a_candidate_that_is_open_is_not_called_absent),
      a_test(what_is_determined_is_a_candidate_for_every_method),
  };
  return cmocka_run_group_tests_name("prove/mutex", tests, NULL, NULL);
}
