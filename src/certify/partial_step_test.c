#include "base/rng.h"
#include "certify/alike_moves.h"
#include "certify/certify_fixture.h"
#include "certify/partial_step.h"
#include "ground/random_game_fixture.h"

static uint32_t fluent_named(certify_fixture *f, const ground_program *g, const char *name) {
  for (uint32_t i = 0; i < g->fluents.count; i++) {
    text words = text_new(f->keep);
    term_print(g->terms, g->fluents.items[i].term, NOTATION_KIF, NULL, &words);
    if (!strcmp(text_string(&words), name)) return i;
  }
  fail_msg("no fluent %s", name);
  return 0;
}

/* A step of a game in which two fluents are looked at. */
typedef struct pair_step {
  partial_step *n;
  clause_literal before[2], after[2];
} pair_step;

static pair_step step_of(certify_fixture *f, const char *one, const char *other) {
  const ground_program *g = ground_game(f);
  const uint32_t fluents[] = {fluent_named(f, g, one), fluent_named(f, g, other)};
  pair_step s = {.n = partial_step_new(g, &f->b, f->keep)};
  partial_step_begin(s.n, fluents, 2);
  for (uint32_t i = 0; i < 2; i++) {
    s.before[i] = partial_step_before(s.n, fluents[i]);
    s.after[i] = partial_step_after(s.n, fluents[i]);
  }
  return s;
}

/* No step leads to both. */
static bool excludes(pair_step *s, clause_literal a, clause_literal b) {
  const clause_literal both[] = {a, b};
  return partial_step_refutes(s->n, clauses_all(partial_step_clauses(s->n), both, 2));
}

#define THREE_HITS \
  "(role r) (init turn) (init (p 1)) (init (p 2)) (number 1) (number 2) (number 3)\n" \
  "(legal r noop) (goal r 50) (<= terminal (true end)) (<= (next end) (true hit))\n" \
  "(<= (legal r (strike ?n)) (true turn) (true (p ?n)))\n" \
  "(<= (next hit) (does r (strike ?n))) (<= (next quiet) (not (true turn)))\n" \
  "(<= (next turn) (not (true turn))) (<= (next (p ?n)) (number ?n) (not (true (p ?n))))\n"

static void what_all_moves_of_a_group_need_holds(void **state) {
  certify_fixture *f = *state;
  read_game(f, THREE_HITS);
  pair_step s = step_of(f, "hit", "quiet");
  assert_true(excludes(&s, s.after[0], s.after[1]));
  assert_false(excludes(&s, s.after[0], -s.after[1]));
  assert_false(excludes(&s, -s.after[0], s.after[1]));
  partial_step_free(s.n);
}

/* One of them does not need what the others do. */
static void what_one_move_of_a_group_does_not_need_need_not_hold(void **state) {
  certify_fixture *f = *state;
  read_game(f, THREE_HITS "(<= (legal r (strike 3)) (true (p 3)))");
  pair_step s = step_of(f, "hit", "quiet");
  assert_false(excludes(&s, s.after[0], s.after[1]));
  partial_step_be_legal(s.n);
  assert_false(excludes(&s, s.after[0], s.after[1]));
  partial_step_free(s.n);
}

/* Each of them needs something else: that one of these holds is known only later. */
static void moves_of_a_group_are_legal_when_that_is_asked(void **state) {
  certify_fixture *f = *state;
  read_game(f, THREE_HITS);
  const ground_program *g = ground_game(f);
  pair_step s = step_of(f, "hit", "quiet");
  static const char *const names[] = {"(p 1)", "(p 2)", "(p 3)"};
  clause_literal none[4] = {s.after[0]};
  for (uint32_t i = 0; i < 3; i++)
    none[i + 1] = -partial_step_before(s.n, fluent_named(f, g, names[i]));
  const clause_literal wrong = clauses_all(partial_step_clauses(s.n), none, 4);
  const clause_literal only_three = clauses_all(partial_step_clauses(s.n), none, 3);
  assert_false(partial_step_refutes(s.n, wrong));
  partial_step_be_legal(s.n);
  assert_true(partial_step_refutes(s.n, wrong));
  assert_false(partial_step_refutes(s.n, only_three));
  partial_step_free(s.n);
}

#define TWO_WAYS \
  "(role r) (role s) (init x) (<= (legal r (a ?n)) (number ?n)) (legal s b) (legal s c)\n" \
  "(number 1) (number 2) (number 3) (number 4) (number 5) (number 6)\n" \
  "(<= terminal (true y)) (goal r 0) (goal s 0)\n" \
  "(<= (next x) (does r (a 1))) (<= (next x) (does r (a 2)))\n"

static void a_move_that_stands_in_two_places_is_told_apart(void **state) {
  certify_fixture *f = *state;
  read_game(f, TWO_WAYS "(<= (next y) (does r (a 2)))");
  pair_step s = step_of(f, "x", "y");
  assert_true(excludes(&s, -s.after[0], s.after[1]));
  assert_false(excludes(&s, s.after[0], s.after[1]));
  assert_false(excludes(&s, s.after[0], -s.after[1]));
  assert_false(excludes(&s, -s.after[0], -s.after[1]));
  partial_step_free(s.n);
}

static void a_move_that_stands_beside_another_is_told_apart(void **state) {
  certify_fixture *f = *state;
  read_game(f, TWO_WAYS "(<= (next y) (does r (a 2)) (does s c) (true x))");
  pair_step s = step_of(f, "x", "y");
  assert_true(excludes(&s, -s.after[0], s.after[1]));
  assert_true(excludes(&s, -s.before[0], s.after[1]));
  assert_false(excludes(&s, s.after[0], s.after[1]));
  assert_false(excludes(&s, s.after[0], -s.after[1]));
  partial_step_free(s.n);
  read_game(f, TWO_WAYS "(<= (next y) (not (does r (a 1))) (true x))");
  s = step_of(f, "x", "y");
  assert_false(excludes(&s, s.after[0], s.after[1]));
  assert_false(excludes(&s, s.after[0], -s.after[1]));
  assert_false(excludes(&s, -s.after[0], s.after[1]));
  partial_step_free(s.n);
}

