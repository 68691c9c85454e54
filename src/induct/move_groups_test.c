#include "induct/induct_fixture.h"
#include "induct/move_groups.h"

/* A man on a line of nine squares, whose owner may put him anywhere else while a key is there. */
static const char line[] =
    "(role r) (sq 1) (sq 2) (sq 3) (sq 4) (sq 5) (sq 6) (sq 7) (sq 8) (sq 9) (init (at 1))\n"
    "(init key) (<= (legal r (go ?x ?y)) (true key) (true (at ?x)) (sq ?y) (distinct ?x ?y))\n"
    "(<= (next (at ?y)) (does r (go ?x ?y)))\n"
    "(<= (next (at ?z)) (true (at ?z)) (does r (go ?x ?y)) (distinct ?z ?x) (distinct ?z ?y))\n"
    "(<= (next key) (true key) (not (true (at 9)))) (<= terminal (true (at 9)))";

static wire next_of(rules_fixture *f, const circuit *c, const char *words) {
  const wire now = c->fluents.items[fluent_number(f, c, words)].now;
  return c->latches.items[c->gates.items[wire_gate(now)].number].next;
}

/* Whether the move begins with these words. */
static bool is_move(rules_fixture *f, const circuit *c, uint32_t move, const char *words) {
  text one = text_new(f->keep);
  term_print(c->terms, c->moves.items[move].term, NOTATION_KIF, NULL, &one);
  return strncmp(text_string(&one), words, strlen(words)) == 0;
}

static void moves_that_a_square_does_not_tell_apart_are_one(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  build_circuit(f, line, &g, &c);
  const move_table t = move_table_new(&c, f->keep);
  const wire next = next_of(f, &c, "(at 5)");
  const move_groups groups = move_groups_find(&t, &next, 1, f->keep);
  assert_int_equal(c.moves.count, 72);
  assert_int_equal(groups.first_group[1], 3); /* to it, from it, elsewhere */
  for (uint32_t a = 0; a < c.moves.count; a++)
    for (uint32_t b = 0; b < c.moves.count; b++) {
      const bool are_from = is_move(f, &c, a, "(go 5") && is_move(f, &c, b, "(go 5");
      if (are_from) assert_int_equal(groups.group_of[a], groups.group_of[b]);
      if (is_move(f, &c, a, "(go 5") && !is_move(f, &c, b, "(go 5"))
        assert_int_not_equal(groups.group_of[a], groups.group_of[b]);
    }
}

static void all_squares_tell_all_moves_apart(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  build_circuit(f, line, &g, &c);
  const move_table t = move_table_new(&c, f->keep);
  wire next[9];
  for (uint32_t i = 0; i < 9; i++) {
    char words[] = "(at 1)";
    words[4] = (char)('1' + i);
    next[i] = next_of(f, &c, words);
  }
  const move_groups groups = move_groups_find(&t, next, 9, f->keep);
  assert_int_equal(groups.first_group[1], 72);
}

/* Nothing that is asked about here depends on moves. */
static void a_group_needs_what_all_its_moves_need(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  build_circuit(f, line, &g, &c);
  const move_table t = move_table_new(&c, f->keep);
  const wire next = next_of(f, &c, "key");
  const move_groups groups = move_groups_find(&t, &next, 1, f->keep);
  assert_int_equal(groups.first_group[1], 1);
  assert_int_equal(groups.all[0].size, 72);
  wire needed[2 * WATCHED_MAX];
  assert_int_equal(needed_wires(&groups.watched, groups.all[0].needs, needed), 1);
  assert_int_equal(needed[0], c.fluents.items[fluent_number(f, &c, "key")].now);
}

static bool is_needed(const move_groups *groups, uint32_t group, wire w) {
  wire needed[2 * WATCHED_MAX];
  const uint32_t count = needed_wires(&groups->watched, groups->all[group].needs, needed);
  for (uint32_t i = 0; i < count; i++)
    if (needed[i] == w) return true;
  return false;
}

/* A move needs nearly all lamps dark: more than can be watched. */
static void what_the_question_reads_is_watched_among_many_needs(void **state) {
  enum { LAMPS = 50 };
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  text game = text_new(f->keep);
  text_add(&game, "(role r) (init (lit 0)) (legal r wait) (goal r 0) (<= terminal (true (lit 1)))");
  for (int k = 0; k < LAMPS; k++) {
    text_add_format(&game, "(<= (legal r (light %d))", k);
    for (int i = 1; i < LAMPS; i++) text_add_format(&game, "(not (true (lit %d)))", i);
    text_add_format(&game, ") (<= (next (lit %d)) (does r (light %d)))", k, k);
    text_add_format(&game, "(<= (next (lit %d)) (true (lit %d)))", k, k);
  }
  build_circuit(f, text_string(&game), &g, &c);
  const move_table t = move_table_new(&c, f->keep);
  const wire next = next_of(f, &c, "(lit 45)");
  const wire now = c.fluents.items[fluent_number(f, &c, "(lit 45)")].now;
  const move_groups groups = move_groups_find(&t, &next, 1, f->keep);
  for (uint32_t m = 0; m < c.moves.count; m++)
    if (is_move(f, &c, m, "(light 45"))
      assert_true(is_needed(&groups, groups.group_of[m], wire_not(now)));
    else if (is_move(f, &c, m, "wait"))
      assert_false(is_needed(&groups, groups.group_of[m], wire_not(now)));
}

/* Sets of two roles' moves within sets, each in two others: 2^40 ways down. */
static void sets_that_others_share_are_opened_once(void **state) {
  enum { LEVELS = 40 };
  rules_fixture *f = *state;
  ground_program g;
  circuit c;
  text game = text_new(f->keep);
  text_add(&game, "(role r) (role s) (legal r z) (legal s z) (init on) (goal r 0) (goal s 0)");
  for (int k = 0; k < LEVELS; k++) {
    for (int x = 0; x < 2; x++) {
      text_add_format(&game, "(legal r (%c %d)) (legal s (%c %d))", "mn"[x], k, "mn"[x], k);
      text_add_format(&game, "(<= %c%d (does r (%c %d))) (<= %c%d (does s (%c %d)))", "pq"[x], k,
                      "mn"[x], k, "pq"[x], k, "nm"[x], k);
      if (k)
        text_add_format(&game, "(<= %c%d p%d) (<= %c%d q%d)", "pq"[x], k, k - 1, "pq"[x], k, k - 1);
    }
  }
  text_add_format(&game, "(<= (next on) (true on) (not p%d)) (<= terminal (not (true on)))",
                  LEVELS - 1);
  build_circuit(f, text_string(&game), &g, &c);
  const move_table t = move_table_new(&c, f->keep);
  const wire next = next_of(f, &c, "on");
  const move_groups groups = move_groups_find(&t, &next, 1, f->keep);
  assert_int_equal(groups.first_group[1], 2); /* those in p39, and the others */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(moves_that_a_square_does_not_tell_apart_are_one),
      rules_test(all_squares_tell_all_moves_apart),
      rules_test(sets_that_others_share_are_opened_once),
      rules_test(a_group_needs_what_all_its_moves_need),
      rules_test(what_the_question_reads_is_watched_among_many_needs),
  };
  return cmocka_run_group_tests_name("induct/move_groups", tests, NULL, NULL);
}
