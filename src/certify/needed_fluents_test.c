#include "base/rng.h"
#include "certify/certify_fixture.h"
#include "certify/needed_fluents.h"
#include "ground/random_game_fixture.h"

/* The needs of a game. */
typedef struct game_needs {
  ground_program g;
  ground_clauses c; /* one moment, any state and any moves */
  need_table t;
} game_needs;

static game_needs *needs_of_game(certify_fixture *f) {
  game_needs *n = arena_alloc_zero(f->keep, sizeof *n);
  ground_stats stats;
  assert_true(ground_rules(&n->g, &f->p, (ground_options){.optimise = true}, f->keep, &f->b, &f->d,
                           &stats));
  ground_clauses_init(&n->c, &n->g, &f->b, f->keep);
  ground_clauses_add_moment(&n->c);
  n->t = need_table_new(&n->c, f->keep);
  return n;
}

/* As text: `(f 1) -(f 2)`; `everything` where that follows. */
static const char *text_of(certify_fixture *f, const game_needs *n, need_list needs) {
  text words = text_new(f->keep);
  if (needs.count == ID_NONE) return "everything";
  for (uint32_t i = 0; i < needs.count; i++) {
    const uint32_t fluent = need_fluent(needs.items[i]);
    text_add_format(&words, "%s%s", i ? " " : "", need_is_negated(needs.items[i]) ? "-" : "");
    term_print(n->g.terms, n->g.fluents.items[fluent].term, NOTATION_KIF, NULL, &words);
  }
  return text_string(&words);
}

static const char *needs_of(certify_fixture *f, const game_needs *n, const char *move) {
  for (uint32_t i = 0; i < n->g.moves.count; i++) {
    text words = text_new(f->keep);
    term_print(n->g.terms, n->g.moves.items[i].term, NOTATION_KIF, NULL, &words);
    if (!strcmp(text_string(&words), move)) return text_of(f, n, needs_of_move(&n->t, i));
  }
  fail_msg("no move %s", move);
  return "";
}

/* All of these may hold and cease. */
#define FLUENTS \
  "(role r) (legal r noop) (goal r 50) (thing a) (thing b) (thing c) (thing d)\n" \
  "(<= (next (f ?x)) (thing ?x) (not (true (f ?x)))) (<= (next (g ?x)) (true (f ?x)))\n" \
  "(<= (next (g ?x)) (true (g ?x)) (not (true (f ?x))))\n"

static void a_move_needs_what_all_its_rules_need(void **state) {
  certify_fixture *f = *state;
  read_game(f, FLUENTS "(<= terminal (true (f d)) (true (f c)))\n"
                       "(<= (legal r go) (true (f a)) (true (f b)) (not (true (g c))))\n"
                       "(<= (legal r go) (true (f b)) (true (f c)) (not (true (g c))))\n"
                       "(<= (legal r one) (true (f a))) (<= (legal r one) (not (true (f a))))");
  game_needs *n = needs_of_game(f);
  assert_string_equal(needs_of(f, n, "go"), "(f b) -(g c)");
  assert_string_equal(needs_of(f, n, "one"), "");
  assert_string_equal(text_of(f, n, needs_of_going_on(&n->t)), "");
  ground_clauses_free(&n->c);
}

/* Where a disjunction does not hold none of it does; of a conjunction that does not, nothing is
   known but what its parts have in common. */
static void what_must_not_hold_is_needed_too(void **state) {
  certify_fixture *f = *state;
  read_game(f, FLUENTS "(<= terminal (true (f d))) (<= terminal busy (true (g d)))\n"
                       "(<= busy (true (f a))) (<= busy (true (f b)) (not (true (f c))))\n"
                       "(<= both (true (f a)) (true (f b)))\n"
                       "(<= shut (true (g a)) (true (f a))) (<= shut (true (g a)) (true (f b)))\n"
                       "(<= twice shut busy) (<= twice (true (f c)))\n"
                       "(<= (legal r go) (not busy)) (<= (legal r on) (not both) (true (f d)))\n"
                       "(<= (legal r up) (not twice)) (<= (legal r in) shut)");
  game_needs *n = needs_of_game(f);
  assert_string_equal(needs_of(f, n, "go"), "-(f a)");
  assert_string_equal(needs_of(f, n, "on"), "(f d)");
  assert_string_equal(needs_of(f, n, "up"), "-(f c)");
  assert_string_equal(needs_of(f, n, "in"), "(g a)");
  assert_string_equal(text_of(f, n, needs_of_going_on(&n->t)), "-(f d)");
  ground_clauses_free(&n->c);
}