static void moves_with_other_conditions_are_told_apart(void **state) {
  certify_fixture *f = *state;
  read_game(f,
            TWO_WAYS "(<= (next y) (does r (a 1)) (true x)) (<= (next y) (does r (a 3)) (true x))"
                     "(<= (next y) (does r (a 2)) (true z)) (<= (next z) (not (true x)))");
  pair_step s = step_of(f, "y", "x");
  assert_false(excludes(&s, s.after[0], s.before[1]));
  assert_false(excludes(&s, s.after[0], -s.before[1]));
  partial_step_free(s.n);
  s = step_of(f, "y", "z");
  assert_false(excludes(&s, s.after[0], s.before[1]));
  assert_false(excludes(&s, s.after[0], -s.before[1]));
  partial_step_free(s.n);
}

/* Of what is done elsewhere only that it is done matters. */
static void moves_that_do_the_same_are_one_group(void **state) {
  certify_fixture *f = *state;
  read_builtin(f, "breakthrough-6");
  const ground_program *g = ground_game(f);
  ground_clauses c;
  ground_clauses_init(&c, g, &f->b, f->keep);
  alike_moves *m = alike_moves_new(&c, f->keep);
  const atom_id asked[] = {g->fluents.items[fluent_named(f, g, "(pawn 3 3 white)")].next};
  alike_moves_find(m, asked, 1);
  uint32_t groups = 0, moves = 0;
  for (uint32_t i = 0; i < m->groups.parts.count; i++) {
    groups += m->groups.parts.items[i].size > 0;
    moves += m->groups.parts.items[i].size;
  }
  assert_int_equal(moves, g->moves.count);
  assert_true(groups < 10);
  alike_moves_free(m);
  ground_clauses_free(&c);
}

/* ---- comparison with the whole step ---- */

/* How many of some pairs of fluents no step leads to, or to one from the other; the whole step must
   say so too. */
static uint32_t count_excluded(certify_fixture *f, rng *r, uint32_t pairs) {
  const ground_program *g = ground_game(f);
  ground_clauses whole;
  uint32_t excluded = 0;
  partial_step *n = partial_step_new(g, &f->b, f->keep);
  ground_clauses_init(&whole, g, &f->b, f->keep);
  ground_clauses_add_moment(&whole);
  ground_clauses_step(&whole, 0);
  ground_clauses_add_moment(&whole);
  for (uint32_t i = 0; i < pairs && g->fluents.count; i++) {
    const uint32_t one = rng_below(r, g->fluents.count);
    const uint32_t fluents[] = {one, (one + rng_below(r, 3)) % g->fluents.count};
    const int signs[] = {rng_below(r, 2) ? 1 : -1, rng_below(r, 2) ? 1 : -1};
    const bool is_later = rng_below(r, 2); /* the second one; else it is before the step */
    partial_step_begin(n, fluents, 2);
    const clause_literal *moments[] = {whole.moments.items[0].fluents,
                                       whole.moments.items[1].fluents};
    const clause_literal near[] = {signs[0] * partial_step_after(n, fluents[0]),
                                   signs[1] * (is_later ? partial_step_after(n, fluents[1])
                                                        : partial_step_before(n, fluents[1]))};
    const clause_literal far[] = {signs[0] * moments[1][fluents[0]],
                                  signs[1] * moments[is_later][fluents[1]]};
    const clause_literal both = clauses_all(partial_step_clauses(n), near, 2);
    bool is_excluded = partial_step_refutes(n, both);
    if (!is_excluded) partial_step_be_legal(n);
    is_excluded |= partial_step_refutes(n, both);
    if (is_excluded)
      assert_int_equal(clauses_ask(&whole, clauses_all(&whole, far, 2), 0), ANSWER_NONE);
    excluded += is_excluded;
  }
  partial_step_free(n);
  ground_clauses_free(&whole);
  return excluded;
}

static void no_step_of_the_game_is_left_out(void **state) {
  certify_fixture *f = *state;
  static const char *const games[] = {"tic-tac-toe", "connect-four", "breakthrough-6", "nim",
                                      "tron",        "hex-5",        "kalah"};
  rng r = rng_new(7, 1);
  uint32_t excluded = 0;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_builtin(f, games[i]);
    excluded += count_excluded(f, &r, 40);
  }
  assert_true(excluded > 5);
}

static void no_step_of_a_random_game_is_left_out(void **state) {
  certify_fixture *f = *state;
  uint32_t excluded = 0;
  for (uint64_t seed = 0; seed < 150; seed++) {
    rng r = rng_new(seed, 11);
    read_game(f, random_game_text(&r, f->keep));
    excluded += count_excluded(f, &r, 30);
  }
  assert_true(excluded > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(what_all_moves_of_a_group_need_holds),
      a_test(what_one_move_of_a_group_does_not_need_need_not_hold),
      a_test(moves_of_a_group_are_legal_when_that_is_asked),
      a_test(a_move_that_stands_in_two_places_is_told_apart),
      a_test(a_move_that_stands_beside_another_is_told_apart),
      a_test(moves_with_other_conditions_are_told_apart),
      a_test(moves_that_do_the_same_are_one_group),
      a_test(no_step_of_the_game_is_left_out),
      a_test(no_step_of_a_random_game_is_left_out),
  };
  return cmocka_run_group_tests_name("certify/partial_step", tests, NULL, NULL);
}