/* b holds where a does, and a where b does: that they need (g d) is not found. */
static void what_depends_on_itself_needs_nothing_of_its_own(void **state) {
  certify_fixture *f = *state;
  read_game(f, FLUENTS "(<= terminal (true (f d)))\n"
                       "(<= (on ?x) (true (f ?x)) (true (g d))) (<= (on ?y) (on ?x) (by ?x ?y))\n"
                       "(by a b) (by b a) (<= (legal r go) (on a) (true (f c)))");
  game_needs *n = needs_of_game(f);
  assert_string_equal(needs_of(f, n, "go"), "(f c)");
  ground_clauses_free(&n->c);
}

/* Of very many those that hold are kept. */
static void some_of_very_many_needs_are_passed_over(void **state) {
  certify_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(role r) (legal r noop) (goal r 50) (<= terminal (true z))\n"
                   "(<= (next (w ?n)) (number ?n) (not (true z))) (<= (next z) (not (true z)))\n"
                   "(<= blocked (true (w ?n))) (<= (legal r go) (true z) (not blocked))");
  for (uint32_t i = 0; i < NEEDS_MAX + 50; i++) text_add_format(&words, "(number %u)", i);
  read_game(f, text_string(&words));
  game_needs *n = needs_of_game(f);
  const char *needs = needs_of(f, n, "go");
  uint32_t count = 1;
  for (const char *at = needs; (at = strstr(at, " -(")); at++) count++;
  assert_memory_equal(needs, "z -(w 0)", strlen("z -(w 0)"));
  assert_int_equal(count, NEEDS_MAX);
  ground_clauses_free(&n->c);
}

/* ---- comparison with the clauses of the whole moment ---- */

/* Every need is one; returns how many there are. */
static uint32_t count_true_needs(game_needs *n, atom_id a, bool is_negated, need_list needs) {
  const clause_literal atom = ground_clauses_atom(&n->c, a, 0);
  const clause_literal holds = is_negated ? -atom : atom;
  if (needs.count == ID_NONE) {
    assert_int_equal(clauses_ask(&n->c, holds, 0), ANSWER_NONE);
    return 0;
  }
  for (uint32_t i = 0; i < needs.count; i++) {
    const clause_literal it = n->c.moments.items[0].fluents[need_fluent(needs.items[i])];
    const clause_literal missing[] = {holds, need_is_negated(needs.items[i]) ? it : -it};
    assert_int_equal(clauses_ask(&n->c, clauses_all(&n->c, missing, 2), 0), ANSWER_NONE);
    assert_true(!i || needs.items[i - 1] < needs.items[i]);
  }
  return needs.count;
}

static void every_need_of_a_random_game_is_one(void **state) {
  certify_fixture *f = *state;
  uint32_t count = 0;
  for (uint64_t seed = 0; seed < 150; seed++) {
    rng r = rng_new(seed, 23);
    read_game(f, random_game_text(&r, f->keep));
    game_needs *n = needs_of_game(f);
    for (atom_id a = 0; a < n->g.atoms.count; a++)
      for (uint32_t sign = 0; sign < 2; sign++)
        count += count_true_needs(n, a, sign, n->t.by_atom[a].of[sign]);
    ground_clauses_free(&n->c);
  }
  assert_true(count > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_move_needs_what_all_its_rules_need),
      a_test(what_must_not_hold_is_needed_too),
      a_test(what_depends_on_itself_needs_nothing_of_its_own),
      a_test(some_of_very_many_needs_are_passed_over),
      a_test(every_need_of_a_random_game_is_one),
  };
  return cmocka_run_group_tests_name("certify/needed_fluents", tests, NULL, NULL);
}
